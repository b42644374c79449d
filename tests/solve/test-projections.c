/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pipeline holds: volumes filtered batch by batch are those from filtered projections, bit for bit, with memory and
 * without; views are read and filtered no more often than they must be; a cancel anywhere leaves a pipeline that goes on. */
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/solve/pipeline.h"

static const simulation cone = {CT_BEAM_CONE, 48, 40, 60, 360, 0.5, "shepp-logan-3d"};
static const simulation parallel = {CT_BEAM_PARALLEL, 64, 3, 75, 180, 2.4, "shepp-logan"};
static const simulation *const scans[] = {&cone, &parallel};

/* Frames come from a stack; they are counted, and one of them may cancel a job. */
typedef struct {
  ct_stack *stack;
  int reads, cancel_at;
  ct_job *job;
} frames;

static bool read_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  frames *f = state;
  if (kind != CT_FRAME_PROJECTION) return ct_error_set(error, CT_ERROR_DATA, "There are projections only.");
  const size_t nu = (size_t)ct_stack_nu(f->stack);
  memcpy(out, ct_stack_get_view(f->stack, index) + (size_t)row0 * nu, (size_t)rows * nu * sizeof *out);
  if (++f->reads == f->cancel_at) ct_job_cancel(f->job);
  return true;
}

typedef struct {
  frames frames;
  ct_geometry geometry;
  ct_scan *scan;
  ct_pipeline *pipeline;
  ct_plan plan;
} bench;

static bool bench_open(bench *b, const simulation *s, ct_error **error) {
  *b = (bench){0};
  ct_plan_init(&b->plan);
  b->plan.centre_method = CT_CENTRE_SCAN;
  if (!sim_geometry(s, &b->geometry)) return false;
  b->frames.stack = ct_phantom_project(ct_phantom_find(s->phantom), sim_radius, sim_mu, &b->geometry, 1, NULL, error);
  if (!b->frames.stack) return false;
  const ct_scan_facts facts = {.geometry = b->geometry, .known = ~0u, .values = CT_VALUES_LINE_INTEGRALS, .format = "test", .path = "scan"};
  b->scan = ct_scan_new(&facts, (ct_scan_source){&b->frames, read_frame, NULL}, error);
  b->pipeline = b->scan ? ct_pipeline_new(b->scan, NULL, error) : NULL;
  return b->pipeline != NULL;
}

static void bench_close(bench *b) {
  ct_pipeline_free(b->pipeline);
  ct_scan_free(b->scan);
  ct_stack_free(b->frames.stack);
  ct_geometry_clear(&b->geometry);
}

static bool bench_renew(bench *b, ct_error **error) {
  ct_pipeline_free(b->pipeline);
  b->frames.reads = 0;
  return (b->pipeline = ct_pipeline_new(b->scan, NULL, error)) != NULL;
}

/* So little that only one stack fits beside the volume. */
static bool be_short(bench *b, ct_error **error) {
  ct_estimate e;
  if (!ct_plan_estimate(&b->plan, b->scan, NULL, &e, error)) return false;
  ct_pipeline_limit_memory(b->pipeline, (size_t)(1.5 * e.projections + e.volume + e.kernel));
  return true;
}

static bool same_volume(const ct_volume *a, const ct_volume *b) {
  return a && b && ct_volume_bytes(a) == ct_volume_bytes(b) && memcmp(ct_volume_get_data(a), ct_volume_get_data(b), ct_volume_bytes(a)) == 0;
}

static bool same_stack(const ct_stack *a, const ct_stack *b) {
  return a && b && ct_stack_bytes(a) == ct_stack_bytes(b) && memcmp(ct_stack_get_view(a, 0), ct_stack_get_view(b, 0), ct_stack_bytes(a)) == 0;
}

/* The volume of a fresh pipeline with room that has filtered everything before. */
static ct_volume *expected_volume(bench *b, ct_stack **filtered, ct_error **error) {
  ct_pipeline *pipeline = ct_pipeline_new(b->scan, NULL, error);
  ct_volume *volume = NULL;
  if (pipeline && ct_pipeline_prepare(pipeline, &b->plan, NULL, error)) {
    if (filtered) *filtered = ct_stack_dup(ct_pipeline_get_filtered(pipeline), error);
    volume = ct_pipeline_volume(pipeline, &b->plan, NULL, NULL, error);
  }
  ct_pipeline_free(pipeline);
  return volume;
}

static bool makes(bench *b, const ct_volume *expected, ct_error **error) {
  ct_volume *volume = ct_pipeline_volume(b->pipeline, &b->plan, NULL, NULL, error);
  const bool same = same_volume(volume, expected);
  ct_volume_free(volume);
  return same;
}

static void volumes_filtered_batch_by_batch_are_the_same(void) {
  for (int s = 0; s < 2; s++) {
    bench b;
    ct_error *error = NULL;
    ct_stack *filtered = NULL;
    CHECK_OK(bench_open(&b, scans[s], &error));
    ct_volume *expected = expected_volume(&b, &filtered, &error);
    CHECK_OK(expected);
    for (int short_of_it = 0; short_of_it < 2; short_of_it++)
      for (int threads = 1; threads <= 3; threads++) {
        CHECK_OK(bench_renew(&b, &error));
        b.plan.threads = threads;
        if (short_of_it) CHECK_OK(be_short(&b, &error));
        CHECK_OK(makes(&b, expected, &error));
        CHECK((ct_pipeline_get_line_integrals(b.pipeline) == NULL) == short_of_it);
        CHECK(same_stack(ct_pipeline_get_filtered(b.pipeline), filtered));
      }
    ct_volume_free(expected);
    ct_stack_free(filtered);
    bench_close(&b);
  }
}

static void nothing_is_read_more_often_than_it_must_be(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &cone, &error));
  const int checksum = 16;
  float *slice = ct_alloc(48 * 48, sizeof *slice, "a slice", NULL);
  b.plan.centre_from = 22;
  b.plan.centre_to = 26;
  for (int short_of_it = 0; short_of_it < 2; short_of_it++) {
    b.plan.filter.window = CT_WINDOW_RAM_LAK;
    b.plan.centre_method = CT_CENTRE_SCAN;
    CHECK_OK(bench_renew(&b, &error));
    if (short_of_it) CHECK_OK(be_short(&b, &error));
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
    CHECK_OK(volume);
    CHECK(b.frames.reads <= cone.views + checksum);
    b.frames.reads = 0;
    CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, 10, slice, NULL, &error));
    CHECK_OK(makes(&b, volume, &error));
    CHECK(b.frames.reads == 0);
    ct_volume_free(volume);
    /* Another filter asks for the line integrals again, where they are gone. */
    b.plan.filter.window = CT_WINDOW_HANN;
    ct_volume *expected = expected_volume(&b, NULL, &error);
    b.frames.reads = 0;
    CHECK_OK(makes(&b, expected, &error));
    CHECK(b.frames.reads == (short_of_it ? cone.views : 0));
    /* A sweep, too; afterwards the filtered projections may have gone, but not their meaning. */
    ct_centre_trial *trials;
    size_t count;
    double best;
    CHECK_OK(ct_pipeline_sweep(b.pipeline, &b.plan, 20, &trials, &count, &best, NULL, &error));
    CHECK_NEAR(best, 24, 0.2);
    ct_free(trials);
    CHECK_OK(makes(&b, expected, &error));
    ct_volume_free(expected);
  }
  ct_free(slice);
  bench_close(&b);
}

typedef struct {
  ct_job *job;
  int calls, stop_at, views[16];
  bool cancel;
} watcher;

static void watch(void *user, const ct_partial *partial) {
  watcher *w = user;
  if (w->calls < 16) w->views[w->calls] = ct_partial_views_done(partial);
  if (++w->calls != w->stop_at) return;
  if (w->cancel) ct_job_cancel(w->job);
  else ct_job_finish_early(w->job);
}

static void batches_grow(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &parallel, &error));
  watcher w = {0};
  const ct_publisher publisher = {&w, watch};
  ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
  CHECK_OK(volume);
  CHECK(w.calls == 4 && w.views[0] == 8 && w.views[1] == 24 && w.views[2] == 56 && w.views[3] == 75);
  ct_volume_free(volume);
  b.plan.batch = 30;
  w = (watcher){0};
  volume = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
  CHECK_OK(volume);
  CHECK(w.calls == 3 && w.views[0] == 30 && w.views[1] == 60 && w.views[2] == 75);
  ct_volume_free(volume);
  bench_close(&b);
}

/* Finished early, views are still missing; what comes next filters just those. */
static void views_that_are_missing_are_filtered_later(void) {
  bench b;
  ct_error *error = NULL;
  ct_stack *filtered = NULL;
  CHECK_OK(bench_open(&b, &cone, &error));
  ct_volume *expected = expected_volume(&b, &filtered, &error);
  for (int short_of_it = 0; short_of_it < 2; short_of_it++) {
    CHECK_OK(bench_renew(&b, &error));
    if (short_of_it) CHECK_OK(be_short(&b, &error));
    watcher w = {.stop_at = 1, .job = ct_job_new(&error)};
    const ct_publisher publisher = {&w, watch};
    ct_volume *early = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error);
    CHECK_OK(early);
    CHECK(w.views[0] == 8 && !ct_pipeline_get_filtered(b.pipeline));
    ct_volume_free(early);
    ct_job_free(w.job);
    b.frames.reads = 0;
    if (short_of_it) CHECK_OK(makes(&b, expected, &error));
    else CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
    CHECK(b.frames.reads == 0);
    CHECK(same_stack(ct_pipeline_get_filtered(b.pipeline), filtered));
    /* Half of the views in one filter, the wish for another. */
    CHECK_OK(bench_renew(&b, &error));
    if (short_of_it) CHECK_OK(be_short(&b, &error));
    w = (watcher){.stop_at = 2, .job = ct_job_new(&error)};
    b.plan.filter.window = CT_WINDOW_HANN;
    early = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error);
    CHECK_OK(early);
    ct_volume_free(early);
    ct_job_free(w.job);
    b.plan.filter.window = CT_WINDOW_RAM_LAK;
    CHECK_OK(makes(&b, expected, &error));
  }
  ct_volume_free(expected);
  ct_stack_free(filtered);
  bench_close(&b);
}

static void a_cancel_in_any_stage_leaves_what_goes_on(void) {
  static const struct {
    int frame, call; /* cancelled at this frame, or at this publication; else beforehand */
    ct_stage stage;
    bool prepare;
  } cases[] = {{0, 0, CT_STAGE_READING, false},
               {60, 0, CT_STAGE_FILTERING, true},
               {60, 0, CT_STAGE_BACKPROJECTING, false},
               {0, 1, CT_STAGE_BACKPROJECTING, false},
               {0, 3, CT_STAGE_BACKPROJECTING, false}};
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &cone, &error));
  ct_volume *expected = expected_volume(&b, NULL, &error);
  for (int short_of_it = 0; short_of_it < 2; short_of_it++)
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
      CHECK_OK(bench_renew(&b, &error));
      if (short_of_it) CHECK_OK(be_short(&b, &error));
      watcher w = {.stop_at = cases[c].call, .cancel = true, .job = ct_job_new(&error)};
      const ct_publisher publisher = {&w, watch};
      b.frames.cancel_at = cases[c].frame;
      b.frames.job = w.job;
      if (!cases[c].frame && !cases[c].call) ct_job_cancel(w.job);
      if (cases[c].prepare) CHECK_FAILS(ct_pipeline_prepare(b.pipeline, &b.plan, w.job, &error), CT_ERROR_CANCELLED, "ancelled");
      else CHECK_FAILS(ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error) != NULL, CT_ERROR_CANCELLED, "ancelled");
      ct_progress progress;
      ct_job_get_progress(w.job, &progress);
      CHECK(progress.stage == cases[c].stage);
      CHECK(w.calls == cases[c].call && !ct_pipeline_get_filtered(b.pipeline));
      ct_job_free(w.job);
      b.frames.cancel_at = 0;
      CHECK_OK(makes(&b, expected, &error));
    }
  ct_volume_free(expected);
  bench_close(&b);
}

static bool no_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  (void)state, (void)kind, (void)index, (void)row0, (void)rows, (void)out;
  return ct_error_set(error, CT_ERROR_DATA, "There are no frames.");
}

/* Projections of a fifth of the memory fit twice, of a half once, of twice the memory not at all. */
static void the_estimate_counts_what_is_really_held(void) {
  const double available = (double)ct_memory_available();
  if (available <= 0) SKIP("the free memory is not known");
  ct_error *error = NULL;
  for (int n = 0; n < 3; n++) {
    const double share = n == 0 ? 0.2 : n == 1 ? 0.5 : 2;
    ct_geometry g;
    ct_estimate e;
    ct_plan plan;
    CHECK(ct_geometry_init(&g, CT_BEAM_CONE, 2000, 1000, (int)(share * available / 8e6), NULL));
    g.sod = 1000, g.sdd = 1500;
    ct_geometry_set_arc(&g, 0, 2 * M_PI / g.views);
    const ct_scan_facts facts = {.geometry = g, .known = ~0u, .values = CT_VALUES_LINE_INTEGRALS, .format = "test", .path = "scan"};
    ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){NULL, no_frame, NULL}, &error);
    CHECK_OK(scan);
    ct_plan_init(&plan);
    plan.nx = plan.ny = plan.nz = 64;
    plan.voxel = plan.voxel_z = 600.0 / 64;
    CHECK_OK(ct_plan_estimate(&plan, scan, NULL, &e, &error));
    CHECK(e.projections > 0.9 * share * available && e.fits == (n < 2));
    CHECK(e.filtered == (n == 0 ? e.projections : 0));
    CHECK_NEAR(e.total, e.projections + e.filtered + e.volume + e.kernel, 1);
    ct_scan_free(scan);
    ct_geometry_clear(&g);
  }
}

static const ct_test tests[] = {
    {"volumes filtered batch by batch are the same bit for bit", volumes_filtered_batch_by_batch_are_the_same},
    {"nothing is read more often than it must be", nothing_is_read_more_often_than_it_must_be},
    {"batches grow", batches_grow},
    {"views that are missing are filtered later", views_that_are_missing_are_filtered_later},
    {"a cancel in any stage leaves what goes on", a_cancel_in_any_stage_leaves_what_goes_on},
    {"the estimate counts what is really held", the_estimate_counts_what_is_really_held},
};
CT_TEST_MAIN(tests)
