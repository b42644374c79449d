/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the picture of a roofline shows, and the picture. */
#ifndef GANTRY_BENCH_ROOFLINE_PRIVATE_H
#define GANTRY_BENCH_ROOFLINE_PRIVATE_H

#include "app/bench/measure-private.h"

enum { BENCH_ROOFLINE_POINTS = 512, BENCH_ROOFLINE_PANELS = 8 };

typedef struct bench_roofline_point {
  char name[48]; /* of the kernel, and what is not linear where it has other interpolations */
  ct_precision precision;
  int problem;              /* a panel of the picture for each */
  double intensity, gflops; /* flop/B, GF/s */
} bench_roofline_point;

typedef struct bench_roofline_data {
  bench_rates rates;
  bench_roofline_point points[BENCH_ROOFLINE_POINTS];
  size_t count;
  char names[BENCH_ROOFLINE_PANELS][96];
  int problems;
  char machine[256];
} bench_roofline_data;

/* The highest roof that an intensity meets below the peak: that of the level that serves fastest. */
double bench_roof_at(const bench_rates *rates, double intensity);

/* New text (ct_free): an SVG, a panel a problem: at the left the roofs and the points, told apart by family (colour)
 * and precision (shape), at the right a list of them by rate. NULL with CT_ERROR_MEMORY. */
char *bench_roofline_draw(const bench_roofline_data *all, ct_error **error);

/* A line of the list: points of one kernel and interpolation that differ in precision and lie beside one another. */
typedef struct bench_roofline_label {
  const bench_roofline_point *points[CT_PRECISION_FLOAT64 + 1]; /* by precision; NULL: not among them */
  const bench_roofline_point *first;                            /* the highest */
  double low, high;                                             /* GF/s */
  double place, wanted;                                         /* px from above: the line's, and its points' */
} bench_roofline_label;

/* Of the points of a problem, the labels, highest rate first; at most as many as there are points. */
size_t bench_roofline_list(const bench_roofline_data *all, int problem, bench_roofline_label *labels);
/* Places as near to the wanted ones, which grow, as lines `pitch` apart allow, between `low` and `high` where that has
 * room for all, else from `low` on. */
void bench_roofline_spread(bench_roofline_label *labels, size_t count, double pitch, double low, double high);

#endif
