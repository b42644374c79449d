/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cosine and redundancy weights: every line through the object counts once. */
#include "tests/filter/support.h"
#include "tests/test.h"

static void test_cosine(void) {
  ct_geometry g;
  CHECK(make_geometry(&g, CT_BEAM_CONE, 9, 5, 3, 0.3, 2));
  g.centre_u = 3.25;
  g.centre_v = 1.5;
  g.tilt = 0.2;
  float weights[45];
  CHECK(ct_cosine_weights(&g, 1, weights, NULL));
  for (int j = 0; j < 5; j++)
    for (int k = 0; k < 9; k++) {
      /* The angle between the ray and the one to the axis, whatever the tilt. */
      double p[3], d[3], centre[3];
      CHECK(ct_geometry_ray(&g, 1, k, j, p, d));
      CHECK(ct_geometry_ray(&g, 1, g.centre_u, g.centre_v, p, centre));
      CHECK_NEAR(weights[9 * j + k], d[0] * centre[0] + d[1] * centre[1] + d[2] * centre[2], 1e-7);
    }
  ct_geometry free_geometry;
  CHECK(make_free(&free_geometry, &g));
  float same[45];
  CHECK(ct_cosine_weights(&free_geometry, 1, same, NULL));
  for (int k = 0; k < 45; k++) CHECK_NEAR(same[k], weights[k], 1e-7);
  ct_geometry_clear(&free_geometry);
  ct_geometry_clear(&g);
  CHECK(make_geometry(&g, CT_BEAM_PARALLEL, 9, 5, 3, 0.3, 2));
  CHECK(ct_cosine_weights(&g, 1, weights, NULL));
  for (int k = 0; k < 45; k++) CHECK(weights[k] == 1);
  ct_geometry_clear(&g);
}

/* weights[view][column] * view weight, in double. */
static bool product(const ct_geometry *g, ct_redundancy redundancy, double *total, ct_error **error) {
  float *weights = ct_alloc((size_t)(g->views * g->nu), sizeof *weights, "weights", error);
  double *steps = ct_alloc((size_t)g->views, sizeof *steps, "steps", error);
  const bool good = weights && steps && ct_redundancy_weights(g, redundancy, weights, error) &&
                    ct_geometry_view_weights(g, steps, error);
  for (int i = 0; good && i < g->views * g->nu; i++) total[i] = weights[i] * steps[i / g->nu];
  ct_free(weights);
  ct_free(steps);
  return good;
}

/* Conjugate rays of a short scan whose angles fall on views: (t, g) and (t + pi - 2 g, -g) sum to 1. A column's
 * conjugate view lies between two views, so the weight is interpolated there; one view every 0.05 degrees makes that
 * exact to 1e-4. */
static void check_parker(double span_degrees, double first, bool reversed, bool free_matrices) {
  ct_error *error = NULL;
  ct_geometry g;
  const double step = 0.05 * DEGREE;
  const int views = (int)lround(span_degrees / 0.05) + 1, nu = 41;
  CHECK(make_geometry(&g, free_matrices ? CT_BEAM_CONE : CT_BEAM_FAN, nu, 1, views, first, views * step));
  g.du = 8;
  if (reversed) ct_geometry_set_arc(&g, first + span_degrees * DEGREE, -step);
  ct_geometry used;
  if (free_matrices)
    CHECK(make_free(&used, &g));
  else
    CHECK(ct_geometry_copy(&used, &g, NULL));
  float *w = ct_alloc((size_t)(views * nu), sizeof *w, "weights", NULL);
  CHECK_OK(ct_redundancy_weights(&used, CT_REDUNDANCY_AUTO, w, &error));
  int pairs = 0;
  for (int i = 0; i < views; i += 7)
    for (int k = 0; k < nu; k++) {
      const double gamma = atan((k - g.centre_u) * g.du / g.sdd);
      double position = (M_PI - 2 * gamma) / step;
      position = reversed ? i - position : i + position;
      const int at = (int)floor(position);
      if (at < 0 || at + 1 >= views) continue;
      const double share = position - at;
      const double conjugate = (1 - share) * w[at * nu + nu - 1 - k] + share * w[(at + 1) * nu + nu - 1 - k];
      CHECK_NEAR(w[i * nu + k] + conjugate, 1, 2e-4);
      pairs++;
    }
  CHECK(pairs > 100);
  for (int k = 0; k < views * nu; k++) CHECK(w[k] >= 0 && w[k] <= 1 + 1e-6);
  ct_free(w);
  ct_geometry_clear(&used);
  ct_geometry_clear(&g);
}

static void test_parker(void) {
  check_parker(222, 0, false, false);
  if (!ct_test_state) check_parker(222, 17.3, true, false);
  if (!ct_test_state) check_parker(260, -40, false, false);
  if (!ct_test_state) check_parker(300, 3, false, true);
}

static void test_full(void) {
  ct_error *error = NULL;
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN, CT_BEAM_CONE};
  static const ct_redundancy kinds[] = {CT_REDUNDANCY_AUTO, CT_REDUNDANCY_FULL, CT_REDUNDANCY_NONE};
  for (int b = 0; b < 3; b++)
    for (int r = 0; r < 3; r++) {
      ct_geometry g;
      float w[90 * 5];
      CHECK(make_geometry(&g, beams[b], 5, 1, 90, 1, 2 * M_PI));
      CHECK_OK(ct_redundancy_weights(&g, kinds[r], w, &error));
      for (int k = 0; k < 90 * 5; k++) CHECK_NEAR(w[k], 0.5, 1e-6);
      ct_geometry_clear(&g);
    }
}

/* Parallel arcs: the weights of all views sum to pi, and each direction modulo 180 degrees gets its share once. */
static void test_parallel_arcs(void) {
  ct_error *error = NULL;
  /* Views, step in degrees: 180 exactly; with the last view opposite to the first; overlap; full turn with the first
   * view twice; limited angle; far-away absolute angles. */
  static const double cases[][3] = {{180, 1, 0}, {181, 1, 0}, {200, 1, 0}, {361, 1, 0}, {120, 1, 0}, {360, 0.5, 16740}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    ct_geometry g;
    static double total[400];
    const int views = (int)cases[c][0];
    CHECK(make_geometry(&g, CT_BEAM_PARALLEL, 1, 1, views, cases[c][2] * DEGREE, views * cases[c][1] * DEGREE));
    CHECK_OK(product(&g, CT_REDUNDANCY_AUTO, total, &error));
    double sum = 0;
    for (int i = 0; i < views; i++) sum += total[i];
    CHECK_NEAR(sum, M_PI, 1e-5);
    if (c == 1) CHECK_NEAR(total[0], 0.5 * DEGREE, 1e-7);
    if (c == 1) CHECK_NEAR(total[90], DEGREE, 1e-7);
    if (c == 2) CHECK_NEAR(total[5], 0.5 * DEGREE, 1e-7);
    if (c == 2) CHECK_NEAR(total[100], DEGREE, 1e-7);
    if (c == 3) CHECK_NEAR(total[0] + total[180] + total[360], DEGREE, 1e-7);
    if (c == 4) CHECK_NEAR(total[60], 1.5 * DEGREE, 1e-7);
    ct_geometry_clear(&g);
  }
}

static void test_uneven(void) {
  ct_error *error = NULL;
  ct_geometry g;
  static double total[300];
  CHECK(make_geometry(&g, CT_BEAM_PARALLEL, 1, 1, 300, 0, 1));
  /* The golden angle, in time order: dense all round, no two alike. */
  for (int i = 0; i < 300; i++) g.angles[i] = i * M_PI * (sqrt(5) - 1) / 2;
  CHECK_OK(product(&g, CT_REDUNDANCY_AUTO, total, &error));
  double sum = 0, integral = 0;
  for (int i = 0; i < 300; i++) {
    sum += total[i];
    integral += total[i] * cos(2 * g.angles[i]);
    CHECK(total[i] > 0);
  }
  CHECK_NEAR(sum, M_PI, 1e-5);
  CHECK_NEAR(integral, 0, 1e-3);
  ct_geometry_clear(&g);
}

static void test_parallel_parker(void) {
  ct_error *error = NULL;
  ct_geometry g;
  static double total[221];
  CHECK(make_geometry(&g, CT_BEAM_PARALLEL, 1, 1, 221, 0, 221 * DEGREE));
  CHECK_OK(product(&g, CT_REDUNDANCY_PARKER, total, &error));
  for (int i = 0; i <= 40; i++) CHECK_NEAR(total[i] + total[i + 180], DEGREE, 1e-7);
  CHECK_NEAR(total[0], 0, 1e-9);
  CHECK_NEAR(total[100], DEGREE, 1e-7);
  ct_geometry_clear(&g);
}

static void test_one_view(void) {
  ct_error *error = NULL;
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN};
  for (int b = 0; b < 2; b++) {
    ct_geometry g;
    float w[3];
    CHECK(make_geometry(&g, beams[b], 3, 1, 1, 0.5, 1));
    for (const ct_choice *c = ct_redundancy_choices; c->id; c++) {
      if (c->value == CT_REDUNDANCY_DISPLACED) continue; /* needs views all round */
      CHECK_OK(ct_redundancy_weights(&g, (ct_redundancy)c->value, w, &error));
      for (int k = 0; k < 3; k++) CHECK(isfinite(w[k]) && w[k] >= 0);
    }
    ct_geometry_clear(&g);
  }
}

/* Weight and view step of (t, g) and of its conjugate (t + pi - 2 g, -g) make one: exactly at columns that mirror each
 * other for parallel beam, between two views for a fan. */
static void check_displaced(ct_beam beam, double offset) {
  enum { NU = 40, VIEWS = 3600 };
  ct_error *error = NULL;
  ct_geometry g;
  CHECK(make_geometry(&g, beam, NU, 1, VIEWS, 0.3, 2 * M_PI));
  g.du = 4;
  g.centre_u += offset;
  double *total = ct_alloc(NU * VIEWS, sizeof *total, "weights", NULL);
  CHECK_OK(product(&g, CT_REDUNDANCY_AUTO, total, &error));
  const double step = 2 * M_PI / VIEWS;
  int pairs = 0, alone = 0;
  for (int i = 0; i < VIEWS; i += 31)
    for (int k = 0; k < NU; k++) {
      const double column = k - g.centre_u, gamma = beam == CT_BEAM_FAN ? atan(column * g.du / g.sdd) : 0;
      const int mirrored = (int)lround(2 * g.centre_u) - k;
      if (mirrored < 0 || mirrored >= NU) {
        CHECK_NEAR(total[i * NU + k] / step, 1, 1e-6);
        alone++;
        continue;
      }
      const int across = ((int)lround(i + (M_PI - 2 * gamma) / step) % VIEWS + VIEWS) % VIEWS;
      CHECK_NEAR((total[i * NU + k] + total[across * NU + mirrored]) / step, 1, 1e-6);
      pairs++;
    }
  CHECK(pairs > 500 && alone > 500);
  ct_free(total);
  ct_geometry_clear(&g);
}

static void test_displaced(void) {
  check_displaced(CT_BEAM_PARALLEL, 12);
  check_displaced(CT_BEAM_PARALLEL, -12.5);
  check_displaced(CT_BEAM_FAN, 13);
  check_displaced(CT_BEAM_FAN, -10.5);
  ct_error *error = NULL;
  float weights[20 * 40];
  ct_geometry g;
  CHECK(make_geometry(&g, CT_BEAM_FAN, 20, 1, 40, 0, 1.5 * M_PI));
  CHECK_FAILS(ct_redundancy_weights(&g, CT_REDUNDANCY_DISPLACED, weights, &error), CT_ERROR_ARGUMENT, "all round");
  ct_geometry_set_arc(&g, 0, 2 * M_PI / 40);
  g.centre_u = 25;
  CHECK_FAILS(ct_redundancy_weights(&g, CT_REDUNDANCY_DISPLACED, weights, &error), CT_ERROR_ARGUMENT,
              "on the detector");
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"a displaced detector's weights count every line once", test_displaced},
    {"the cosine weight is the cosine of the ray, for projection matrices too", test_cosine},
    {"Parker weights of conjugate rays sum to 1", test_parker},
    {"a full turn counts every ray half", test_full},
    {"parallel arcs count every direction once", test_parallel_arcs},
    {"uneven angles are weighted by their gaps", test_uneven},
    {"Parker weights blend a parallel over-scan", test_parallel_parker},
    {"a single view has finite weights", test_one_view},
};
CT_TEST_MAIN(tests)
