/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulations as values: every number of the table is read as it was set, within its limits and with its automatic
 * value; sliders of imperfections lie in their rows' ranges; the truth on a grid is the phantom there, or the object.
 */
#include "recon/geom/questions.h"
#include "recon/phantom/simulation.h"
#include "tests/test.h"

#include <string.h>

static void numbers_are_read_as_set(void) {
  size_t count;
  const ct_simulation_number *numbers = ct_simulation_numbers(&count);
  CHECK(count > 10);
  for (size_t i = 0; i < count; i++) {
    ct_simulation s, standard;
    ct_simulation_init(&s);
    standard = s;
    CHECK(isnan(ct_simulation_get(&s, &numbers[i])) == (numbers[i].automatic != NULL));
    for (int end = 0; end < 2; end++) {
      const double value = end ? numbers[i].high : numbers[i].low;
      ct_simulation_set(&s, &numbers[i], value);
      CHECK_NEAR(ct_simulation_get(&s, &numbers[i]), value, 1e-12 * fabs(value));
    }
    for (size_t k = 0; k < count; k++) {
      const double now = ct_simulation_get(&s, &numbers[k]), before = ct_simulation_get(&standard, &numbers[k]);
      CHECK(k == i || now == before || (isnan(now) && isnan(before)));
    }
    if (!numbers[i].automatic) continue;
    ct_simulation_set(&s, &numbers[i], NAN);
    CHECK(isnan(ct_simulation_get(&s, &numbers[i])));
  }
}

static void sliders_lie_in_the_ranges(void) {
  size_t count;
  const ct_imperfection *rows = ct_imperfection_rows(&count);
  for (size_t i = 0; i < count; i++) {
    CHECK(rows[i].least >= 0 && rows[i].least < rows[i].reach && rows[i].reach <= rows[i].high);
    CHECK(rows[i].low == 0 || (rows[i].low <= -rows[i].reach && rows[i].least == 0));
  }
}

/* The mean over a voxel inside a shape of constant density is that density; beyond the phantom it is 0. */
static void truth_is_the_phantom(void) {
  ct_simulation s;
  ct_geometry geometry;
  ct_simulation_init(&s);
  s.radius = 50;
  s.mu = 0.03;
  CHECK(ct_simulation_geometry(&s, &geometry, NULL));
  ct_geometry_clear(&geometry);
  const ct_grid grid = ct_grid_centred(101, 101, 1, 1, NULL);
  ct_volume *truth = ct_simulation_truth(&s, &grid, NULL, NULL);
  CHECK(truth != NULL);
  const double middle[3] = {0, 0, 0};
  const float *data = ct_volume_get_data(truth);
  CHECK_NEAR(data[50 * 101 + 50], 0.03 * ct_phantom_density(s.phantom, middle), 1e-7);
  CHECK_NEAR(data[0], 0, 0);
  s.object = truth;
  const ct_grid beyond = ct_grid_centred(201, 101, 1, 1, NULL);
  ct_volume *again = ct_simulation_truth(&s, &beyond, NULL, NULL);
  CHECK(again != NULL);
  const float *wide = ct_volume_get_data(again);
  CHECK_NEAR(wide[50 * 201 + 100], data[50 * 101 + 50], 1e-7);
  CHECK_NEAR(wide[50 * 201], 0, 0);
  ct_volume_free(again);
  ct_volume_free(truth);
}

/* The phantom is that of the whole detector: what is left of a row are its middle columns, exactly. */
static void truncation_cuts_both_sides(void) {
  ct_simulation s;
  ct_geometry whole, cut;
  ct_error *error = NULL;
  ct_simulation_init(&s);
  s.beam = ct_beam_find("fan")->beam;
  s.nu = 61;
  s.views = 3;
  s.offset_u = 2;
  ct_simulation t = s;
  t.imperfections.truncation = 0.6;
  ct_simulation resolved = s, resolved_cut = t;
  CHECK(ct_simulation_geometry(&resolved, &whole, NULL));
  CHECK(ct_simulation_geometry(&resolved_cut, &cut, NULL));
  CHECK(resolved.radius == resolved_cut.radius);
  CHECK(whole.nu == 61 && cut.nu == 25 && cut.centre_u == whole.centre_u - 18);
  ct_geometry_clear(&whole);
  ct_geometry_clear(&cut);
  ct_scan *all = ct_simulate(&s, "whole", NULL, &error), *some = ct_simulate(&t, "cut", NULL, &error);
  CHECK_OK(all && some);
  for (int view = 0; view < 3; view++) {
    float a[61], b[25];
    CHECK(ct_scan_read(all, CT_FRAME_PROJECTION, view, 0, 1, a, NULL));
    CHECK(ct_scan_read(some, CT_FRAME_PROJECTION, view, 0, 1, b, NULL));
    CHECK(b[0] > 0);
    for (int u = 0; u < 25; u++) CHECK_NEAR(b[u], a[u + 18], 1e-6);
  }
  ct_scan_free(all);
  ct_scan_free(some);
  t.imperfections.truncation = 0.95;
  CHECK(!ct_simulate(&t, "cut", NULL, &error) && strstr(error->message, "Truncation (share) must lie in 0..0.9"));
  ct_error_clear(&error);
}

static const ct_test tests[] = {
    {"every number is read as it was set", numbers_are_read_as_set},
    {"sliders lie in the ranges of their rows", sliders_lie_in_the_ranges},
    {"the truth is the phantom, or the object", truth_is_the_phantom},
    {"truncation cuts off columns, half at each side", truncation_cuts_both_sides},
};
CT_TEST_MAIN(tests)
