/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slice view by view: what one view adds against the formula, the sum of all against the slice, any number against
 * the sum of what each added, and errors against a calculation of their own. */
#include "recon/base/memory.h"
#include "recon/phantom/phantom.h"
#include "recon/solve/iterative/solver.h"
#include "recon/solve/view-sums.h"
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

enum { N = 48, PIXELS = N * N };

static const simulation parallel = {CT_BEAM_PARALLEL, N, 1, 40, 180, 0.6, "shepp-logan-3d"},
                        cone = {CT_BEAM_CONE, N, 24, 36, 360, 0, "shepp-logan-3d"};

static bool take_moved(bench *b, const simulation *s, double feed, bool stops, ct_error **error) {
  if (!bench_take(b, sim_scan_moved(s, feed, stops, error), error)) return false;
  b->plan.centre_method = CT_CENTRE_SCAN;
  b->plan.nx = b->plan.ny = N;
  return true;
}

static bool take(bench *b, const simulation *s, ct_error **error) {
  return take_moved(b, s, 0, false, error);
}

/* Bilinear value of a view at the pixel where it sees the point, over w^2. */
static double back_projected(const ct_geometry *g, const ct_stack *views, int view, const double point[3]) {
  double m[12], u, v, w;
  ct_geometry_matrix(g, view, m);
  ct_project(m, point, &u, &v, &w);
  const float *p = ct_stack_get_view(views, view);
  const int nu = g->nu, i = (int)floor(u), j = g->nv > 1 ? (int)floor(v) : 0;
  if (i < 0 || i + 1 >= nu || j < 0 || (g->nv > 1 && j + 1 >= g->nv)) return NAN;
  const double a = u - i, c = g->nv > 1 ? v - j : 0;
  const float *low = p + (size_t)j * (size_t)nu, *high = g->nv > 1 ? low + nu : low;
  return ((1 - c) * ((1 - a) * (double)low[i] + a * (double)low[i + 1]) +
          c * ((1 - a) * (double)high[i] + a * (double)high[i + 1])) /
         (w * w);
}

static double largest(const float *values) {
  double most = 0;
  for (int i = 0; i < PIXELS; i++) most = fmax(most, fabs((double)values[i]));
  return most;
}

static void check_steps(const simulation *s, bool filtered) {
  static float sum[PIXELS], last[PIXELS], so_far[PIXELS], slice[PIXELS];
  bench b;
  ct_error *error = NULL;
  CHECK_OK(take(&b, s, &error));
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const int k = s->nv > 1 ? ct_pipeline_get_facts(b.pipeline)->grid.nz / 3 : 0;
  const ct_view_sums_options options = {
      .index = k, .order = CT_ORDER_RANDOM, .seed = 3, .filtered = filtered, .memory = 5 * sizeof sum};
  ct_view_sums *v = ct_view_sums_new(b.pipeline, &b.plan, &options, NULL, &error);
  CHECK_OK(v);
  CHECK(ct_view_sums_views(v) == s->views);
  bool done = false, seen[64] = {false};
  CHECK_OK(ct_view_sums_measure(v, 60, &done, NULL, &error));
  CHECK(done);
  memset(so_far, 0, sizeof so_far);
  for (int n = 1; n <= s->views; n++) {
    CHECK_OK(ct_view_sums_get(v, n, sum, last, NULL, &error));
    CHECK(!seen[ct_view_sums_view(v, n)]);
    seen[ct_view_sums_view(v, n)] = true;
    for (int i = 0; i < PIXELS; i++) so_far[i] += last[i];
    for (int i = 0; i < PIXELS; i += 7) CHECK_NEAR((double)sum[i], (double)so_far[i], 1e-5 * largest(so_far));
  }
  /* Back, from one of the sums that are kept, and alone. */
  for (int n = s->views - 3; n > 0; n -= 11) {
    memset(so_far, 0, sizeof so_far);
    for (int m = 1; m <= n; m++) {
      CHECK_OK(ct_view_sums_get(v, m, sum, last, NULL, &error));
      for (int i = 0; i < PIXELS; i++) so_far[i] += last[i];
    }
    CHECK_OK(ct_view_sums_get(v, s->views, sum, last, NULL, &error));
    CHECK_OK(ct_view_sums_get(v, n, sum, last, NULL, &error));
    for (int i = 0; i < PIXELS; i += 7) CHECK_NEAR((double)sum[i], (double)so_far[i], 1e-5 * largest(so_far));
  }
  CHECK_OK(ct_view_sums_get(v, s->views, sum, NULL, NULL, &error));
  ct_plan plan = b.plan;
  if (!filtered) plan.filter.window = CT_WINDOW_NONE;
  CHECK_OK(ct_pipeline_slice(b.pipeline, &plan, CT_AXIAL, k, slice, NULL, &error));
  for (int i = 0; i < PIXELS; i++) CHECK_NEAR((double)sum[i], (double)slice[i], 1e-5 * largest(slice));
  /* One view alone, of the projections that the pipeline filtered (or only weighted) for that plan. */
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  const ct_stack *views = ct_pipeline_get_filtered(b.pipeline);
  CHECK(views);
  static float alone[PIXELS];
  memcpy(alone, last, sizeof alone);
  const int view = ct_view_sums_view(v, 5);
  double expected[PIXELS];
  for (int i = 0; i < PIXELS; i++) {
    const double point[3] = {facts->grid.x0 + i % N * facts->grid.dx, facts->grid.y0 + i / N * facts->grid.dy,
                             facts->grid.z0 + k * facts->grid.dz};
    expected[i] = back_projected(facts->geometry, views, view, point);
  }
  CHECK_OK(ct_view_sums_get(v, 5, sum, last, NULL, &error));
  int compared = 0;
  for (int i = 0; i < PIXELS; i++) {
    if (isnan(expected[i])) continue;
    CHECK_NEAR((double)last[i], expected[i], 2e-4 * largest(last));
    compared++;
  }
  CHECK(compared > PIXELS / 2);
  ct_view_sums_free(v);
  bench_close(&b);
}

static void test_parallel(void) {
  check_steps(&parallel, true);
}
static void test_cone(void) {
  check_steps(&cone, true);
}
static void test_unfiltered(void) {
  check_steps(&cone, false);
}

/* Of a spiral the directions are added, each once, and all make the slice, by both methods; of a sequence the views of
 * the position that sees the slice. */
static void check_moved(double feed, bool stops, ct_spiral_method method) {
  static float sum[PIXELS], last[PIXELS], so_far[PIXELS], slice[PIXELS];
  const simulation s = {CT_BEAM_CONE, N, 24, 150, 1080, 0, "shepp-logan-3d"};
  bench b;
  ct_error *error = NULL;
  CHECK_OK(take_moved(&b, &s, feed, stops, &error));
  b.plan.filter.spiral = method;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  ct_view_sums_options options = {.index = ct_pipeline_get_facts(b.pipeline)->grid.nz / 2, .filtered = true};
  ct_view_sums *v = ct_view_sums_new(b.pipeline, &b.plan, &options, NULL, &error);
  CHECK_OK(v);
  const ct_geometry *g = ct_pipeline_get_facts(b.pipeline)->geometry;
  const int directions = ct_view_sums_views(v);
  const double all = stops ? 2 * M_PI : M_PI;
  CHECK(ct_view_sums_directions(v) == !stops && directions < s.views);
  memset(so_far, 0, sizeof so_far);
  for (int n = 1; n <= directions; n++) {
    CHECK_OK(ct_view_sums_get(v, n, sum, last, NULL, &error));
    for (int i = 0; i < PIXELS; i++) so_far[i] += last[i];
    for (int i = 0; i < PIXELS; i += 7) CHECK_NEAR((double)sum[i], (double)so_far[i], 1e-5 * largest(so_far));
    /* Within a turn of the slice, and a step of angles after the one before. */
    const int view = ct_view_sums_view(v, n);
    CHECK(fabs(ct_geometry_height(g, view) - ct_view_sums_grid(v)->z0) <= 0.51 * fabs(g->feed));
    const double ahead = g->angles[view] - g->angles[ct_view_sums_view(v, 1)] - (n - 1) * all / directions;
    CHECK(fabs(remainder(ahead, all)) < 1.01 * fabs(g->angles[1] - g->angles[0]));
  }
  CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, options.index, slice, NULL, &error));
  CHECK(largest(slice) > 0);
  for (int i = 0; i < PIXELS; i++) CHECK_NEAR((double)sum[i], (double)slice[i], 1e-5 * largest(slice));
  ct_view_sums_free(v);
  options.filtered = false;
  v = ct_view_sums_new(b.pipeline, &b.plan, &options, NULL, &error);
  CHECK_OK(v);
  CHECK_FAILS(ct_view_sums_get(v, 1, sum, last, NULL, &error), CT_ERROR_UNSUPPORTED, "Choose filtered views");
  ct_view_sums_free(v);
  bench_close(&b);
}

static void test_spirals(void) {
  check_moved(50, false, CT_SPIRAL_WEIGHTED);
  check_moved(50, false, CT_SPIRAL_KATSEVICH);
}

static void test_sequence(void) {
  check_moved(80, true, CT_SPIRAL_WEIGHTED);
}

/* Of all views the error from the truth is that of the slice; from the final slice none is left, and few views spread
 * over the arc come nearer to it than as many side by side. */
static void test_errors(void) {
  static float truth[PIXELS];
  bench b;
  ct_error *error = NULL;
  int count;
  bool done = false;
  double after_ten[2];
  CHECK_OK(take(&b, &parallel, &error));
  static const ct_view_order orders[2] = {CT_ORDER_SEQUENTIAL, CT_ORDER_MULTILEVEL};
  for (int order = 0; order < 2; order++) {
    const ct_view_sums_options options = {.order = orders[order], .filtered = true, .memory = 1e6};
    ct_view_sums *v = ct_view_sums_new(b.pipeline, &b.plan, &options, NULL, &error);
    CHECK_OK(v);
    const ct_grid *grid = ct_view_sums_grid(v);
    ct_volume *phantom = ct_volume_new(grid, &error);
    CHECK_OK(phantom);
    for (int i = 0; i < PIXELS; i++) truth[i] = ct_volume_data(phantom)[i] = 0.001F * (float)(i % 17);
    ct_view_sums_take_truth(v, phantom);
    CHECK_OK(ct_view_sums_measure(v, 0, &done, NULL, &error));
    ct_view_sums_points(v, &count);
    CHECK(count >= 1 && !done);
    for (int turns = 0; !done && turns < 1000; turns++) CHECK_OK(ct_view_sums_measure(v, 0.001, &done, NULL, &error));
    const ct_view_sums_point *points = ct_view_sums_points(v, &count);
    CHECK(done && count == parallel.views && points[9].count == 10);
    after_ten[order] = points[9].from_final[CT_SUM_SCALED];
    const float *final = ct_view_sums_final(v);
    const double radius = ct_geometry_field_radius(ct_pipeline_get_facts(b.pipeline)->geometry);
    double squares = 0, mean = 0, inside = 0;
    for (int i = 0; i < PIXELS; i++) {
      const double x = grid->x0 + i % N * grid->dx, y = grid->y0 + i / N * grid->dy;
      if (hypot(x, y) > radius) continue;
      squares += ((double) final[i] - (double)truth[i]) * ((double) final[i] - (double)truth[i]);
      mean += (double) final[i] * (double) final[i];
      inside++;
    }
    CHECK_NEAR(points[count - 1].from_truth[CT_SUM_PLAIN], sqrt(squares / inside), 1e-4 * sqrt(squares / inside));
    CHECK_BELOW(points[count - 1].from_final[CT_SUM_PLAIN], 1e-5 * sqrt(mean / inside));
    /* Half a turn of equal steps: each view counts as much. */
    CHECK_NEAR(ct_view_sums_scale(v, 10), parallel.views / 10.0, 1e-9);
    CHECK(ct_view_sums_scale(v, parallel.views) == 1);
    ct_view_sums_free(v);
  }
  CHECK_BELOW(after_ten[1], 0.8 * after_ten[0]);
  bench_close(&b);
}

static void test_refusals(void) {
  static float sum[PIXELS], last[PIXELS];
  bench b;
  ct_error *error = NULL;
  CHECK_OK(take(&b, &parallel, &error));
  ct_view_sums_options options = {.index = 1, .filtered = true};
  CHECK_FAILS(ct_view_sums_new(b.pipeline, &b.plan, &options, NULL, &error), CT_ERROR_ARGUMENT, "no axial slice 1");
  options.index = 0;
  ct_view_sums *v = ct_view_sums_new(b.pipeline, &b.plan, &options, NULL, &error);
  CHECK_OK(v);
  CHECK_FAILS(ct_view_sums_get(v, 0, sum, last, NULL, &error), CT_ERROR_ARGUMENT, "1 to 40 views");
  CHECK_FAILS(ct_view_sums_get(v, 41, sum, last, NULL, &error), CT_ERROR_ARGUMENT, "not 41");
  ct_view_sums_free(v);
  b.plan.values = CT_VALUES_FILTERED;
  options.filtered = false;
  v = ct_view_sums_new(b.pipeline, &b.plan, &options, NULL, &error);
  CHECK_OK(v);
  CHECK_FAILS(ct_view_sums_get(v, 1, sum, last, NULL, &error), CT_ERROR_UNSUPPORTED, "filtered in its files");
  ct_view_sums_free(v);
  bench_close(&b);
}

static const ct_test tests[] = {
    {"views of a parallel beam add up to the slice, each as the formula says", test_parallel},
    {"views of a cone beam do", test_cone},
    {"unfiltered views do", test_unfiltered},
    {"directions of a spiral do, and its unfiltered views are refused in words", test_spirals},
    {"views of a sequence do", test_sequence},
    {"errors are those of the sums, and spread views come nearer", test_errors},
    {"what cannot be added up is refused in words", test_refusals},
};
CT_TEST_MAIN(tests)
