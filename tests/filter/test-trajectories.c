/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans by projection matrices are weighted as the named scans that they are: full, short, displaced, with irregular
 * angles and with a gap, the axis along z, y and aslant, through the isocentre and beside it. Trajectories that the
 * weights do not serve are refused. */
#include "tests/filter/support.h"
#include "tests/test.h"

#include "recon/geom/questions.h"
#include "recon/geom/trajectory.h"

typedef enum { FULL, SHORT, DISPLACED, IRREGULAR, GAP, KINDS } scan_kind;

static bool make_scan(ct_geometry *g, ct_beam beam, scan_kind kind) {
  const int views = kind == IRREGULAR ? 150 : 180, nu = kind == DISPLACED || kind == GAP ? 44 : 64;
  const double arc = kind == SHORT ? (beam == CT_BEAM_PARALLEL ? 184 : 220) * DEGREE : 2 * M_PI;
  if (!make_geometry(g, beam, nu, beam == CT_BEAM_CONE ? 5 : 1, views, 0.3, arc)) return false;
  g->du = g->dv = 4;
  if (beam == CT_BEAM_PARALLEL) g->du = g->dv = 2.5;
  if (kind == DISPLACED || kind == GAP) g->centre_u = 11.6;
  /* Two degrees between views over the first half, and three over the second. */
  for (int i = 0; kind == IRREGULAR && i < views; i++)
    g->angles[i] = 0.3 + (i < 90 ? 2 * i : 180 + 3 * (i - 90)) * DEGREE;
  return kind != GAP || ct_geometry_take_views(g, 0, 1, views - 3, NULL);
}

/* The world turned about x by `tip` and about z by `turn`, and moved; matrices are scaled to 1 at the isocentre. */
typedef struct move {
  double tip, turn, by[3];
} move;

static void move_point(const move *m, const double from[3], double to[3]) {
  const double y = cos(m->tip) * from[1] - sin(m->tip) * from[2], z = sin(m->tip) * from[1] + cos(m->tip) * from[2];
  to[0] = cos(m->turn) * from[0] - sin(m->turn) * y + m->by[0];
  to[1] = sin(m->turn) * from[0] + cos(m->turn) * y + m->by[1];
  to[2] = z + m->by[2];
}

static bool make_moved(ct_geometry *to, const ct_geometry *from, const move *m) {
  ct_geometry seen = *from;
  if (from->beam == CT_BEAM_FAN) seen.beam = CT_BEAM_CONE;
  if (!make_free(to, &seen)) return false;
  to->du = from->du;
  to->dv = from->dv;
  for (int row = 0; row < 3 * from->views; row++) {
    double *p = to->matrices + 4 * row, turned[3];
    const move turn = {m->tip, m->turn, {0, 0, 0}};
    move_point(&turn, p, turned);
    for (int k = 0; k < 3; k++) p[k] = turned[k], p[3] -= turned[k] * m->by[k];
  }
  for (int view = 0; view < from->views; view++) {
    double *p = to->matrices + 12 * view;
    const double scale = 1 / p[11];
    for (int k = 0; k < 12; k++) p[k] *= scale;
  }
  return ct_geometry_check(to, NULL);
}

/* Filtered for the automatic weights; *seen is the geometry of what comes out. */
static ct_stack *filtered(const ct_geometry *g, const ct_stack *from, ct_geometry *seen, ct_error **error) {
  const ct_filter_options options = plain_options();
  if (!ct_filter_output(g, &options, seen, error)) return NULL;
  ct_stack *to = ct_stack_new(seen->nu, seen->nv, seen->views, error);
  ct_filter *filter = to ? ct_filter_new(g, &options, error) : NULL;
  const bool good = filter && ct_filter_stack(filter, from, to, NULL, error);
  ct_filter_free(filter);
  if (good) return to;
  ct_stack_free(to);
  return NULL;
}

/* Back-projected at points in and about a ball: relative RMSE of the moved matrices' values. */
static double difference(ct_beam beam, scan_kind kind, const move *m, double *mean, ct_error **error) {
  enum { POINTS = 80 };
  ct_geometry g, moved, seen, moved_seen;
  double squares = 0, differences = 0;
  *mean = 0;
  if (!make_scan(&g, beam, kind) || !make_moved(&moved, &g, m)) return NAN;
  ct_stack *stack = ct_stack_new(g.nu, g.nv, g.views, error);
  project_ball(&g, (double[]){6, -9, 0}, 32, stack);
  ct_stack *a = filtered(&g, stack, &seen, error), *b = a ? filtered(&moved, stack, &moved_seen, error) : NULL;
  for (int i = 0; b && i < POINTS; i++) {
    const double r = 1.5 + 0.35 * i, t = 2.4 * i;
    const double point[3] = {6 + r * cos(t), -9 + r * sin(t), 0};
    double there[3];
    move_point(m, point, there);
    const double x = back_project(&seen, a, point), y = back_project(&moved_seen, b, there);
    squares += x * x;
    differences += (x - y) * (x - y);
    *mean += y / POINTS;
  }
  if (b) ct_geometry_clear(&moved_seen);
  if (a) ct_geometry_clear(&seen);
  ct_stack_free(stack);
  ct_stack_free(a);
  ct_stack_free(b);
  ct_geometry_clear(&g);
  ct_geometry_clear(&moved);
  return b ? sqrt(differences / squares) : NAN;
}

static void test_matrices_weigh_alike(void) {
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN, CT_BEAM_CONE};
  static const move moves[] = {{0, 0, {0, 0, 0}},
                               {-M_PI / 2, 0, {0, 0, 0}}, /* z becomes y */
                               {0.7, 1.1, {0, 0, 0}},
                               {-2.2, -0.4, {7, -5, 11}}};
  for (int b = 0; b < 3; b++)
    for (int kind = 0; kind < KINDS; kind++)
      for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
        ct_error *error = NULL;
        double mean;
        const double rmse = difference(beams[b], (scan_kind)kind, &moves[m], &mean, &error);
        if (!(rmse < 1e-4) || fabs(mean - 1) > 0.06)
          printf("# beam %d, scan %d, move %zu: %g, mean %g %s\n", b, kind, m, rmse, mean, error ? error->message : "");
        CHECK_OK(!error);
        CHECK_BELOW(rmse, 1e-4);
        CHECK_NEAR(mean, 1, 0.06);
      }
}

/* Parallel rays whose detector moves from view to view: every pixel is where its matrix says. */
static void test_shifted_views(void) {
  ct_error *error = NULL;
  ct_geometry g, shifted, seen;
  CHECK(make_geometry(&g, CT_BEAM_PARALLEL, 80, 1, 180, 0, M_PI) && make_moved(&shifted, &g, &(move){0}));
  shifted.du = shifted.dv = g.du;
  for (int view = 0; view < 180; view++) shifted.matrices[12 * view + 3] += 3 * sin(7.0 * view);
  ct_stack *stack = ct_stack_new(80, 1, 180, &error);
  for (int view = 0; view < 180; view++)
    for (int k = 0; k < 80; k++) {
      const double s = (k - shifted.matrices[12 * view + 3]) * g.du - 4 * cos(g.angles[view]);
      ct_stack_view(stack, view)[k] = (float)(2 * sqrt(fmax(0, 15 * 15 - s * s)));
    }
  ct_stack *out = filtered(&shifted, stack, &seen, &error);
  CHECK_OK(out);
  CHECK_NEAR(back_project(&seen, out, (double[]){4, 0, 0}), 1, 0.01);
  CHECK_NEAR(back_project(&seen, out, (double[]){-4, 6, 0}), 1, 0.01);
  ct_stack_free(stack);
  ct_stack_free(out);
  ct_geometry_clear(&seen);
  ct_geometry_clear(&g);
  ct_geometry_clear(&shifted);
}

/* Below half a turn every beam counts each view pi / arc. */
static void test_short_arcs(void) {
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN, CT_BEAM_CONE};
  static const ct_redundancy kinds[] = {CT_REDUNDANCY_AUTO, CT_REDUNDANCY_FULL, CT_REDUNDANCY_PARKER,
                                        CT_REDUNDANCY_NONE};
  for (int b = 0; b < 3; b++)
    for (int degrees = 60; degrees < 180; degrees += 37)
      for (int kind = 0; kind < 4; kind++) {
        ct_error *error = NULL;
        ct_geometry g, same;
        CHECK(make_geometry(&g, beams[b], 9, 1, degrees, 1, degrees * DEGREE) && make_moved(&same, &g, &(move){0}));
        static float w[2][180 * 9];
        CHECK_OK(ct_redundancy_weights(&g, kinds[kind], w[0], &error));
        CHECK_OK(ct_redundancy_weights(&same, kinds[kind], w[1], &error));
        for (int i = 0; i < degrees * 9; i++) {
          CHECK_NEAR(w[0][i], 180.0 / degrees, 1e-5);
          CHECK_NEAR(w[1][i], 180.0 / degrees, 1e-5);
        }
        ct_geometry_clear(&g);
        ct_geometry_clear(&same);
      }
}

static ct_error *refusal(const ct_geometry *g) {
  ct_error *error = NULL;
  const ct_filter_options options = plain_options();
  ct_filter *filter = ct_filter_new(g, &options, &error);
  ct_filter_free(filter);
  return error;
}

#define CHECK_REFUSED(g, words)                                                                                        \
  do {                                                                                                                 \
    ct_error *error = refusal(g);                                                                                      \
    CHECK(error && error->code == CT_ERROR_UNSUPPORTED && strstr(error->message, words) &&                             \
          strstr(error->message, "iterative.method"));                                                                 \
    ct_error_clear(&error);                                                                                            \
  } while (0)

/* The isocentre of each view moved by `by` mm along z, or with the view's factor away from the source. */
static void test_refusals(void) {
  ct_geometry cone, helix, ellipse, line, aslant;
  CHECK(make_geometry(&cone, CT_BEAM_CONE, 30, 20, 90, 0, 2 * M_PI));
  CHECK(make_free(&helix, &cone) && make_free(&ellipse, &cone) && make_free(&line, &cone));
  for (int view = 0; view < 90; view++) {
    /* One turn over as much as the detector sees, and over a fortieth of it. */
    const double z = 20 * 0.5 * (view / 90.0 - 0.5);
    for (int row = 0; row < 3; row++)
      helix.matrices[12 * view + 4 * row + 3] -= helix.matrices[12 * view + 4 * row + 2] * z;
  }
  CHECK_REFUSED(&helix, "off the plane");
  for (int i = 0; i < 90 * 3; i++)
    helix.matrices[4 * i + 3] += helix.matrices[4 * i + 2] * 20 * 0.5 * 0.95 * (i / 3 / 90.0 - 0.5);
  CHECK(!refusal(&helix));
  /* Twice as far away along x as along y: u = a / w with w of another distance. */
  for (int view = 0; view < 90; view++) {
    const double sod = 500 * (1 + 0.3 * pow(sin(cone.angles[view]), 2));
    ct_geometry one = cone;
    one.sod = sod;
    one.sdd = sod + 300;
    ct_geometry_matrix(&one, view, ellipse.matrices + 12 * view);
  }
  CHECK_REFUSED(&ellipse, "off the circle");
  for (int view = 0; view < 90; view++) {
    double *m = line.matrices + 12 * view;
    ct_geometry_matrix(&cone, 0, m);
    for (int row = 0; row < 3; row++) m[4 * row + 3] -= m[4 * row] * view * 0.7;
  }
  CHECK_REFUSED(&line, "in a line");
  /* Nearly in a line: a circle goes through them whose middle nothing looks at. */
  for (int view = 0; view < 90; view++) {
    double *m = line.matrices + 12 * view;
    for (int row = 0; row < 3; row++) m[4 * row + 3] -= m[4 * row + 1] * 0.01 * sin(5.0 * view);
  }
  for (int view = 0; view < 90; view++)
    for (int k = 0; k < 12; k++) line.matrices[12 * view + k] *= 1 / (k == 11 ? 1 : line.matrices[12 * view + 11]);
  for (int view = 0; view < 90; view++) line.matrices[12 * view + 11] = 1;
  CHECK_REFUSED(&line, "");
  /* Parallel rays that meet the axis at 60 degrees. */
  ct_geometry parallel;
  CHECK(make_geometry(&parallel, CT_BEAM_PARALLEL, 30, 20, 90, 0, 2 * M_PI) && make_free(&aslant, &parallel));
  for (int view = 0; view < 90; view++) {
    const double t = parallel.angles[view], along[3] = {-sin(t) * sin(0.5), cos(t) * sin(0.5), cos(0.5)};
    for (int k = 0; k < 3; k++) aslant.matrices[12 * view + 4 + k] = along[k] / 0.8;
  }
  CHECK_REFUSED(&aslant, "ray direction");
  for (int k = 8; k < 11; k++) aslant.matrices[k] = cone.sod * 1e-6;
  CHECK_REFUSED(&aslant, "diverge");
  ct_geometry_clear(&cone);
  ct_geometry_clear(&helix);
  ct_geometry_clear(&ellipse);
  ct_geometry_clear(&line);
  ct_geometry_clear(&aslant);
  ct_geometry_clear(&parallel);
}

/* Displaced: gaps of up to 10 degrees are integrated over, in all 2 pi for the rays of one side. */
static void test_gaps(void) {
  for (int missing = 0; missing < 30; missing += 3) {
    ct_error *error = NULL;
    ct_geometry g;
    static float w[720 * 20];
    CHECK(make_geometry(&g, CT_BEAM_FAN, 20, 1, 720, 0.1, 2 * M_PI));
    CHECK(ct_geometry_take_views(&g, 0, 1, 720 - missing, NULL));
    g.centre_u = 3.5;
    double narrow, wide;
    const bool bridged = (missing + 1) * 0.5 <= 10;
    CHECK(ct_geometry_displaced(&g, &narrow, &wide) == bridged);
    if (!bridged) {
      CHECK_FAILS(ct_redundancy_weights(&g, CT_REDUNDANCY_DISPLACED, w, &error), CT_ERROR_ARGUMENT, "largest gap");
    } else {
      double steps[720], sum = 0;
      CHECK_OK(ct_redundancy_weights(&g, CT_REDUNDANCY_DISPLACED, w, &error));
      CHECK(ct_geometry_view_weights(&g, steps, NULL));
      for (int view = 0; view < g.views; view++) sum += steps[view] * (double)w[view * 20 + 19];
      CHECK_NEAR(sum, 2 * M_PI, 1e-4);
    }
    ct_geometry_clear(&g);
  }
}

static const ct_test tests[] = {
    {"matrices weigh as the named scan, whatever their axis", test_matrices_weigh_alike},
    {"parallel views by matrices may be shifted", test_shifted_views},
    {"arcs below half a turn are scaled up as a whole for every beam", test_short_arcs},
    {"gaps of a displaced detector's turn are integrated over", test_gaps},
    {"trajectories that the weights do not serve are refused", test_refusals},
};
CT_TEST_MAIN(tests)
