/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation of full turns with the axis anywhere from 8 % to 92 % of the width (half acquisitions), parallel
 * and fan, objects full of detail and plain ones, with the noise of 1e4 photons: right to 0.3 columns in 19 of 20, and
 * no wrong one with confidence. */
#include "tests/prep/random-scan.h"

/* Numbers over all widths, places, radii and both sides. */
enum { TRIES = 8 };
static void test_kinds(ct_beam beam, int *right) {
  static const int widths[] = {140, 180};
  static const double radii[] = {20, 30, 40};
  uint64_t state = 3;
  for (int kind = 0; kind < 3; kind++)
    for (int i = 0; i < TRIES; i++) {
      random_scan c = {beam,
                       (object)kind,
                       widths[(int)uniform(&state, 0, 2)],
                       uniform(&state, 0.08, 0.5),
                       radii[(int)uniform(&state, 0, 3)],
                       720,
                       0.5};
      if (noise(&state) < 0) c.share = 1 - c.share;
      outcome o;
      try_case(&c, (uint64_t)(i + 1000 * kind), &o);
      if (ct_test_state) return;
      const bool good = fabs(o.error) < 0.3, sure = o.found.confidence >= CT_CENTRE_SURE;
      *right += good;
      if (!good || !sure)
        printf("# %s, %d columns, axis at %.2f of them, radius %.0f: error %.3f, confidence %.2f, spread %.2f, "
               "evidence %.0f\n",
               object_names[kind], c.nu, c.share, c.radius, o.error, o.found.confidence, o.found.spread,
               o.found.evidence);
      CHECK(good || !sure);
    }
}

static void test_all(void) {
  int right = 0;
  test_kinds(CT_BEAM_PARALLEL, &right);
  test_kinds(CT_BEAM_FAN, &right);
  CHECK(ct_test_state || 20 * right >= 19 * 2 * 3 * TRIES);
}

static const ct_test tests[] = {
    {"half acquisitions, parallel and fan: right in 19 of 20, never wrong with confidence", test_all},
};
CT_TEST_MAIN(tests)
