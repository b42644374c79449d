/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oblique plane among the pictures that are wanted: which one it is, and how it is read from what there is. */
#include "app/mailbox.h"

#include <math.h>

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
