/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thread count and time. */
#include "recon/base/machine.h"

#include <omp.h>
#include <time.h>

int ct_thread_count(void) {
  const int threads = omp_get_max_threads();
  return threads < 1 ? 1 : threads > CT_MOST_THREADS ? CT_MOST_THREADS : threads;
}

double ct_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
