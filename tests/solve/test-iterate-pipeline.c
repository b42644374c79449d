/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline with an iterative method: volumes are published as they iterate and go on where they stood, slices are
 * those of the volume or say that they are not, starts and references count on their grid only, what cannot be is
 * refused with a message. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/metric/metric.h"
#include "recon/solve/pipeline.h"
#include "recon/solve/slabs.h"

static const simulation small_cone = {CT_BEAM_CONE, 32, 24, 40, 360, 0, "shepp-logan-3d"};
static const simulation small_parallel = {CT_BEAM_PARALLEL, 48, 6, 60, 180, 0, "shepp-logan-3d"};
static const simulation small_fan = {CT_BEAM_FAN, 48, 1, 80, 360, 0, "shepp-logan"};

static bool bench_open(bench *b, const simulation *s, ct_method method, int iterations, ct_error **error) {
  const bool good = bench_take(b, sim_scan(s, error), error);
  b->plan.centre_method = CT_CENTRE_SCAN;
  b->plan.iterative.method = method;
  b->plan.iterative.iterations = iterations;
  return good;
}

static bool same(const ct_volume *a, const ct_volume *b) {
  return ct_volume_bytes(a) == ct_volume_bytes(b) &&
         !memcmp(ct_volume_get_data(a), ct_volume_get_data(b), ct_volume_bytes(a));
}

static int planned_iterations(const ct_volume *volume) {
  ct_plan plan;
  ct_plan_init(&plan);
  return ct_volume_get_plan(volume) && ct_plan_from_json(&plan, NULL, ct_volume_get_plan(volume), NULL)
             ? plan.iterative.iterations
             : -1;
}

typedef struct {
  ct_job *job;
  int calls, direct, stop_at;
  bool cancel, ordered;
  float *plane, *oblique;
} watcher;

static void watch(void *user, const ct_partial *partial) {
  watcher *w = user;
  size_t count;
  const ct_iteration *curve = ct_partial_curve(partial, &count);
  if (!count) {
    w->direct++;
    return;
  }
  w->calls++;
  w->ordered =
      (w->calls == 1 || w->ordered) && curve[count - 1].index == (int)count && isfinite(curve[count - 1].residual);
  const ct_grid *grid = ct_partial_grid(partial);
  if (w->plane && !ct_partial_read_plane(partial, CT_CORONAL, grid->ny / 2, w->plane, NULL)) w->ordered = false;
  const ct_oblique oblique = ct_oblique_through(grid, (double[]){0, 0, 0}, 0.3, 0.4);
  if (w->oblique && !ct_partial_read_oblique(partial, &oblique, w->oblique, NULL)) w->ordered = false;
  if (w->calls != w->stop_at) return;
  if (w->cancel)
    ct_job_cancel(w->job);
  else
    ct_job_finish_early(w->job);
}

static void every_iteration_is_published(void) {
  static const simulation *const scans[] = {&small_parallel, &small_fan, &small_cone};
  for (int n = 0; n < 3; n++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open(&b, scans[n], CT_METHOD_SIRT, 5, &error));
    watcher w = {.plane = ct_alloc(64 * 64, sizeof(float), "a plane", NULL),
                 .oblique = ct_alloc(256 * 256, sizeof(float), "a plane", NULL)};
    const ct_publisher publisher = {&w, watch};
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
    CHECK_OK(volume);
    CHECK(w.calls == 5 && w.ordered && w.direct == 0);
    CHECK(planned_iterations(volume) == 5 && strstr(ct_volume_get_plan(volume), "\"sirt\""));
    /* The planes published last are those of the volume. */
    const ct_grid *grid = ct_volume_grid(volume);
    float *plane = ct_alloc(256 * 256, sizeof(float), "a plane", NULL);
    ct_volume_copy_plane(volume, CT_CORONAL, grid->ny / 2, plane);
    CHECK(!memcmp(plane, w.plane, (size_t)grid->nx * (size_t)grid->nz * sizeof *plane));
    const ct_oblique oblique = ct_oblique_through(grid, (double[]){0, 0, 0}, 0.3, 0.4);
    CHECK(ct_oblique_pixels(&oblique) <= 256 * 256);
    ct_volume_copy_oblique(volume, &oblique, plane);
    CHECK(!memcmp(plane, w.oblique, ct_oblique_pixels(&oblique) * sizeof *plane));
    size_t count;
    const ct_iteration *curve = ct_pipeline_get_curve(b.pipeline, &count);
    CHECK(count == 5 && ct_pipeline_get_stopped(b.pipeline) == CT_STOPPED_ITERATIONS);
    for (size_t i = 1; i < count; i++) CHECK(curve[i].residual < curve[i - 1].residual);
    CHECK(isnan(curve[4].rmse));
    CHECK(ct_pipeline_get_facts(b.pipeline)->projector && *ct_pipeline_get_facts(b.pipeline)->projector_why);
    ct_free(plane);
    ct_free(w.plane);
    ct_free(w.oblique);
    ct_volume_free(volume);
    bench_close(&b);
  }
}

static void more_iterations_go_on(void) {
  bench b, fresh;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_parallel, CT_METHOD_CGLS, 3, &error));
  CHECK_OK(bench_open(&fresh, &small_parallel, CT_METHOD_CGLS, 7, &error));
  ct_volume *whole = ct_pipeline_volume(fresh.pipeline, &fresh.plan, NULL, NULL, &error);
  ct_volume *three = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK(whole && three && !same(whole, three) && planned_iterations(three) == 3);
  watcher w = {0};
  const ct_publisher publisher = {&w, watch};
  b.plan.iterative.iterations = 7;
  ct_volume *seven = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
  CHECK_OK(seven);
  CHECK(w.calls == 4 && w.ordered && same(whole, seven) && planned_iterations(seven) == 7);
  /* The same again has nothing to do. */
  ct_volume *again = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
  CHECK_OK(again);
  CHECK(w.calls == 4 && same(again, seven));
  /* Fewer begin anew. */
  b.plan.iterative.iterations = 3;
  ct_volume *fewer = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
  CHECK_OK(fewer);
  CHECK(w.calls == 7 && same(fewer, three));
  /* So does any other change: of the method, of the scan, of the grid. */
  static const char *const changes[][2] = {{"region", "yes"}, {"view_step", "2"}, {"nx", "40"}, {"angle_first", "10"}};
  for (int n = 0; n < 4; n++) {
    w.calls = 0;
    CHECK_OK(ct_plan_set_text(&b.plan, changes[n][0], changes[n][1], &error));
    b.plan.iterative.iterations = 4;
    ct_volume *changed = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
    CHECK_OK(changed);
    CHECK(w.calls == 4);
    ct_volume_free(changed);
  }
  ct_pipeline_drop_run(b.pipeline);
  size_t count;
  CHECK(!ct_pipeline_get_curve(b.pipeline, &count) && count == 0);
  ct_volume_free(whole);
  ct_volume_free(three);
  ct_volume_free(seven);
  ct_volume_free(again);
  ct_volume_free(fewer);
  bench_close(&b);
  bench_close(&fresh);
}

static void ending_early_and_cancelling_can_go_on(void) {
  bench b, fresh;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_fan, CT_METHOD_SIRT, 8, &error));
  CHECK_OK(bench_open(&fresh, &small_fan, CT_METHOD_SIRT, 8, &error));
  ct_volume *whole = ct_pipeline_volume(fresh.pipeline, &fresh.plan, NULL, NULL, &error);
  CHECK_OK(whole);
  watcher w = {.stop_at = 2, .job = ct_job_new(&error)};
  const ct_publisher publisher = {&w, watch};
  ct_volume *part = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error);
  CHECK_OK(part);
  CHECK(w.calls == 2 && planned_iterations(part) == 2 && ct_pipeline_get_stopped(b.pipeline) == CT_STOPPED_EARLY);
  ct_job_free(w.job);
  w = (watcher){.stop_at = 3, .cancel = true, .job = ct_job_new(&error)};
  CHECK_FAILS(ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error) != NULL, CT_ERROR_CANCELLED,
              "Cancelled");
  CHECK(w.calls == 3);
  ct_job_free(w.job);
  w = (watcher){0};
  ct_volume *rest = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
  CHECK_OK(rest);
  CHECK(w.calls == 3 && same(rest, whole));
  ct_volume_free(whole);
  ct_volume_free(part);
  ct_volume_free(rest);
  bench_close(&b);
  bench_close(&fresh);
}

static void starts_count_on_their_grid(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_parallel, CT_METHOD_SIRT, 1, &error));
  size_t count;
  ct_volume *zero = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(zero);
  CHECK_NEAR(ct_pipeline_get_curve(b.pipeline, &count)[0].residual, 1, 1e-6);
  watcher w = {0};
  const ct_publisher publisher = {&w, watch};
  b.plan.iterative.start = CT_START_DIRECT;
  ct_volume *direct = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
  CHECK_OK(direct);
  CHECK_BELOW(ct_pipeline_get_curve(b.pipeline, &count)[0].residual, 0.3);
  CHECK(w.direct > 0 && w.calls == 1);
  /* From where a run of one iteration ended: its second. */
  b.plan.iterative.start = CT_START_CURRENT;
  CHECK_FAILS(ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error) != NULL, CT_ERROR_ARGUMENT, "no volume yet");
  ct_pipeline_set_start(b.pipeline, zero);
  ct_volume *current = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(current);
  b.plan.iterative.start = CT_START_ZERO;
  b.plan.iterative.iterations = 2;
  ct_volume *two = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(two);
  ct_metrics m;
  const ct_grid *grid = ct_volume_grid(two);
  const ct_comparison pair = {.a = ct_volume_get_data(current),
                              .b = ct_volume_get_data(two),
                              .nx = grid->nx,
                              .ny = grid->ny,
                              .nz = grid->nz,
                              .peak = NAN};
  CHECK_OK(ct_compare(&pair, &m, NULL, &error));
  CHECK_BELOW(m.relative_rmse, 1e-5);
  b.plan.iterative.start = CT_START_CURRENT;
  b.plan.nx = 40;
  CHECK_FAILS(ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error) != NULL, CT_ERROR_ARGUMENT, "48 x 48 x 6");
  ct_volume_free(zero);
  ct_volume_free(direct);
  ct_volume_free(current);
  ct_volume_free(two);
  bench_close(&b);
}

static void slices_are_those_of_the_volume_or_previews(void) {
  static const simulation *const scans[] = {&small_parallel, &small_fan, &small_cone};
  for (int n = 0; n < 3; n++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open(&b, scans[n], CT_METHOD_SIRT, 4, &error));
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
    ct_plan direct = b.plan;
    direct.iterative.method = CT_METHOD_DIRECT;
    CHECK_OK(volume);
    const ct_grid grid = *ct_volume_grid(volume);
    for (int plane = CT_AXIAL; plane <= CT_SAGITTAL; plane++) {
      int width, height, count;
      ct_grid_plane_size(&grid, (ct_plane)plane, &width, &height, &count);
      float *a = ct_alloc((size_t)width * (size_t)height, 2 * sizeof(float), "planes", NULL), *v = a + width * height;
      CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, (ct_plane)plane, count / 2, a, NULL, &error));
      const bool preview = ct_pipeline_slice_is_preview(b.pipeline, &b.plan, (ct_plane)plane);
      CHECK(preview == (n == 2 || plane != CT_AXIAL));
      CHECK(!ct_pipeline_slice_is_preview(b.pipeline, &direct, (ct_plane)plane));
      if (preview)
        CHECK_OK(ct_pipeline_slice(b.pipeline, &direct, (ct_plane)plane, count / 2, v, NULL, &error));
      else
        ct_volume_copy_plane(volume, (ct_plane)plane, count / 2, v);
      ct_metrics m;
      CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = v, .nx = width, .ny = height, .nz = 1, .peak = NAN}, &m, NULL,
                          &error));
      CHECK_BELOW(m.relative_rmse, 1e-5);
      ct_free(a);
    }
    /* Slices leave the run of the volume alone. */
    size_t count;
    CHECK(ct_pipeline_get_curve(b.pipeline, &count) && count == 4);
    ct_volume_free(volume);
    bench_close(&b);
  }
}

/* A grid of some slices takes just their rows, though the detector has more. */
static void some_slices_are_those_of_all(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_parallel, CT_METHOD_SIRT, 4, &error));
  ct_volume *all = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(all);
  const ct_grid grid = *ct_volume_grid(all);
  b.plan.nx = b.plan.ny = grid.nx;
  b.plan.voxel = grid.dx;
  b.plan.nz = 2;
  b.plan.centre_mm[2] = grid.z0 + 3.5 * grid.dz;
  ct_volume *two = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(two);
  const size_t slice = (size_t)grid.nx * (size_t)grid.ny;
  ct_metrics m;
  const ct_comparison pair = {.a = ct_volume_get_data(two),
                              .b = ct_volume_get_data(all) + 3 * slice,
                              .nx = grid.nx,
                              .ny = grid.ny,
                              .nz = 2,
                              .peak = NAN};
  CHECK_OK(ct_compare(&pair, &m, NULL, &error));
  CHECK_BELOW(m.relative_rmse, 1e-5);
  ct_volume_free(all);
  ct_volume_free(two);
  bench_close(&b);
}

static void the_curve_compares_with_the_reference(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_parallel, CT_METHOD_SIRT, 6, &error));
  ct_volume *plain = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(plain);
  ct_volume *truth = ct_volume_new(ct_volume_grid(plain), &error);
  CHECK_OK(ct_phantom_voxelise(ct_phantom_find("shepp-logan-3d"), sim_radius, sim_mu, 3, truth, NULL, &error));
  ct_pipeline_set_reference(b.pipeline, truth);
  ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(volume);
  CHECK(same(plain, volume));
  size_t count;
  const ct_iteration *curve = ct_pipeline_get_curve(b.pipeline, &count);
  CHECK(count == 6);
  for (int i = 1; i < 6; i++) CHECK(curve[i].rmse < curve[i - 1].rmse);
  const ct_grid *grid = ct_volume_grid(volume);
  ct_metrics m;
  const ct_comparison pair = {.a = ct_volume_get_data(volume),
                              .b = ct_volume_get_data(truth),
                              .nx = grid->nx,
                              .ny = grid->ny,
                              .nz = grid->nz,
                              .peak = NAN};
  CHECK_OK(ct_compare(&pair, &m, NULL, &error));
  CHECK_NEAR(curve[5].rmse, m.rmse, 1e-5 * m.rmse);
  CHECK_NEAR(curve[5].ssim, m.ssim, 1e-5);
  /* On another grid there is nothing to compare. */
  b.plan.nx = 40;
  ct_volume *other = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(other);
  CHECK(isnan(ct_pipeline_get_curve(b.pipeline, &count)[5].rmse));
  ct_pipeline_set_reference(b.pipeline, NULL);
  ct_volume_free(plain);
  ct_volume_free(truth);
  ct_volume_free(volume);
  ct_volume_free(other);
  bench_close(&b);
}

static void what_cannot_be_is_refused(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_fan, CT_METHOD_SIRT, 2, &error));
  ct_plan plan = b.plan;
  plan.filtered = 1;
  CHECK_FAILS(ct_pipeline_volume(b.pipeline, &plan, NULL, NULL, &error) != NULL, CT_ERROR_UNSUPPORTED,
              "line integrals");
  plan = b.plan;
  snprintf(plan.iterative.projector, sizeof plan.iterative.projector, "magic");
  CHECK_FAILS(ct_pipeline_volume(b.pipeline, &plan, NULL, NULL, &error) != NULL, CT_ERROR_ARGUMENT, "magic");
  ct_estimate estimate;
  CHECK_FAILS(ct_plan_estimate(&plan, b.scan, NULL, &estimate, &error), CT_ERROR_ARGUMENT, "magic");
  CHECK(estimate.total == 0 && estimate.volume == 0);
  CHECK_OK(ct_plan_estimate(&b.plan, b.scan, NULL, &estimate, &error));
  const double image = 48.0 * 48 * sizeof(float), rays = 48.0 * 80 * sizeof(float);
  CHECK(estimate.fits && estimate.filtered == 0 && estimate.kernel == 0);
  CHECK_NEAR(estimate.volume, image, 1);
  CHECK(estimate.iterative >= 3 * image + 2 * rays);
  CHECK_NEAR(estimate.total, estimate.projections + estimate.volume + estimate.iterative, 1);
  plan = b.plan;
  plan.iterative.start = CT_START_DIRECT;
  CHECK_OK(ct_plan_estimate(&plan, b.scan, NULL, &estimate, &error));
  CHECK_NEAR(estimate.filtered, estimate.projections, 1);
  ct_slab_plan slabs;
  CHECK_FAILS(ct_plan_slabs(&b.plan, b.scan, NULL, 1e9, &slabs, &error), CT_ERROR_UNSUPPORTED, "into slabs");
  /* A matrix that does not fit into the memory allowed. */
  plan = b.plan;
  snprintf(plan.iterative.projector, sizeof plan.iterative.projector, "scsr");
  ct_pipeline_limit_memory(b.pipeline, 100000);
  CHECK_FAILS(ct_pipeline_volume(b.pipeline, &plan, NULL, NULL, &error) != NULL, CT_ERROR_MEMORY, "matrix-free");
  bench_close(&b);
}

static void noise_is_added_to_what_is_iterated(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_parallel, CT_METHOD_SIRT, 2, &error));
  ct_volume *clean = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(clean);
  b.plan.noise_photons = 1000;
  ct_volume *noisy = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(noisy);
  CHECK(!same(clean, noisy));
  /* Every second view has the noise that it had among all. */
  ct_stack *all = ct_stack_dup(ct_pipeline_get_line_integrals(b.pipeline), &error);
  b.plan.view_step = 2;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const ct_stack *half = ct_pipeline_get_line_integrals(b.pipeline);
  CHECK(all && ct_stack_views(half) == 30);
  for (int view = 0; view < 30; view++)
    CHECK(!memcmp(ct_stack_get_view(half, view), ct_stack_get_view(all, 2 * view), 48 * 6 * sizeof(float)));
  b.plan.noise_seed = 2;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK(memcmp(ct_stack_get_view(ct_pipeline_get_line_integrals(b.pipeline), 0), ct_stack_get_view(all, 0),
               48 * 6 * sizeof(float)));
  b.plan.filtered = 1;
  CHECK_FAILS(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error), CT_ERROR_ARGUMENT, "noise_photons");
  ct_stack_free(all);
  ct_volume_free(clean);
  ct_volume_free(noisy);
  bench_close(&b);
}

static const ct_test tests[] = {
    {"every iteration is published", every_iteration_is_published},
    {"more iterations go on, fewer begin anew", more_iterations_go_on},
    {"a run ended early or cancelled can go on", ending_early_and_cancelling_can_go_on},
    {"starts count on their grid", starts_count_on_their_grid},
    {"slices are those of the volume, or say that they are previews", slices_are_those_of_the_volume_or_previews},
    {"some slices are those of all", some_slices_are_those_of_all},
    {"the curve compares with the reference", the_curve_compares_with_the_reference},
    {"what cannot be is refused", what_cannot_be_is_refused},
    {"noise is added to what is iterated", noise_is_added_to_what_is_iterated},
};
CT_TEST_MAIN(tests)
