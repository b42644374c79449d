/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of planes, and bounds of oblique pictures. */
#include "ui/image-look.h"

ctgl_colour gantry_plane_colour(GantryViewKind kind) {
  static const ctgl_colour colours[GANTRY_VIEWS] = {{1.00f, 0.42f, 0.36f, 1},
                                                    {0.36f, 0.80f, 0.43f, 1},
                                                    {0.38f, 0.65f, 1.00f, 1},
                                                    {0.62f, 0.62f, 0.62f, 1},
                                                    {1.00f, 0.73f, 0.22f, 1}};
  return colours[kind];
}

ctgl_bounds gantry_image_bounds(const GantryImage *image) {
  const ct_oblique *plane = &image->oblique;
  const ct_grid *g = &image->volume;
  const double step[3] = {g->dx, g->dy, g->dz}, first[3] = {g->x0, g->y0, g->z0};
  const int count[3] = {g->nx, g->ny, g->nz};
  ctgl_bounds bounds;
  double point[3];
  ct_oblique_point(plane, 0, 0, point);
  for (int k = 0; k < 3; k++) {
    const double side = count[k] * step[k];
    bounds.corner[k] = (point[k] - first[k] + 0.5 * step[k]) / side;
    bounds.across[k] = plane->spacing * plane->across[k] / side;
    bounds.up[k] = plane->spacing * plane->up[k] / side;
  }
  return bounds;
}
