/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots as SVG: panels below one another, each with curves or points on axes of its own. Plain C: the command line has
 * no drawing library. */
#ifndef GANTRY_SVG_H
#define GANTRY_SVG_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct gantry_svg_curve {
  const char *name; /* in the legend; of a single point beside it */
  const double *x, *y;
  size_t count; /* what is not finite, or not positive on a logarithmic axis, is left out and breaks the curve */
  int colour;   /* index of a colour that tells curves apart; curves of the same index look alike */
  bool points;  /* a point each, with the name beside it and without a legend, instead of a curve */
} gantry_svg_curve;

typedef struct gantry_svg_panel {
  const char *title, *x_title, *y_title; /* NULL: none */
  bool log_x, log_y;
  int decades; /* at most so many of a logarithmic y axis are shown, what is smaller at its lower end; 0: all */
  const gantry_svg_curve *curves;
  size_t count;
} gantry_svg_panel;

/* Parts of pictures of other kinds (svg-bars.c): the head of the file, white ground included; a text whose anchor is
 * start, middle or end; a colour; a step of a scale, of which 4 to 9 fit the range. */
void gantry_svg_begin(FILE *to, int width, int height);
void gantry_svg_text(FILE *to, double x, double y, const char *anchor, const char *text);
const char *gantry_svg_colour(int index);
double gantry_svg_step(double range);

/* New text (ct_free): an SVG of width x height px, the panels one below the other. NULL with CT_ERROR_MEMORY. */
char *gantry_svg(const gantry_svg_panel *panels, size_t count, int width, int height, ct_error **error);

#endif
