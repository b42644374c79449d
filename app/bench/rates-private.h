/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's rates: the loops of one level (rates-loops.c). */
#ifndef GANTRY_BENCH_RATES_PRIVATE_H
#define GANTRY_BENCH_RATES_PRIVATE_H

#include "app/bench/report-private.h"
#include "recon/simd/compile.h"

#include <stddef.h>

typedef struct bench_loops {
  const char *name; /* "64-byte vectors" */
  double flops;     /* of one round of multiply_add */
  double (*multiply_add)(size_t rounds, float seed);
  double (*read_all)(const float *data, size_t count, size_t rounds); /* count: a multiple of 128; 64-byte aligned */
  void (*update_all)(float *data, size_t count);
  void (*write_all)(float *data, size_t count);
} bench_loops;

CT_SIMD_DECLARE(bench_loops, bench_rates);

typedef enum { BENCH_FMA, BENCH_READ, BENCH_UPDATE, BENCH_WRITE } bench_work;

/* GB/s of all threads, each in a block of `bytes` (a multiple of 512) of its own in `data`, one behind the other; an
 * update moves every byte twice. So many bytes a run, at least the block once. */
double bench_rate_of(const bench *b, bench_work kind, float *data, size_t bytes, size_t traffic);

#endif
