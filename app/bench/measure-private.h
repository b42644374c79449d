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

#endif
