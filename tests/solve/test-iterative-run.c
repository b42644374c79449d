/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runner of iterative methods: stopping rules, finish-early, cancel and going on, the choice of the projector, and
 * what it refuses. */
#include "recon/base/machine.h"
#include "recon/solve/iterative/solver-private.h"
#include "tests/solve/iterative-problem.h"
#include "tests/test.h"

#include <pthread.h>
#include <unistd.h>

enum { N = 32, VIEWS = 24, VOXELS = N * N };

static void stopping(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, N, 2 * VIEWS, true, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    p.request.options.stop_residual = 0.2;
    ct_iterative *run = problem_run(&p, 1000, NULL, &error);
    CHECK_OK(run);
    size_t count;
    const ct_iteration *curve = ct_iterative_get_curve(run, &count);
    CHECK_IN(solver, ct_iterative_get_stopped(run) == CT_STOPPED_RESIDUAL && count < 300);
    for (size_t n = 0; n < count; n++) CHECK_IN(solver, (curve[n].residual < 0.2) == (n == count - 1));
    CHECK_IN(solver, !isnan(curve[count - 1].ssim));
    ct_iterative_free(run);
    p.request.options.stop_residual = 0;
    p.request.options.stop_change = 0.03;
    run = problem_run(&p, 1000, NULL, &error);
    CHECK_OK(run);
    curve = ct_iterative_get_curve(run, &count);
    CHECK_IN(solver, ct_iterative_get_stopped(run) == CT_STOPPED_CHANGE && count < 300);
    for (size_t n = 0; n < count; n++) CHECK_IN(solver, (curve[n].change < 0.03) == (n == count - 1));
    ct_iterative_free(run);
  }
  problem_clear(&p);
}

typedef struct watched {
  ct_job *job;
  int seen, ask_at;
  bool cancel;
} watched;

static void watch_run(void *user, const ct_iterative *run, const ct_iteration *last) {
  watched *w = user;
  if (last->index != ++w->seen || last->index != w->ask_at) return;
  if (w->cancel)
    ct_job_cancel(w->job);
  else
    ct_job_finish_early(w->job);
}

static void finish_early(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, N, VIEWS, true, &error));
  ct_job *job = ct_job_new(&error);
  watched seen = {job, 0, 3, false};
  const ct_iterative_watch watch = {&seen, watch_run};
  ct_iterative *run = ct_iterative_new(&p.request, job, &error);
  CHECK_OK(run);
  CHECK_OK(ct_iterative_run(run, 10, &watch, job, &error));
  size_t count;
  ct_iterative_get_curve(run, &count);
  CHECK(ct_iterative_get_stopped(run) == CT_STOPPED_EARLY && (count == 3 || count == 4) && seen.seen == (int)count);
  ct_progress progress;
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_ITERATING && progress.total == 10 && progress.done == count);
  CHECK_OK(ct_iterative_run(run, 6, NULL, NULL, &error));
  ct_iterative_get_curve(run, &count);
  CHECK(count == 6 && ct_iterative_get_stopped(run) == CT_STOPPED_ITERATIONS);
  CHECK_OK(ct_iterative_run(run, 4, NULL, NULL, &error)); /* done already */
  ct_iterative_get_curve(run, &count);
  CHECK(count == 6);
  ct_iterative_free(run);
  ct_job_free(job);
  problem_clear(&p);
}

/* Ended before it began, a run from nothing makes one iteration, and one from an image leaves the image. */
static void finish_at_once(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, N, VIEWS, true, &error));
  ct_volume *start = ct_volume_new(&p.request.grid, &error);
  CHECK_OK(start);
  for (int from_image = 0; from_image < 2; from_image++) {
    p.request.options.start = from_image ? CT_START_CURRENT : CT_START_ZERO;
    p.request.start = from_image ? start : NULL;
    ct_job *job = ct_job_new(&error);
    ct_iterative *run = ct_iterative_new(&p.request, job, &error);
    CHECK_OK(run);
    ct_job_finish_early(job);
    CHECK_OK(ct_iterative_run(run, 10, NULL, job, &error));
    size_t count;
    ct_iterative_get_curve(run, &count);
    CHECK(ct_iterative_get_stopped(run) == CT_STOPPED_EARLY && count == (from_image ? 0 : 1));
    ct_iterative_free(run);
    ct_job_free(job);
  }
  ct_volume_free(start);
  problem_clear(&p);
}

/* In parts of 2, cancelled after 3, and at once: always the same image and curve. */
static void going_on(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, N, VIEWS, false, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    p.request.options.order = CT_ORDER_RANDOM;
    float *through = NULL, *parts = ct_alloc(VOXELS, sizeof *parts, "parts", &error);
    ct_iterative *whole = problem_run(&p, 7, &through, &error), *run = ct_iterative_new(&p.request, NULL, &error);
    CHECK_OK(whole && run);
    CHECK_OK(ct_iterative_run(run, 2, NULL, NULL, &error));
    ct_job *job = ct_job_new(&error);
    watched seen = {job, 2, 3, true};
    const ct_iterative_watch watch = {&seen, watch_run};
    CHECK_FAILS(ct_iterative_run(run, 7, &watch, job, &error), CT_ERROR_CANCELLED, "Cancelled");
    ct_job_free(job);
    CHECK_IN(solver, last_of(run)->index == 3);
    CHECK_OK(ct_iterative_run(run, 7, NULL, NULL, &error));
    ct_iterative_read(run, parts);
    CHECK_IN(solver,
             !memcmp(through, parts, VOXELS * sizeof *parts) && last_of(run)->residual == last_of(whole)->residual);
    ct_free(through);
    ct_free(parts);
    ct_iterative_free(whole);
    ct_iterative_free(run);
  }
  problem_clear(&p);
}

/* Each projection up or down by its last digit. */
static void stir(const small_problem *p) {
  float *lines = ct_stack_data(p->lines);
  const size_t count = ct_stack_bytes(p->lines) / sizeof *lines;
  for (size_t i = 0; i < count; i++) lines[i] = nextafterf(lines[i], i % 3 ? INFINITY : -INFINITY);
}

/* The largest difference of two images. */
static double apart(const float *a, const float *b) {
  double most = 0;
  for (int n = 0; n < VOXELS; n++) most = fmax(most, fabs((double)a[n] - (double)b[n]));
  return most;
}

/* What a run keeps, into another one: exactly the same image and curve where nothing is made anew; else no farther off
 * than the image is from that of projections which differ in their last digits: conjugate gradients multiply those. */
static void going_on_in_another_run(void) {
  ct_error *error = NULL;
  small_problem p;
  float kept[VOXELS], parts[VOXELS], stirred[VOXELS];
  int able = 0;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, N, VIEWS, true, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    p.request.options.order = CT_ORDER_RANDOM;
    float *through = NULL;
    ct_iterative *whole = problem_run(&p, 7, &through, &error), *first = problem_run(&p, 3, NULL, &error),
                 *second = ct_iterative_new(&p.request, NULL, &error);
    CHECK_OK_IN(solver, whole && first && second);
    const int images = ct_iterative_kept_images(first);
    size_t count;
    const ct_iteration *curve = ct_iterative_get_curve(first, &count);
    for (int image = 0; image < images; image++) {
      ct_iterative_read_kept(first, image, kept);
      ct_iterative_write_kept(second, image, kept);
    }
    if (images) {
      able++;
      CHECK_OK_IN(solver, ct_iterative_take_up(second, ct_iterative_get_kept_number(first), curve, count, &error) &&
                              ct_iterative_run(second, 7, NULL, NULL, &error));
      ct_iterative_read(second, parts);
      double bound = 0, curve_bound = 0;
      if (solver->take_up) {
        small_problem other = p;
        CHECK_OK(other.lines = ct_stack_dup(p.lines, &error));
        stir(&other);
        other.request.integrals = other.lines;
        ct_iterative *disturbed = problem_run(&other, 7, NULL, &error);
        CHECK_OK_IN(solver, disturbed);
        ct_iterative_read(disturbed, stirred);
        bound = apart(through, stirred);
        curve_bound = fabs(last_of(disturbed)->residual / last_of(whole)->residual - 1);
        ct_iterative_free(disturbed);
        ct_stack_free(other.lines);
      }
      CHECK_IN(solver, apart(through, parts) <= bound && last_of(second)->index == 7);
      CHECK_IN(solver, fabs(last_of(second)->residual / last_of(whole)->residual - 1) <= curve_bound);
    }
    ct_free(through);
    ct_iterative_free(whole);
    ct_iterative_free(first);
    ct_iterative_free(second);
  }
  CHECK(able == 4); /* those that several processes iterate */
  problem_clear(&p);
}

static void *cancel_later(void *job) {
  usleep(2000);
  ct_job_cancel(job);
  return NULL;
}

/* Whenever the cancel comes, the image is that of a whole iteration and the run can go on. */
static void cancel_within(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, N, VIEWS, false, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    float *through = NULL, *parts = ct_alloc(VOXELS, sizeof *parts, "parts", &error);
    ct_iterative *whole = problem_run(&p, 30, &through, &error), *run = ct_iterative_new(&p.request, NULL, &error);
    CHECK_OK(whole && run);
    for (int n = 0; n < 6; n++) {
      ct_job *job = ct_job_new(&error);
      pthread_t thread;
      CHECK(pthread_create(&thread, NULL, cancel_later, job) == 0);
      const bool ended = ct_iterative_run(run, 30, NULL, job, &error);
      pthread_join(thread, NULL);
      ct_job_free(job);
      if (!ended) CHECK(error && error->code == CT_ERROR_CANCELLED);
      ct_error_clear(&error);
    }
    CHECK_OK(ct_iterative_run(run, 30, NULL, NULL, &error));
    ct_iterative_read(run, parts);
    CHECK_IN(solver, !memcmp(through, parts, VOXELS * sizeof *parts));
    ct_free(through);
    ct_free(parts);
    ct_iterative_free(whole);
    ct_iterative_free(run);
  }
  problem_clear(&p);
}

static void cancel_before(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, N, VIEWS, true, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    ct_job *job = ct_job_new(&error);
    ct_job_cancel(job);
    CHECK_FAILS(ct_iterative_new(&p.request, job, &error), CT_ERROR_CANCELLED, "Cancelled");
    ct_job_free(job);
  }
  problem_clear(&p);
}

#define REFUSES(change, code, words)                                                                                   \
  do {                                                                                                                 \
    problem_take(&p, solver);                                                                                          \
    change;                                                                                                            \
    CHECK_FAILS(ct_iterative_new(&p.request, NULL, &error), code, words);                                              \
  } while (0)

static void refusals(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, N, VIEWS, true, &error));
  ct_iterative_options *o = &p.request.options;
  FOR_SOLVERS(solver) {
    REFUSES(o->iterations = 0, CT_ERROR_ARGUMENT, "one iteration");
    REFUSES(o->stop_residual = 1.5, CT_ERROR_ARGUMENT, "residual to stop at");
    REFUSES(o->stop_change = -1, CT_ERROR_ARGUMENT, "change to stop at");
    REFUSES(o->stop_change = NAN, CT_ERROR_ARGUMENT, "change to stop at");
    REFUSES(o->start = 9, CT_ERROR_ARGUMENT, "start");
    REFUSES(o->start = CT_START_DIRECT, CT_ERROR_ARGUMENT, "no volume to start from");
    REFUSES(strcpy(o->projector, "abacus"), CT_ERROR_ARGUMENT, "abacus");
    if (solver->uses & CT_USES_RELAXATION) {
      REFUSES(o->relaxation = 2.5, CT_ERROR_ARGUMENT, "relaxation");
      REFUSES(o->relaxation = 0, CT_ERROR_ARGUMENT, "relaxation");
    }
    if (solver->uses & CT_USES_SUBSETS) REFUSES(o->subsets = 0, CT_ERROR_ARGUMENT, "subset");
    if (solver->uses & CT_USES_ORDER) REFUSES(o->order = 17, CT_ERROR_ARGUMENT, "order");
    if (solver->uses & CT_USES_BOUNDS) REFUSES(o->upper = -1, CT_ERROR_ARGUMENT, "largest value");
    if (solver->uses & CT_USES_TV) {
      REFUSES(o->tv_weight = -1, CT_ERROR_ARGUMENT, "total variation");
      REFUSES(o->tv_steps = 0, CT_ERROR_ARGUMENT, "smoothing steps");
    }
    if (solver->uses & CT_USES_HAAR) {
      REFUSES(o->haar_weight = -1, CT_ERROR_ARGUMENT, "Haar's coefficients");
      REFUSES(o->haar_levels = 0, CT_ERROR_ARGUMENT, "Haar's levels");
    }
    if (solver->uses & CT_USES_SHEARLET) {
      REFUSES(o->shearlet_weight = -1, CT_ERROR_ARGUMENT, "threshold of the shearlets");
      REFUSES(o->shearlet_scales = 0, CT_ERROR_ARGUMENT, "scales of the shearlets");
    }
    if (solver->needs & CT_NEEDS_ROWS) REFUSES(strcpy(o->projector, "textbook"), CT_ERROR_UNSUPPORTED, "ray by ray");
  }
  solver = ct_solver_find(CT_METHOD_SIRT);
  REFUSES(o->method = CT_METHOD_DIRECT, CT_ERROR_ARGUMENT, "direct");
  REFUSES(o->method = 99, CT_ERROR_ARGUMENT, "99");
  ct_stack *right = p.lines, *wrong = ct_stack_new(N, 1, VIEWS, &error);
  CHECK_OK(wrong);
  p.request.integrals = wrong;
  REFUSES((void)0, CT_ERROR_ARGUMENT, "projections are");
  ct_stack_free(wrong);
  p.request.integrals = right;
  float *data = ct_stack_data(right);
  data[N] = NAN;
  REFUSES((void)0, CT_ERROR_DATA, "no numbers");
  memset(data, 0, ct_stack_bytes(right));
  REFUSES((void)0, CT_ERROR_DATA, "are 0");
  for (size_t n = 0; n < ct_stack_bytes(right) / sizeof *data; n++) data[n] = -1;
  solver = ct_solver_find(CT_METHOD_MLEM);
  REFUSES((void)0, CT_ERROR_DATA, "above 0");
  problem_clear(&p);
}

/* CGLS asks for the transpose itself, whatever the options say; a pair that is none is refused by name. */
static void matched_pairs(void) {
  ct_error *error = NULL;
  small_problem p;
  size_t projectors;
  const ct_projector *const *all = ct_projectors(&projectors);
  CHECK_OK(problem_init(&p, CT_BEAM_CONE, 12, 8, true, &error));
  FOR_SOLVERS(solver) {
    problem_take(&p, solver);
    if (!solver->needs) { /* whether it must be one is for the options to say */
      for (size_t n = 0; n < projectors; n++)
        if (!all[n]->matched)
          REFUSES(snprintf(p.request.options.projector, CT_PROJECTOR_TEXT, "%s", all[n]->id), CT_ERROR_UNSUPPORTED,
                  "set iterative.matched to no");
    }
    if (!(solver->needs & CT_NEEDS_MATCHED)) continue;
    p.request.options.matched = 0;
    ct_iterative *run = problem_run(&p, 1, NULL, &error);
    CHECK_OK(run);
    CHECK_IN(solver, ct_iterative_get_projector(run)->matched);
    ct_iterative_free(run);
    for (size_t n = 0; n < projectors; n++)
      if (!all[n]->matched)
        REFUSES(snprintf(p.request.options.projector, CT_PROJECTOR_TEXT, "%s", all[n]->id), CT_ERROR_UNSUPPORTED,
                "transpose");
  }
  problem_clear(&p);
}

/* A symmetric matrix where the axis is off the detector's middle. */
static void falls_back(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, N, VIEWS, true, &error));
  problem_take(&p, ct_solver_find(CT_METHOD_ART));
  strcpy(p.request.options.projector, "scsr");
  ct_iterative *run = problem_run(&p, 1, NULL, &error);
  CHECK_OK(run);
  CHECK(!strcmp(ct_iterative_get_projector(run)->id, "scsr") && strstr(ct_iterative_get_why(run), "as chosen"));
  ct_iterative_free(run);
  p.geometry.centre_u += 0.37;
  run = problem_run(&p, 1, NULL, &error);
  CHECK_OK(run);
  CHECK(!strcmp(ct_iterative_get_projector(run)->id, "csr") && strstr(ct_iterative_get_why(run), "instead of"));
  CHECK(ct_iterative_fell_back(run));
  ct_iterative_free(run);
  /* so it is where nobody chose */
  strcpy(p.request.options.projector, "auto");
  run = problem_run(&p, 1, NULL, &error);
  CHECK_OK(run);
  CHECK(!strcmp(ct_iterative_get_projector(run)->id, "csr") && ct_iterative_fell_back(run));
  CHECK(strstr(ct_iterative_get_why(run), "would be faster but cannot be used. The rotation axis is"));
  ct_iterative_free(run);
  p.geometry.centre_u -= 0.37;
  run = problem_run(&p, 1, NULL, &error);
  CHECK_OK(run);
  CHECK(!ct_iterative_fell_back(run) && !strstr(ct_iterative_get_why(run), "would be faster"));
  ct_iterative_free(run);
  p.geometry.centre_u += 0.37;
  strcpy(p.request.options.projector, "scsr");
  p.request.memory = 1000;
  CHECK_FAILS(ct_iterative_new(&p.request, NULL, &error), CT_ERROR_MEMORY, "kB here, and 1.00 kB may be used");
  problem_clear(&p);
}

static const ct_projector *choose(const ct_solver *solver, int iterations, const ct_projector_request *request,
                                  double spare, char *why, bool *fell_back) {
  ct_iterative_options options;
  ct_iterative_options_init(&options);
  options.method = solver->names->value;
  options.iterations = iterations;
  return ct_iterative_choose(solver, &options, request, spare, why, 512, fell_back, NULL);
}

/* One matrix for many slices of a parallel beam: where it is paid, fits and has its symmetry, and not view by view. */
static void shared_matrix(void) {
  enum { SLICES = 20, PAID = 16 };
  ct_error *error = NULL;
  ct_geometry g;
  char why[512];
  bool fell_back;
  CHECK_OK(ct_geometry_init(&g, CT_BEAM_PARALLEL, N, SLICES, VIEWS, &error));
  ct_geometry_set_arc(&g, 0, M_PI / VIEWS);
  const ct_projector_request many = {
      .geometry = &g, .grid = ct_grid_centred(N, N, SLICES, 1, NULL), .model = CT_MODEL_JOSEPH, .threads = 2};
  FOR_SOLVERS(solver) {
    if (solver->needs & CT_NEEDS_ROWS) continue;
    const bool shares = !(solver->uses & CT_USES_ORDER);
    const char *often = shares ? "orbit-matrix" : "joseph-2d";
    const struct {
      const char *taken;
      int iterations;
      double spare;
      double off;
      size_t memory;
    } cases[] = {{often, PAID, 1e9, 0, 0},           {often, 1000, 1e9, 0, 0},
                 {"joseph-2d", PAID - 1, 1e9, 0, 0}, {"joseph-2d", 1000, 1e4, 0, 0},
                 {"joseph-2d", 1000, 1e9, 0.37, 0},  {"joseph-2d", 1000, 1e9, 0, 100000}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
      ct_projector_request request = many;
      request.memory = cases[n].memory;
      g.centre_u += cases[n].off;
      const ct_projector *taken = choose(solver, cases[n].iterations, &request, cases[n].spare, why, &fell_back);
      g.centre_u -= cases[n].off;
      if (!taken || strncmp(taken->id, cases[n].taken, strlen(cases[n].taken)) != 0)
        CT_TEST_END(1, "%s, case %zu: %s", solver->names->id, n, taken ? taken->id : "none");
      CHECK_IN(solver, !fell_back && !strstr(why, "20 slices share one stored matrix") == !taken->stored);
    }
  }
  /* Few slices pay for none, however often. */
  ct_geometry_clear(&g);
  CHECK_OK(ct_geometry_init(&g, CT_BEAM_PARALLEL, N, 15, VIEWS, &error));
  ct_geometry_set_arc(&g, 0, M_PI / VIEWS);
  const ct_projector_request few = {
      .geometry = &g, .grid = ct_grid_centred(N, N, 15, 1, NULL), .model = CT_MODEL_JOSEPH, .threads = 2};
  const ct_projector *taken = choose(ct_solver_find(CT_METHOD_SIRT), 1000, &few, 1e9, why, &fell_back);
  CHECK(taken && !taken->stored);
  ct_geometry_clear(&g);
}

static void without_reference(void) {
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, N, VIEWS, true, &error));
  p.request.reference = NULL;
  ct_iterative *run = problem_run(&p, 2, NULL, &error);
  CHECK_OK(run);
  CHECK(isnan(last_of(run)->rmse) && isnan(last_of(run)->relative_rmse) && isnan(last_of(run)->ssim));
  ct_projector_shape shape;
  ct_iterative_get_shape(run, &shape);
  CHECK(shape.image >= VOXELS && shape.blocks >= 1 && *ct_iterative_get_why(run));
  ct_iterative_free(run);
  problem_clear(&p);
}

static const ct_test tests[] = {
    {"runs stop by residual and by change", stopping},
    {"finish early, go on, ask for less than is done", finish_early},
    {"finish at once", finish_at_once},
    {"in parts, cancelled between iterations and at once give the same", going_on},
    {"another run goes on from what one kept", going_on_in_another_run},
    {"a cancel at any time leaves a whole iteration", cancel_within},
    {"a cancelled job begins nothing", cancel_before},
    {"bad parameters and data are refused with a message", refusals},
    {"methods that need the transpose get it", matched_pairs},
    {"a matrix without its symmetry is replaced by rows, none fits into nothing", falls_back},
    {"many slices share a matrix where it is paid, fits and has its symmetry", shared_matrix},
    {"without a reference there is nothing to compare with", without_reference},
};
CT_TEST_MAIN(tests)
