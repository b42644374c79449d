/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all parts of the benchmark share: a run's state, its rows and messages, lists of names, and the clock. */
#ifndef GANTRY_BENCH_REPORT_PRIVATE_H
#define GANTRY_BENCH_REPORT_PRIVATE_H

#include "app/bench/bench.h"

#include <jansson.h>

struct bench {
  bench_options options;
  const bench_suite *suite;
  ct_backend backend;
  ct_job *job;
  json_t *rows, *skipped, *rates, *tables; /* tables: of the suites gpu and chen, NULL elsewhere */
  double bound_gups;                       /* 0: none; else rows state their share of it */
  const char *bound_by;
  bool header_printed;
  const char *part_printed;          /* suite iterative: the part whose table stands last on stdout */
  bool gpu_only;                     /* bench_measure_all passes over the processor's kernels, but for the voxel loop */
  struct bench_diagnosis *diagnosis; /* of the suite gpu where it was asked for */
  struct bench_counters *counters;   /* of --counters; NULL: none */
  bool measures_card;                /* the device's clock measures dispatches; the table has a column for it */
};

/* One measurement; NaN where a number does not apply (null in JSON). */
typedef struct bench_row {
  const char *kernel, *problem, *precision, *interp;
  int threads, batch, views;
  double seconds, spread;         /* median of the runs; (longest - shortest) / median */
  double gups, speedup;           /* over the voxel loop of the same case, threads and interpolation */
  double card_seconds, card_gups; /* the dispatches alone, by the graphics device's clock (median); 0: not measured */
  double rel_rmse;                /* against textbook */
  double updated_share;           /* of the updates, those whose ray meets the detector; 0: not asked for */
  double bytes;                   /* volume, projections and the kernel's own */
  bool unshrunk;                  /* --size has no bearing on it */
  char note[400];
} bench_row;

/* Prints the row and keeps it; `more` (taken, may be NULL) has further members for JSON. */
void bench_add_row(bench *b, const bench_row *row, json_t *more);
/* Tells on stderr and in JSON why something was not measured; a NULL kernel means the whole problem. What was asked for
 * by name is told with --quiet, too. Clears the error. */
void bench_skip(bench *b, const char *problem, const char *kernel, ct_error **error);
/* One line on stderr. */
void bench_say(const bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Whether a name is in a list separated by commas; NULL holds everything. */
bool bench_listed(const char *list, const char *name);
/* Whether --problems holds the name, or where it is not given `ordinary` does; "all" holds everything. */
bool bench_chosen(const bench *b, const char *name, const char *ordinary);
/* Puts ", name" behind what is there; a name that is there already is left out. */
void bench_add_name(char *names, size_t size, const char *name);
/* False: the list (may be NULL) holds something else than names, separated by commas, of `known`, which are separated
 * by ", ". `what` they are: part, problem. */
bool bench_check_list(const bench *b, const char *what, const char *list, const char *known, ct_error **error);
/* Seconds since a start, of the wall clock or (--cpu-time) of the processor: all threads' share, but no less than the
 * calling thread's own, which alone is busy in serial parts. */
typedef struct bench_clock {
  double wall, process, thread;
} bench_clock;
bench_clock bench_start(void);
double bench_elapsed(const bench *b, bench_clock start, int threads);
/* Median of count values, which are sorted; spread may be NULL. */
double bench_median(double *values, int count, double *spread);

#endif
