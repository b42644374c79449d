/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Textbook against what can be said without it: 1 / w^2 over a constant projection, an affine projection reproduced,
 * the zero border, impulse responses of the interpolation kernels, nothing from behind the source. */
#include "recon/base/memory.h"
#include "recon/bp/interp.h"
#include "tests/bp/problem.h"
#include "tests/test.h"

static const ct_bp_kernel *textbook(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  return ct_bp_find(&table, "textbook");
}

/* One voxel at a world point from one view with the given projection. */
static double one_voxel(const ct_geometry *geometry, ct_interp interp, const float *projection, const double point[3]) {
  ct_error *error = NULL;
  const ct_grid grid = ct_grid_centred(1, 1, 1, 1, point);
  const ct_bp_request request = {.geometry = geometry,
                                 .grid = grid,
                                 .interp = interp,
                                 .precision = CT_PRECISION_FLOAT32,
                                 .threads = 1,
                                 .batch = 1};
  ct_volume *volume = ct_volume_new(&grid, &error);
  ct_bp_state *state = volume ? textbook()->prepare(textbook(), &request, &error) : NULL;
  const int view = 0;
  double value = NAN;
  if (state &&
      textbook()->run(state, &(ct_bp_batch){.count = 1, .views = &view, .projections = &projection, .last = true},
                      volume, NULL, &error))
    value = ct_volume_get_data(volume)[0];
  if (state) textbook()->free(state);
  ct_volume_free(volume);
  ct_error_clear(&error);
  return value;
}

static void test_weight(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_CONE, 21, 17, 1, &error));
  geometry.sod = 100, geometry.sdd = 150, geometry.angles[0] = 0.7;
  float ones[21 * 17];
  for (size_t n = 0; n < sizeof ones / sizeof *ones; n++) ones[n] = 1;
  /* w of a point is its depth from the source over SOD. */
  const double depth = 4, side = 3, s = sin(0.7), c = cos(0.7);
  const double point[3] = {-depth * s + side * c, depth * c + side * s, 2};
  const double w = (100 + depth) / 100;
  for (int interp = 0; interp < 5; interp++)
    CHECK_NEAR(one_voxel(&geometry, (ct_interp)interp, ones, point), 1 / (w * w), 1e-6);
  const double behind[3] = {130 * s, -130 * c, 0}, at_source[3] = {100 * s, -100 * c, 0};
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_LINEAR, ones, behind), 0, 0);
  CHECK(isfinite(one_voxel(&geometry, CT_INTERP_LINEAR, ones, at_source)));
  ct_geometry_clear(&geometry);
}

/* Parallel beam at angle 0 looks along +y: u follows x, v follows z. */
static bool flat_view(ct_geometry *geometry, ct_error **error) {
  if (!ct_geometry_init(geometry, CT_BEAM_PARALLEL, 9, 7, 1, error)) return false;
  geometry->angles[0] = 0;
  return true;
}

static void test_affine(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  CHECK_OK(flat_view(&geometry, &error));
  float plane[9 * 7];
  for (int v = 0; v < 7; v++)
    for (int u = 0; u < 9; u++) plane[v * 9 + u] = (float)(0.25 * u - 0.5 * v + 1);
  const double point[3] = {1.3, 55, -0.6}; /* u = 5.3, v = 2.4 */
  const double exact = 0.25 * 5.3 - 0.5 * 2.4 + 1;
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_LINEAR, plane, point), exact, 1e-6);
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_CUBIC, plane, point), exact, 1e-6);
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_NEAREST, plane, point), 0.25 * 5 - 0.5 * 2 + 1, 1e-6);
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_OVERSAMPLED, plane, point), 0.25 * 5.25 - 0.5 * 2.5 + 1, 1e-6);
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_GAUSSIAN, plane, point), exact, 0.02);
  ct_geometry_clear(&geometry);
}

static void test_border(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  CHECK_OK(flat_view(&geometry, &error));
  float ones[9 * 7];
  for (size_t n = 0; n < sizeof ones / sizeof *ones; n++) ones[n] = 1;
  const struct {
    double x, z, linear, nearest;
  } places[] = {{-4.25, 0, 0.75, 1},  {-4.75, 0, 0.25, 0}, {4.25, 0, 0.75, 1}, {4.4, 3.4, 0.36, 1},
                {5.2, 0, 0, 0},       {0, 3.6, 0.4, 0},    {0, -3.3, 0.7, 1},  {0, -4.1, 0, 0},
                {-4.5, 3.5, 0.25, 0}, {1e30, 0, 0, 0},     {0, -1e300, 0, 0}};
  for (size_t n = 0; n < sizeof places / sizeof *places; n++) {
    const double point[3] = {places[n].x, 0, places[n].z};
    CHECK_NEAR(one_voxel(&geometry, CT_INTERP_LINEAR, ones, point), places[n].linear, 1e-6);
    if (fabs(fabs(places[n].x) - 4.5) > 1e-9)
      CHECK_NEAR(one_voxel(&geometry, CT_INTERP_NEAREST, ones, point), places[n].nearest, 0);
  }
  ct_geometry_clear(&geometry);
}

/* The response to one bright pixel, half a pixel and one and a half pixels aside. */
static void test_impulse(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  CHECK_OK(flat_view(&geometry, &error));
  float impulse[9 * 7] = {0};
  impulse[3 * 9 + 4] = 1;
  const double half[3] = {0.5, 0, 0}, far[3] = {1.5, 0, 0}, centre[3] = {0, 0, 0};
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_CUBIC, impulse, centre), 1, 1e-6);
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_CUBIC, impulse, half), 0.5625, 1e-6);
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_CUBIC, impulse, far), -0.0625, 1e-6);
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_LINEAR, impulse, half), 0.5, 1e-6);
  const double edge = exp(-8), near_weight = exp(-0.5) - edge, far_weight = exp(-4.5) - edge;
  const double top = 1 - edge, line = top + 2 * (exp(-2) - edge);
  CHECK_NEAR(one_voxel(&geometry, CT_INTERP_GAUSSIAN, impulse, half),
             near_weight / (2 * near_weight + 2 * far_weight) * top / line, 1e-6);
  ct_geometry_clear(&geometry);
}

/* Values that a voxel takes are the weights that are not 0; operations, counted by hand from the formulas. */
static void test_cost(void) {
  static const struct {
    ct_interp interp;
    int several, one; /* operations, with several rows and with one */
  } known[] = {{CT_INTERP_NEAREST, 2, 1},
               {CT_INTERP_LINEAR, 17, 7},
               {CT_INTERP_CUBIC, 87, 33},
               {CT_INTERP_GAUSSIAN, 89, 34},
               {CT_INTERP_OVERSAMPLED, 23, 10}};
  for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
    const ct_interp_cost line = ct_interp_get_cost(known[n].interp, 1), all = ct_interp_get_cost(known[n].interp, 2);
    double weights[CT_INTERP_TAPS];
    int first, used = 0;
    const int taps = ct_interp_taps(ct_interp_get_shape(known[n].interp), 3.3, &first, weights);
    for (int tap = 0; tap < taps; tap++) used += weights[tap] != 0;
    CHECK(line.values == used && all.values == used * used);
    CHECK(line.operations == known[n].one && all.operations == known[n].several);
  }
}

static const ct_test tests[] = {
    {"a constant projection gives 1/w^2", test_weight},
    {"affine projections are reproduced", test_affine},
    {"the border is zero", test_border},
    {"impulse responses", test_impulse},
    {"what a kernel costs is what its formula says", test_cost},
};
CT_TEST_MAIN(tests)
