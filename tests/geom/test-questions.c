/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about geometries: every kind's promises, and the same answers for matrices that are equal to a parallel,
 * fan or cone beam as for that beam. */
#include "tests/test.h"

#include "recon/geom/questions.h"
#include "recon/geom/told-arc.h"
#include "recon/geom/trajectory.h"

enum { VIEWS = 7 };
static const double degree = M_PI / 180;

static bool make(ct_geometry *g, ct_beam beam, int rows, double tilt) {
  if (!ct_geometry_init(g, beam, 90, rows, VIEWS, NULL)) return false;
  g->du = 0.5;
  g->dv = 0.4;
  g->tilt = tilt;
  g->centre_u = 37.25;
  if (beam != CT_BEAM_PARALLEL) g->sod = 200, g->sdd = 500;
  ct_geometry_set_arc(g, -100 * degree, 31 * degree);
  return ct_geometry_check(g, NULL);
}

/* The same scan by matrices: that of a fan is a cone of one row in the plane z = 0. */
static bool make_matrices(ct_geometry *to, const ct_geometry *from) {
  ct_geometry seen = *from;
  if (from->beam == CT_BEAM_FAN) seen.beam = CT_BEAM_CONE;
  if (!ct_geometry_init_matrices(to, from->nu, from->nv, from->views, NULL)) return false;
  to->du = from->du;
  to->dv = from->dv;
  for (int view = 0; view < from->views; view++) ct_geometry_matrix(&seen, view, to->matrices + 12 * (size_t)view);
  return ct_geometry_check(to, NULL);
}

static const struct {
  ct_beam beam;
  int rows;
  double tilt;
  bool diverges, slices, columns;
} scans[] = {
    {CT_BEAM_PARALLEL, 1, 0, false, true, true},
    {CT_BEAM_PARALLEL, 30, 0, false, true, true},
    {CT_BEAM_PARALLEL, 30, 0.02, false, false, false},
    {CT_BEAM_FAN, 1, 0, true, true, true},
    {CT_BEAM_CONE, 31, 0, true, false, true},
    {CT_BEAM_CONE, 31, 0.02, true, false, false},
    {CT_BEAM_CONE, 1, 0, true, true, true},
};
enum { SCANS = sizeof scans / sizeof *scans };

static void predicates_hold_for_matrices_too(void) {
  for (int n = 0; n < SCANS; n++) {
    ct_geometry told, matrices;
    CHECK(make(&told, scans[n].beam, scans[n].rows, scans[n].tilt) && make_matrices(&matrices, &told));
    const ct_geometry *both[] = {&told, &matrices};
    for (int k = 0; k < 2; k++) {
      CHECK(ct_geometry_diverges(both[k]) == scans[n].diverges);
      CHECK(ct_geometry_rows_are_slices(both[k]) == scans[n].slices);
      CHECK(ct_geometry_columns_along_axis(both[k], 20) == scans[n].columns);
    }
    ct_geometry_clear(&told);
    ct_geometry_clear(&matrices);
  }
}

static void sources_and_angles_are_those_of_the_scan(void) {
  for (int n = 0; n < SCANS; n++) {
    if (scans[n].tilt != 0) continue;
    ct_geometry told, matrices;
    ct_trajectory given, derived;
    CHECK(make(&told, scans[n].beam, scans[n].rows, 0) && make_matrices(&matrices, &told));
    CHECK(ct_trajectory_make(&told, &given, NULL) && ct_trajectory_make(&matrices, &derived, NULL));
    CHECK(given.parallel == !scans[n].diverges && derived.parallel == !scans[n].diverges && derived.found);
    CHECK_NEAR(derived.arc, given.arc, 1e-9);
    CHECK_NEAR(derived.radius, given.radius, 1e-9);
    for (int view = 0; view < VIEWS; view++) {
      double a[3], b[3];
      const double angle = told.angles[view];
      CHECK(ct_geometry_source(&told, view, a) == scans[n].diverges);
      CHECK(ct_geometry_source(&matrices, view, b) == scans[n].diverges);
      for (int i = 0; scans[n].diverges && i < 3; i++) {
        const double s[3] = {200 * sin(angle), -200 * cos(angle), 0};
        CHECK_NEAR(a[i], s[i], 1e-10);
        CHECK_NEAR(b[i], s[i], 1e-10);
      }
      CHECK(given.angles[view] == angle);
      CHECK_NEAR(remainder(derived.angles[view] - angle, 2 * M_PI), 0, 1e-12);
      CHECK_NEAR(derived.steps[view], given.steps[view], 1e-9);
      CHECK_NEAR(ct_trajectory_axis_column(&matrices, &derived, view), 37.25, 1e-9);
      for (int column = -3; column < 100; column += 17) {
        const double fan = scans[n].diverges ? atan((column - 37.25) * 0.5 / 500) : (column - 37.25) * 0.5;
        CHECK_NEAR(ct_trajectory_place(&told, &given, view, column), fan, 1e-15);
        CHECK_NEAR(ct_trajectory_place(&matrices, &derived, view, column), fan, 1e-10);
      }
    }
    ct_trajectory_clear(&given);
    ct_trajectory_clear(&derived);
    ct_geometry_clear(&told);
    ct_geometry_clear(&matrices);
  }
}

static void the_axis_is_fitted_to_the_sources(void) {
  ct_line axis;
  const double *point = axis.point, *direction = axis.direction;
  for (int n = 0; n < SCANS; n++) {
    ct_geometry told, matrices;
    CHECK(make(&told, scans[n].beam, scans[n].rows, scans[n].tilt) && make_matrices(&matrices, &told));
    CHECK(ct_geometry_axis(&told, &axis) && direction[2] == 1 && hypot(point[0], point[1]) == 0);
    CHECK(ct_geometry_axis(&matrices, &axis));
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(point[k], 0, 1e-9);
      CHECK_NEAR(direction[k], k == 2, 1e-12);
    }
    ct_geometry_clear(&told);
    ct_geometry_clear(&matrices);
  }
  /* The world moved by 3, -4 and 5 mm and tipped about x by 0.1: the axis moves along. */
  ct_geometry told, g;
  CHECK(make(&told, CT_BEAM_CONE, 31, 0.02) && make_matrices(&g, &told));
  const double c = cos(0.1), s = sin(0.1), moved[3] = {3, -4, 5};
  for (int row = 0; row < 3 * VIEWS; row++) {
    double *m = g.matrices + 4 * row;
    const double y = m[1], z = m[2];
    m[1] = c * y - s * z;
    m[2] = s * y + c * z;
    for (int k = 0; k < 3; k++) m[3] -= m[k] * moved[k];
  }
  CHECK(ct_geometry_axis(&g, &axis));
  CHECK_NEAR(direction[0], 0, 1e-12);
  CHECK_NEAR(direction[1], -s, 1e-12);
  CHECK_NEAR(direction[2], c, 1e-12);
  const double along = moved[1] * -s + moved[2] * c;
  CHECK_NEAR(point[0], 3, 1e-9);
  CHECK_NEAR(point[1], -4 + along * s, 1e-9);
  CHECK_NEAR(point[2], 5 - along * c, 1e-9);
  /* Sources in a line tell no axis, two views neither. */
  g.views = 2;
  CHECK(!ct_geometry_axis(&g, &axis));
  ct_geometry_clear(&told);
  ct_geometry_clear(&g);
}

/* What the header calls the tolerances, from both sides. */
static void tolerances_are_those_stated(void) {
  ct_geometry told, g;
  CHECK(make(&told, CT_BEAM_PARALLEL, 30, 0) && make_matrices(&g, &told));
  const double width = 90 * 0.5;
  double *m = g.matrices + 12 * 3;
  m[8] = 0.5e-9 / width;
  CHECK(!ct_geometry_diverges(&g));
  m[8] = 2e-9 / width;
  CHECK(ct_geometry_diverges(&g));
  m[8] = 0;
  m[4] = 0.5e-6 / width;
  CHECK(ct_geometry_rows_are_slices(&g));
  m[4] = 2e-6 / width;
  CHECK(!ct_geometry_rows_are_slices(&g));
  m[4] = 0;
  m[2] = 0.5e-7 / 20;
  CHECK(ct_geometry_columns_along_axis(&g, 20) && !ct_geometry_columns_along_axis(&g, 80));
  m[2] = 0;
  m[10] = 0.5e-7 / 20 / 90;
  CHECK(ct_geometry_columns_along_axis(&g, 20) && !ct_geometry_columns_along_axis(&g, 80));
  ct_geometry_clear(&told);
  ct_geometry_clear(&g);
}

static void a_row_beside_the_source_is_no_slice(void) {
  ct_geometry g, matrices;
  CHECK(make(&g, CT_BEAM_CONE, 1, 0));
  g.centre_v = 0.5;
  CHECK(make_matrices(&matrices, &g));
  CHECK(!ct_geometry_rows_are_slices(&g) && !ct_geometry_rows_are_slices(&matrices));
  ct_geometry_clear(&g);
  ct_geometry_clear(&matrices);
}

static void rows_see_the_slices_of_a_stack(void) {
  ct_geometry g;
  int row0 = -1;
  CHECK(make(&g, CT_BEAM_PARALLEL, 30, 0));
  ct_grid grid = ct_grid_centred(9, 9, 10, 0.4, NULL);
  CHECK(ct_geometry_rows_of_slices(&g, &grid, &row0) && row0 == 10 && ct_geometry_is_stack(&g, &grid));
  grid.z0 += 0.009 * g.dv;
  CHECK(ct_geometry_rows_of_slices(&g, &grid, &row0) && row0 == 10);
  grid.z0 += 0.002 * g.dv;
  CHECK(!ct_geometry_rows_of_slices(&g, &grid, &row0) && !ct_geometry_is_stack(&g, &grid));
  /* Slices closer than rows; beyond the detector; a tilted detector. */
  grid = ct_grid_centred(9, 9, 10, 0.39, NULL);
  CHECK(!ct_geometry_is_stack(&g, &grid));
  grid = ct_grid_centred(9, 9, 32, 0.4, NULL);
  CHECK(!ct_geometry_is_stack(&g, &grid));
  grid = ct_grid_centred(9, 9, 30, 0.4, NULL);
  CHECK(ct_geometry_rows_of_slices(&g, &grid, &row0) && row0 == 0);
  g.tilt = 0.01;
  CHECK(!ct_geometry_is_stack(&g, &grid));
  ct_geometry_clear(&g);
  CHECK(make(&g, CT_BEAM_FAN, 1, 0));
  CHECK(!ct_geometry_is_stack(&g, &grid) && !ct_geometry_rows_of_slices(&g, &grid, &row0));
  grid = ct_grid_centred(9, 9, 1, 0.4, NULL);
  CHECK(ct_geometry_is_stack(&g, &grid));
  ct_geometry_clear(&g);
  CHECK(make(&g, CT_BEAM_CONE, 1, 0));
  CHECK(!ct_geometry_is_stack(&g, &grid));
  ct_geometry_clear(&g);
}

/* Which kinds the sets serve that kernels state. */
static void kinds_promise_what_kernels_rely_on(void) {
  static const struct {
    unsigned set;
    const char *served;
  } sets[] = {{CT_GEOMETRY_ANY, "parallel fan cone free "},
              {CT_GEOMETRY_PARALLEL, "parallel "},
              {CT_GEOMETRY_SLICES, "parallel fan "},
              {CT_GEOMETRY_VOLUME, "parallel cone free "},
              {CT_GEOMETRY_MATRICES, "free "},
              {CT_TRAIT_CIRCULAR, "parallel fan cone "}};
  int count;
  const ct_beam_kind *kinds = ct_beam_kinds(&count);
  CHECK(count == CT_BEAM_FREE + 1);
  for (size_t n = 0; n < sizeof sets / sizeof *sets; n++) {
    char served[64] = "";
    for (int k = 0; k < count; k++) {
      const ct_geometry g = {.beam = kinds[k].beam};
      CHECK(ct_geometry_traits(&g) == ct_beam_traits(kinds[k].beam) &&
            ct_beam_traits(kinds[k].beam) == kinds[k].traits);
      CHECK(ct_geometry_promises(&g, sets[n].set) == ct_beam_promises(kinds[k].beam, sets[n].set));
      if (ct_beam_promises(kinds[k].beam, sets[n].set)) strcat(strcat(served, kinds[k].id), " ");
    }
    CHECK(!strcmp(served, sets[n].served));
  }
}

/* Matrices promise level parallel rows where every view has them, wherever its axis is. */
static void level_matrices_promise_parallel_rows(void) {
  ct_geometry g = {0};
  CHECK(make(&g, CT_BEAM_PARALLEL, 32, 0));
  double *columns = calloc((size_t)g.views, sizeof *columns);
  for (int view = 0; view < g.views; view++) columns[view] = g.centre_u + 3 * sin(view);
  CHECK(ct_geometry_place_axis(&g, columns, NULL) && g.beam == CT_BEAM_FREE);
  free(columns);
  CHECK(ct_geometry_promises(&g, CT_GEOMETRY_PARALLEL) && !ct_geometry_promises(&g, CT_TRAIT_CIRCULAR) &&
        !ct_geometry_promises(&g, CT_GEOMETRY_PARALLEL | CT_TRAIT_CIRCULAR));
  /* A view that sees rays spread, rows or columns slant, or slices elsewhere ends that. */
  static const struct {
    int number;
    double by;
  } changes[] = {{2, 1e-3}, {4, 1e-3}, {5, 1e-3}, {6, 1e-3}, {7, 1e-3}, {8, 1e-6}, {10, 1e-6}};
  double *last = g.matrices + 12 * (size_t)(g.views - 1);
  for (size_t n = 0; n < sizeof changes / sizeof *changes; n++) {
    const double before = last[changes[n].number];
    last[changes[n].number] += changes[n].by;
    CHECK(!ct_geometry_promises(&g, CT_GEOMETRY_PARALLEL) && ct_geometry_promises(&g, CT_GEOMETRY_VOLUME));
    last[changes[n].number] = before;
  }
  CHECK(ct_geometry_promises(&g, CT_GEOMETRY_PARALLEL));
  ct_geometry_clear(&g);
}

static void kinds_are_found_by_their_ids(void) {
  int count;
  const ct_beam_kind *kinds = ct_beam_kinds(&count);
  for (int k = 0; k < count; k++) {
    CHECK(kinds[k].beam == (ct_beam)k && ct_beam_find(kinds[k].id) == &kinds[k]);
    CHECK(!strcmp(ct_beam_id(kinds[k].beam), kinds[k].id) && !strcmp(ct_beam_title(kinds[k].beam), kinds[k].title));
    CHECK(*kinds[k].choice && kinds[k].traits && kinds[k].takes);
  }
  CHECK(!ct_beam_find("spiral") && !ct_beam_find(""));
}

static void kinds_take_their_quantities(void) {
  static const unsigned takes[] = {CT_TAKES_ANGLES | CT_TAKES_CENTRE,
                                   CT_TAKES_ANGLES | CT_TAKES_CENTRE | CT_TAKES_DISTANCES,
                                   CT_TAKES_ANGLES | CT_TAKES_CENTRE | CT_TAKES_DISTANCES, CT_TAKES_MATRICES};
  for (int beam = CT_BEAM_PARALLEL; beam <= CT_BEAM_FREE; beam++)
    for (unsigned bit = 1; bit <= CT_TAKES_MATRICES; bit <<= 1) {
      const ct_geometry g = {.beam = (ct_beam)beam};
      CHECK(ct_beam_takes((ct_beam)beam, bit) == ((takes[beam] & bit) != 0));
      CHECK(ct_geometry_takes(&g, bit) == ct_beam_takes((ct_beam)beam, bit));
    }
  const ct_geometry parallel = {.beam = CT_BEAM_PARALLEL}, cone = {.beam = CT_BEAM_CONE};
  CHECK(ct_geometry_period(&parallel) == M_PI && ct_geometry_period(&cone) == 2 * M_PI);
  CHECK(ct_beam_divergent(1) == CT_BEAM_FAN && ct_beam_divergent(2) == CT_BEAM_CONE);
  CHECK(ct_beam_period(CT_BEAM_PARALLEL) == M_PI && ct_beam_period(CT_BEAM_FAN) == 2 * M_PI &&
        ct_beam_period(CT_BEAM_FREE) == 2 * M_PI);
}

static void a_slice_is_a_fan_or_a_parallel_row(void) {
  ct_geometry g;
  for (int beam = CT_BEAM_PARALLEL; beam <= CT_BEAM_CONE; beam++) {
    CHECK(make(&g, (ct_beam)beam, beam == CT_BEAM_FAN ? 1 : 9, 0));
    CHECK(ct_geometry_take_slice(&g) && ct_geometry_check(&g, NULL) && ct_geometry_rows_are_slices(&g));
    CHECK(g.nv == 1 && g.centre_v == 0 && g.beam == (beam == CT_BEAM_PARALLEL ? CT_BEAM_PARALLEL : CT_BEAM_FAN));
    ct_geometry_clear(&g);
  }
  double matrix[12] = {[0] = 1, [6] = 1, [11] = 1};
  g = ct_geometry_of_matrix(4, 3, matrix);
  CHECK(ct_geometry_check(&g, NULL) && !ct_geometry_diverges(&g) && !ct_geometry_take_slice(&g) && g.nv == 3);
}

/* A view that is taken twice makes the arc no longer. */
static void a_repeated_view_is_no_longer_arc(void) {
  static const struct {
    int views;
    double step, arc;
    bool repeated;
  } cases[] = {{361, 1, 360, true}, {360, 1, 360, false}, {721, -0.5, 360, true}, {181, 1, 181, false},
               {91, 8, 720, true},  {13, 30, 360, true},  {12, 30, 360, false},   {200, 1.7, 340, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_geometry g;
    ct_error *error = NULL;
    bool repeated;
    CHECK_OK(ct_geometry_init(&g, CT_BEAM_CONE, 4, 4, cases[i].views, &error));
    ct_geometry_set_arc(&g, 0.3, cases[i].step * M_PI / 180);
    CHECK_NEAR(ct_geometry_told_arc(&g, &repeated) * 180 / M_PI, cases[i].arc, 0.01);
    CHECK(repeated == cases[i].repeated);
    ct_geometry_clear(&g);
  }
}

/* Told by the formulas of geometry.h; and of matrices the same as of the beam that they are equal to. */
static void detectors_stand_where_they_are_told(void) {
  for (int n = 0; n < SCANS; n++) {
    ct_geometry told, matrices;
    CHECK(make(&told, scans[n].beam, scans[n].rows, scans[n].tilt) && make_matrices(&matrices, &told));
    const ct_geometry *both[] = {&told, &matrices};
    for (int k = 0; k < 2; k++)
      for (int view = 0; view < VIEWS; view += 3) {
        const ct_detector detector = ct_geometry_detector(both[k], view, 300);
        const double c = cos(told.angles[view]), s = sin(told.angles[view]), u = 11.5, v = 0.75 * (told.nv - 1);
        const double x = (u - told.centre_u) * told.du, y = (v - told.centre_v) * told.dv;
        const double across = cos(told.tilt) * x - sin(told.tilt) * y, up = sin(told.tilt) * x + cos(told.tilt) * y;
        const double expected[3] = {-300 * s + across * c, 300 * c + across * s, up};
        double point[3], matrix[12], seen[3];
        ct_detector_point(&detector, u, v, point);
        CHECK(detector.spreads == scans[n].diverges);
        for (int i = 0; i < 3; i++) CHECK_NEAR(point[i], expected[i], 1e-6);
        ct_geometry_matrix(both[k], view, matrix);
        ct_project(matrix, point, &seen[0], &seen[1], &seen[2]);
        CHECK_NEAR(seen[0], u, 1e-7);
        if (told.beam != CT_BEAM_FAN) CHECK_NEAR(seen[1], v, 1e-7);
        CHECK_NEAR(fabs(detector.up[2]), told.dv * cos(told.tilt), 1e-7);
      }
    ct_geometry_clear(&told);
    ct_geometry_clear(&matrices);
  }
}

static const ct_test tests[] = {
    {"detectors stand where they are told", detectors_stand_where_they_are_told},
    {"a repeated view makes no longer arc", a_repeated_view_is_no_longer_arc},
    {"predicates hold for matrices too", predicates_hold_for_matrices_too},
    {"sources and angles are those of the scan", sources_and_angles_are_those_of_the_scan},
    {"the axis is fitted to the sources", the_axis_is_fitted_to_the_sources},
    {"tolerances are those stated", tolerances_are_those_stated},
    {"a row beside the source's plane is no slice", a_row_beside_the_source_is_no_slice},
    {"rows see the slices of a stack", rows_see_the_slices_of_a_stack},
    {"kinds promise what kernels rely on", kinds_promise_what_kernels_rely_on},
    {"matrices of level rows promise parallel beam", level_matrices_promise_parallel_rows},
    {"kinds are found by their ids", kinds_are_found_by_their_ids},
    {"kinds take their quantities", kinds_take_their_quantities},
    {"a slice is a fan or a parallel row", a_slice_is_a_fan_or_a_parallel_row},
};
CT_TEST_MAIN(tests)
