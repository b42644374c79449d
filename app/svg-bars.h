/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacked bars as SVG, one below the other. */
#ifndef GANTRY_SVG_BARS_H
#define GANTRY_SVG_BARS_H

#include "recon/base/error.h"

#include <stddef.h>

enum { GANTRY_SVG_PARTS = 6 };

typedef struct gantry_svg_bar {
  const char *name;               /* at its left */
  double parts[GANTRY_SVG_PARTS]; /* >= 0, from the left on; what is not finite is left out */
} gantry_svg_bar;

typedef struct gantry_svg_bars {
  const char *title, *unit;            /* of the scale below */
  const char *parts[GANTRY_SVG_PARTS]; /* the legend; NULL ends it */
  const gantry_svg_bar *bars;
  size_t count;
} gantry_svg_bars;

/* New text (ct_free), `width` px wide and as high as it needs to be. NULL with CT_ERROR_MEMORY. */
char *gantry_svg_draw_bars(const gantry_svg_bars *bars, int width, ct_error **error);

#endif
