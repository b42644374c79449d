/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pipeline whose scan counts what is read of it, for the tests of what a pipeline holds and when it reads. */
#ifndef TESTS_SOLVE_COUNTED_H
#define TESTS_SOLVE_COUNTED_H

#include "tests/solve/simulate.h"

#include "recon/base/memory.h"
#include "recon/solve/pipeline.h"

#include <string.h>

static const simulation cone = {CT_BEAM_CONE, 48, 40, 60, 360, 0.5, "shepp-logan-3d"};
static const simulation parallel = {CT_BEAM_PARALLEL, 64, 3, 75, 180, 2.4, "shepp-logan"};

/* Frames come from a stack; they are counted, and the one that is read at some place in the order may cancel or pause a
 * job, or fail. */
typedef struct {
  ct_stack *stack;
  int reads, cancel_at, fail_at, pause_at;
  ct_job *job;
} frames;

static inline bool read_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out,
                              ct_error **error) {
  frames *f = state;
  if (kind != CT_FRAME_PROJECTION) return ct_error_set(error, CT_ERROR_DATA, "There are projections only.");
  const size_t nu = (size_t)ct_stack_nu(f->stack);
  memcpy(out, ct_stack_get_view(f->stack, index) + (size_t)row0 * nu, (size_t)rows * nu * sizeof *out);
  f->reads++;
  if (f->reads == f->cancel_at) ct_job_cancel(f->job);
  if (f->reads == f->pause_at) ct_job_set_paused(f->job, true);
  return f->reads != f->fail_at || ct_error_set(error, CT_ERROR_IO, "Frame %d cannot be read.", index);
}

typedef struct {
  frames frames;
  ct_geometry geometry;
  ct_scan *scan;
  ct_pipeline *pipeline;
  ct_plan plan;
} bench;

/* bytes: of the file that the scan pretends to be; 0: in memory. together: frames packed together. */
static inline bool bench_open_file(bench *b, const simulation *s, uint64_t bytes, int together, ct_error **error) {
  *b = (bench){0};
  ct_plan_init(&b->plan);
  b->plan.centre_method = CT_CENTRE_SCAN;
  if (!sim_geometry(s, &b->geometry)) return false;
  b->frames.stack = ct_phantom_project(ct_phantom_find(s->phantom), sim_radius, sim_mu, &b->geometry, 1, NULL, error);
  if (!b->frames.stack) return false;
  const ct_scan_facts facts = {.geometry = b->geometry,
                               .known = ~0u,
                               .values = CT_VALUES_LINE_INTEGRALS,
                               .format = "test",
                               .path = "scan",
                               .bytes = bytes,
                               .together = together};
  b->scan = ct_scan_new(&facts, (ct_scan_source){.state = &b->frames, .read = read_frame}, error);
  b->pipeline = b->scan ? ct_pipeline_new(b->scan, NULL, error) : NULL;
  return b->pipeline != NULL;
}

static inline bool bench_open(bench *b, const simulation *s, ct_error **error) {
  return bench_open_file(b, s, 0, 0, error);
}

static inline void bench_close(bench *b) {
  ct_pipeline_free(b->pipeline);
  ct_scan_free(b->scan);
  ct_stack_free(b->frames.stack);
  ct_geometry_clear(&b->geometry);
}

static inline bool bench_renew(bench *b, ct_error **error) {
  ct_pipeline_free(b->pipeline);
  b->frames.reads = 0;
  return (b->pipeline = ct_pipeline_new(b->scan, NULL, error)) != NULL;
}

/* So little that only one stack fits beside the volume. */
static inline bool be_short(bench *b, ct_error **error) {
  ct_estimate e;
  if (!ct_plan_estimate(&b->plan, b->scan, NULL, &e, error)) return false;
  ct_pipeline_limit_memory(b->pipeline, (size_t)(1.5 * e.projections + e.volume + e.kernel));
  return true;
}

static inline bool same_volume(const ct_volume *a, const ct_volume *b) {
  return a && b && ct_volume_bytes(a) == ct_volume_bytes(b) &&
         memcmp(ct_volume_get_data(a), ct_volume_get_data(b), ct_volume_bytes(a)) == 0;
}

static inline bool same_stack(const ct_stack *a, const ct_stack *b) {
  return a && b && ct_stack_bytes(a) == ct_stack_bytes(b) &&
         memcmp(ct_stack_get_view(a, 0), ct_stack_get_view(b, 0), ct_stack_bytes(a)) == 0;
}

/* The volume of a fresh pipeline with room that has filtered everything before. */
static inline ct_volume *expected_volume(bench *b, ct_stack **filtered, ct_error **error) {
  ct_pipeline *pipeline = ct_pipeline_new(b->scan, NULL, error);
  ct_volume *volume = NULL;
  if (pipeline && ct_pipeline_prepare(pipeline, &b->plan, NULL, error)) {
    if (filtered) *filtered = ct_stack_dup(ct_pipeline_get_filtered(pipeline), error);
    volume = ct_pipeline_volume(pipeline, &b->plan, NULL, NULL, error);
  }
  ct_pipeline_free(pipeline);
  return volume;
}

static inline bool makes(bench *b, const ct_volume *expected, ct_error **error) {
  ct_volume *volume = ct_pipeline_volume(b->pipeline, &b->plan, NULL, NULL, error);
  const bool same = same_volume(volume, expected);
  ct_volume_free(volume);
  return same;
}

/* The volume again, and the filtered views, with memory enough and without, by 1 to 3 threads, each view read once. */
static inline bool makes_always(bench *b, const ct_volume *expected, const ct_stack *filtered, ct_error **error) {
  for (int run = 0; run < 6; run++) {
    const bool short_of_it = run >= 3;
    b->plan.threads = 1 + run % 3;
    if (!bench_renew(b, error) || (short_of_it && !be_short(b, error))) return false;
    if (!makes(b, expected, error) || b->frames.reads != b->geometry.views ||
        (ct_pipeline_get_line_integrals(b->pipeline) == NULL) != short_of_it ||
        !same_stack(ct_pipeline_get_filtered(b->pipeline), filtered))
      return ct_error_set(error, CT_ERROR_DATA, "%s, %d threads: not the same, or %d of %d views read",
                          short_of_it ? "short of memory" : "with memory", b->plan.threads, b->frames.reads,
                          b->geometry.views);
  }
  return true;
}

typedef struct {
  ct_job *job;
  int calls, stop_at, views[16];
  bool cancel;
} watcher;

static inline void watch(void *user, const ct_partial *partial) {
  watcher *w = user;
  if (w->calls < 16) w->views[w->calls] = ct_partial_views_done(partial);
  if (++w->calls != w->stop_at) return;
  if (w->cancel)
    ct_job_cancel(w->job);
  else
    ct_job_finish_early(w->job);
}

#endif
