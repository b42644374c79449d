/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of timed runs, and their median. */
#include "app/bench/report-private.h"

#include "recon/base/machine.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static double clock_seconds(clockid_t clock) {
  struct timespec t;
  return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

bench_clock bench_start(void) {
  return (bench_clock){ct_now(), clock_seconds(CLOCK_PROCESS_CPUTIME_ID), clock_seconds(CLOCK_THREAD_CPUTIME_ID)};
}

double bench_elapsed(const bench *b, bench_clock start, int threads) {
  const bench_clock now = bench_start();
  if (!b->options.cpu_time) return now.wall - start.wall;
  return fmax((now.process - start.process) / threads, now.thread - start.thread);
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *values, int count, double *spread) {
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  const double median = count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
  if (spread) *spread = median > 0 ? (values[count - 1] - values[0]) / median : 0;
  return median;
}
