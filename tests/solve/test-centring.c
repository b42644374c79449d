/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The centre that a pipeline takes: a tilt that is found beside it is told, and used when the plan has it; trial slices
 * decide where opposite views leave doubt; what was found outlives plans that tell another. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/io/io.h"

#include <unistd.h>

static const double degree = M_PI / 180;

/* A scan by the middle columns of a detector, whose file tells neither centre nor tilt; noise: of each value, uniform.
 */
static ct_scan *untold_part(const simulation *s, int columns, double tilt, double noise, ct_error **error) {
  ct_geometry g;
  if (!sim_geometry(s, &g)) return NULL;
  g.tilt = tilt * degree;
  g.nu = columns;
  g.centre_u = 0.5 * (columns - 1) + s->centre_offset;
  ct_stack *stack = ct_phantom_project(ct_phantom_find(s->phantom), sim_radius, sim_mu, &g, 1, NULL, error);
  unsigned state = 7;
  for (size_t i = 0; stack && i < (size_t)columns * (size_t)s->nv * (size_t)s->views; i++) {
    state = state * 1664525u + 1013904223u;
    ct_stack_data(stack)[i] += (float)(noise * ((double)(state >> 8) / (1 << 24) - 0.5));
  }
  g.tilt = 0;
  g.centre_u = 0.5 * (columns - 1);
  ct_scan *scan = stack ? ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", error) : NULL;
  ct_geometry_clear(&g);
  if (scan) ((ct_scan_facts *)ct_scan_get_facts(scan))->known &= ~(unsigned)CT_KNOWN_CENTRE;
  return scan;
}

static ct_scan *untold_scan(const simulation *s, double tilt, double noise, ct_error **error) {
  return untold_part(s, s->nu, tilt, noise, error);
}

static bool warned_of(const bench *b, const char *words) {
  const ct_warnings *warnings = ct_pipeline_get_facts(b->pipeline)->warnings;
  for (int i = 0; i < warnings->count; i++)
    if (strstr(warnings->items[i].text, words)) return true;
  return false;
}

static void a_tilt_is_told(void) {
  static const simulation s = {CT_BEAM_PARALLEL, 96, 64, 120, 360, 3.2, "shepp-logan-3d"};
  const double truth = 47.5 + 3.2;
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_take(&b, untold_scan(&s, 1.2, 0.02, &error), &error));
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  CHECK_NEAR(facts->tilt.tilt / degree, 1.2, 0.1);
  CHECK(facts->tilt.spread > 0 && facts->tilt.spread < 0.1 * degree && facts->found.count >= 1);
  CHECK(warned_of(&b, "geometry.tilt=1.") && warned_of(&b, "tilted in the detector's plane"));
  /* By hand, and back: what was found is found again, without a search. */
  const double found = facts->centre_u;
  b.plan.centre_method = CT_CENTRE_MANUAL;
  b.plan.centre_u = 40;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK(ct_pipeline_get_facts(b.pipeline)->centre_u == 40 && ct_pipeline_get_facts(b.pipeline)->found.count == 0);
  CHECK(!warned_of(&b, "geometry.tilt="));
  b.plan.centre_method = CT_CENTRE_AUTO;
  b.plan.centre_u = NAN;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK(ct_pipeline_get_facts(b.pipeline)->centre_u == found && warned_of(&b, "geometry.tilt=1."));
  b.plan.tilt_deg = 1.2;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  facts = ct_pipeline_get_facts(b.pipeline);
  CHECK_NEAR(facts->centre_u, truth, 0.1);
  CHECK(!warned_of(&b, "geometry.tilt=") && !(facts->tilt.spread > 0));
  bench_close(&b);
}

static void no_tilt_is_told_where_there_is_none(void) {
  static const simulation s = {CT_BEAM_PARALLEL, 96, 64, 120, 360, -2.7, "shepp-logan-3d"};
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_take(&b, untold_scan(&s, 0, 0.84, &error), &error));
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK_NEAR(ct_pipeline_get_facts(b.pipeline)->centre_u, 47.5 - 2.7, 0.1);
  CHECK(!warned_of(&b, "geometry.tilt="));
  bench_close(&b);
}

/* Opposite views of one noisy row know this scan's centre to two columns. */
static void slices_decide_what_views_leave_open(void) {
  bench b;
  ct_error *error = NULL;
  const char *path = "../shared/data/dendrites.h5";
  if (access(path, R_OK) != 0) SKIP("no ../shared/data/dendrites.h5");
  CHECK_OK(bench_take(&b, ct_scan_open(path, NULL, &error), &error));
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  CHECK(facts->centre_confidence < CT_CENTRE_SURE && facts->found.spread > 1);
  CHECK(strstr(facts->centre_how, "decided by trial slices") && warned_of(&b, "The best of 11 trial slices is taken"));
  CHECK_NEAR(facts->centre_u, 629.5, 0.6);
  bench_close(&b);
}

/* A noisy row of an object that is cut off on both sides: opposite views know the place to a fraction of a column, with
 * doubt, and the minimum that noise makes of a measure of slices, off by a column, does not replace it. */
static void slices_are_not_asked_where_views_know(void) {
  static const struct {
    int columns;
    double offset, noise;
  } rows[] = {{96, -4.1, 0.25}, {104, 2.6, 0.3}, {118, 3.9, 0.45}, {90, 1.7, 0.4}, {110, -3.3, 0.4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const simulation s = {CT_BEAM_PARALLEL, 160, 1, 181, 181, rows[i].offset, "shepp-logan"};
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_take(&b, untold_part(&s, rows[i].columns, 0, rows[i].noise, &error), &error));
    CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
    const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
    CHECK(facts->centre_confidence < CT_CENTRE_SURE && facts->found.spread < 1 && warned_of(&b, "is doubtful"));
    CHECK_NEAR(facts->centre_u, 0.5 * (rows[i].columns - 1) + rows[i].offset, 0.55);
    CHECK(!strstr(facts->centre_how, "slices") && !warned_of(&b, "trial slices"));
    CHECK(warned_of(&b, "reaches beyond the detector"));
    bench_close(&b);
  }
}

/* Where noise hides what slices could tell, what opposite views say is taken, with its doubt. */
static void slices_that_decide_nothing_say_so(void) {
  static const simulation s = {CT_BEAM_PARALLEL, 160, 1, 180, 180, 6.4, "shepp-logan"};
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_take(&b, untold_scan(&s, 0, 0.84, &error), &error));
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  CHECK(facts->centre_confidence < CT_CENTRE_SURE);
  CHECK_NEAR(facts->centre_u, 79.5 + 6.4, 2 * facts->found.spread);
  CHECK(warned_of(&b, "11 trial slices decide nothing") && warned_of(&b, "is doubtful"));
  bench_close(&b);
}

/* Where opposite views are sure that the scan tells another centre than theirs, that is said, and the scan's is taken;
 * where the centre is right, or set by hand, nothing is. */
static void a_told_centre_is_doubted(void) {
  static const struct {
    simulation s;
    double wrong; /* columns that the scan tells too much */
    bool told;
  } cases[] = {
      {{CT_BEAM_PARALLEL, 96, 3, 120, 360, 1.7, "shepp-logan-3d"}, 4, true},
      {{CT_BEAM_PARALLEL, 100, 1, 120, 180, -2.2, "shepp-logan"}, -3, true},
      {{CT_BEAM_FAN, 120, 1, 180, 360, 0, "insert"}, 2.5, true},
      {{CT_BEAM_CONE, 96, 40, 150, 360, -3, "shepp-logan-3d"}, -2, true},
      {{CT_BEAM_CONE, 96, 40, 150, 360, -3, "shepp-logan-3d"}, 0, false},
      {{CT_BEAM_PARALLEL, 100, 1, 120, 180, -2.2, "shepp-logan"}, 0.4, false},
      {{CT_BEAM_FAN, 120, 1, 180, 220, 0, "insert"}, 0, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_take(&b, untold_scan(&cases[i].s, 0, 0.005, &error), &error));
    ct_scan_facts *facts = (ct_scan_facts *)ct_scan_get_facts(b.scan);
    facts->geometry.centre_u += cases[i].s.centre_offset + cases[i].wrong;
    facts->known |= CT_KNOWN_CENTRE;
    const double told = facts->geometry.centre_u;
    float *plane = ct_alloc((size_t)cases[i].s.nu * (size_t)cases[i].s.nu, sizeof *plane, "a plane", NULL);
    b.plan.nx = b.plan.ny = 48;
    const int mid = cases[i].s.nv / 2;
    CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, mid, plane, NULL, &error));
    if (warned_of(&b, "The scan says that the axis is at column") != cases[i].told)
      CT_TEST_END(1, "case %zu: doubted is not %d", i, cases[i].told);
    CHECK_NEAR(ct_pipeline_get_facts(b.pipeline)->centre_u, told, 1e-9);
    if (cases[i].told) {
      char words[64];
      const double other = told - cases[i].wrong;
      bool near = false;
      for (int n = -2; n <= 2; n++) {
        snprintf(words, sizeof words, "opposite views say %.1f", other + 0.1 * n);
        near = near || warned_of(&b, words);
      }
      CHECK(near);
      b.plan.centre_method = CT_CENTRE_SCAN;
      CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, mid, plane, NULL, &error));
      CHECK(!warned_of(&b, "The scan says that the axis"));
    }
    ct_free(plane);
    bench_close(&b);
  }
}

static const ct_test tests[] = {
    {"a tilt is found beside the centre, told, and used", a_tilt_is_told},
    {"no tilt is told where there is none", no_tilt_is_told_where_there_is_none},
    {"trial slices decide what opposite views leave open", slices_decide_what_views_leave_open},
    {"trial slices do not replace what opposite views know", slices_are_not_asked_where_views_know},
    {"trial slices that decide nothing say so", slices_that_decide_nothing_say_so},
    {"a centre that the scan tells is doubted where views are sure", a_told_centre_is_doubted},
};
CT_TEST_MAIN(tests)
