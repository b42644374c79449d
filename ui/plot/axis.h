/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readable ticks for an axis: steps of 1, 2 or 5 times a power of ten. No GTK, no state. */
#pragma once

#include <glib.h>

typedef enum {
  GANTRY_SCALE_LINEAR,
  GANTRY_SCALE_WHOLE, /* linear, of things that are counted: it begins, ends and ticks at whole numbers */
  GANTRY_SCALE_LOG,   /* of values above 0; others have no place on it */
} GantryScale;

typedef struct {
  GantryScale scale;
  double low, high; /* what the axis shows */
  double first;     /* first tick at or above low; logarithmic: its number, counted from the one at 1 */
  double step;      /* logarithmic: in such numbers */
  int count;        /* ticks in [low, high] */
  int decimals;     /* that the tick labels need; negative: powers of ten */
  int per_decade;   /* logarithmic: 1 (1), 2 (1, 3) or 3 (1, 2, 5); 0: ticks as on a linear axis, for narrow ranges */
} GantryAxis;

/* An axis over [low, high] with at most `most` ticks (at least two). A range without width is widened about its value;
 * `loose` moves the ends outwards to ticks, so that curves do not touch the frame. */
void gantry_axis_fit(GantryAxis *axis, double low, double high, int most, gboolean loose);
/* The same on a scale. What a logarithmic axis cannot show (nothing above 0) becomes 0.1 to 1. */
void gantry_axis_fit_scale(GantryAxis *axis, GantryScale scale, double low, double high, int most);
double gantry_axis_tick(const GantryAxis *axis, int index);
/* Position of a value along the axis, 0 at low and 1 at high; NAN where it has none. */
double gantry_axis_place(const GantryAxis *axis, double value);
double gantry_axis_value(const GantryAxis *axis, double place);
/* The label of a tick: all ticks of a linear axis have the same number of decimals; a true minus sign; powers of ten as
 * "2·10⁻⁵". */
char *gantry_axis_format(const GantryAxis *axis, double value, char *text, gsize size);
/* A value read off the axis: two decimals finer than its ticks, three digits on a logarithmic one. */
char *gantry_axis_format_fine(const GantryAxis *axis, double value, char *text, gsize size);
