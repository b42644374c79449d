/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pipeline holds: volumes filtered batch by batch are those from filtered projections, bit for bit, with memory
 * and without; views are read and filtered no more often than they must be; a cancel anywhere leaves a pipeline that
 * goes on. */
#include "tests/solve/counted.h"
#include "tests/test.h"

static const simulation *const scans[] = {&cone, &parallel};

static void volumes_filtered_batch_by_batch_are_the_same(void) {
  for (int s = 0; s < 2; s++) {
    bench b;
    ct_error *error = NULL;
    ct_stack *filtered = NULL;
    CHECK_OK(bench_open(&b, scans[s], &error));
    ct_volume *expected = expected_volume(&b, &filtered, &error);
    CHECK_OK(expected);
    CHECK_OK(makes_always(&b, expected, filtered, &error));
    ct_volume_free(expected);
    ct_stack_free(filtered);
    bench_close(&b);
  }
}

static void nothing_is_read_more_often_than_it_must_be(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &cone, &error));
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
    CHECK(b.frames.reads <= cone.views + 16 /* for the volume's identity */);
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

/* Finished early, views are still missing; what comes next reads and filters just those. */
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
    CHECK(!ct_pipeline_get_line_integrals(b.pipeline));
    if (short_of_it)
      CHECK_OK(makes(&b, expected, &error));
    else
      CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
    CHECK(b.frames.reads == cone.views);
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
    int frame, call; /* cancelled when so many frames are read, at this publication, or else beforehand; publications
                        till then */
    ct_stage stage;
    bool prepare;
  } cases[] = {{0, 0, CT_STAGE_READING, true},          {0, 0, CT_STAGE_READING, false},
               {60, 0, CT_STAGE_FILTERING, true},       {8, 0, CT_STAGE_READING, false},
               {28, 1, CT_STAGE_BACKPROJECTING, false}, {0, 1, CT_STAGE_BACKPROJECTING, false},
               {0, 2, CT_STAGE_BACKPROJECTING, false}};
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &cone, &error));
  ct_volume *expected = expected_volume(&b, NULL, &error);
  for (int short_of_it = 0; short_of_it < 2; short_of_it++)
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
      CHECK_OK(bench_renew(&b, &error));
      if (short_of_it) CHECK_OK(be_short(&b, &error));
      watcher w = {.stop_at = cases[c].frame ? 0 : cases[c].call, .cancel = true, .job = ct_job_new(&error)};
      const ct_publisher publisher = {&w, watch};
      b.frames.cancel_at = cases[c].frame;
      b.frames.job = w.job;
      if (!cases[c].frame && !cases[c].call) ct_job_cancel(w.job);
      if (cases[c].prepare)
        CHECK_FAILS(ct_pipeline_prepare(b.pipeline, &b.plan, w.job, &error), CT_ERROR_CANCELLED, "ancelled");
      else
        CHECK_FAILS(ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error) != NULL, CT_ERROR_CANCELLED,
                    "ancelled");
      ct_progress progress;
      ct_job_get_progress(w.job, &progress);
      CHECK(progress.stage == cases[c].stage);
      /* Views are read beside the kernel, which may be the quicker one. */
      const int more = cases[c].frame && cases[c].call ? 1 : 0;
      CHECK(w.calls >= cases[c].call && w.calls <= cases[c].call + more && !ct_pipeline_get_filtered(b.pipeline));
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
    const ct_scan_facts facts = {
        .geometry = g, .known = ~0u, .values = CT_VALUES_LINE_INTEGRALS, .format = "test", .path = "scan"};
    ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){.read = no_frame}, &error);
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
