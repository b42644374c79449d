/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of kernels that differ by where their lines look. All are zero where nothing is seen. */
#ifndef GANTRY_BENCH_COUNTS_LINES_PRIVATE_H
#define GANTRY_BENCH_COUNTS_LINES_PRIVATE_H

#include "app/bench/counts-private.h"

typedef bench_count bench_counter(const ct_bp_kernel *kernel, const ct_bp_request *request);

/* `lines`; `free` where the depth changes too much along z; `taps`. */
bench_counter bench_count_lines, bench_count_columns, bench_count_taps;
/* `rectified`: what `inner` counts of its virtual detectors, and their pixels, as if all lay within the view. */
bench_count bench_count_rectified(const ct_bp_kernel *kernel, const ct_bp_request *request, bench_counter *inner);

#endif
