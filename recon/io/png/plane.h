/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One plane as a grey PNG of 8 or 16 bits. */
#ifndef CT_IO_PNG_PLANE_H
#define CT_IO_PNG_PLANE_H

#include "recon/base/error.h"

#include <stdbool.h>

typedef struct ct_png_plane {
  const float *values; /* [height][width], the first row lowest in the picture */
  int width, height;
  double pixel_x, pixel_y; /* mm, into pHYs */
  int bits;                /* 8 or 16 */
  double low, high;        /* become black and white; NaN: the 0.1 % and 99.9 % percentiles */
  const char *plan;        /* into a text chunk, as low and high are; may be NULL */
} ct_png_plane;

/* The key of the plan's text. */
#define CT_PNG_PLAN "Gantry plan"

bool ct_png_write_plane(const char *path, const ct_png_plane *plane, ct_error **error);
/* The plan that such a picture carries, new text (ct_free); NULL, without an error, where the file carries none. */
char *ct_png_read_plan(const char *path, ct_error **error);

#endif
