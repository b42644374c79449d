/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects that are wider than the detector: a disc full of small ones, seen over 0.5, 0.7 and 0.9 of its width, cut off
 * on both sides and on one, by every beam and by matrices, with a displaced detector, too. Inside the field of view the
 * values are right to 5 % where its size is given, and where it is estimated, as far as its inner detail lets that be;
 * slabs are the volume. */
#include "tests/solve/bench.h"
#include "tests/solve/collector.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/prep/truncation.h"

enum { SHAPES = 120, RINGS = 8 };

static const double radius = 40, mu = 0.02, pitch = 0.8;

typedef struct {
  ct_beam beam; /* CT_BEAM_FREE: a cone by matrices */
  double ratio; /* seen of the object's half width, on the side that is cut off */
  bool one_side;
  double narrow; /* of a displaced detector, seen on its narrow side; 0: it is not displaced */
  double contrast, flat;
} situation;

/* contrast: of the small discs, 1: up to 0.7 of what they lie in. flat: width along y to that along x. */
static const ct_phantom *object(double contrast, double flat) {
  static ct_shape shapes[SHAPES];
  static ct_phantom phantom = {.id = "truncated", .title = "", .explanation = "", .shapes = shapes, .count = SHAPES};
  uint64_t x = 5;
  double n[4];
  shapes[0] = (ct_shape){CT_SHAPE_CYLINDER, {0, 0, 0}, {1, flat, INFINITY}, 0.4, 1};
  for (int i = 1; i < SHAPES;) {
    for (int k = 0; k < 4; k++) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      n[k] = (double)(x >> 40) / (1 << 24);
    }
    const double r = 0.015 + 0.06 * n[0], d = 0.975 * sqrt(n[2]), a = 2 * M_PI * n[1];
    if (d + r >= 0.975) continue;
    const double along = d * cos(a), across = flat * d * sin(a);
    shapes[i] = (ct_shape){CT_SHAPE_CYLINDER,
                           {along * cos(0.4) - across * sin(0.4), along * sin(0.4) + across * cos(0.4), 0},
                           {r * flat, r * flat, INFINITY},
                           0,
                           contrast * (i & 1 ? 1 : -1) * (0.2 + 0.5 * n[3])};
    i++;
  }
  return &phantom;
}

/* The other side sees all and 4 mm of air. Parallel views over half a turn, others over a whole one: there a single
 * side that is cut off makes a displaced detector. */
static ct_scan *scan_of(const situation *s, ct_error **error) {
  const double magnification = s->beam == CT_BEAM_PARALLEL ? 1 : 1.5;
  const int cut = (int)(radius * s->ratio / pitch), high = s->one_side ? (int)((radius + 4) / pitch) : cut;
  const int low = s->narrow > 0 ? (int)(radius * s->narrow / pitch) : cut;
  ct_geometry g, matrices;
  const bool cone = s->beam == CT_BEAM_CONE || s->beam == CT_BEAM_FREE;
  if (!ct_geometry_init(&g, s->beam == CT_BEAM_FREE ? CT_BEAM_CONE : s->beam, low + high, cone ? 4 : 1, 180, error))
    return NULL;
  g.du = g.dv = pitch * magnification;
  g.sod = 200;
  g.sdd = 200 * magnification;
  g.centre_u = low - 0.5;
  ct_geometry_set_arc(&g, 0, (s->beam == CT_BEAM_PARALLEL ? M_PI : 2 * M_PI) / g.views);
  ct_stack *stack = ct_phantom_project(object(s->contrast, s->flat), radius, mu, &g, 1, NULL, error);
  if (s->beam == CT_BEAM_FREE) {
    if (!ct_geometry_init(&matrices, CT_BEAM_FREE, g.nu, g.nv, g.views, error)) return NULL;
    for (int view = 0; view < g.views; view++) ct_geometry_matrix(&g, view, matrices.matrices + 12 * view);
    matrices.du = g.du;
    matrices.dv = g.dv;
    ct_geometry_clear(&g);
    g = matrices;
  }
  ct_scan *scan = stack ? ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", error) : NULL;
  ct_geometry_clear(&g);
  return scan;
}

/* Largest relative error of the means over rings about the axis, out to `within` of the narrower side. */
static double error_of(const float *slice, const ct_grid *grid, const situation *s, double within) {
  ct_grid alone = ct_grid_plane(grid, CT_AXIAL, grid->nz / 2);
  ct_volume *truth = ct_volume_new(&alone, NULL);
  double sums[RINGS][2] = {{0}}, most = 0;
  if (!truth || !ct_phantom_voxelise(object(s->contrast, s->flat), radius, mu, 2, truth, NULL, NULL)) return NAN;
  const double reach = within * s->ratio * radius;
  for (int j = 0; j < grid->ny; j++)
    for (int i = 0; i < grid->nx; i++) {
      const double r = hypot(grid->x0 + i * grid->dx, grid->y0 + j * grid->dy);
      if (r >= reach) continue;
      const int ring = (int)(RINGS * (r / reach) * (r / reach));
      sums[ring][0] += (double)slice[j * grid->nx + i];
      sums[ring][1] += (double)ct_volume_get_data(truth)[j * grid->nx + i];
    }
  for (int k = 0; k < RINGS; k++) {
    const double error = sums[k][0] / sums[k][1] - 1;
    if (fabs(error) > fabs(most)) most = error;
  }
  ct_volume_free(truth);
  return most;
}

/* *said: whether a word was said. */
static double reconstruct(const situation *s, ct_extension extension, double size, double within, bool *said) {
  ct_error *error = NULL;
  bench b;
  double most = NAN;
  float *slice = NULL;
  bool good = bench_take(&b, scan_of(s, &error), &error);
  b.plan.centre_method = CT_CENTRE_SCAN;
  b.plan.filter.extension = extension;
  b.plan.filter.object_size = size;
  good = good && ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error);
  if (good) {
    const ct_grid grid = ct_pipeline_get_facts(b.pipeline)->grid;
    slice = ct_alloc((size_t)grid.nx * (size_t)grid.ny, sizeof *slice, "slice", &error);
    if (slice && ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, grid.nz / 2, slice, NULL, &error))
      most = error_of(slice, &grid, s, within);
    *said = ct_warnings_find(ct_pipeline_get_facts(b.pipeline)->warnings, CT_WARNING_TRUNCATION) != NULL;
  }
  if (error) printf("# %s\n", error->message);
  ct_error_clear(&error);
  ct_free(slice);
  bench_close(&b);
  return most;
}

/* The rim of a strongly structured object cannot be told from half of it to better than some per cent: then the error
 * is to be a small part of that of zeros. */
static void check_all(const situation *kind, const ct_beam *beams, int count) {
  static const double ratios[] = {0.5, 0.7, 0.9};
  for (int b = 0; b < count; b++)
    for (int r = 0; r < 3; r++) {
      situation s = *kind;
      bool said[3] = {false, false, false};
      s.beam = beams[b];
      s.ratio = ratios[r];
      const double zeros = reconstruct(&s, CT_EXTEND_ZERO, NAN, 0.85, &said[0]),
                   estimated = reconstruct(&s, CT_EXTEND_AUTO, NAN, 0.85, &said[1]),
                   given = reconstruct(&s, CT_EXTEND_AUTO, 2 * radius, 0.85, &said[2]);
      printf("# beam %d, %.1f: zeros %+.1f %%, estimated %+.1f %%, given %+.1f %%\n", (int)s.beam, s.ratio, 100 * zeros,
             100 * estimated, 100 * given);
      CHECK(said[0] && said[1] && said[2]);
      if (s.flat == 1) CHECK_BELOW(fabs(given), 0.05);
      CHECK_BELOW(fabs(estimated), s.contrast < 0.5 || s.ratio > 0.8 ? 0.05 : fabs(zeros) / 5);
    }
}

static const ct_beam all_beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN, CT_BEAM_CONE, CT_BEAM_FREE};

static void test_both_sides(void) {
  check_all(&(situation){.contrast = 1, .flat = 1}, all_beams, 4);
}

static void test_little_detail(void) {
  check_all(&(situation){.contrast = 0.3, .flat = 1}, all_beams, 2);
  check_all(&(situation){.contrast = 0.3, .flat = 0.8}, all_beams, 2);
}

/* Both sides of a displaced detector: the weights see to the narrow one, the wide one is extended. */
static void test_displaced(void) {
  check_all(&(situation){.narrow = 0.3, .contrast = 1, .flat = 1}, all_beams + 1, 3);
}

static void test_one_side(void) {
  check_all(&(situation){.one_side = true, .contrast = 1, .flat = 1}, all_beams, 1);
}

/* What the warning tells of a diameter that is off is what it does to the outermost ring of a plain disc, by any beam.
 */
static void test_doubt(void) {
  static const double ratios[] = {0.5, 0.7, 0.9}, wrong[] = {0.95, 1.05, 1.03};
  for (int b = 0; b < 2; b++)
    for (int r = 0; r < 3; r++) {
      const situation s = {.beam = all_beams[b], .ratio = ratios[r], .contrast = 0, .flat = 1};
      const double within = 0.85, ring = within * sqrt(1 - 0.5 / RINGS) * s.ratio * radius;
      bool said;
      const double right = reconstruct(&s, CT_EXTEND_AUTO, 2 * radius, within, &said);
      for (int k = 0; k < 3; k++) {
        const double off = reconstruct(&s, CT_EXTEND_AUTO, 2 * wrong[k] * radius, within, &said) - right,
                     told = ct_truncation_effect(s.ratio * radius, radius, wrong[k], ring);
        printf("# beam %d, %.1f, %.2f times as wide: %+.2f %%, told %+.2f %%\n", (int)s.beam, s.ratio, wrong[k],
               100 * off, 100 * told);
        /* Where little is cut off the columns that the rays are scaled to tell much of them: less is changed. */
        if (s.ratio < 0.8)
          CHECK_BELOW(fabs(off - told), 0.15 * fabs(told) + 0.001);
        else
          CHECK(off * told > 0 && fabs(off) < 1.15 * fabs(told));
      }
    }
  CHECK(ct_truncation_effect(40, 40, 1.05, 0) == 0 && ct_truncation_effect(40, 42, 0.95, 0) == 0);
  CHECK(ct_truncation_effect(30, 40, 1, 10) == 0);
}

/* However few slices are made at a time, whatever rows are read for them: the outline is that of the whole volume. */
static void test_slabs(void) {
  static const double shares[] = {0.9, 0.6, 0.4, 0.3, 0.25};
  ct_error *error = NULL;
  ct_geometry g;
  const simulation s = {CT_BEAM_CONE, 48, 44, 60, 360, 1.3, "shepp-logan-3d"};
  CHECK(sim_geometry(&s, &g));
  g.nu = 34;
  g.centre_u -= 7;
  ct_stack *stack = ct_phantom_project(ct_phantom_find(s.phantom), sim_radius, sim_mu, &g, 1, NULL, &error);
  CHECK_OK(stack);
  bench b;
  CHECK_OK(bench_take(&b, ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", &error), &error));
  b.plan.threads = 2;
  b.plan.centre_method = CT_CENTRE_SCAN;
  b.plan.filter.redundancy = CT_REDUNDANCY_FULL;
  ct_volume *whole = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(whole);
  CHECK(b.pipeline->has_outline && b.pipeline->outline.low && b.pipeline->outline.high);
  ct_slab_plan all, slabs;
  CHECK_OK(ct_plan_slabs(&b.plan, b.scan, NULL, 1e12, &all, &error));
  int most = 0;
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    if (!ct_plan_slabs(&b.plan, b.scan, NULL, shares[i] * all.total, &slabs, NULL)) continue;
    ct_pipeline *fresh = ct_pipeline_new(b.scan, NULL, &error);
    collector c = {.pipeline = fresh};
    const ct_slab_sink sink = {&c, collect};
    CHECK_OK(ct_pipeline_slabs(fresh, &b.plan, &slabs, &sink, NULL, NULL, NULL, &error));
    CHECK(c.slices == slabs.grid.nz);
    CHECK_BELOW(difference(c.data, ct_volume_get_data(whole), ct_grid_voxels(&slabs.grid)), 1e-5);
    most = slabs.count > most ? slabs.count : most;
    collector_clear(&c);
    ct_pipeline_free(fresh);
  }
  CHECK(most > 2);
  ct_volume_free(whole);
  bench_close(&b);
  ct_geometry_clear(&g);
}

/* Largest relative error over rings of the middle slice by an iterative method; *nx: the grid's. */
static double iterate(const situation *s, ct_method method, int iterations, ct_start start, int *nx) {
  ct_error *error = NULL;
  bench b;
  double most = NAN;
  bool good = bench_take(&b, scan_of(s, &error), &error);
  b.plan.centre_method = CT_CENTRE_SCAN;
  b.plan.iterative.method = method;
  b.plan.iterative.iterations = iterations;
  b.plan.iterative.start = start;
  if (*nx > 0) b.plan.nx = b.plan.ny = *nx, b.plan.voxel = pitch;
  ct_volume *volume = good ? ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error) : NULL;
  if (volume) {
    const ct_grid *grid = ct_volume_grid(volume);
    *nx = grid->nx;
    most = error_of(ct_volume_get_data(volume), grid, s, 0.85);
    const ct_warning *warning = ct_warnings_find(ct_pipeline_get_facts(b.pipeline)->warnings, CT_WARNING_TRUNCATION);
    if (!warning || !strstr(warning->text, "mm from the axis")) most = INFINITY;
  }
  if (error) printf("# %s\n", error->message);
  ct_error_clear(&error);
  ct_volume_free(volume);
  bench_close(&b);
  return most;
}

/* The automatic grid holds the object; one as wide as the detector has no place for what lies outside. */
static void test_iterative(void) {
  static const struct {
    ct_method method;
    int iterations;
    ct_start start;
  } runs[] = {{CT_METHOD_CGLS, 12, CT_START_ZERO}, {CT_METHOD_SIRT, 20, CT_START_DIRECT}};
  const situation s = {.beam = CT_BEAM_PARALLEL, .ratio = 0.7, .contrast = 0.3, .flat = 1};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    int wide = 0, narrow = (int)(2 * radius * s.ratio / pitch);
    const double right = iterate(&s, runs[i].method, runs[i].iterations, runs[i].start, &wide),
                 wrong = iterate(&s, runs[i].method, runs[i].iterations, runs[i].start, &narrow);
    printf("# %s: %d voxels %+.1f %%, %d voxels %+.1f %%\n", ct_choice_id(ct_method_choices, (int)runs[i].method), wide,
           100 * right, narrow, 100 * wrong);
    CHECK(wide >= 2 * radius / pitch && wide < 2.4 * radius / pitch);
    CHECK_BELOW(fabs(right), 0.05);
    CHECK(fabs(wrong) > 0.05);
  }
}

/* Trials are extended as the volume is, whatever their centre. */
static void test_sweep(void) {
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN};
  for (int b = 0; b < 2; b++) {
    double metric[2];
    for (int zeros = 0; zeros < 2; zeros++) {
      const situation s = {.beam = beams[b], .ratio = 0.7, .contrast = 1, .flat = 1};
      ct_error *error = NULL;
      ct_centre_trial *trials;
      size_t count;
      double best;
      bench at;
      CHECK_OK(bench_take(&at, scan_of(&s, &error), &error));
      at.plan.centre_method = CT_CENTRE_SCAN;
      at.plan.filter.extension = zeros ? CT_EXTEND_ZERO : CT_EXTEND_AUTO;
      at.plan.centre_from = 29.5, at.plan.centre_to = 39.5;
      CHECK_OK(ct_pipeline_sweep(at.pipeline, &at.plan, 0, &trials, &count, &best, NULL, &error));
      CHECK_NEAR(best, 34.5, 0.5);
      metric[zeros] = trials[count / 2].metric;
      ct_free(trials);
      at.plan.centre_method = CT_CENTRE_SWEEP;
      CHECK_OK(ct_pipeline_prepare(at.pipeline, &at.plan, NULL, &error));
      CHECK_NEAR(ct_pipeline_get_facts(at.pipeline)->centre_u, best, 0.3);
      bench_close(&at);
    }
    printf("# beam %d: %g, zeros %g\n", (int)beams[b], metric[0], metric[1]);
    CHECK(fabs(metric[0] - metric[1]) > 1e-3 * fabs(metric[1]));
  }
}

/* A detector that stands aside, views that do not go all round, and an object that ends on the narrow side: what lies
 * farther out than that side is air, and neither too high nor too low. */
static void test_ends_within(void) {
  static const struct {
    ct_beam beam;
    double arc;   /* degrees */
    double aside; /* columns from the middle to the axis */
  } cases[] = {
      {CT_BEAM_PARALLEL, 180, 20}, {CT_BEAM_PARALLEL, 250, -18}, {CT_BEAM_FAN, 265, 19}, {CT_BEAM_CONE, 280, -20}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    const double magnification = cases[i].beam == CT_BEAM_PARALLEL ? 1 : 1.6;
    ct_geometry g;
    bench b;
    CHECK(ct_geometry_init(&g, cases[i].beam, 64, cases[i].beam == CT_BEAM_CONE ? 9 : 1, 120, NULL));
    g.du = g.dv = magnification;
    g.sod = 300;
    g.sdd = 300 * magnification;
    g.centre_u = 31.5 + cases[i].aside;
    ct_geometry_set_arc(&g, 0, cases[i].arc * M_PI / 180 / 120);
    /* The narrow side sees 11.5 mm or more. */
    ct_stack *stack = ct_phantom_project(object(0.1, 1), 8, mu, &g, 2, NULL, &error);
    CHECK_OK(stack);
    CHECK_OK(bench_take(&b, ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", &error), &error));
    b.plan.centre_method = CT_CENTRE_SCAN;
    CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
    const ct_grid grid = ct_pipeline_get_facts(b.pipeline)->grid;
    float *slice = ct_alloc((size_t)grid.nx * (size_t)grid.ny, sizeof *slice, "slice", NULL);
    CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, grid.nz / 2, slice, NULL, &error));
    double sums[2] = {0}, counts[2] = {0};
    for (int j = 0; j < grid.ny; j++)
      for (int k = 0; k < grid.nx; k++) {
        const double r = hypot(grid.x0 + k * grid.dx, grid.y0 + j * grid.dy);
        if (r > 6 && (r < 14 || r > 28)) continue;
        sums[r > 6] += (double)slice[j * grid.nx + k];
        counts[r > 6]++;
      }
    printf("# case %zu: object %.5f, air %.6f\n", i, sums[0] / counts[0], sums[1] / counts[1]);
    CHECK_BELOW(fabs(sums[1] / counts[1]), 0.005 * sums[0] / counts[0]);
    ct_free(slice);
    bench_close(&b);
    ct_geometry_clear(&g);
  }
}

static const ct_test tests[] = {
    {"cut off on both sides", test_both_sides},
    {"cut off on both sides, little detail, round and flat", test_little_detail},
    {"cut off on one side", test_one_side},
    {"what a wrong diameter does is told", test_doubt},
    {"a displaced detector, cut off on its wide side, too", test_displaced},
    {"an object that ends on a narrow side has air about it", test_ends_within},
    {"iterative methods on a grid that holds the object", test_iterative},
    {"a sweep of the centre", test_sweep},
    {"slabs of what is cut off are the volume", test_slabs},
};
CT_TEST_MAIN(tests)
