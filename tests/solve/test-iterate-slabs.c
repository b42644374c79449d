/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes of iterative methods in slabs: the volume at once for every method that treats slices by themselves, within
 * the budget, from an empty or a direct start; planes that fill up; finish early and cancel; words for what has no
 * slabs. */
#include "recon/base/machine.h"
#include "recon/solve/iterative/solver.h"
#include "tests/solve/bench.h"
#include "tests/solve/collector.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

static const simulation parallel = {CT_BEAM_PARALLEL, 32, 22, 24, 180, 0, "shepp-logan-3d"};
static const simulation cone = {CT_BEAM_CONE, 24, 22, 16, 360, 0, "shepp-logan-3d"};

static bool bench_open(bench *b, const simulation *s, ct_method method, int iterations, ct_error **error) {
  const bool good = bench_take(b, sim_scan(s, error), error);
  b->plan.threads = 2;
  b->plan.centre_method = CT_CENTRE_SCAN;
  b->plan.iterative.method = (int)method;
  b->plan.iterative.iterations = iterations;
  return good;
}

/* The least budget that still gives slabs of `height` slices, about; with as many copies of the projections. */
static bool plan_tightly(const bench *b, int height, int copies, ct_slab_plan *slabs) {
  for (double budget = 4e6; ct_plan_slabs(&b->plan, b->scan, NULL, budget, slabs, NULL); budget *= 0.9)
    if (slabs->copies == copies && slabs->height <= height) return slabs->total <= budget;
  return false;
}

/* The parameters of two headers; the projector that each really took may be another one for fewer slices. */
static bool same_plan(const char *a, const char *b) {
  ct_plan plans[2];
  for (int i = 0; i < 2; i++) {
    ct_plan_init(&plans[i]);
    if (!ct_plan_from_json(&plans[i], NULL, i ? b : a, NULL)) return false;
  }
  return ct_plan_equal(&plans[0], &plans[1]);
}

static void compare(bench *b, int copies) {
  ct_error *error = NULL;
  ct_volume *whole = ct_pipeline_volume(b->pipeline, &b->plan, NULL, NULL, &error);
  CHECK_OK(whole);
  ct_slab_plan slabs;
  CHECK(plan_tightly(b, copies ? 21 : 7, copies, &slabs));
  CHECK(slabs.count >= (copies ? 2 : 3) && slabs.projector);
  ct_pipeline *fresh = ct_pipeline_new(b->scan, NULL, &error);
  collector c = {.pipeline = fresh};
  const ct_slab_sink sink = {&c, collect};
  int views = 0;
  CHECK_OK(ct_pipeline_slabs(fresh, &b->plan, &slabs, &sink, NULL, &views, NULL, &error));
  CHECK(c.slabs == slabs.count && c.slices == slabs.grid.nz && !c.out_of_order && views == parallel.views);
  CHECK(ct_pipeline_get_facts(fresh)->projector == slabs.projector);
  CHECK_BELOW(c.held, slabs.projections + 1);
  CHECK_BELOW(difference(c.data, ct_volume_get_data(whole), ct_grid_voxels(&slabs.grid)), 2e-4);
  CHECK(c.plan && same_plan(c.plan, ct_volume_get_plan(whole)));
  collector_clear(&c);
  ct_pipeline_free(fresh);
  ct_volume_free(whole);
}

static ct_volume *volume_by(bench *b, const char *projector, ct_error **error) {
  snprintf(b->plan.iterative.projector, sizeof b->plan.iterative.projector, "%s", projector);
  ct_volume *volume = ct_pipeline_volume(b->pipeline, &b->plan, NULL, NULL, error);
  snprintf(b->plan.iterative.projector, sizeof b->plan.iterative.projector, "auto");
  return volume;
}

/* What the whole volume takes with reason, thick slabs take, too, all of them; where they would get thin they do
 * without. */
static void thick_slabs_share_a_matrix(void) {
  enum { LEVELS = 150 };
  bench b;
  ct_error *error = NULL;
  const simulation tall = {CT_BEAM_PARALLEL, 32, LEVELS, 24, 180, 0, "shepp-logan-3d"};
  CHECK_OK(bench_open(&b, &tall, CT_METHOD_SIRT, 5, &error));
  ct_estimate with, without;
  CHECK_OK(ct_plan_estimate(&b.plan, b.scan, NULL, &with, &error));
  snprintf(b.plan.iterative.projector, sizeof b.plan.iterative.projector, "joseph-2d-c8");
  CHECK_OK(ct_plan_estimate(&b.plan, b.scan, NULL, &without, &error));
  ct_volume *plain = volume_by(&b, "joseph-2d-c8", &error), *whole = volume_by(&b, "auto", &error);
  CHECK(plain && whole);
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  CHECK(!strcmp(facts->projector->id, "orbit-matrix") && strstr(facts->projector_why, "150 slices share"));
  /* The matrix is counted before. */
  CHECK_BELOW(facts->projector_shape.bytes, 1.2 * (with.iterative - without.iterative));
  CHECK_BELOW(difference(ct_volume_get_data(whole), ct_volume_get_data(plain), ct_grid_voxels(ct_volume_grid(whole))),
              1e-3);
  ct_slab_plan slabs = {0};
  double budget = with.total;
  while (slabs.count < 2 && ct_plan_slabs(&b.plan, b.scan, NULL, budget, &slabs, &error)) budget *= 0.95;
  CHECK(slabs.count >= 2 && slabs.height >= 64 && slabs.projector == facts->projector && slabs.total <= budget / 0.95);
  ct_pipeline *fresh = ct_pipeline_new(b.scan, NULL, &error);
  collector c = {.pipeline = fresh};
  const ct_slab_sink sink = {&c, collect};
  CHECK_OK(ct_pipeline_slabs(fresh, &b.plan, &slabs, &sink, NULL, NULL, NULL, &error));
  CHECK(c.slabs == slabs.count && ct_pipeline_get_facts(fresh)->projector == slabs.projector);
  CHECK(strstr(ct_pipeline_get_facts(fresh)->projector_why, "for all slabs alike"));
  CHECK_BELOW(difference(c.data, ct_volume_get_data(whole), ct_grid_voxels(&slabs.grid)), 1e-5);
  /* Three times 75 slices are too few, though three times 150 are enough; and thin slabs have no room. */
  b.plan.iterative.iterations = 3;
  for (slabs.count = 0; slabs.count < 2; budget *= 0.95)
    CHECK_OK(ct_plan_slabs(&b.plan, b.scan, NULL, budget, &slabs, &error));
  CHECK(slabs.height >= 64 && 3 * slabs.height < 320 && !slabs.projector->stored);
  b.plan.iterative.iterations = 1000;
  CHECK(plan_tightly(&b, 40, 0, &slabs) && !slabs.projector->stored);
  collector_clear(&c);
  ct_pipeline_free(fresh);
  ct_volume_free(plain);
  ct_volume_free(whole);
  bench_close(&b);
}

/* The methods of the table that treat slices by themselves; the others say so. */
static void slabs_are_the_volume(void) {
  size_t count;
  const ct_solver *const *solvers = ct_solvers(&count);
  int joint = 0;
  for (size_t n = 0; n < count; n++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open(&b, &parallel, (ct_method)solvers[n]->names->value, 4, &error));
    b.plan.iterative.nonnegative = 1;
    ct_slab_plan slabs;
    if (solvers[n]->joint) {
      CHECK_FAILS(ct_plan_slabs(&b.plan, b.scan, NULL, 1e6, &slabs, &error), CT_ERROR_UNSUPPORTED,
                  "all slices together");
      joint++;
    } else {
      compare(&b, (int)(n & 1));
      if (ct_test_state) {
        const size_t length = strlen(ct_test_reason);
        snprintf(ct_test_reason + length, sizeof ct_test_reason - length, " (%s)", solvers[n]->names->id);
        return;
      }
    }
    bench_close(&b);
  }
  CHECK(joint == 5);
}

static void a_direct_start_is_made_for_each_slab(void) {
  for (int copies = 0; copies < 2; copies++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open(&b, &parallel, CT_METHOD_SIRT, 2, &error));
    b.plan.iterative.start = CT_START_DIRECT;
    compare(&b, copies);
    if (ct_test_state) return;
    bench_close(&b);
  }
}

/* Levels beside the object are 0, and no reason to stop. */
static void empty_slices_are_empty(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(
      bench_open(&b, &(simulation){CT_BEAM_PARALLEL, 24, 60, 16, 180, 0, "shepp-logan-3d"}, CT_METHOD_SIRT, 3, &error));
  ct_slab_plan slabs;
  CHECK(plan_tightly(&b, 8, 0, &slabs));
  collector c = {.pipeline = b.pipeline};
  const ct_slab_sink sink = {&c, collect};
  CHECK_OK(ct_pipeline_slabs(b.pipeline, &b.plan, &slabs, &sink, NULL, NULL, NULL, &error));
  const size_t slice = (size_t)slabs.grid.nx * (size_t)slabs.grid.ny;
  double first = 0, middle = 0;
  for (size_t n = 0; n < slice; n++) first += fabs((double)c.data[n]), middle += (double)c.data[30 * slice + n];
  CHECK(c.slices == 60 && first == 0 && middle > 0 && strstr(c.plan, "\"sirt\""));
  collector_clear(&c);
  bench_close(&b);
}

static void planes_fill_up_and_finish_early(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &parallel, CT_METHOD_SIRT, 6, &error));
  ct_slab_plan slabs;
  CHECK(plan_tightly(&b, 6, 0, &slabs));
  for (int late = 0; late < 2; late++) {
    ct_job *job = ct_job_new(&error);
    viewer v = {.job = job, .later_is_empty = true, .finish_at = late ? 8 : 2};
    const ct_publisher publisher = {&v, look};
    collector c = {.pipeline = b.pipeline};
    const ct_slab_sink sink = {&c, collect};
    CHECK_OK(ct_pipeline_slabs(b.pipeline, &b.plan, &slabs, &sink, &publisher, NULL, job, &error));
    CHECK(c.slices == 22 && v.grids_agree && v.later_is_empty && v.grid.nz == 22 && v.deepest > 0);
    CHECK(v.calls == (late ? 6 : 2) * slabs.count);
    ct_plan some = b.plan;
    some.iterative.iterations = late ? 6 : 2;
    ct_volume *whole = ct_pipeline_volume(b.pipeline, &some, NULL, NULL, &error);
    CHECK_OK(whole);
    CHECK_BELOW(difference(c.data, ct_volume_get_data(whole), ct_grid_voxels(&slabs.grid)), 2e-4);
    CHECK(same_plan(c.plan, ct_volume_get_plan(whole)));
    ct_volume_free(whole);
    collector_clear(&c);
    ct_job_free(job);
  }
  ct_job *job = ct_job_new(&error);
  collector c = {.pipeline = b.pipeline, .job = job, .cancel_at = 2};
  const ct_slab_sink sink = {&c, collect};
  CHECK_FAILS(ct_pipeline_slabs(b.pipeline, &b.plan, &slabs, &sink, NULL, NULL, job, &error), CT_ERROR_CANCELLED, "");
  CHECK(c.slabs == 2);
  collector_clear(&c);
  ct_job_free(job);
  bench_close(&b);
}

static void what_has_no_slabs_says_so(void) {
  bench b;
  ct_error *error = NULL;
  ct_slab_plan slabs;
  CHECK_OK(bench_open(&b, &cone, CT_METHOD_SIRT, 3, &error));
  CHECK_FAILS(ct_plan_slabs(&b.plan, b.scan, NULL, 1e4, &slabs, &error), CT_ERROR_UNSUPPORTED, "That needs");
  bench_close(&b);
  CHECK_OK(bench_open(&b, &parallel, CT_METHOD_SIRT, 3, &error));
  b.plan.iterative.stop_change = 0.01;
  CHECK_FAILS(ct_plan_slabs(&b.plan, b.scan, NULL, 1e6, &slabs, &error), CT_ERROR_UNSUPPORTED, "stopping rule");
  b.plan.iterative.stop_change = 0;
  b.plan.iterative.start = CT_START_CURRENT;
  CHECK_FAILS(ct_plan_slabs(&b.plan, b.scan, NULL, 1e6, &slabs, &error), CT_ERROR_UNSUPPORTED, "start from");
  b.plan.iterative.start = CT_START_ZERO;
  CHECK_FAILS(ct_plan_slabs(&b.plan, b.scan, NULL, 1e4, &slabs, &error), CT_ERROR_MEMORY, "one slice");
  /* A matrix that no slab makes smaller. */
  b.plan.iterative.method = CT_METHOD_ART;
  CHECK_FAILS(ct_plan_slabs(&b.plan, b.scan, NULL, 3e4, &slabs, &error), CT_ERROR_MEMORY, "matrix");
  bench_close(&b);
}

static const ct_test tests[] = {
    {"slabs are the volume", slabs_are_the_volume},
    {"thick slabs share the matrix that the whole volume takes", thick_slabs_share_a_matrix},
    {"a direct start is made for each slab", a_direct_start_is_made_for_each_slab},
    {"slices beside the object are empty", empty_slices_are_empty},
    {"planes fill up, all slabs take the iterations of the first", planes_fill_up_and_finish_early},
    {"what has no slabs says so", what_has_no_slabs_says_so},
};

CT_TEST_MAIN(tests)
