/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure for a paper or a report: one picture or up to four, each with its name, place and scale bar, a colour bar
 * for the slices, and a caption. Pixels are the data's own, letters and lines are drawn: the size of the paper does not
 * hang on that of the window. */
#pragma once

#include "recon/base/error.h"
#include "ui/display.h"
#include "ui/image.h"

G_BEGIN_DECLS

enum { GANTRY_FIGURE_PANELS = 4 };

typedef struct {
  GantryImage *a, *b, *map; /* borrowed; b and map may be NULL */
  ctgl_mode mode;
  double region[4]; /* left, lower, right, upper edge of what is seen, mm of the picture */
  double pixel;     /* mm of a pixel on screen, for the tiles of the checkerboard */
  char *title;      /* "Axial z = 12.4 mm" */
  double step;      /* mm to the next slice: marks lie on it or on that one; 0: there is one slice */
  gboolean cross, profile;
  ctgl_point cross_at, from, to;
} GantryFigurePanel;

typedef struct {
  GantryDisplay *display; /* grey windows, scales, colour maps, units, mixing */
  GantryFigurePanel panels[GANTRY_FIGURE_PANELS];
  int count;     /* in reading order, two in a row */
  double aspect; /* height of a panel by its width */
  double width;  /* mm */
  char *caption; /* below the panels; NULL: none */
} GantryFigure;

/* As .png with 300 dots per inch, .svg or .pdf. */
gboolean gantry_figure_save(const GantryFigure *figure, const char *path, ct_error **error);
void gantry_figure_clear(GantryFigure *figure);
/* What a panel shows at a place, as a part of its scale from 0 to 1; NAN: nothing, or no number. */
double gantry_figure_part(const GantryFigure *figure, const GantryFigurePanel *panel, double x, double y);

G_END_DECLS
