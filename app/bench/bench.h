/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmark behind `gantry-cli bench`: its suites, what they can be asked for, a run, and the files of its results.
 * Tables go to stdout as they come, progress to stderr. */
#ifndef GANTRY_BENCH_BENCH_H
#define GANTRY_BENCH_BENCH_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/solve/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct bench_options {
  int threads, repeat, size, views, references;
  int batch;    /* 0: the kernel's own */
  double limit; /* seconds for the timed runs of one row */
  const char *kernels, *problems, *device, *knobs, *json, *csv, *profile, *file, *write, *part, *picture, *pictures;
  bool quiet, cpu_time, diagnose, curve, counters, sweep;
} bench_options;

typedef struct bench bench;

/* Options that only some suites make use of. */
enum {
  BENCH_TAKES_FILE = 1,
  BENCH_TAKES_VIEWS = 2,
  BENCH_TAKES_PROFILE = 4,
  BENCH_TAKES_KNOBS = 8,
  BENCH_TAKES_PART = 16,
  BENCH_TAKES_WRITE = 32,      /* without a file it generates its data, and can write them */
  BENCH_TAKES_PROJECTORS = 64, /* options.kernels names projectors */
  BENCH_TAKES_PICTURE = 128,
  BENCH_TAKES_DIAGNOSE = 256, /* options.picture only with it, as with the next */
  BENCH_TAKES_CURVE = 512,
  BENCH_TAKES_COUNTERS = 1024,
  BENCH_TAKES_SWEEP = 4096,
  BENCH_TAKES_PICTURES = 8192, /* a folder, which is there */
  BENCH_NEEDS_DEVICE = 2048    /* it fails where there is none */
};

typedef struct bench_suite {
  const char *name, *summary;
  bool (*run)(bench *b, ct_error **error);
  unsigned takes;
  double limit; /* default of the option */
  int views;    /* default of the option */
} bench_suite;

/* NULL: there is none of that name. */
const bench_suite *bench_find_suite(const char *name);
/* Appends the suites' names, separated by commas. */
void bench_list_suites(char *names, size_t size);
/* Suites, their problems and parts, for the help. */
void bench_print_suites(FILE *to);

/* Options, table and job are borrowed. */
bench *bench_new(const bench_options *options, const bench_suite *suite, const ct_backend *backend, ct_job *job,
                 ct_error **error);
void bench_free(bench *b);
/* False with an error, also when the job is cancelled or nothing was measured of a kernel that was asked for by name;
 * the rows measured until then are kept. */
bool bench_run_suite(bench *b, ct_error **error);
size_t bench_count_rows(const bench *b);
/* The files of --json and --csv. */
bool bench_write_files(const bench *b, ct_error **error);

#endif
