/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readable ticks for an axis: steps of 1, 2 or 5 times a power of ten. No GTK, no state. */
#pragma once

#include <glib.h>

typedef struct {
  double low, high; /* what the axis shows */
  double first;     /* first tick at or above low */
  double step;
  int count;    /* ticks in [low, high] */
  int decimals; /* that the tick labels need; negative: scientific */
} GantryAxis;

/* An axis over [low, high] with at most `most` ticks (at least two). A range without width is widened about its value;
 * `loose` moves the ends outwards to ticks, so that curves do not touch the frame. */
void gantry_axis_fit(GantryAxis *axis, double low, double high, int most, gboolean loose);
double gantry_axis_tick(const GantryAxis *axis, int index);
/* Position of a value along the axis, 0 at low and 1 at high. */
double gantry_axis_place(const GantryAxis *axis, double value);
double gantry_axis_value(const GantryAxis *axis, double place);
/* The label of a tick: all ticks of an axis have the same number of decimals; a true minus sign. */
char *gantry_axis_format(const GantryAxis *axis, double value, char *text, gsize size);
/* A value read off the axis: two decimals finer than its ticks. */
char *gantry_axis_format_fine(const GantryAxis *axis, double value, char *text, gsize size);
