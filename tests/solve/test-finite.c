/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line integrals whose filtered values, or the sums of these, leave the range of single precision: an error that says
 * where, for a volume, in slabs and for planes, never a volume with infinities. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/solve/slabs.h"

static const simulation beams[] = {{CT_BEAM_PARALLEL, 32, 4, 40, 180, 0, "shepp-logan"},
                                   {CT_BEAM_FAN, 32, 1, 40, 360, 0, "shepp-logan"},
                                   {CT_BEAM_CONE, 32, 32, 40, 360, 0, "shepp-logan-3d"}};
enum { BEAMS = sizeof beams / sizeof *beams };

/* The phantom's line integrals times `factor`, or `spike` in one pixel of view 7. The scanner is so small that values
 * are larger than line integrals. */
static bool open_scaled(bench *b, const simulation *s, float factor, float spike, ct_error **error) {
  ct_geometry g;
  if (!sim_geometry(s, &g)) return false;
  ct_stack *stack = ct_phantom_project(ct_phantom_find(s->phantom), sim_radius, sim_mu, &g, 1, NULL, error);
  const size_t pixels = (size_t)g.nu * (size_t)g.nv;
  for (int view = 0; stack && view < g.views; view++)
    for (size_t n = 0; n < pixels; n++) ct_stack_view(stack, view)[n] *= factor;
  const double shrunk = spike > 0 ? 1e-6 : 1e-3;
  g.du *= shrunk, g.dv *= shrunk, g.sod *= shrunk, g.sdd *= shrunk;
  if (stack && spike > 0) ct_stack_view(stack, 7)[g.nv / 2 * g.nu + g.nu / 2] = spike;
  ct_scan *scan = stack ? ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", error) : NULL;
  ct_geometry_clear(&g);
  const bool good = bench_take(b, scan, error);
  b->plan.centre_method = CT_CENTRE_MANUAL;
  return good;
}

static bool drop_slab(void *user, const ct_grid *whole, const ct_volume *slab, int first, ct_job *job,
                      ct_error **error) {
  (void)user, (void)whole, (void)slab, (void)first, (void)job, (void)error;
  return true;
}

static bool in_slabs(bench *b, ct_error **error) {
  ct_slab_plan slabs;
  const ct_slab_sink sink = {.write = drop_slab};
  return ct_pipeline_plan_slabs(b->pipeline, &b->plan, 2e6, &slabs, error) &&
         ct_pipeline_slabs(b->pipeline, &b->plan, &slabs, &sink, NULL, NULL, NULL, error);
}

static void check_refusals(float factor, float spike, const char *cause) {
  for (int n = 0; n < BEAMS; n++) {
    bench b;
    ct_error *error = NULL;
    float *out = ct_alloc(64 * 64, sizeof *out, "a slice", NULL);
    CHECK_OK(open_scaled(&b, &beams[n], factor, spike, &error));
    CHECK(!ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error));
    CHECK(error && error->code == CT_ERROR_DATA);
    CHECK(strstr(error->message, "The voxel at (") && strstr(error->message, "3.4e38") &&
          strstr(error->message, cause));
    ct_error_clear(&error);
    CHECK(!in_slabs(&b, &error));
    CHECK(error && strstr(error->message, "3.4e38"));
    ct_error_clear(&error);
    for (int plane = CT_AXIAL; plane <= CT_SAGITTAL; plane++) {
      int index = beams[n].nv / 2;
      if (plane != CT_AXIAL) index = 16;
      CHECK(!ct_pipeline_slice(b.pipeline, &b.plan, (ct_plane)plane, index, out, NULL, &error));
      CHECK(error && strstr(error->message, "A pixel of the slice"));
      ct_error_clear(&error);
    }
    ct_free(out);
    bench_close(&b);
  }
}

static void a_view_that_overflows_is_named(void) {
  check_refusals(0, 3.3e38f, "filtered view 7 ");
}

/* Each view stays in the range, their sum does not. */
static void a_sum_that_overflows_is_told(void) {
  for (int n = 0; n < BEAMS; n++) {
    bench b;
    ct_error *error = NULL;
    const float top = 3e38f;
    double largest = 0;
    CHECK_OK(open_scaled(&b, &beams[n], 1, 0, &error));
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
    CHECK_OK(volume);
    for (size_t v = 0; v < ct_grid_voxels(ct_volume_grid(volume)); v++)
      largest = fmax(largest, ct_volume_get_data(volume)[v]);
    ct_volume_free(volume);
    bench_close(&b);
    /* Within the range the values are as right as ever, beyond it they are refused. */
    CHECK_OK(open_scaled(&b, &beams[n], (float)(0.3 * top / largest), 0, &error));
    CHECK_OK(volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error));
    double most = 0;
    for (size_t v = 0; v < ct_grid_voxels(ct_volume_grid(volume)); v++)
      most = fmax(most, ct_volume_get_data(volume)[v]);
    CHECK_NEAR(most / (0.3 * top), 1, 1e-4);
    ct_volume_free(volume);
    bench_close(&b);
    CHECK_OK(open_scaled(&b, &beams[n], (float)(1.3 * top / largest), 0, &error));
    CHECK(!ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error));
    CHECK(error && strstr(error->message, "3.4e38"));
    ct_error_clear(&error);
    bench_close(&b);
  }
}

/* Line integrals times a factor give values times that factor: what is estimated on the way, as the outline that
 * extends truncated rows, hangs on no rounding. */
static void values_go_with_the_line_integrals(void) {
  static const float factors[] = {1.00137f, 1.00411f, 1.0137f, 1.0192f};
  for (int n = 0; n < BEAMS; n++) {
    bench b, other;
    ct_error *error = NULL;
    CHECK_OK(open_scaled(&b, &beams[n], 1, 0, &error));
    ct_volume *usual = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
    CHECK_OK(usual);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
      CHECK_OK(open_scaled(&other, &beams[n], factors[i], 0, &error));
      ct_volume *volume = ct_pipeline_volume(other.pipeline, &other.plan, NULL, NULL, &error);
      CHECK_OK(volume);
      double most = 0, largest = 0;
      for (size_t v = 0; v < ct_grid_voxels(ct_volume_grid(usual)); v++) {
        const double value = ct_volume_get_data(usual)[v];
        largest = fmax(largest, fabs(value));
        most = fmax(most, fabs(ct_volume_get_data(volume)[v] / (double)factors[i] - value));
      }
      CHECK_NEAR(most / largest, 0, 1e-5);
      ct_volume_free(volume);
      bench_close(&other);
    }
    ct_volume_free(usual);
    bench_close(&b);
  }
}

static const ct_test tests[] = {
    {"values go with the line integrals", values_go_with_the_line_integrals},
    {"a view that overflows is named", a_view_that_overflows_is_named},
    {"a sum that overflows is told", a_sum_that_overflows_is_told},
};
CT_TEST_MAIN(tests)
