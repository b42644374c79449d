/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the plan table that say when a parameter matters, is idle, and what automatic values come to. */
#include "tests/test.h"

#include "recon/solve/plan-rules.h"

/* A cone scan of counts with everything known, prepared on a grid. */
static ct_plan_facts cone_facts(const ct_grid *grid) {
  return (ct_plan_facts){.scan = true,
                         .known = ~0u,
                         .values = CT_VALUES_COUNTS,
                         .beam = CT_BEAM_CONE,
                         .nv = 30,
                         .views = 90,
                         .du = 0.5,
                         .dv = 0.25,
                         .sod = 500,
                         .sdd = 800,
                         .centre_v = 14.5,
                         .tilt_deg = 1,
                         .angle_first_deg = 10,
                         .angle_step_deg = 4,
                         .outcome = true,
                         .centre = 20,
                         .grid = grid};
}

static bool matters(const ct_plan *plan, const ct_plan_facts *facts, const char *key) {
  return ct_param_matters(plan, facts, ct_param_find(key));
}

static void parameters_matter_where_their_conditions_hold(void) {
  ct_plan plan;
  ct_plan_init(&plan);
  ct_plan_facts facts = cone_facts(NULL);
  CHECK(matters(&plan, &facts, "geometry.sod") && matters(&plan, &facts, "corrections.i0"));
  CHECK(matters(&plan, &facts, "corrections.i0_border") && !matters(&plan, &facts, "corrections.i0_x"));
  CHECK(!matters(&plan, &facts, "corrections.flat") && !matters(&plan, &facts, "corrections.ring_size"));
  CHECK(!matters(&plan, &facts, "iterative.iterations") && matters(&plan, &facts, "iterative.method"));
  plan.prep.i0 = CT_I0_REGION;
  plan.prep.rings = CT_RINGS_SORTING;
  CHECK(matters(&plan, &facts, "corrections.i0_x") && !matters(&plan, &facts, "corrections.i0_border"));
  CHECK(matters(&plan, &facts, "corrections.ring_size") && !matters(&plan, &facts, "corrections.ring_sigma"));
  facts.flats = 2;
  CHECK(matters(&plan, &facts, "corrections.flat") && matters(&plan, &facts, "corrections.i0_x"));
  plan.prep.i0 = CT_I0_AUTO;
  CHECK(matters(&plan, &facts, "corrections.i0") && !matters(&plan, &facts, "corrections.i0_border"));
  plan.prep.i0 = CT_I0_BORDER;
  CHECK(matters(&plan, &facts, "corrections.i0_border"));
  plan.prep.i0 = CT_I0_VALUE;
  CHECK(!matters(&plan, &facts, "corrections.i0_value"));
  facts.beam = CT_BEAM_PARALLEL;
  facts.values = CT_VALUES_FILTERED;
  CHECK(!matters(&plan, &facts, "geometry.sod") && !matters(&plan, &facts, "corrections.floor"));
  CHECK(!matters(&plan, &facts, "filter.window") && ct_param_unfolds(&plan, &facts, ct_param_find("filter.filtered")));
  plan.iterative.method = CT_METHOD_MLEM;
  CHECK(!matters(&plan, &facts, "iterative.relaxation") && !matters(&plan, &facts, "iterative.seed"));
  plan.iterative.method = CT_METHOD_SART;
  plan.iterative.order = CT_ORDER_RANDOM;
  CHECK(matters(&plan, &facts, "iterative.relaxation") && matters(&plan, &facts, "iterative.seed"));
  plan.noise_photons = 100;
  CHECK(matters(&plan, &facts, "corrections.noise_seed"));
}

static void conditions_name_other_parameters(void) {
  size_t count;
  const ct_param *params = ct_params(&count);
  char text[256];
  for (size_t i = 0; i < count; i++) {
    ct_param_describe_condition(params + i, text, sizeof text);
    CHECK(!params[i].only.values == !*text && params[i].only.offset != params[i].offset + !params[i].only.values);
    if (!*text) continue;
    const ct_param *other = NULL;
    for (size_t k = 0; k < i; k++)
      if (params[k].offset == params[i].only.offset) other = params + k;
    CHECK(other && other->section == params[i].section && strstr(text, other->key));
    CHECK(params[i].uses == 0 || params[i].needs & CT_IF_ITERATIVE);
  }
  ct_param_describe_condition(ct_param_find("corrections.ring_size"), text, sizeof text);
  CHECK(!strcmp(text, "Only with corrections.rings=sorting or wavelet or smoothing."));
  ct_param_describe_condition(ct_param_find("iterative.region_x"), text, sizeof text);
  CHECK(!strcmp(text, "Only with iterative.region=yes."));
  ct_param_describe_condition(ct_param_find("corrections.noise_seed"), text, sizeof text);
  CHECK(!strcmp(text, "Only with corrections.noise_photons."));
}

static void the_direct_methods_parameters_are_idle_beside_iterative_ones(void) {
  ct_plan plan;
  char why[256] = "";
  ct_plan_init(&plan);
  const ct_param *kernel = ct_param_find("reconstruction.kernel"), *window = ct_param_find("filter.window");
  CHECK(!ct_param_is_idle(&plan, kernel, why, sizeof why) && !*why);
  plan.iterative.method = CT_METHOD_OS_SART;
  CHECK(ct_param_is_idle(&plan, kernel, why, sizeof why) && !strncmp(why, "OS-SART has projectors", 22));
  CHECK(ct_param_is_idle(&plan, window, why, sizeof why) && strstr(why, "unfiltered"));
  CHECK(!ct_param_is_idle(&plan, ct_param_find("iterative.start"), NULL, 0));
  CHECK(ct_param_is_idle(&plan, ct_param_find("reconstruction.device"), NULL, 0));
  snprintf(plan.iterative.projector, sizeof plan.iterative.projector, "gl-joseph");
  CHECK(!ct_param_is_idle(&plan, ct_param_find("reconstruction.device"), NULL, 0));
  plan.iterative.start = CT_START_DIRECT;
  CHECK(!ct_param_is_idle(&plan, window, NULL, 0));
}

/* Katsevich's filter has no ramp and nothing beyond the edge; no spiral has an outline or Parker's weights. */
static void what_spirals_make_no_use_of_is_told(void) {
  static const char *const keys[] = {"filter.ramp", "filter.extension", "filter.object_size", "filter.window",
                                     "filter.cutoff"};
  ct_plan plan;
  ct_plan_init(&plan);
  ct_plan_facts facts = cone_facts(NULL);
  for (int n = 0; n < 5; n++) CHECK(matters(&plan, &facts, keys[n]));
  facts.feed = 20;
  for (int n = 0; n < 5; n++) CHECK(matters(&plan, &facts, keys[n]) == (n != 2));
  plan.filter.spiral = CT_SPIRAL_KATSEVICH;
  for (int n = 0; n < 5; n++) CHECK(matters(&plan, &facts, keys[n]) == (n > 2));
  plan.filter.ramp = CT_RAMP_SAMPLED;
  plan.filter.redundancy = CT_REDUNDANCY_PARKER;
  ct_warnings warnings = {0};
  ct_plan_warn_idle(&plan, &facts, &warnings);
  const ct_warning *told = ct_warnings_find(&warnings, CT_WARNING_SETTING);
  CHECK(told && strstr(told->text, "filter.ramp=sampled (Katsevich's filter has no ramp), filter.redundancy=parker (a "
                                   "spiral has weights of its own)"));
  /* Iterative methods serve, and their grid holds an object of a told size. */
  plan.iterative.method = CT_METHOD_CGLS;
  CHECK(matters(&plan, &facts, "filter.object_size"));
}

static void automatic_values_are_told_where_they_are_known(void) {
  static const char *const open[] = {"corrections.noise_photons",
                                     "filter.filtered",
                                     "filter.object_size",
                                     "reconstruction.batch",
                                     "iterative.upper",
                                     "iterative.haar_weight", /* of another method */
                                     "iterative.shearlet_weight",
                                     "iterative.region_radius",
                                     "output.low",
                                     "output.high",
                                     NULL};
  const ct_grid grid = ct_grid_centred(10, 12, 14, 2, NULL);
  const ct_plan_facts facts = cone_facts(&grid), nothing = {0};
  size_t count;
  const ct_param *params = ct_params(&count);
  ct_plan plan, resolved;
  ct_plan_init(&plan);
  plan.iterative.method = CT_METHOD_ASD_POCS;
  ct_plan_resolve(&plan, &facts, &resolved);
  for (size_t i = 0; i < count; i++) {
    const double value = ct_param_automatic(&plan, &facts, params + i);
    bool stays = !params[i].automatic;
    for (int n = 0; open[n]; n++) stays |= !strcmp(open[n], params[i].key);
    if (isnan(value) != stays) CT_TEST_END(1, "automatic %s is %g", params[i].key, value);
    if (isnan(ct_param_get_number(&plan, params + i)) && !stays)
      CHECK(ct_param_get_number(&resolved, params + i) == value);
    else
      CHECK(ct_param_equal(&plan, &resolved, params + i));
  }
  CHECK(resolved.nx == 10 && resolved.nz == 14 && resolved.voxel == 2 && resolved.centre_mm[1] == 0);
  CHECK(resolved.centre_from == 10 && resolved.centre_to == 30 && resolved.view_count == 90);
  /* What is set by hand is no part of it. */
  plan.sod = 7, plan.view_first = 5, plan.view_step = 10;
  CHECK(ct_param_automatic(&plan, &facts, ct_param_find("geometry.sod")) == 500);
  CHECK(ct_param_automatic(&plan, &facts, ct_param_find("scan.view_count")) == 9);
  ct_plan_resolve(&plan, &facts, &resolved);
  CHECK(resolved.sod == 7);
  CHECK(isnan(ct_param_automatic(&plan, &nothing, ct_param_find("geometry.sod"))));
  plan.iterative.method = CT_METHOD_FISTA_HAAR;
  CHECK(ct_param_automatic(&plan, &facts, ct_param_find("iterative.haar_weight")) == 3e-3);
  plan.iterative.method = CT_METHOD_FISTA_SHEARLET;
  CHECK(ct_param_automatic(&plan, &facts, ct_param_find("iterative.shearlet_weight")) == 3e-3);
}

static const ct_test tests[] = {
    {"parameters matter where their conditions hold", parameters_matter_where_their_conditions_hold},
    {"conditions name other parameters", conditions_name_other_parameters},
    {"the direct method's parameters are idle beside iterative ones",
     the_direct_methods_parameters_are_idle_beside_iterative_ones},
    {"what spirals make no use of is told", what_spirals_make_no_use_of_is_told},
    {"automatic values are told where they are known", automatic_values_are_told_where_they_are_known},
};
CT_TEST_MAIN(tests)
