/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans of a displaced detector: opposite views see the halves of an object in turn, and the volume is that of a
 * detector twice as wide, also where memory is short, in slices alone, along oblique planes, and with the axis searched
 * by a sweep. */
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/metric/metric.h"
#include "recon/solve/pipeline.h"

/* A scan of `nu` columns with the axis so many columns off the middle; pitch and object are always the same. */
static ct_scan *scan_of(ct_beam beam, int nu, double offset, int views) {
  ct_geometry g;
  const simulation s = {beam, 96, beam == CT_BEAM_FAN ? 1 : 2, views, 360, 0, "shepp-logan"};
  if (!sim_geometry(&s, &g)) return NULL;
  g.nu = nu;
  g.centre_u = 0.5 * (nu - 1) + offset;
  ct_stack *stack = ct_phantom_project(ct_phantom_find(s.phantom), sim_radius, sim_mu, &g, 1, NULL, NULL);
  ct_scan *scan = stack ? ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", NULL) : NULL;
  ct_geometry_clear(&g);
  return scan;
}

/* The plan takes the scan's own centre. */
static ct_volume *volume_of(ct_scan *scan, size_t memory, ct_error **error) {
  ct_plan plan;
  ct_plan_init(&plan);
  plan.centre_method = CT_CENTRE_SCAN;
  ct_pipeline *pipeline = ct_pipeline_new(scan, NULL, error);
  ct_pipeline_limit_memory(pipeline, memory);
  ct_volume *volume = ct_pipeline_volume(pipeline, &plan, NULL, NULL, error);
  ct_pipeline_free(pipeline);
  return volume;
}

/* Relative RMSE over the middle slice of a scan against a whole detector's. */
static double difference(ct_beam beam, int nu, double offset, int views, size_t memory) {
  ct_scan *half = scan_of(beam, nu, offset, views), *whole = scan_of(beam, 96, 0, views);
  ct_volume *a = volume_of(half, memory, NULL), *b = volume_of(whole, 0, NULL);
  ct_metrics metrics = {.relative_rmse = NAN};
  const bool same = a && b && ct_volume_grid(a)->nx == 96 && ct_volume_grid(b)->nx == 96;
  const ct_grid *grid = same ? ct_volume_grid(a) : NULL;
  if (same)
    ct_compare(&(ct_comparison){.a = ct_volume_get_data(a),
                                .b = ct_volume_get_data(b),
                                .nx = grid->nx,
                                .ny = grid->ny,
                                .nz = grid->nz,
                                .peak = NAN},
               &metrics, NULL, NULL);
  ct_volume_free(a);
  ct_volume_free(b);
  ct_scan_free(half);
  ct_scan_free(whole);
  return metrics.relative_rmse;
}

static void test_volume(void) {
  /* Opposite parallel views share each line exactly. */
  CHECK(difference(CT_BEAM_PARALLEL, 60, 18, 200, 0) < 1e-5);
  CHECK(difference(CT_BEAM_PARALLEL, 60, -18, 200, 0) < 1e-5);
  CHECK(difference(CT_BEAM_PARALLEL, 60, 18, 200, 1) < 1e-5);
  /* Those of a fan fall between views, and each line is measured once where the whole detector measures it twice. */
  CHECK(difference(CT_BEAM_FAN, 60, 18, 900, 0) < 0.02);
  CHECK(difference(CT_BEAM_CONE, 60, -18, 900, 0) < 0.02);
}

/* Slices alone and oblique ones are those of the volume; a sweep finds the axis where it starts some columns off. */
static void test_slices(void) {
  ct_error *error = NULL;
  ct_scan *scan = scan_of(CT_BEAM_CONE, 60, 18, 120);
  CHECK(scan);
  ct_plan plan;
  ct_plan_init(&plan);
  plan.centre_method = CT_CENTRE_SCAN;
  ct_pipeline *pipeline = ct_pipeline_new(scan, NULL, &error);
  CHECK_OK(pipeline);
  ct_volume *volume = ct_pipeline_volume(pipeline, &plan, NULL, NULL, &error);
  CHECK_OK(volume);
  const ct_grid *grid = ct_volume_grid(volume);
  const size_t count = (size_t)grid->nx * (size_t)grid->ny;
  float *slice = ct_alloc(count, sizeof *slice, "a slice", NULL),
        *plane = ct_alloc(count, sizeof *plane, "a slice", NULL);
  CHECK(slice && plane);
  ct_volume_copy_plane(volume, CT_AXIAL, 1, plane);
  CHECK_OK(ct_pipeline_slice(pipeline, &plan, CT_AXIAL, 1, slice, NULL, &error));
  ct_metrics metrics;
  CHECK_OK(ct_compare(&(ct_comparison){.a = slice, .b = plane, .nx = grid->nx, .ny = grid->ny, .nz = 1, .peak = NAN},
                      &metrics, NULL, &error));
  CHECK(metrics.relative_rmse < 1e-5);
  /* The projections as they were measured stay as narrow as they are. */
  CHECK(ct_stack_nu(ct_pipeline_get_line_integrals(pipeline)) == 60 &&
        ct_stack_nu(ct_pipeline_get_filtered(pipeline)) == 96);
  CHECK(ct_pipeline_get_facts(pipeline)->geometry->nu == 60);
  ct_centre_trial *trials;
  size_t trial_count;
  double best;
  plan.centre_from = 40, plan.centre_to = 55;
  CHECK_OK(ct_pipeline_sweep(pipeline, &plan, 0, &trials, &trial_count, &best, NULL, &error));
  CHECK_NEAR(best, 29.5 + 18, 0.5);
  CHECK(trials[0].measure == CT_SHARPNESS_ENTROPY);
  ct_free(trials);
  ct_free(slice);
  ct_free(plane);
  ct_volume_free(volume);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
}

/* Filtered rows are wider than the detector where its narrow side is far narrower, whatever it sees; the mask is the
 * detector's, in planes alone as in the volume. */
static void test_masked_planes(void) {
  ct_error *error = NULL;
  ct_scan *scan = scan_of(CT_BEAM_CONE, 150, 24, 60);
  CHECK(scan);
  ct_plan plan;
  ct_plan_init(&plan);
  plan.centre_method = CT_CENTRE_SCAN;
  plan.mask = 1;
  ct_pipeline *pipeline = ct_pipeline_new(scan, NULL, &error);
  CHECK_OK(pipeline);
  ct_volume *volume = ct_pipeline_volume(pipeline, &plan, NULL, NULL, &error);
  CHECK_OK(volume);
  CHECK(ct_stack_nu(ct_pipeline_get_filtered(pipeline)) > 150);
  const ct_grid *grid = ct_volume_grid(volume);
  for (int plane = CT_AXIAL; plane <= CT_SAGITTAL; plane++) {
    int width, height, count;
    ct_grid_plane_size(grid, (ct_plane)plane, &width, &height, &count);
    const size_t pixels = (size_t)width * (size_t)height;
    float *alone = ct_alloc(pixels, sizeof *alone, "a slice", NULL),
          *of_volume = ct_alloc(pixels, sizeof *of_volume, "a slice", NULL);
    CHECK(alone && of_volume);
    ct_volume_copy_plane(volume, (ct_plane)plane, 2 * count / 5, of_volume);
    CHECK_OK(ct_pipeline_slice(pipeline, &plan, (ct_plane)plane, 2 * count / 5, alone, NULL, &error));
    size_t masked = 0;
    for (size_t i = 0; i < pixels; i++) {
      CHECK((alone[i] == 0) == (of_volume[i] == 0));
      masked += alone[i] == 0;
    }
    CHECK(masked > pixels / 10);
    ct_free(alone);
    ct_free(of_volume);
  }
  ct_volume_free(volume);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
}

/* Whether the narrow side cuts the object off decides, not how wide it is: the phantom reaches 92 mm from the axis. */
static void test_truncation_decides(void) {
  CHECK(difference(CT_BEAM_PARALLEL, 88, 4, 200, 0) < 1e-5);
  CHECK(difference(CT_BEAM_FAN, 86, -5, 900, 0) < 0.02);
  CHECK(difference(CT_BEAM_CONE, 90, 3, 900, 0) < 0.02);
  ct_error *error = NULL;
  ct_scan *scan = scan_of(CT_BEAM_FAN, 150, 24, 90); /* sees 51 columns of 2 mm on its narrow side */
  ct_volume *volume = volume_of(scan, 0, &error);
  CHECK_OK(volume);
  CHECK(ct_volume_grid(volume)->nx == 150);
  ct_volume_free(volume);
  ct_scan_free(scan);
}

/* A gap too wide to be bridged: the weights do not serve, and what that does is said, where the narrow side cuts. */
static void test_gap_is_told(void) {
  static const struct {
    int columns, centre, views;
    bool told;
  } cases[] = {{86, -18, 330, true}, {86, 15, 300, true}, {150, 24, 330, false}, {86, -18, 355, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    ct_scan *scan = scan_of(CT_BEAM_FAN, cases[i].columns, cases[i].centre, 360);
    CHECK_OK(scan);
    ct_plan plan;
    ct_plan_init(&plan);
    plan.view_count = cases[i].views;
    ct_pipeline *pipeline = ct_pipeline_new(scan, NULL, &error);
    CHECK_OK(ct_pipeline_prepare(pipeline, &plan, NULL, &error));
    const ct_warnings *warnings = ct_pipeline_get_facts(pipeline)->warnings;
    bool told = false;
    for (int n = 0; n < warnings->count; n++) told |= strstr(warnings->items[n].text, "have a gap of") != NULL;
    CHECK(told == cases[i].told);
    ct_pipeline_free(pipeline);
    ct_scan_free(scan);
  }
}

/* The default grid is made for the centre that was found, and all of it again by its own plan. */
static void test_grid_follows_the_centre(void) {
  ct_error *error = NULL;
  ct_geometry g;
  const simulation s = {CT_BEAM_FAN, 96, 1, 360, 360, 0, "shepp-logan"};
  CHECK(sim_geometry(&s, &g));
  g.nu = 70;
  g.centre_u = 34.5;
  ct_geometry seen = g;
  seen.centre_u = 34.5 + 13; /* the scan tells another: it is known to be somewhere only */
  ct_stack *stack = ct_phantom_project(ct_phantom_find(s.phantom), sim_radius, sim_mu, &seen, 1, NULL, &error);
  ct_scan *scan = ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", &error);
  CHECK_OK(scan);
  ct_plan plan;
  ct_plan_init(&plan);
  plan.centre_method = CT_CENTRE_CORRELATION;
  CHECK(!ct_plan_grid_is_told(&plan, scan, &g));
  ct_pipeline *pipeline = ct_pipeline_new(scan, NULL, &error);
  ct_volume *volume = ct_pipeline_volume(pipeline, &plan, NULL, NULL, &error);
  CHECK_OK(volume);
  CHECK_NEAR(ct_pipeline_get_facts(pipeline)->centre_u, 47.5, 0.6);
  CHECK(abs(ct_volume_grid(volume)->nx - 96) <= 2);
  ct_volume_free(volume);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"truncation on the narrow side decides", test_truncation_decides},
    {"a gap that is too wide is told", test_gap_is_told},
    {"the grid follows the centre that is found", test_grid_follows_the_centre},
    {"the volume is that of a detector twice as wide", test_volume},
    {"slices alone, the projections' width, and a sweep of the centre", test_slices},
    {"masked planes are those of the volume", test_masked_planes},
};
CT_TEST_MAIN(tests)
