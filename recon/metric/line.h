/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values along a line of a slice, averaged across its thickness, and the widths that they show. */
#ifndef CT_METRIC_LINE_H
#define CT_METRIC_LINE_H

#include "recon/metric/region.h"

typedef struct ct_measure_line {
  double from[2], to[2]; /* mm of the slice, see region.h */
  double thickness;      /* mm across the line, over which values are averaged; 0: the line alone */
} ct_measure_line;

/* Bilinear samples from one end to the other, ends included, at most half a pixel apart. */
typedef struct ct_line_profile {
  size_t count;   /* at least 3 */
  double step;    /* mm */
  double *values; /* [count], owned */
} ct_line_profile;

/* CT_ERROR_ARGUMENT where the line has no length, or one end (with half the thickness) lies outside the slice, half a
 * pixel of border included; CT_ERROR_MEMORY. */
bool ct_line_profile_make(const ct_slice_image *image, const ct_measure_line *line, ct_line_profile *profile,
                          ct_error **error);
void ct_line_profile_clear(ct_line_profile *profile);

/* What a profile shows. Levels of both sides are the means of its outer tenths. Places are mm from the first end, found
 * between samples linearly; NaN: there is none. */
typedef struct ct_line_widths {
  double before, after; /* the levels */
  /* A peak or a dip: where the value that is farthest from both levels stands out by more than these differ. Its width
   * at half its height above their mean, and the two places of that. */
  double peak, peak_at, peak_width, peak_edges[2];
  /* An edge, where there is no peak: the place of half height, the distance from 10 to 90 % of the height, and the full
   * width at half the maximum of the slope (the line spread function). */
  double edge_at, edge_rise, edge_width;
} ct_line_widths;
ct_line_widths ct_line_widths_of(const ct_line_profile *profile);

#endif
