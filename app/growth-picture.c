/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No larger than a page can show them. */
#include "app/growth-picture.h"

#define MOST_SIDE 512

/* Averages of side x side pixels. */
static void average(const float *pixels, int width, int side, GantryImage *to) {
  for (int j = 0; j < to->height; j++)
    for (int i = 0; i < to->width; i++) {
      double sum = 0;
      for (int b = 0; b < side; b++)
        for (int a = 0; a < side; a++) sum += (double)pixels[((gsize)j * side + b) * width + (gsize)i * side + a];
      to->pixels[(gsize)j * to->width + i] = (float)(sum / (side * side));
    }
}

GantryImage *gantry_growth_picture(const ct_grid *grid, const float *pixels, ct_error **error) {
  const int side = (MAX(grid->nx, grid->ny) + MOST_SIDE - 1) / MOST_SIDE;
  ct_grid coarse = *grid;
  coarse.nx = MAX(grid->nx / side, 1), coarse.ny = MAX(grid->ny / side, 1);
  coarse.dx *= side, coarse.dy *= side;
  coarse.x0 += 0.5 * (side - 1) * grid->dx, coarse.y0 += 0.5 * (side - 1) * grid->dy;
  GantryImage *image = gantry_image_new_for_plane(&coarse, CT_AXIAL, 0);
  if (!image) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a picture.");
    return NULL;
  }
  average(pixels, grid->nx, side, image);
  gantry_image_find_grey(image);
  return image;
}
