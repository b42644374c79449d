/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made again after a change follows from the plan table: every parameter changes the digest of its stage and of
 * all later ones and of none before, and a pipeline reads, filters and iterates anew accordingly. */
#include "tests/solve/counted.h"
#include "tests/test.h"

#include "recon/solve/digest.h"
#include "recon/solve/pipeline-private.h"

/* Small: each parameter makes it anew. */
static const simulation little_cone = {CT_BEAM_CONE, 24, 20, 36, 360, 0.5, "shepp-logan-3d"};

/* Another value than the plan's, not far from it. */
static bool change(ct_plan *plan, const ct_param *param) {
  const ct_plan before = *plan;
  const double value = ct_param_get_number(plan, param);
  static const char *const names[] = {"none", "textbook", "tiff", "auto"};
  switch (param->type) {
  case CT_PARAM_TEXT:
    for (size_t i = 0; i < 4 && ct_plan_equal(plan, &before); i++) ct_plan_set_text(plan, param->key, names[i], NULL);
    break;
  case CT_PARAM_CHOICE:
    for (const ct_choice *c = param->choices; c->id && ct_plan_equal(plan, &before); c++)
      ct_plan_set_text(plan, param->key, c->id, NULL);
    break;
  case CT_PARAM_BOOL:
    ct_param_set_number(plan, param, value == 0, NULL);
    break;
  case CT_PARAM_INT:
  case CT_PARAM_REAL: {
    const double other = isnan(value) ? 3 : value < param->high ? value + 1 : value - 1;
    ct_param_set_number(plan, param, fmin(fmax(other, param->low), param->high), NULL);
  }
  }
  return !ct_plan_equal(plan, &before);
}

static void a_parameter_counts_from_its_stage_on(void) {
  size_t count;
  const ct_param *params = ct_params(&count);
  bool found[CT_PLAN_STAGES] = {false};
  for (size_t i = 0; i < count; i++) {
    ct_plan plan, changed;
    ct_plan_init(&plan);
    changed = plan;
    CHECK(change(&changed, params + i));
    for (int stage = 0; stage < CT_PLAN_STAGES; stage++) {
      const ct_plan_stage s = (ct_plan_stage)stage;
      if ((ct_plan_digest(&plan, s) != ct_plan_digest(&changed, s)) != (s >= params[i].stage) ||
          (ct_plan_stage_digest(&plan, s) != ct_plan_stage_digest(&changed, s)) != (s == params[i].stage))
        CT_TEST_END(1, "%s counts from stage %d on, but see stage %d", params[i].key, (int)params[i].stage, stage);
    }
    found[params[i].stage] = true;
  }
  for (int stage = 0; stage < CT_PLAN_STAGES; stage++) CHECK(found[stage]);
}

static void equal_values_have_equal_digests(void) {
  ct_plan plan, other;
  ct_plan_init(&plan);
  ct_plan_init(&other);
  plan.low = 0.0, other.low = -0.0;
  plan.sod = NAN, other.sod = -NAN;
  memset(other.kernel, 'x', sizeof other.kernel);
  snprintf(other.kernel, sizeof other.kernel, "%s", plan.kernel);
  CHECK(ct_plan_equal(&plan, &other));
  CHECK(ct_plan_digest(&plan, CT_PLAN_SPEED) == ct_plan_digest(&other, CT_PLAN_SPEED));
}

/* The pipeline takes these as values of a geometry: no parameter of it may be missing from that digest. */
static void parameters_of_the_geometry_are_in_its_digest(void) {
  ct_error *error = NULL;
  bench b;
  CHECK_OK(bench_open_file(&b, &little_cone, 1, 1, &error));
  b.plan.sod = 1, b.plan.sdd = 4, b.plan.feed = 3;
  ct_geometry before, after;
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    ct_plan changed = b.plan;
    if (params[i].stage != CT_PLAN_GEOMETRY) continue;
    /* A table either moves or stops. */
    if (!strcmp(params[i].key, "geometry.table_step")) changed.feed = NAN;
    CHECK_OK(ct_plan_geometry(&changed, b.scan, &before, &error));
    CHECK(change(&changed, params + i));
    CHECK_OK(ct_plan_geometry(&changed, b.scan, &after, &error));
    if (ct_geometry_digest(&before, true) == ct_geometry_digest(&after, true))
      CT_TEST_END(1, "%s makes no other digest", params[i].key);
    ct_geometry_clear(&after);
    ct_geometry_clear(&before);
  }
  bench_close(&b);
}

/* Stages from which the pipeline has to work again, as it did; errors of the plan are no matter. */
static void a_pipeline_makes_what_the_table_says(void) {
  size_t count;
  const ct_param *params = ct_params(&count);
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open_file(&b, &little_cone, 1, 1, &error));
  for (size_t i = 0; i < count; i++) {
    ct_plan changed = b.plan;
    CHECK_OK(ct_pipeline_prepare_planes(b.pipeline, &b.plan, NULL, &error));
    const int reads = b.frames.reads;
    const uint64_t filtered = b.pipeline->filtered_key;
    CHECK(change(&changed, params + i));
    const bool good = ct_pipeline_prepare_planes(b.pipeline, &changed, NULL, NULL);
    const bool read = b.frames.reads != reads, refiltered = b.pipeline->filtered_key != filtered;
    const ct_plan_stage stage = params[i].stage;
    if (!good && stage < CT_PLAN_RUN) continue;
    if (!good || read != (stage == CT_PLAN_INTEGRALS) || (stage == CT_PLAN_FILTERED && !refiltered) ||
        (stage > CT_PLAN_FILTERED && refiltered && params[i].section != CT_SECTION_RECONSTRUCTION))
      CT_TEST_END(1, "%s: %s, %s, %s", params[i].key, good ? "prepared" : "refused", read ? "read" : "not read",
                  refiltered ? "filtered" : "not filtered");
  }
  bench_close(&b);
}

static void a_kept_run_goes_on_unless_the_table_says_otherwise(void) {
  size_t count;
  const ct_param *params = ct_params(&count);
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open_file(&b, &parallel, 0, 0, &error));
  b.plan.iterative.method = CT_METHOD_SIRT;
  b.plan.iterative.iterations = 1;
  b.plan.nx = b.plan.ny = 16;
  for (size_t i = 0; i < count; i++) {
    if (params[i].section != CT_SECTION_ITERATIVE && params[i].stage <= CT_PLAN_VOLUME) continue;
    ct_pipeline_drop_run(b.pipeline);
    ct_volume_free(ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error));
    size_t done;
    const ct_iteration *curve = ct_pipeline_get_curve(b.pipeline, &done);
    CHECK(curve && done == 1);
    const double seconds = curve->seconds;
    ct_plan changed = b.plan;
    CHECK(change(&changed, params + i));
    changed.iterative.iterations = 2;
    ct_volume_free(ct_pipeline_volume(b.pipeline, &changed, NULL, NULL, NULL));
    curve = ct_pipeline_get_curve(b.pipeline, &done);
    const bool went_on = curve && done == 2 && curve->seconds == seconds;
    if (params[i].stage > CT_PLAN_RUN && !went_on) CT_TEST_END(1, "%s ends the run", params[i].key);
  }
  bench_close(&b);
}

static const ct_test tests[] = {
    {"a parameter counts from its stage on", a_parameter_counts_from_its_stage_on},
    {"equal values have equal digests", equal_values_have_equal_digests},
    {"parameters of the geometry are in its digest", parameters_of_the_geometry_are_in_its_digest},
    {"a pipeline makes what the table says", a_pipeline_makes_what_the_table_says},
    {"a kept run goes on unless the table says otherwise", a_kept_run_goes_on_unless_the_table_says_otherwise},
};
CT_TEST_MAIN(tests)
