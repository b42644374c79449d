/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the processor and the system count while a kernel runs, over all threads of this process. The processor's own
 * events come by perf_event_open(2), in user mode alone; where the system refuses one, the reason stands in its place.
 * Processor time, page faults and context switches the system always counts. */
#ifndef GANTRY_BENCH_COUNTERS_PRIVATE_H
#define GANTRY_BENCH_COUNTERS_PRIVATE_H

#include "recon/base/error.h"

#include <stdbool.h>

typedef enum {
  BENCH_CYCLES,
  BENCH_INSTRUCTIONS,
  BENCH_STALLED_FRONT, /* cycles without a new instruction to begin */
  BENCH_STALLED_BACK,  /* cycles in which instructions wait for data or units */
  BENCH_L1_MISSES,     /* reads that the first-level data cache did not have */
  BENCH_CACHE_MISSES,  /* what the processor's maker takes for the general "cache misses" */
  BENCH_LAST_MISSES,   /* reads that the last cache did not have */
  BENCH_PROCESSOR_EVENTS,
  BENCH_SECONDS = BENCH_PROCESSOR_EVENTS, /* of processors, all threads together */
  BENCH_FAULTS,                           /* page faults */
  BENCH_SWITCHES,                         /* a thread had to wait for its turn, or waited by itself */
  BENCH_EVENTS
} bench_event;

/* Opens a counter of a type and configuration of perf_event_open(2) for a thread, switched off: its descriptor, or a
 * negative errno. Threads that the thread begins later count, too. */
typedef int (*bench_event_open)(unsigned type, unsigned long long config, int thread);

typedef struct bench_counters bench_counters;

/* `open` NULL: the system's. */
bench_counters *bench_counters_new(bench_event_open open, ct_error **error);
void bench_counters_free(bench_counters *c);
/* Sums of nothing. */
void bench_counters_clear(bench_counters *c);
/* What happens between start and stop is added to the sums. */
void bench_counters_start(bench_counters *c);
void bench_counters_stop(bench_counters *c);
/* "instructions" */
const char *bench_event_title(bench_event event);
/* False: not counted, and why; else the sum. Events that had to take turns are scaled to the whole time. */
bool bench_counters_get(const bench_counters *c, bench_event event, double *sum);
/* NULL: it is counted. */
const char *bench_counters_reason(const bench_counters *c, bench_event event);

#endif
