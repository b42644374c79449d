/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation of arcs shorter than a turn: half turns that end a step short of opposite, at it and beyond it,
 * and short scans of fans and cones, with the noise of 1e4 photons. Right to 0.3 columns or with a warning; of objects
 * full of detail 19 of 20 are right and sure. */
#include "tests/prep/random-scan.h"

enum { TRIES = 3 };
typedef struct {
  ct_beam beam;
  int views;
  double step; /* degrees */
  double from; /* least share of the width where the axis is */
} arc_kind;

static const arc_kind kinds[] = {
    {CT_BEAM_PARALLEL, 360, 0.5, 0.4}, {CT_BEAM_PARALLEL, 181, 1, 0.2},  {CT_BEAM_PARALLEL, 200, 0.896, 0.42},
    {CT_BEAM_PARALLEL, 280, 0.7, 0.1}, {CT_BEAM_PARALLEL, 270, 1, 0.08}, {CT_BEAM_FAN, 360, 0.5, 0.45},
    {CT_BEAM_FAN, 210, 1, 0.4},        {CT_BEAM_FAN, 300, 0.8, 0.12},    {CT_BEAM_CONE, 420, 0.5, 0.4},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void test_all(void) {
  int clear = 0, right = 0;
  for (int object_kind = 0; object_kind < 3; object_kind++)
    for (int n = 0; n < KINDS; n++)
      for (int i = 0; i < TRIES; i++) {
        uint64_t state = (uint64_t)(31 * n + 7 * object_kind + i);
        for (int skip = 0; skip < 3; skip++) noise(&state);
        const arc_kind *kind = kinds + n;
        random_scan c = {kind->beam,
                         (object)object_kind,
                         noise(&state) < 0 ? 120 : 160,
                         uniform(&state, kind->from, 0.5),
                         uniform(&state, 16, 26),
                         kind->views,
                         kind->step};
        if (noise(&state) < 0) c.share = 1 - c.share;
        outcome o;
        try_case(&c, (uint64_t)(i + 100 * n + 1000 * object_kind), &o);
        if (ct_test_state) return;
        const bool good = fabs(o.error) < 0.3, sure = o.found.confidence >= CT_CENTRE_SURE;
        right += good;
        clear += c.object == DETAILED && good && sure;
        if (!good || !sure)
          printf(
              "# %s, %s, %d views of %g, %d columns, axis at %.2f of them, radius %.0f: error %.3f, confidence %.2f, "
              "spread %.2f, evidence %.0f\n",
              ct_beam_id(c.beam), object_names[c.object], c.views, c.step, c.nu, c.share, c.radius, o.error,
              o.found.confidence, o.found.spread, o.found.evidence);
        CHECK(good || !sure);
      }
  printf("# %d of %d right; %d of %d full of detail right and sure\n", right, 3 * KINDS * TRIES, clear, KINDS * TRIES);
  CHECK(20 * clear >= 19 * KINDS * TRIES);
  CHECK(10 * right >= 9 * 3 * KINDS * TRIES);
}

static const ct_test tests[] = {
    {"arcs shorter than a turn: right, or with a warning", test_all},
};
CT_TEST_MAIN(tests)
