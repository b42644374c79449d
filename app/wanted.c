/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes by their place in mm, in whatever grid there is by now. */
#include "app/wanted.h"

#include <math.h>

/* The world axis a plane is perpendicular to. */
static int axis_of(ct_plane plane) {
  return plane == CT_AXIAL ? 2 : plane == CT_CORONAL ? 1 : 0;
}

int gantry_plane_index(const ct_grid *grid, ct_plane plane, double position) {
  int width, height, count;
  ct_grid_plane_size(grid, plane, &width, &height, &count);
  const double first = ct_grid_plane_position(grid, plane, 0);
  const double spacing = plane == CT_AXIAL ? grid->dz : plane == CT_CORONAL ? grid->dy : grid->dx;
  const double index = round((position - first) / spacing);
  return isfinite(index) ? (int)CLAMP(index, 0, count - 1) : 0;
}

int gantry_wanted_index(const GantryWanted *wanted, const ct_grid *grid, ct_plane plane) {
  int width, height, count;
  ct_grid_plane_size(grid, plane, &width, &height, &count);
  return wanted->centred ? count / 2 : gantry_plane_index(grid, plane, wanted->cross[axis_of(plane)]);
}

gboolean gantry_wanted_oblique(const GantryWanted *wanted, const ct_grid *grid, ct_oblique *oblique) {
  double point[3];
  if (!wanted->oblique || grid->nz < 2) return FALSE;
  for (int axis = 0; axis < 3; axis++) point[axis] = wanted->cross[axis];
  if (wanted->centred) {
    point[0] = ct_grid_plane_position(grid, CT_SAGITTAL, grid->nx / 2);
    point[1] = ct_grid_plane_position(grid, CT_CORONAL, grid->ny / 2);
    point[2] = ct_grid_plane_position(grid, CT_AXIAL, grid->nz / 2);
  }
  *oblique = ct_oblique_through(grid, point, wanted->pose.rotation, wanted->pose.tilt);
  return TRUE;
}

gboolean gantry_oblique_is_shown(const GantryWanted *wanted, const ct_grid *grid, const GantryImage *image) {
  ct_oblique oblique;
  return !gantry_wanted_oblique(wanted, grid, &oblique) ||
         (image && gantry_image_is_oblique(image, &wanted->pose, oblique.centre));
}

GantryImage *gantry_oblique_new(const GantryWanted *wanted, const ct_oblique *oblique, const ct_grid *volume,
                                guint64 generation) {
  GantryImage *image = gantry_image_new_for_oblique(oblique, &wanted->pose, volume);
  if (image) image->generation = generation;
  return image;
}
