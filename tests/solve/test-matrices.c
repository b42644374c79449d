/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans given as 3x4 matrices come out as the named scans that they are, to 1e-4 relative RMSE, on default grids: full,
 * short, displaced, irregular, with a gap; axis along z, and along y, where the volume is turned. What the arc lacks is
 * told, and trajectories that direct methods do not serve are refused. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"

typedef enum { FULL, SHORT, DISPLACED, IRREGULAR, GAP, KINDS } scan_kind;

static bool make_geometry(ct_geometry *g, ct_beam beam, scan_kind kind) {
  const simulation s = {beam, 48, beam == CT_BEAM_FAN ? 1 : 5, 120, kind == SHORT ? 220 : 360, 0, "shepp-logan"};
  if (!sim_geometry(&s, g)) return false;
  if (kind == DISPLACED || kind == GAP) g->nu = 34, g->centre_u = 10.4;
  for (int i = 0; kind == IRREGULAR && i < 120; i++) g->angles[i] = (i < 60 ? 2 * i : 120 + 4 * (i - 60)) * M_PI / 180;
  return kind != GAP || ct_geometry_take_views(g, 1, 1, 118, NULL);
}

/* The scan by matrices; along_y: the world turned so that z becomes y, and y becomes -z. */
static ct_scan *by_matrices(const ct_geometry *g, const ct_stack *stack, bool along_y, ct_error **error) {
  ct_geometry m, seen = *g;
  ct_stack *copy = ct_stack_new(g->nu, g->nv, g->views, error);
  if (!copy || !ct_geometry_init(&m, CT_BEAM_FREE, g->nu, g->nv, g->views, error)) return NULL;
  if (g->beam == CT_BEAM_FAN) seen.beam = CT_BEAM_CONE;
  m.du = g->du;
  m.dv = g->dv;
  for (int view = 0; view < g->views; view++) {
    double *p = m.matrices + 12 * view;
    ct_geometry_matrix(&seen, view, p);
    for (int row = 0; along_y && row < 3; row++) {
      const double y = p[4 * row + 1];
      p[4 * row + 1] = p[4 * row + 2];
      p[4 * row + 2] = -y;
    }
    memcpy(ct_stack_view(copy, view), ct_stack_get_view(stack, view), (size_t)g->nu * (size_t)g->nv * sizeof(float));
  }
  ct_scan *scan = ct_scan_new_memory(&m, copy, CT_VALUES_LINE_INTEGRALS, "simulated", error);
  ct_geometry_clear(&m);
  return scan;
}

static ct_volume *volume_by(ct_spiral_method spiral, ct_scan *scan, ct_warnings *warnings, ct_error **error) {
  bench b;
  ct_volume *volume = NULL;
  if (bench_take(&b, scan, error)) {
    b.plan.centre_method = CT_CENTRE_SCAN;
    b.plan.filter.spiral = spiral;
    volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, error);
    if (volume && warnings) *warnings = *ct_pipeline_get_facts(b.pipeline)->warnings;
  }
  bench_close(&b);
  return volume;
}

static ct_volume *volume_of(ct_scan *scan, ct_warnings *warnings, ct_error **error) {
  return volume_by(CT_SPIRAL_WEIGHTED, scan, warnings, error);
}

/* Relative RMSE of b, whose (x, y, z) is (x, z, -y) of a where it is turned; INFINITY on another grid. */
static double difference(const ct_volume *a, const ct_volume *b, bool turned) {
  const ct_grid *g = ct_volume_grid(a), *h = ct_volume_grid(b);
  double squares = 0, differences = 0;
  if (g->nx != h->nx || g->ny != (turned ? h->nz : h->ny) || g->nz != (turned ? h->ny : h->nz) ||
      fabs(g->dx / h->dx - 1) > 1e-9 || fabs(g->x0 - h->x0) > 1e-6 || fabs(g->z0 - (turned ? h->y0 : h->z0)) > 1e-6)
    return INFINITY;
  for (int k = 0; k < g->nz; k++)
    for (int j = 0; j < g->ny; j++)
      for (int i = 0; i < g->nx; i++) {
        const int row = turned ? k : j, slice = turned ? g->ny - 1 - j : k;
        const double x = ct_volume_get_data(a)[(k * g->ny + j) * g->nx + i],
                     y = ct_volume_get_data(b)[(slice * h->ny + row) * h->nx + i];
        squares += x * x;
        differences += (x - y) * (x - y);
      }
  return sqrt(differences / squares);
}

static void test_matrices(void) {
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN, CT_BEAM_CONE};
  for (int b = 0; b < 3; b++)
    for (int kind = 0; kind < KINDS; kind++) {
      ct_error *error = NULL;
      ct_geometry g;
      CHECK(make_geometry(&g, beams[b], (scan_kind)kind));
      ct_stack *stack = ct_phantom_project(ct_phantom_find("shepp-logan"), sim_radius, sim_mu, &g, 1, NULL, &error);
      ct_scan *z = by_matrices(&g, stack, false, &error), *y = by_matrices(&g, stack, true, &error);
      ct_volume *named =
          volume_of(ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", &error), NULL, &error);
      CHECK_OK(named);
      ct_volume *along_z = volume_of(z, NULL, &error), *along_y = along_z ? volume_of(y, NULL, &error) : NULL;
      CHECK_OK(along_y);
      if (kind == DISPLACED) CHECK(ct_volume_grid(named)->nx > 44);
      CHECK_BELOW(difference(named, along_z, false), 1e-4);
      CHECK_BELOW(difference(named, along_y, true), 1e-4);
      ct_volume_free(named);
      ct_volume_free(along_z);
      ct_volume_free(along_y);
      ct_geometry_clear(&g);
    }
}

/* The scan of a phantom whose axis is seen at a column of its own in every view. */
static ct_stack *project_wandering(const ct_geometry *still, const double *columns, const char *phantom,
                                   ct_error **error) {
  const size_t pixels = (size_t)still->nu * (size_t)still->nv;
  ct_stack *stack = ct_stack_new(still->nu, still->nv, still->views, error);
  for (int view = 0; stack && view < still->views; view++) {
    ct_geometry one = {0};
    ct_stack *alone = NULL;
    if (ct_geometry_copy(&one, still, error) && ct_geometry_take_views(&one, view, 1, 1, error)) {
      one.centre_u = columns[view];
      alone = ct_phantom_project(ct_phantom_find(phantom), sim_radius, sim_mu, &one, 2, NULL, error);
    }
    ct_geometry_clear(&one);
    if (!alone) {
      ct_stack_free(stack);
      return NULL;
    }
    memcpy(ct_stack_view(stack, view), ct_stack_get_view(alone, 0), pixels * sizeof(float));
    ct_stack_free(alone);
  }
  return stack;
}

/* Parallel rays whose axis wanders by up to 3 whole pixels: told for each view the slices are those of a still axis, by
 * a kernel made for parallel beam; untold they are not. */
static void test_wandering_axis(void) {
  enum { VIEWS = 150 };
  ct_error *error = NULL;
  ct_geometry still, wanders;
  const simulation s = {CT_BEAM_PARALLEL, 64, 3, VIEWS, 180, 0, "shepp-logan"};
  double columns[VIEWS];
  CHECK(sim_geometry(&s, &still));
  ct_geometry_add_columns(&still, 4, 4); /* on which the object stays */
  CHECK(ct_geometry_copy(&wanders, &still, NULL));
  for (int view = 0; view < VIEWS; view++) columns[view] = still.centre_u + rint(3 * sin(0.37 * view));
  CHECK_OK(ct_geometry_place_axis(&wanders, columns, &error));
  const ct_geometry *const told[] = {&still, &wanders, &still};
  ct_volume *volumes[3];
  for (int n = 0; n < 3; n++) {
    bench b;
    double centred[VIEWS];
    for (int view = 0; view < VIEWS; view++) centred[view] = n ? columns[view] : still.centre_u;
    ct_stack *stack = project_wandering(&still, centred, s.phantom, &error);
    CHECK_OK(stack);
    CHECK_OK(bench_take(&b, ct_scan_new_memory(told[n], stack, CT_VALUES_LINE_INTEGRALS, "simulated", &error), &error));
    b.plan.centre_method = CT_CENTRE_SCAN;
    /* Whole in every view. */
    b.plan.nx = b.plan.ny = 44, b.plan.nz = still.nv, b.plan.voxel = still.du;
    for (int i = 0; i < 3; i++) b.plan.centre_mm[i] = 0;
    CHECK_OK(volumes[n] = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error));
    CHECK(!strncmp(ct_pipeline_get_facts(b.pipeline)->kernel->id, "rows", 4));
    bench_close(&b);
  }
  const double corrected = difference(volumes[0], volumes[1], false),
               uncorrected = difference(volumes[0], volumes[2], false);
  printf("# relative RMSE to a still axis: %.2g corrected, %.2g not\n", corrected, uncorrected);
  CHECK_BELOW(corrected, 1e-5);
  CHECK(uncorrected > 0.3);
  for (int n = 0; n < 3; n++) ct_volume_free(volumes[n]);
  ct_geometry_clear(&still);
  ct_geometry_clear(&wanders);
}

/* The mean within 30 mm of the axis in the middle slice of a disc of 1 /mm. */
static double middle_of(ct_beam beam, double arc, bool matrices, ct_warnings *warnings, ct_error **error) {
  ct_geometry g;
  const simulation s = {beam, 64, 1, (int)(arc / 2), arc, 0, "disc"};
  if (!sim_geometry(&s, &g)) return NAN;
  ct_stack *stack = ct_stack_new(64, 1, g.views, error);
  for (int view = 0; view < g.views; view++)
    for (int k = 0; k < 64; k++) {
      const double u = (k - g.centre_u) * g.du, r = g.sdd > 0 ? g.sod * u / hypot(g.sdd, u) : u;
      ct_stack_view(stack, view)[k] = (float)(2 * sqrt(fmax(0, 60 * 60 - r * r)));
    }
  ct_scan *scan = matrices ? by_matrices(&g, stack, false, error)
                           : ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", error);
  if (matrices) ct_stack_free(stack);
  ct_geometry_clear(&g);
  ct_volume *volume = volume_of(scan, warnings, error);
  if (!volume) return NAN;
  const ct_grid *grid = ct_volume_grid(volume);
  double sum = 0;
  int count = 0;
  for (int j = 0; j < grid->ny; j++)
    for (int i = 0; i < grid->nx; i++)
      if (hypot(grid->x0 + i * grid->dx, grid->y0 + j * grid->dy) < 15) {
        sum += (double)ct_volume_get_data(volume)[j * grid->nx + i];
        count++;
      }
  ct_volume_free(volume);
  return sum / count;
}

static void test_limited_arcs(void) {
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN};
  for (int b = 0; b < 2; b++)
    for (int matrices = 0; matrices < 2; matrices++)
      for (int arc = 90; arc <= 360; arc += 30) {
        ct_error *error = NULL;
        ct_warnings warnings = {0};
        const double value = middle_of(beams[b], arc, matrices, &warnings, &error);
        CHECK_OK(!error);
        /* The fan of this detector is of 18 degrees. */
        const ct_warning *told = ct_warnings_find(&warnings, CT_WARNING_ARC);
        CHECK_NEAR(value, 1, told ? 0.06 : 0.02);
        CHECK(!told == (arc >= (beams[b] == CT_BEAM_FAN ? 198 : 180)));
        CHECK(!told || strstr(told->text, arc < 180   ? "limited-angle"
                                          : arc > 180 ? "complete only within"
                                                      : "nowhere complete"));
      }
}

/* A helix by matrices is a spiral, whose default grid and volume are those of its feed; where one view stands aside it
 * is refused for the direct method and goes on with an iterative one. */
static void test_helix(void) {
  ct_error *error = NULL;
  ct_geometry g, m;
  const simulation s = {CT_BEAM_CONE, 32, 20, 60, 720, 0, "shepp-logan-3d"};
  CHECK(sim_geometry(&s, &g) && ct_geometry_init(&m, CT_BEAM_FREE, 32, 20, 60, NULL));
  m.du = m.dv = g.du;
  ct_geometry_set_feed(&g, 2.5 * 30, ct_geometry_centred_start(&g, 2.5 * 30));
  for (int view = 0; view < 60; view++) ct_geometry_matrix(&g, view, m.matrices + 12 * view);
  ct_stack *stack = ct_phantom_project(ct_phantom_find(s.phantom), sim_radius, sim_mu, &m, 1, NULL, &error);
  for (int method = CT_SPIRAL_WEIGHTED; method <= CT_SPIRAL_KATSEVICH; method++) {
    ct_scan *fed = ct_scan_new_memory(&g, ct_stack_dup(stack, NULL), CT_VALUES_LINE_INTEGRALS, "feed", &error),
            *told = ct_scan_new_memory(&m, ct_stack_dup(stack, NULL), CT_VALUES_LINE_INTEGRALS, "matrices", &error);
    ct_volume *a = volume_by((ct_spiral_method)method, fed, NULL, &error),
              *b = volume_by((ct_spiral_method)method, told, NULL, &error);
    CHECK_OK(a && b);
    CHECK(ct_grid_matches(ct_volume_grid(a), ct_volume_grid(b)));
    for (size_t i = 0; i < ct_grid_voxels(ct_volume_grid(a)); i++)
      CHECK_NEAR(ct_volume_get_data(b)[i], ct_volume_get_data(a)[i], 1e-6);
    ct_volume_free(a);
    ct_volume_free(b);
  }
  for (int row = 0; row < 3; row++) m.matrices[12 * 31 + 4 * row + 3] -= 60 * m.matrices[12 * 31 + 4 * row + 2];
  bench c;
  CHECK_OK(bench_take(&c, ct_scan_new_memory(&m, stack, CT_VALUES_LINE_INTEGRALS, "aside", &error), &error));
  CHECK_FAILS(ct_pipeline_volume(c.pipeline, &c.plan, NULL, NULL, &error), CT_ERROR_UNSUPPORTED, "iterative.method");
  c.plan.iterative.method = CT_METHOD_SIRT;
  c.plan.iterative.iterations = 2;
  ct_volume *volume = ct_pipeline_volume(c.pipeline, &c.plan, NULL, NULL, &error);
  CHECK_OK(volume);
  ct_volume_free(volume);
  bench_close(&c);
  ct_geometry_clear(&g);
  ct_geometry_clear(&m);
}

static const ct_test tests[] = {
    {"matrices give the named scan's volume, axis along z and y", test_matrices},
    {"an axis that wanders is corrected view by view", test_wandering_axis},
    {"arcs that are too short are scaled and told, alike for all beams", test_limited_arcs},
    {"a helix by matrices is a spiral, others are refused", test_helix},
};
CT_TEST_MAIN(tests)
