/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan on the bench: with its pipeline and a plan, all at their defaults. */
#ifndef TESTS_SOLVE_BENCH_H
#define TESTS_SOLVE_BENCH_H

#include "recon/solve/pipeline.h"

typedef struct {
  ct_scan *scan;
  ct_pipeline *pipeline;
  ct_plan plan;
} bench;

/* Takes the scan; NULL, with its error: nothing was opened. To be closed either way. */
static inline bool bench_take(bench *b, ct_scan *scan, ct_error **error) {
  *b = (bench){.scan = scan, .pipeline = scan ? ct_pipeline_new(scan, NULL, error) : NULL};
  ct_plan_init(&b->plan);
  return b->pipeline != NULL;
}

static inline void bench_close(bench *b) {
  ct_pipeline_free(b->pipeline);
  ct_scan_free(b->scan);
}

#endif
