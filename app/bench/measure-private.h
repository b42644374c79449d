/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of kernels on a case. */
#ifndef GANTRY_BENCH_MEASURE_PRIVATE_H
#define GANTRY_BENCH_MEASURE_PRIVATE_H

#include "app/bench/case-private.h"

/* Measures and adds a row; skips (true) what does not apply or fit. False only when cancelled. */
bool bench_measure(bench *b, bench_case *c, const bench_run *run, ct_error **error);
/* The voxel loop first, then every listed kernel of the table in every precision that it has. */
bool bench_measure_all(bench *b, bench_case *c, const bench_run *model, ct_error **error);
/* The voxel loop alone, if it has not been measured for this interpolation and number of threads. */
bool bench_measure_loop(bench *b, bench_case *c, const bench_run *model, ct_error **error);

/* Of all threads. */
typedef struct bench_rates {
  double fma, l1, l2, l3, memory, update; /* GF/s, then GB/s */
} bench_rates;

/* Measures them, adds a row each, and keeps them as b->rates. */
bool bench_measure_rates(bench *b, bench_rates *rates, ct_error **error);

#endif
