/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every iterative method keeps, by a loop over the table: it converges on data that it can make, honours bounds,
 * region and start, and does not depend on the number of threads; and what is known of some: residuals that only fall.
 */
#include "tests/solve/iterative-problem.h"
#include "tests/test.h"

enum { N = 32, VIEWS = 24, VOXELS = N * N };

static void set_weights(small_problem *p, double weight) {
  ct_iterative_options *o = &p->request.options;
  o->tv_weight = o->haar_weight = o->shearlet_weight = weight;
}

static bool within(const ct_solver_range *range) {
  return range->low <= range->fallback && range->fallback <= range->high;
}

static void table(void) {
  size_t count;
  const ct_solver *const *solvers = ct_solvers(&count);
  CHECK(count == CT_METHODS - 2);
  for (int method = 0; method < CT_METHODS; method++)
    CHECK(!ct_method_iterates(method) == !ct_solver_find((ct_method)method));
  CHECK(!ct_solver_find(CT_METHOD_DIRECT) && !ct_solver_find(CT_METHOD_FOURIER) && !ct_solver_find_id("none"));
  for (size_t n = 0; n < count; n++) {
    const ct_solver *s = solvers[n];
    CHECK_IN(s, ct_solver_find_id(s->names->id) == s && ct_solver_find((ct_method)s->names->value) == s);
    CHECK_IN(s,
             s->names->title && *s->names->title && strlen(s->explanation) > 40 && s->residual && s->iterations >= 1);
    CHECK_IN(s, within(&s->relaxation) && within(&s->tv_weight) && within(&s->tv_steps));
    CHECK_IN(s, within(&s->haar_weight) && within(&s->haar_levels));
    CHECK_IN(s, within(&s->shearlet_weight) && within(&s->shearlet_scales));
    CHECK_IN(s, !(s->uses & CT_USES_RELAXATION) == (s->relaxation.high == 0));
    CHECK_IN(s, !(s->uses & CT_USES_TV) == (s->tv_steps.high == 0));
    CHECK_IN(s, !(s->uses & CT_USES_HAAR) == (s->haar_levels.high == 0));
    CHECK_IN(s, !(s->uses & CT_USES_SHEARLET) == (s->shearlet_scales.high == 0));
    ct_iterative_options options;
    ct_iterative_options_init(&options);
    options.method = s->names->value;
    CHECK_IN(s, ct_iterative_options_check(&options, NULL));
  }
}

/* Residual and error fall to a part of what they were after the first iteration, in as many iterations as the method
 * asks for. */
static void converges(void) {
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN};
  for (int b = 0; b < 2; b++) {
    ct_error *error = NULL;
    small_problem p;
    CHECK_OK(problem_init(&p, beams[b], N, 2 * VIEWS, true, &error));
    FOR_SOLVERS(solver) {
      problem_take(&p, solver);
      set_weights(&p, 1e-4);
      ct_iterative *run = problem_run(&p, solver->iterations, NULL, &error);
      CHECK_OK_IN(solver, run);
      size_t count;
      const ct_iteration *curve = ct_iterative_get_curve(run, &count), *last = curve + count - 1;
      CHECK_IN(solver, count == (size_t)solver->iterations && last->index == solver->iterations);
      CHECK_IN(solver, ct_iterative_get_stopped(run) == CT_STOPPED_ITERATIONS);
      CHECK_IN(solver, last->residual < 0.03 && last->residual < 0.25 * curve[0].residual);
      CHECK_IN(solver, last->relative_rmse < 0.25 && last->rmse < 0.6 * curve[0].rmse);
      CHECK_IN(solver, last->ssim > 0.9 && last->ssim > curve[0].ssim);
      CHECK_IN(solver, last->change > 0 && last->change < 0.05 && last->seconds > 0);
      ct_iterative_free(run);
    }
    problem_clear(&p);
  }
}

static void cone_beam(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_CONE, 16, 16, true, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    set_weights(&p, 1e-4);
    if (solver->needs & CT_NEEDS_ROWS) {
      CHECK_FAILS(ct_iterative_new(&p.request, NULL, &error), CT_ERROR_UNSUPPORTED, solver->names->title);
      continue;
    }
    ct_iterative *run = problem_run(&p, 12, NULL, &error);
    CHECK_OK_IN(solver, run);
    size_t count;
    const ct_iteration *curve = ct_iterative_get_curve(run, &count);
    CHECK_IN(solver, curve[11].residual < 0.35 * curve[0].residual && curve[11].rmse < 0.95 * curve[0].rmse);
    ct_iterative_free(run);
  }
  problem_clear(&p);
}

/* Exact line integrals do not agree with any image: without bounds some values are negative, and some too large. */
static void bounds(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, N, VIEWS, false, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    p.request.options.nonnegative = 1;
    p.request.options.upper = 0.006;
    p.request.options.relaxation = 1;
    float *image = NULL;
    ct_iterative *run = problem_run(&p, 8, &image, &error);
    CHECK_OK_IN(solver, run);
    float low = INFINITY, high = -INFINITY;
    for (size_t n = 0; n < VOXELS; n++) {
      low = fminf(low, image[n]);
      high = fmaxf(high, image[n]);
    }
    if (solver->uses & CT_USES_BOUNDS)
      CHECK_IN(solver, low >= 0 && high <= 0.006f && high > 0.004f);
    else
      CHECK_IN(solver, low < 0 && high > 0.006f);
    ct_free(image);
    ct_iterative_free(run);
  }
  problem_clear(&p);
}

/* The circle that every view sees, and one of one's own off the axis. */
static void check_region(small_problem *p, const ct_volume *start, const ct_solver *solver, bool own) {
  ct_error *error = NULL;
  ct_iterative_options *o = &p->request.options;
  problem_take(p, solver);
  o->region = 1;
  o->region_radius = own ? 0.3 * N * p->grid.dx : NAN;
  o->region_x = own ? 0.1 * N * p->grid.dx : 0, o->region_y = own ? -0.15 * N * p->grid.dx : 0;
  o->start = CT_START_CURRENT;
  const double radius = own ? o->region_radius : ct_geometry_field_radius(&p->geometry);
  float *image = NULL;
  ct_iterative *run = problem_run(p, 2, &image, &error);
  CHECK_OK_IN(solver, run);
  size_t changed = 0, inside = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      const size_t n = (size_t)(j * N + i);
      const bool same = image[n] == ct_volume_get_data(start)[n];
      if (hypot(p->grid.x0 + i * p->grid.dx - o->region_x, p->grid.y0 + j * p->grid.dy - o->region_y) > radius)
        CHECK_IN(solver, same);
      else {
        inside++;
        changed += !same;
      }
    }
  CHECK_IN(solver, inside > VOXELS / 8 && inside < VOXELS / 2 && changed > inside * 9 / 10);
  ct_free(image);
  ct_iterative_free(run);
}

static void region(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, N, VIEWS, true, &error));
  p.geometry.du *= 0.5; /* sees a circle of little more than half the grid */
  ct_volume *start = ct_volume_new(&p.grid, &error);
  CHECK_OK(start);
  for (size_t n = 0; n < VOXELS; n++) ct_volume_data(start)[n] = 0.004f + 1e-6f * (float)n;
  p.request.start = start;
  FOR_SOLVERS(solver) {
    for (int own = 0; own < 2 && !ct_test_state; own++) check_region(&p, start, solver, own);
    if (ct_test_state) return;
  }
  p.request.options.region_x = 1e5;
  CHECK_FAILS(ct_iterative_new(&p.request, NULL, &error), CT_ERROR_ARGUMENT, "No voxel lies within the region");
  p.request.options.region_radius = -1;
  CHECK_FAILS(ct_iterative_new(&p.request, NULL, &error), CT_ERROR_ARGUMENT, "radius of the region");
  ct_volume_free(start);
  problem_clear(&p);
}

/* From the truth, on data that it makes, nothing is left to do but what a matrix of half-precision weights rounds. */
static void start(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, N, VIEWS, true, &error));
  for (size_t n = 0; n < VOXELS; n++) ct_volume_data(p.truth)[n] += 0.001f; /* MLEM lifts what is 0 */
  CHECK_OK(problem_project(&p, &error));
  p.request.start = p.truth;
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    p.request.options.start = CT_START_CURRENT;
    set_weights(&p, 0);
    ct_iterative *run = problem_run(&p, 3, NULL, &error);
    CHECK_OK_IN(solver, run);
    CHECK_IN(solver, last_of(run)->residual < 1e-4 && last_of(run)->relative_rmse < 5e-4);
    ct_iterative_free(run);
  }
  problem_clear(&p);
}

static void threads(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, N, VIEWS, false, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    float *one = NULL, *three = NULL;
    p.request.threads = 1;
    ct_iterative *a = problem_run(&p, 4, &one, &error);
    CHECK_OK_IN(solver, a);
    p.request.threads = 3;
    ct_iterative *b = problem_run(&p, 4, &three, &error);
    CHECK_OK_IN(solver, b);
    CHECK_IN(solver, !memcmp(one, three, VOXELS * sizeof *one));
    CHECK_IN(solver, last_of(a)->residual == last_of(b)->residual && last_of(a)->change == last_of(b)->change);
    ct_free(one);
    ct_free(three);
    ct_iterative_free(a);
    ct_iterative_free(b);
  }
  problem_clear(&p);
}

/* With noise, too: |A x - b| of CGLS falls by construction; SIRT's falls in its weighted norm, and here in the plain
 * one. */
static void residuals_fall(void) {
  static const ct_method methods[] = {CT_METHOD_SIRT, CT_METHOD_CGLS};
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN};
  ct_error *error = NULL;
  for (int b = 0; b < 2; b++) {
    small_problem p;
    CHECK_OK(problem_init(&p, beams[b], N, VIEWS, false, &error));
    ct_add_photon_noise(p.lines, 1e4, 7);
    for (int m = 0; m < 2; m++) {
      const ct_solver *solver = ct_solver_find(methods[m]);
      problem_take(&p, solver);
      ct_iterative *run = problem_run(&p, 60, NULL, &error);
      CHECK_OK_IN(solver, run);
      size_t count;
      const ct_iteration *curve = ct_iterative_get_curve(run, &count);
      for (size_t n = 1; n < count; n++) CHECK_IN(solver, curve[n].residual <= curve[n - 1].residual * (1 + 1e-6));
      ct_iterative_free(run);
    }
    problem_clear(&p);
  }
}

/* |A x - b| / |b| of an image: what SIRT finds when it begins with it. */
static double residual_of(const small_problem *p, const float *image, ct_error **error) {
  small_problem from = *p;
  ct_volume *start = ct_volume_new(&p->grid, error);
  if (!start) return NAN;
  memcpy(ct_volume_data(start), image, ct_grid_voxels(&p->grid) * sizeof *image);
  problem_take(&from, ct_solver_find(CT_METHOD_SIRT));
  from.request.options.start = CT_START_CURRENT;
  from.request.start = start;
  ct_iterative *run = problem_run(&from, 1, NULL, error);
  const double residual = run && last_of(run)->residual_after == 0 ? last_of(run)->residual : NAN;
  ct_iterative_free(run);
  ct_volume_free(start);
  return residual;
}

/* The residual at a number of iterations is that of the picture after so many; a gathered one lies between two
 * pictures'. */
static void residuals_are_of_their_place(void) {
  enum { ITERATIONS = 4 };
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, N, VIEWS, true, &error));
  int whole = 0;
  FOR_SOLVERS(solver) {
    double truth[ITERATIONS + 1] = {1};
    problem_take(&p, solver);
    p.request.options.momentum = CT_MOMENTUM_NO;
    ct_iterative *run = NULL;
    for (int n = 1; n <= ITERATIONS; n++) {
      float *image = NULL;
      ct_iterative_free(run);
      CHECK_OK_IN(solver, run = problem_run(&p, n, &image, &error));
      truth[n] = residual_of(&p, image, &error);
      ct_free(image);
      CHECK_IN(solver, isfinite(truth[n]));
    }
    size_t count;
    const ct_iteration *curve = ct_iterative_get_curve(run, &count);
    for (size_t n = 0; n < count; n++) {
      const double at = curve[n].residual_after;
      const int before = curve[n].index - 1;
      CHECK_IN(solver, at >= before && at <= curve[n].index);
      if (at == floor(at)) {
        /* from zero MLEM begins with a mean instead */
        if (at > 0 || !(solver->needs & CT_NEEDS_POSITIVE))
          CHECK_IN(solver, fabs(curve[n].residual - truth[(int)at]) < 1e-4 * truth[(int)at]);
      } else {
        CHECK_IN(solver, curve[n].residual < 1.05 * truth[before] && curve[n].residual > 0.95 * truth[before + 1]);
      }
      whole += at == floor(at);
    }
    ct_iterative_free(run);
  }
  CHECK(whole > 0);
  problem_clear(&p);
}

/* One subset of all views is SIRT: the same curve at the same places. */
static void equal_methods_have_equal_curves(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, N, VIEWS, true, &error));
  ct_iterative *runs[2];
  const ct_iteration *curves[2];
  size_t count;
  for (int n = 0; n < 2; n++) {
    problem_take(&p, ct_solver_find(n ? CT_METHOD_OS_SART : CT_METHOD_SIRT));
    p.request.options.subsets = 1;
    p.request.options.momentum = CT_MOMENTUM_NO;
    CHECK_OK(runs[n] = problem_run(&p, 5, NULL, &error));
    curves[n] = ct_iterative_get_curve(runs[n], &count);
    CHECK(count == 5);
  }
  for (size_t n = 0; n < count; n++) {
    CHECK(curves[0][n].residual_after == (double)n && curves[1][n].residual_after == (double)n);
    CHECK_NEAR(curves[0][n].residual, curves[1][n].residual, 1e-6);
  }
  ct_iterative_free(runs[0]);
  ct_iterative_free(runs[1]);
  problem_clear(&p);
}

/* The whole range of the relaxation is safe. */
static void relaxation(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, N, VIEWS, true, &error));
  FOR_SOLVERS(solver) {
    if (!(solver->uses & CT_USES_RELAXATION)) continue;
    double residual[2];
    for (int end = 0; end < 2; end++) {
      problem_take(&p, solver);
      p.request.options.relaxation = end ? solver->relaxation.high : solver->relaxation.low;
      ct_iterative *run = problem_run(&p, 40, NULL, &error);
      CHECK_OK_IN(solver, run);
      residual[end] = last_of(run)->residual;
      CHECK_IN(solver, ct_iterative_get_relaxation(run) == p.request.options.relaxation);
      ct_iterative_free(run);
    }
    CHECK_IN(solver, residual[0] < 0.999 && residual[1] < 0.9);
  }
  problem_clear(&p);
}

/* As far in 30 iterations as without in 60, and no further from the solution in the end; with the step that is sure
 * and a matched pair alone. */
static void momentum(void) {
  ct_error *error = NULL;
  small_problem p;
  int with = 0;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, N, 2 * VIEWS, true, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    ct_iterative_options *o = &p.request.options;
    CHECK_IN(solver, ct_solver_has_momentum(solver, o) == solver->momentum);
    o->momentum = CT_MOMENTUM_YES;
    CHECK_IN(solver, ct_solver_has_momentum(solver, o) == !!(solver->uses & CT_USES_MOMENTUM));
    if (!(solver->uses & CT_USES_MOMENTUM)) continue;
    with++;
    const int iterations[] = {60, 30, 300};
    double rmse[3], residual[3];
    for (int n = 0; n < 3; n++) {
      o->momentum = n ? CT_MOMENTUM_YES : CT_MOMENTUM_NO;
      ct_iterative *run = problem_run(&p, iterations[n], NULL, &error);
      CHECK_OK_IN(solver, run);
      rmse[n] = last_of(run)->rmse;
      residual[n] = last_of(run)->residual;
      ct_iterative_free(run);
    }
    CHECK_IN(solver, rmse[1] < rmse[0] && residual[1] < 1.2 * residual[0]);
    CHECK_IN(solver, rmse[2] < 0.5 * rmse[1] && residual[2] < 0.1 * residual[1]);
    o->relaxation = 1.5;
    CHECK_FAILS(ct_iterative_new(&p.request, NULL, &error), CT_ERROR_ARGUMENT, "With momentum");
    o->momentum = CT_MOMENTUM_AUTO;
    CHECK_IN(solver, !ct_solver_has_momentum(solver, o));
    o->relaxation = NAN;
    o->matched = 0;
    CHECK_IN(solver, !ct_solver_has_momentum(solver, o) && !(ct_solver_needs(solver, o) & CT_NEEDS_MATCHED));
    o->momentum = CT_MOMENTUM_YES;
    CHECK_IN(solver, ct_solver_needs(solver, o) & CT_NEEDS_MATCHED);
    o->momentum = 7;
    CHECK_FAILS(ct_iterative_new(&p.request, NULL, &error), CT_ERROR_ARGUMENT, "momentum number 7");
  }
  CHECK(with == 2);
  problem_clear(&p);
}

static const ct_test tests[] = {
    {"every method is in the table, with sound ranges", table},
    {"methods converge on consistent data, parallel and fan beam", converges},
    {"methods converge in three dimensions, or say that they cannot", cone_beam},
    {"bounds are honoured by those that have them", bounds},
    {"voxels outside the region stay as they start", region},
    {"a solution stays one", start},
    {"one thread and three give the same image and curve", threads},
    {"the residual of SIRT and CGLS only falls", residuals_fall},
    {"residuals are of their place", residuals_are_of_their_place},
    {"equal methods have equal curves", equal_methods_have_equal_curves},
    {"every relaxation in range converges", relaxation},
    {"momentum goes further, with the step that is sure", momentum},
};
CT_TEST_MAIN(tests)
