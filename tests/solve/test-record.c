/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a result's header tells: a volume that was finished early is made again by its own plan, in whole and by slice.
 */
#include "recon/base/memory.h"
#include "recon/solve/pipeline.h"
#include "recon/solve/record.h"
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
    ct_plan second;
    ct_plan_init(&second);
    CHECK_OK(ct_plan_from_json(&second, NULL, ct_volume_get_plan(again), &error));
    CHECK(ct_plan_equal(&told, &second));

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

/* Ended amid the direct reconstruction that it should start from, an iterative run is that much of it; ended later, its
 * start is told as well. */
static void an_early_start_is_made_again(void) {
  for (int stop_at = 1; stop_at <= 4; stop_at += 3) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_take(&b, sim_scan(&parallel, &error), &error));
    b.plan.batch = 16;
    b.plan.iterative.method = CT_METHOD_SIRT;
    b.plan.iterative.start = CT_START_DIRECT;
    b.plan.iterative.iterations = 3;
    if (stop_at > 3) b.plan.finish_after = 16; /* asked for: the run then takes all its iterations */
    watcher w = {.stop_at = stop_at > 3 ? -1 : stop_at, .job = ct_job_new(&error)};
    const ct_publisher publisher = {&w, watch};
    ct_volume *early = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error);
    CHECK_OK(early);
    ct_job_free(w.job);
    ct_plan told;
    ct_plan_init(&told);
    CHECK_OK(ct_plan_from_json(&told, NULL, ct_volume_get_plan(early), &error));
    CHECK(told.finish_after == 16);
    ct_volume *again = ct_pipeline_volume(b.pipeline, &told, NULL, NULL, &error);
    CHECK_OK(again);
    CHECK_BELOW(
        difference(ct_volume_get_data(early), ct_volume_get_data(again), (size_t)ct_grid_voxels(ct_volume_grid(early))),
        1e-4);
    told.finish_after = CT_AUTO_INT;
    ct_volume *whole = ct_pipeline_volume(b.pipeline, &told, NULL, NULL, &error);
    CHECK_OK(whole);
    CHECK(difference(ct_volume_get_data(early), ct_volume_get_data(whole),
                     (size_t)ct_grid_voxels(ct_volume_grid(early))) > 1e-3);
    ct_volume_free(early);
    ct_volume_free(again);
    ct_volume_free(whole);
    bench_close(&b);
  }
}

/* Automatic values are told as they came to be, without being asked for. */
static void automatic_values_are_told(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_take(&b, sim_scan(&parallel, &error), &error));
  ((ct_scan_facts *)ct_scan_get_facts(b.scan))->known &= ~(unsigned)CT_KNOWN_CENTRE;
  ct_volume *first = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(first);
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  const double centre = facts->centre_u;
  ct_plan plan, resolved;
  char *how;
  CHECK_OK(ct_record_read_resolved(ct_volume_get_plan(first), &plan, &resolved, &how, &error));
  CHECK(how && strcmp(how, facts->centre_how) == 0);
  ct_free(how);
  CHECK(plan.centre_method == CT_CENTRE_FOUND && plan.centre_u == centre);
  CHECK(strcmp(plan.kernel, "auto") == 0 && strcmp(resolved.kernel, facts->kernel->id) == 0);
  CHECK(plan.nx == CT_AUTO_INT && resolved.nx == facts->grid.nx && resolved.beam == CT_BEAM_PARALLEL);
  CHECK(plan.prep.log == CT_LOG_AUTO && resolved.prep.log == CT_LOG_OFF && resolved.filtered == 0);
  CHECK(resolved.centre_u == centre && isnan(resolved.sod) && plan.finish_after == CT_AUTO_INT);

  /* Rings removed, the centre is found anew: nobody asked for that. */
  ct_plan other = b.plan;
  other.prep.rings = CT_RINGS_SORTING;
  other.prep.ring_size = 9;
  ct_volume *second = ct_pipeline_volume(b.pipeline, &other, NULL, NULL, &error);
  CHECK_OK(second);
  char *asked = ct_record_differences(ct_volume_get_plan(first), ct_volume_get_plan(second), true, &error),
       *automatic = ct_record_differences(ct_volume_get_plan(first), ct_volume_get_plan(second), false, &error);
  CHECK_OK(asked && automatic);
  CHECK(strstr(asked, "(corrections.rings): none, sorting") && !strstr(asked, "centre"));
  const bool moved = ct_pipeline_get_facts(b.pipeline)->centre_u != centre;
  CHECK(!strstr(automatic, "rings") && !strstr(automatic, "centre.column") == !moved);
  ct_free(asked);
  ct_free(automatic);
  /* The header's plan keeps the first centre, whatever else is asked for. */
  plan.prep.rings = CT_RINGS_SORTING;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &plan, NULL, &error));
  CHECK(ct_pipeline_get_facts(b.pipeline)->centre_u == centre);
  CHECK(strcmp(ct_pipeline_get_facts(b.pipeline)->centre_how, "as found before") == 0);
  ct_volume_free(first);
  ct_volume_free(second);
  bench_close(&b);
}

static const ct_test tests[] = {
    {"an early start of an iterative run is made again", an_early_start_is_made_again},
    {"automatic values are told, and compared", automatic_values_are_told},
    {"a volume that was finished early is made again by its plan", an_early_volume_is_made_again},
};

CT_TEST_MAIN(tests)
