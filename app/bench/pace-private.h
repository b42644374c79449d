/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many views a kernel is timed on. A sweep over the volume costs a kernel something fixed (reading and writing all
 * voxels, layout, set-up) and something for each of its views: a few trial sweeps of different numbers of views tell
 * the two apart, so that the timed runs can take as many views as the limit allows, and what is fixed can be told. */
#ifndef GANTRY_BENCH_PACE_PRIVATE_H
#define GANTRY_BENCH_PACE_PRIVATE_H

#include <stdbool.h>

/* Of a problem and a kernel's options. */
typedef struct bench_terms {
  int views, batch; /* of the problem; that one sweep takes at most */
  bool all_views;   /* fewer do not count */
  double limit;     /* seconds for all timed runs of a row */
  int repeat;       /* timed runs that are wished for */
} bench_terms;

typedef struct bench_pace {
  double per_view, fixed; /* seconds a view; seconds a sweep besides */
} bench_pace;

/* Seconds of so many views in sweeps of at most `batch`. */
double bench_pace_time(bench_pace pace, int views, int batch);

/* The trial sweeps so far; begins as {0}. */
typedef struct bench_trial {
  int views, sweeps; /* in all */
  double spent;      /* seconds, in all */
  double one;        /* seconds of the latest single view: the very first one also touches memory for the first time */
  int last_views;    /* of the latest sweep */
  double last_seconds; /* its time */
} bench_trial;

/* Views of the next trial sweep: one, one more, then ever more while the limit allows and they still tell something.
 * 0: enough is known. */
int bench_trial_next(const bench_trial *trial, const bench_terms *terms);
void bench_trial_add(bench_trial *trial, int views, double seconds);
bench_pace bench_trial_pace(const bench_trial *trial);

/* Views of a timed run and the number of runs, within the limit if at all possible: a few views in a single run would
 * show the fixed share, not the kernel. */
void bench_share_limit(const bench_terms *terms, bench_pace pace, int *views, int *runs);

#endif
