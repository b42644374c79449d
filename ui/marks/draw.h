/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing of marks with cairo: over the pictures on screen and in figures. */
#pragma once

#include <gtk/gtk.h>

#include "ui/display.h"

G_BEGIN_DECLS

typedef struct {
  ctgl_point (*place)(gpointer user, const double point[2]); /* of mm of the picture */
  gpointer user;
  double unit;                           /* of a logical pixel: line widths */
  double per_mm;                         /* thickness of a line */
  double left, top, width, height, room; /* where words may stand; their size beside the usual */
  cairo_region_t *words;                 /* where some stand already, of one picture; owned by the caller */
} GantryMarkPaper;

/* Whether a mark lies in the plane of a picture whose neighbours are `step` mm away; 0: it has none. */
gboolean gantry_mark_is_on(const GantryMark *mark, const GantryImage *image, double step);
/* Points of its outline, which is closed where it is a region. */
guint gantry_mark_outline(const GantryMark *mark);
void gantry_mark_outline_point(const GantryMark *mark, guint i, double point[2]);
void gantry_mark_draw(const GantryMark *mark, const GantryMarkPaper *paper, double width, cairo_t *cr);
/* "Edge 1: 12.4 mm", "Rectangle 1: 0.0921 1/mm" of A, right below its lowest place, or next to there where other words
 * stand. */
void gantry_mark_draw_words(const GantryMark *mark, GantryDisplay *display, const GantryMarkPaper *paper,
                            PangoContext *context, cairo_t *cr);
extern const GdkRGBA gantry_mark_colour;

G_END_DECLS
