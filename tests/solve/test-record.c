/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a result's header tells: a volume that was finished early is made again by its own plan, in whole and by slice.
 */
#include "recon/base/memory.h"
#include "recon/solve/pipeline.h"
#include "recon/solve/slabs.h"
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

static const simulation cone = {CT_BEAM_CONE, 32, 24, 48, 360, 0, "shepp-logan-3d"},
                        parallel = {CT_BEAM_PARALLEL, 40, 6, 50, 180, 1.4, "shepp-logan-3d"},
                        fan = {CT_BEAM_FAN, 40, 1, 70, 230, 0, "shepp-logan-3d"};

typedef struct {
  ct_job *job;
  int calls, stop_at, views;
} watcher;

static void watch(void *user, const ct_partial *partial) {
  watcher *w = user;
  w->views = ct_partial_views_done(partial);
  if (++w->calls == w->stop_at) ct_job_finish_early(w->job);
}

/* Largest difference relative to the largest value. */
static double difference(const float *a, const float *b, size_t count) {
  double most = 0, largest = 0;
  for (size_t i = 0; i < count; i++) {
    most = fmax(most, fabs((double)a[i] - (double)b[i]));
    largest = fmax(largest, fabs((double)a[i]));
  }
  return most / largest;
}

static void an_early_volume_is_made_again(void) {
  static const struct {
    const simulation *scan;
    int stop_at, batch;
  } cases[] = {{&cone, 1, CT_AUTO_INT}, {&cone, 2, CT_AUTO_INT}, {&parallel, 2, 7}, {&fan, 2, CT_AUTO_INT}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_take(&b, sim_scan(cases[n].scan, &error), &error));
    b.plan.batch = cases[n].batch;
    watcher w = {.stop_at = cases[n].stop_at, .job = ct_job_new(&error)};
    const ct_publisher publisher = {&w, watch};
    ct_volume *early = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error);
    CHECK_OK(early);
    ct_job_free(w.job);
    ct_plan told;
    ct_plan_init(&told);
    CHECK_OK(ct_plan_from_json(&told, NULL, ct_volume_get_plan(early), &error));
    if (told.finish_after != w.views || w.views >= cases[n].scan->views)
      CT_TEST_END(1, "case %zu: %d views told, %d of %d taken", n, told.finish_after, w.views, cases[n].scan->views);

    ct_volume *again = ct_pipeline_volume(b.pipeline, &told, NULL, NULL, &error);
    CHECK_OK(again);
    const ct_grid *g = ct_volume_grid(early);
    const double error_again =
        difference(ct_volume_get_data(early), ct_volume_get_data(again), (size_t)ct_grid_voxels(g));
    if (!(error_again < 1e-5)) CT_TEST_END(1, "case %zu: made again it differs by %g", n, error_again);
    CHECK(strcmp(ct_volume_get_plan(early), ct_volume_get_plan(again)) == 0);

    /* Slices on demand of that plan are those of the volume. */
    for (int plane = 0; plane < 3; plane++) {
      int width, height, count;
      ct_grid_plane_size(g, (ct_plane)plane, &width, &height, &count);
      const size_t pixels = (size_t)width * (size_t)height;
      float *cut = ct_alloc(2 * pixels, sizeof *cut, "planes", NULL), *alone = cut + pixels;
      ct_volume_copy_plane(again, (ct_plane)plane, count / 2, cut);
      CHECK_OK(ct_pipeline_slice(b.pipeline, &told, (ct_plane)plane, count / 2, alone, NULL, &error));
      const double error_alone = difference(cut, alone, pixels);
      if (!(error_alone < 1e-4)) CT_TEST_END(1, "case %zu: plane %d differs by %g", n, plane, error_alone);
      ct_free(cut);
    }
    /* All views again, which is another volume, and says nothing of an end. */
    told.finish_after = CT_AUTO_INT;
    ct_volume *whole = ct_pipeline_volume(b.pipeline, &told, NULL, NULL, &error);
    CHECK_OK(whole);
    CHECK(difference(ct_volume_get_data(early), ct_volume_get_data(whole), (size_t)ct_grid_voxels(g)) > 1e-3);
    CHECK_OK(ct_plan_from_json(&told, NULL, ct_volume_get_plan(whole), &error));
    CHECK(told.finish_after == CT_AUTO_INT);
    ct_volume_free(whole);
    ct_volume_free(again);
    ct_volume_free(early);
    bench_close(&b);
  }
}

static const ct_test tests[] = {
    {"a volume that was finished early is made again by its plan", an_early_volume_is_made_again},
};

CT_TEST_MAIN(tests)
