/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline: slices are those of the volume, stages are re-made only when they must be, finish early keeps the
 * scale, cancel keeps the state, the centre is found, memory is estimated. */
#include "tests/lack.h"
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/base/untold.h"
#include "recon/metric/metric.h"
#include "recon/solve/pipeline.h"

static const simulation small_cone = {CT_BEAM_CONE, 48, 40, 60, 360, 0, "shepp-logan-3d"};
static const simulation small_parallel = {CT_BEAM_PARALLEL, 64, 3, 180, 180, 2.4, "shepp-logan"};

static bool bench_open(bench *b, const simulation *s, ct_error **error) {
  const bool good = bench_take(b, sim_scan(s, error), error);
  b->plan.batch = 8;
  return good;
}

static void order_spreads_and_is_complete(void) {
  for (int n = 1; n < 70; n++) {
    int order[70], seen[70] = {0};
    ct_bit_reversed_order(n, order);
    for (int i = 0; i < n; i++) {
      CHECK(order[i] >= 0 && order[i] < n && !seen[order[i]]);
      seen[order[i]] = 1;
    }
  }
  int order[8];
  ct_bit_reversed_order(8, order);
  CHECK(order[0] == 0 && order[1] == 4 && order[2] == 2 && order[3] == 6 && order[7] == 7);
}

static void slices_are_those_of_the_volume(void) {
  static const simulation *const cases[] = {&small_cone, &small_parallel};
  for (int c = 0; c < 2; c++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open(&b, cases[c], &error));
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
    CHECK_OK(volume);
    const ct_grid grid = *ct_volume_grid(volume);
    for (int plane = CT_AXIAL; plane <= CT_SAGITTAL; plane++) {
      int width, height, count;
      ct_grid_plane_size(&grid, (ct_plane)plane, &width, &height, &count);
      float *a = ct_alloc((size_t)width * (size_t)height, 2 * sizeof(float), "planes", NULL), *v = a + width * height;
      const int index = count / 2 - (count > 8 ? 3 : 0);
      CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, (ct_plane)plane, index, a, NULL, &error));
      ct_volume_copy_plane(volume, (ct_plane)plane, index, v);
      ct_metrics m;
      CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = v, .nx = width, .ny = height, .nz = 1, .peak = NAN}, &m, NULL,
                          &error));
      CHECK_BELOW(m.relative_rmse, 1e-5);
      ct_free(a);
    }
    CHECK(ct_volume_get_plan(volume) && strstr(ct_volume_get_plan(volume), "\"checksum\""));
    ct_volume_free(volume);
    bench_close(&b);
  }
}

static void stages_are_kept_while_they_are_valid(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_parallel, &error));
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const ct_stack *lines = ct_pipeline_get_line_integrals(b.pipeline);
  float *filtered = ct_stack_view((ct_stack *)ct_pipeline_get_filtered(b.pipeline), 0);
  /* A mark in the filtered projections survives while nothing they depend on changes. */
  filtered[0] = 12345;
  b.plan.nx = 32;
  b.plan.centre_method = CT_CENTRE_MANUAL;
  b.plan.centre_u = 30;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK(ct_stack_get_view(ct_pipeline_get_filtered(b.pipeline), 0)[0] == 12345);
  CHECK_NEAR(ct_pipeline_get_facts(b.pipeline)->centre_u, 30, 1e-12);
  b.plan.filter.window = CT_WINDOW_HANN;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK(ct_stack_get_view(ct_pipeline_get_filtered(b.pipeline), 0)[0] != 12345);
  CHECK(ct_pipeline_get_line_integrals(b.pipeline) == lines);
  b.plan.view_step = 2;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK(ct_stack_views(ct_pipeline_get_filtered(b.pipeline)) == 90);
  bench_close(&b);
}

/* Binned and cropped to what a flat grid needs, the line integrals say which pixels of the detector they are. */
static void line_integrals_know_their_pixels(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_cone, &error));
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  CHECK(facts->bin_u == 1 && facts->bin_v == 1 && facts->row0 == 0);
  b.plan.bin = 2;
  b.plan.nz = 2;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  facts = ct_pipeline_get_facts(b.pipeline);
  CHECK(facts->bin_u == 2 && facts->bin_v == 2 && facts->row0 > 4 && facts->row0 % 2 == 0);
  /* The middle of the detector is that of the rows that are held. */
  const int rows = ct_stack_nv(ct_pipeline_get_line_integrals(b.pipeline));
  CHECK(rows < 12 && abs(2 * facts->row0 + 2 * rows - 40) <= 2);
  CHECK_NEAR(facts->row0 + 2 * facts->geometry->centre_v + 0.5, 19.5, 1e-9);
  bench_close(&b);
}

typedef struct {
  ct_job *job;
  int calls, stop_at, last_views;
  bool cancel;
  float centre[64];
} watcher;

static void watch(void *user, const ct_partial *partial) {
  watcher *w = user;
  const ct_grid *g = ct_partial_grid(partial);
  float *plane = malloc((size_t)g->nx * (size_t)g->ny * sizeof *plane);
  if (ct_partial_read_plane(partial, CT_AXIAL, g->nz / 2, plane, NULL) && w->calls < 64) {
    double sum = 0;
    for (int j = -2; j <= 2; j++)
      for (int i = -2; i <= 2; i++) sum += (double)plane[(g->ny / 2 + j) * g->nx + g->nx / 2 + i];
    w->centre[w->calls] = (float)(sum / 25);
  }
  free(plane);
  w->last_views = ct_partial_views_done(partial);
  if (++w->calls == w->stop_at) {
    if (w->cancel)
      ct_job_cancel(w->job);
    else
      ct_job_finish_early(w->job);
  }
}

static void finishing_early_keeps_the_scale(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_cone, &error));
  watcher all = {.stop_at = -1}, early = {.stop_at = 4};
  const ct_publisher watch_all = {&all, watch}, watch_early = {&early, watch};
  ct_volume *whole = ct_pipeline_volume(b.pipeline, &b.plan, &watch_all, NULL, &error);
  CHECK_OK(whole);
  CHECK(all.calls == 8 && all.last_views == 60);
  early.job = ct_job_new(&error);
  ct_volume *part = ct_pipeline_volume(b.pipeline, &b.plan, &watch_early, early.job, &error);
  CHECK_OK(part);
  CHECK(early.calls == 4 && early.last_views == 32);
  /* Means over a ball near the centre agree: 32 of 60 views, scaled. */
  const double x[3] = {0, 0, 0};
  double a = 0, c = 0;
  for (int i = 0; i < 200; i++) {
    const double p[3] = {x[0] + 25 * sin(i * 1.7) * cos(i * 0.9), x[1] + 25 * cos(i * 1.7), x[2] + 10 * sin(i * 2.3)};
    a += ct_volume_sample(whole, p);
    c += ct_volume_sample(part, p);
  }
  CHECK_NEAR(c / a, 1, 0.05);
  for (int i = 1; i < all.calls; i++) CHECK_NEAR(all.centre[i] / all.centre[7], 1, 0.25);
  /* The planes published last are those of the volume. */
  CHECK_NEAR(
      early.centre[3],
      ct_volume_sample(
          part, (double[]){0, 0, ct_volume_grid(part)->z0 + ct_volume_grid(part)->dz * (ct_volume_grid(part)->nz / 2)}),
      0.3 * sim_mu);
  ct_job_free(early.job);
  ct_volume_free(whole);
  ct_volume_free(part);
  bench_close(&b);
}

static void cancelling_returns_nothing_and_keeps_the_state(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_cone, &error));
  watcher w = {.stop_at = 2, .cancel = true, .job = ct_job_new(&error)};
  const ct_publisher publisher = {&w, watch};
  CHECK_FAILS(ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error) != NULL, CT_ERROR_CANCELLED,
              "Cancelled");
  CHECK(w.calls == 2);
  ct_job_free(w.job);
  /* A job cancelled beforehand does not touch what is there. */
  ct_job *cancelled = ct_job_new(&error);
  ct_job_cancel(cancelled);
  const ct_stack *lines = ct_pipeline_get_line_integrals(b.pipeline);
  ct_plan other = b.plan;
  other.bin = 2;
  CHECK_FAILS(ct_pipeline_prepare(b.pipeline, &other, cancelled, &error), CT_ERROR_CANCELLED, "Cancelled");
  CHECK(ct_pipeline_get_line_integrals(b.pipeline) == lines);
  ct_job_free(cancelled);
  ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(volume);
  ct_volume_free(volume);
  bench_close(&b);
}

/* A search that was given up is no search without a result: the next one finds the centre. */
static void a_cancelled_search_settles_nothing(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_parallel, &error));
  ((ct_scan_facts *)ct_scan_get_facts(b.scan))->known &= ~(unsigned)CT_KNOWN_CENTRE;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const double found = ct_pipeline_get_facts(b.pipeline)->centre_u;
  CHECK_NEAR(found, 31.5 + 2.4, 0.3);
  ct_job *cancelled = ct_job_new(&error);
  ct_job_cancel(cancelled);
  b.plan.angle_first_deg = 30; /* other angles, the same line integrals: the centre is searched again */
  CHECK_FAILS(ct_pipeline_prepare(b.pipeline, &b.plan, cancelled, &error), CT_ERROR_CANCELLED, "Cancelled");
  CHECK_NEAR(ct_pipeline_get_facts(b.pipeline)->centre_u, found, 1e-12);
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK_NEAR(ct_pipeline_get_facts(b.pipeline)->centre_u, found, 0.3);
  CHECK(strstr(ct_pipeline_get_facts(b.pipeline)->centre_how, "comparing opposite views"));
  ct_job_free(cancelled);
  bench_close(&b);
}

static void the_centre_is_found(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_parallel, &error));
  const double truth = 31.5 + 2.4;
  b.plan.centre_method = CT_CENTRE_CORRELATION;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK_NEAR(ct_pipeline_get_facts(b.pipeline)->centre_u, truth, 0.3);
  ct_centre_trial *trials;
  size_t count;
  double best;
  b.plan.centre_step = 0.25;
  CHECK_OK(ct_pipeline_sweep(b.pipeline, &b.plan, 1, &trials, &count, &best, NULL, &error));
  CHECK(count == 81 && trials[0].measure == CT_SHARPNESS_ENTROPY && trials[80].measure == CT_SHARPNESS_ENTROPY);
  CHECK_NEAR(best, truth, 0.2);
  ct_free(trials);
  b.plan.centre_method = CT_CENTRE_SWEEP;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK_NEAR(ct_pipeline_get_facts(b.pipeline)->centre_u, truth, 0.3);
  /* Binning does not move it: it is told in columns of the unbinned detector. */
  b.plan.bin = 2;
  b.plan.centre_method = CT_CENTRE_CORRELATION;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK_NEAR(ct_pipeline_get_facts(b.pipeline)->centre_u, truth, 0.4);
  /* A number overrules the automatic method. */
  b.plan.bin = 1;
  b.plan.centre_method = CT_CENTRE_AUTO;
  b.plan.centre_u = 30.25;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK_NEAR(ct_pipeline_get_facts(b.pipeline)->centre_u, 30.25, 1e-9);
  /* The best of a range that leaves the truth out is its end: nothing that counts as found. */
  b.plan.centre_from = 35;
  b.plan.centre_to = 37;
  CHECK_OK(ct_pipeline_sweep(b.pipeline, &b.plan, 1, &trials, &count, &best, NULL, &error));
  CHECK(isnan(best) && count == 9 && trials[0].centre == 35);
  ct_free(trials);
  b.plan.centre_method = CT_CENTRE_SWEEP;
  CHECK_FAILS(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error), CT_ERROR_DATA, "widen");
  b.plan.centre_from = 40;
  b.plan.centre_to = 30;
  CHECK_FAILS(ct_pipeline_sweep(b.pipeline, &b.plan, 1, &trials, &count, &best, NULL, &error), CT_ERROR_ARGUMENT,
              "sweep");
  bench_close(&b);
}

static double swept(const simulation *s, int measure, ct_error **error) {
  bench b;
  ct_centre_trial *trials;
  size_t count;
  double best = NAN;
  if (bench_open(&b, s, error)) {
    b.plan.centre_sharpness = measure;
    if (ct_pipeline_sweep(b.pipeline, &b.plan, 0, &trials, &count, &best, NULL, error)) ct_free(trials);
  }
  bench_close(&b);
  return best;
}

/* Entropy serves both; negativity is for half circles, sharpness for full ones. */
static void measures_find_the_centre(void) {
  static const simulation half = {CT_BEAM_PARALLEL, 128, 1, 180, 180, 2.4, "shepp-logan"},
                          full = {CT_BEAM_FAN, 128, 1, 180, 360, 2.4, "shepp-logan"};
  ct_error *error = NULL;
  const double truth = 63.5 + 2.4;
  CHECK_NEAR(swept(&half, CT_SHARPNESS_ENTROPY, &error), truth, 0.1);
  CHECK_NEAR(swept(&full, CT_SHARPNESS_ENTROPY, &error), truth, 0.1);
  CHECK_NEAR(swept(&half, CT_AUTO_INT, &error), truth, 0.1);
  CHECK_NEAR(swept(&full, CT_AUTO_INT, &error), truth, 0.1);
  CHECK_NEAR(swept(&small_cone, CT_AUTO_INT, &error), 23.5, 0.1);
  CHECK_NEAR(swept(&half, CT_SHARPNESS_NEGATIVITY, &error), truth, 0.1);
  CHECK_NEAR(swept(&full, CT_SHARPNESS_GRADIENT, &error), truth, 0.1);
}

static void the_mask_clears_the_corners(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_cone, &error));
  b.plan.mask = 1;
  ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(volume);
  const ct_grid *g = ct_volume_grid(volume);
  CHECK(ct_volume_get_data(volume)[(size_t)(g->nz / 2) * (size_t)(g->nx * g->ny)] == 0);
  CHECK(ct_volume_get_data(
            volume)[((size_t)(g->nz / 2) * (size_t)g->ny + (size_t)g->ny / 2) * (size_t)g->nx + (size_t)g->nx / 2] !=
        0);
  ct_volume_free(volume);
  bench_close(&b);
}

static void hopeless_plans_are_refused_with_reasons(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_cone, &error));
  ct_plan plan = b.plan;
  plan.centre_mm[2] = 5000;
  CHECK_FAILS(ct_pipeline_prepare(b.pipeline, &plan, NULL, &error), CT_ERROR_ARGUMENT, "No view sees the volume");
  plan = b.plan;
  plan.centre_method = CT_CENTRE_MANUAL;
  plan.centre_u = 90000;
  CHECK_FAILS(ct_pipeline_prepare(b.pipeline, &plan, NULL, &error), CT_ERROR_ARGUMENT, "No view sees the volume");
  plan = b.plan;
  snprintf(plan.kernel, sizeof plan.kernel, "no-such-kernel");
  CHECK_FAILS(ct_pipeline_prepare(b.pipeline, &plan, NULL, &error), CT_ERROR_UNSUPPORTED, "no-such-kernel");
  bench_close(&b);
}

static void memory_that_lacked_is_told(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_parallel, &error));
  for (int round = 0; round < 2; round++) {
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
    CHECK_OK(volume);
    const ct_warning *warning = ct_warnings_find(ct_pipeline_get_facts(b.pipeline)->warnings, CT_WARNING_METHOD);
    CHECK(round ? warning && strstr(warning->text, "There was not enough memory for the angles. What was") : !warning);
    ct_volume_free(volume);
    if (round == 0) lack_memory_for("the angles");
  }
  ct_untold_forget();
  bench_close(&b);
}

static void memory_is_estimated_and_advice_given(void) {
  bench b;
  ct_error *error = NULL;
  ct_estimate estimate;
  CHECK_OK(bench_open(&b, &small_cone, &error));
  CHECK_OK(ct_plan_estimate(&b.plan, b.scan, NULL, &estimate, &error));
  CHECK(estimate.fits);
  CHECK_NEAR(estimate.projections, 48.0 * 40 * 60 * 4, 1);
  CHECK_NEAR(estimate.volume, 48.0 * 48 * 40 * 4, 1);
  CHECK(estimate.total >= estimate.projections + estimate.volume + estimate.filtered);
  b.plan.nx = b.plan.ny = b.plan.nz = 20000;
  CHECK_OK(ct_plan_estimate(&b.plan, b.scan, NULL, &estimate, &error));
  CHECK(!estimate.fits && strstr(estimate.advice, "free"));
  CHECK(estimate.suggested_bin == 2 || estimate.suggested_grid.nz < 20000);
  /* Planes of it need no volume. */
  CHECK_OK(ct_plan_estimate_planes(&b.plan, b.scan, NULL, 1000, &estimate, &error));
  CHECK(estimate.fits && estimate.kernel == 0 && !*estimate.advice);
  CHECK_NEAR(estimate.total, estimate.projections + estimate.filtered + 1000, 1);
  CHECK_OK(ct_plan_estimate_planes(&b.plan, b.scan, NULL, 1e15, &estimate, &error));
  CHECK(!estimate.fits && strstr(estimate.advice, "a machine with more memory") && !strstr(estimate.advice, "slices"));
  CHECK(estimate.slab_height == 0 && estimate.suggested_grid.nx == 0);
  b.plan.nx = b.plan.ny = b.plan.nz = 65536;
  const bool told = ct_plan_estimate(&b.plan, b.scan, NULL, &estimate, &error);
  CHECK(!told || !estimate.fits);
  ct_error_clear(&error);
  bench_close(&b);
}

static const ct_test tests[] = {
    {"the order of views spreads and is complete", order_spreads_and_is_complete},
    {"slices are those of the volume", slices_are_those_of_the_volume},
    {"stages are kept while they are valid", stages_are_kept_while_they_are_valid},
    {"line integrals know their pixels", line_integrals_know_their_pixels},
    {"finishing early keeps the scale", finishing_early_keeps_the_scale},
    {"cancelling returns nothing and keeps the state", cancelling_returns_nothing_and_keeps_the_state},
    {"the centre is found", the_centre_is_found},
    {"a cancelled search of the centre settles nothing", a_cancelled_search_settles_nothing},
    {"measures find the centre", measures_find_the_centre},
    {"the mask clears the corners", the_mask_clears_the_corners},
    {"hopeless plans are refused with reasons", hopeless_plans_are_refused_with_reasons},
    {"memory that lacked is told", memory_that_lacked_is_told},
    {"memory is estimated and advice given", memory_is_estimated_and_advice_given},
};
CT_TEST_MAIN(tests)
