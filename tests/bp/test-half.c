/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Half precision: the conversions over all numbers, and every kernel that calculates in float16 against textbook within
 * its tolerance, for tiny and huge projections too, for any number of threads, and when cancelled. */
#include "recon/bp/layout/half.h"
#include "recon/geom/questions.h"
#include "tests/bp/cases.h"
#include "tests/bp/wanted.h"
#include "tests/test.h"

static double value_of(unsigned half) {
  const unsigned exponent = half >> 10 & 31, mantissa = half & 1023;
  const double magnitude = exponent ? ldexp(1024 + mantissa, (int)exponent - 25) : ldexp(mantissa, -24);
  return half & 0x8000 ? -magnitude : magnitude;
}

static void test_to_float(void) {
  for (unsigned half = 0; half < 0x10000; half++) {
    const float value = ct_half_to_float((uint16_t)half);
    if ((half & 0x7fff) < 0x7c00)
      CHECK((double)value == value_of(half) && !signbit(value) == !(half & 0x8000));
    else if ((half & 0x7fff) == 0x7c00)
      CHECK(isinf(value) && !signbit(value) == !(half & 0x8000));
    else
      CHECK(isnan(value));
    if (!isnan(value)) CHECK(ct_half_from_float(value) == half);
  }
}

static void test_from_float(void) {
  for (unsigned half = 0; half < 0x7bff; half++) {
    const float low = ct_half_to_float((uint16_t)half), high = ct_half_to_float((uint16_t)(half + 1));
    const float middle = (low + high) / 2; /* exact, and ties go to the even one */
    CHECK(ct_half_from_float(middle) == (half & 1 ? half + 1 : half));
    CHECK(ct_half_from_float(nextafterf(middle, low)) == half);
    CHECK(ct_half_from_float(-nextafterf(middle, high)) == ((half + 1) | 0x8000));
  }
  CHECK(ct_half_from_float(65519.996f) == 0x7bff);
  CHECK(ct_half_from_float(65520) == 0x7c00);
  CHECK(ct_half_from_float(3e38f) == 0x7c00);
  CHECK(ct_half_from_float(-INFINITY) == 0xfc00);
  CHECK(ct_half_from_float(1e-30f) == 0);
  CHECK(isnan(ct_half_to_float(ct_half_from_float(NAN))));
}

typedef struct scene {
  ct_geometry geometry;
  ct_bp_request request;
  ct_stack *stack;
  ct_volume *reference, *volume;
} scene;

static void scene_clear(scene *s) {
  ct_volume_free(s->reference);
  ct_volume_free(s->volume);
  ct_stack_free(s->stack);
  ct_geometry_clear(&s->geometry);
}

/* In single precision. */
static bool run_textbook(scene *s, ct_error **error) {
  ct_bp_request single = s->request;
  single.precision = CT_PRECISION_FLOAT32;
  return problem_run(ct_bp_cpu_kernels().kernels[0], &single, s->stack, s->reference, NULL, error);
}

/* Projections times `factor`; the reference is textbook's. */
static bool scene_make(scene *s, const problem *p, ct_interp interp, float factor, ct_error **error) {
  *s = (scene){0};
  if (!problem_geometry(p, &s->geometry, error)) return false;
  s->request = (ct_bp_request){.geometry = &s->geometry,
                               .grid = problem_grid(p),
                               .interp = interp,
                               .precision = CT_PRECISION_FLOAT16,
                               .threads = 2,
                               .batch = 5};
  s->stack = problem_projections(&s->geometry, error);
  s->reference = s->stack ? ct_volume_new(&s->request.grid, error) : NULL;
  s->volume = s->reference ? ct_volume_new(&s->request.grid, error) : NULL;
  if (!s->volume) return false;
  for (int view = 0; view < s->geometry.views; view++) {
    float *at = ct_stack_view(s->stack, view);
    for (int n = 0; n < p->nu * p->nv; n++) at[n] *= factor;
  }
  return run_textbook(s, error);
}

static bool serves_half(const ct_bp_kernel *kernel) {
  return runs_here(kernel) && (kernel->precisions & CT_BIT(CT_PRECISION_FLOAT16));
}

/* At most one voxel in a thousand may have jumped to the neighbouring sample. */
static void forgive_jumps(scene *s, float factor) {
  float *a = ct_volume_data(s->volume);
  const float *b = ct_volume_get_data(s->reference);
  const size_t count = ct_grid_voxels(&s->request.grid);
  size_t jumps = 0;
  for (size_t n = 0; n < count; n++)
    if (fabsf(a[n] - b[n]) > 0.02f * factor && ++jumps <= 2 + count / 1000) a[n] = b[n];
}

enum { most_kernels = 256 };

/* Here, where all views share a hill, less than the kernel promises; linear interpolation averages two rounded samples.
 * A rounded sample is off by 2^-11 / sqrt(3) of itself at most in the mean of squares, the mean of a few views by that
 * over the root of their number. */
static double bound(ct_interp interp, int views) {
  const double of_views = ldexp(1, -11) / sqrt(3.0 * views);
  return fmin(3e-4, interp == CT_INTERP_LINEAR ? 1e-4 : fmax(1.2e-4, of_views));
}

static bool compare_all(const problem *p, ct_interp interp, float factor, int *served, char *words, size_t size) {
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  scene s;
  bool fine = scene_make(&s, p, interp, factor, &error);
  for (size_t n = 0; fine && n < table.count; n++) {
    const ct_bp_kernel *kernel = table.kernels[n];
    if (!serves_half(kernel) || !ct_bp_accepts(kernel, &s.request, NULL)) continue;
    served[n]++;
    memset(ct_volume_data(s.volume), 0, ct_volume_bytes(s.volume));
    fine = problem_run(kernel, &s.request, s.stack, s.volume, NULL, &error);
    if (!fine) break;
    if (interp == CT_INTERP_NEAREST) forgive_jumps(&s, factor);
    const double rmse = problem_rel_rmse(s.volume, s.reference);
    if (getenv("CT_TEST_VERBOSE")) printf("# %-20s %-34s %.2e\n", kernel->id, p->name, rmse);
    fine = rmse <= bound(interp, p->views);
    if (!fine)
      snprintf(words, size, "%s, %s, %s: relative RMSE %.3g, not %.3g", kernel->id, p->name, ct_interp_id(interp), rmse,
               bound(interp, p->views));
  }
  if (error) snprintf(words, size, "%s: %s", p->name, error->message);
  ct_error_clear(&error);
  scene_clear(&s);
  return fine;
}

static void check_interp(ct_interp interp) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  int served[most_kernels] = {0};
  char words[400] = "";
  CHECK(table.count <= most_kernels);
  for (int c = 0; c < case_count; c++) {
    problem p = cases[c];
    if (p.beam != CT_BEAM_PARALLEL) continue;
    if (interp == CT_INTERP_NEAREST) p.offset_u += 0.1231, p.offset_v += 0.0377;
    if (!compare_all(&p, interp, 1, served, words, sizeof words)) CT_TEST_END(1, "%s", words);
  }
  for (size_t n = 0; n < table.count; n++)
    if (serves_half(table.kernels[n]) && table.kernels[n]->geometry == CT_GEOMETRY_PARALLEL &&
        (table.kernels[n]->interps & CT_BIT(interp)) && !served[n])
      CT_TEST_END(1, "no case tests kernel %s with %s", table.kernels[n]->id, ct_interp_id(interp));
}

/* Each sample as a half stores it when the largest of all is scaled to [2^14, 2^15). */
static void round_to_halves(float *values, int count) {
  float most = 0;
  int exponent;
  for (int n = 0; n < count; n++) most = fmaxf(most, fabsf(values[n]));
  frexpf(most, &exponent);
  for (int n = 0; n < count; n++)
    values[n] = ldexpf(ct_half_to_float(ct_half_from_float(ldexpf(values[n], 15 - exponent))), exponent - 15);
}

/* Rounding the samples is all that is lost: what is stored is summed as exactly as in float32. On slices that lie on
 * detector rows the tables hold the samples themselves. */
static void test_arithmetic(void) {
  static const problem slices = {"slices on rows",
                                 CT_BEAM_PARALLEL,
                                 63,
                                 37,
                                 12,
                                 1,
                                 1,
                                 0,
                                 0,
                                 -3.7,
                                 0,
                                 0,
                                 0.1,
                                 TURN,
                                 0,
                                 35,
                                 45,
                                 37,
                                 1,
                                 0.8,
                                 1,
                                 2,
                                 1,
                                 0};
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  scene s;
  bool fine = scene_make(&s, &slices, CT_INTERP_LINEAR, 1, &error);
  for (int view = 0; fine && view < s.geometry.views; view++)
    round_to_halves(ct_stack_view(s.stack, view), slices.nu * slices.nv);
  memset(ct_volume_data(s.reference), 0, ct_volume_bytes(s.reference));
  fine = fine && run_textbook(&s, &error);
  CHECK_OK(fine);
  for (size_t n = 0; fine && n < table.count; n++) {
    if (!serves_half(table.kernels[n]) || !ct_bp_accepts(table.kernels[n], &s.request, NULL)) continue;
    memset(ct_volume_data(s.volume), 0, ct_volume_bytes(s.volume));
    fine = problem_run(table.kernels[n], &s.request, s.stack, s.volume, NULL, &error);
    const double rmse = problem_rel_rmse(s.volume, s.reference);
    if (!fine || !(rmse <= 5e-6)) {
      scene_clear(&s);
      CT_TEST_END(1, "%s: relative RMSE %.3g against the rounded samples", table.kernels[n]->id, rmse);
    }
  }
  scene_clear(&s);
}

static const problem stack_of_slices = {
    "slices", CT_BEAM_PARALLEL, 63, 31, 12, 1, 1.3, 0, 0, -3.7, 2, 0, 0.1, TURN, 0, 35, 45, 37, 1, 0.8, 0.9, 2, 1, 3};

static void test_linear(void) {
  check_interp(CT_INTERP_LINEAR);
}

static void test_nearest(void) {
  check_interp(CT_INTERP_NEAREST);
}

/* Ellipses with noise through the ramp. */
static void make_filtered(ct_stack *stack) {
  const int nu = ct_stack_nu(stack), nv = ct_stack_nv(stack);
  float *line = malloc((size_t)nu * sizeof *line);
  uint32_t state = 1;
  for (int view = 0; line && view < ct_stack_views(stack); view++)
    for (int v = 0; v < nv; v++) {
      float *row = ct_stack_view(stack, view) + (size_t)v * (size_t)nu;
      for (int u = 0; u < nu; u++) {
        const double a = (u - 0.5 * nu) / (0.38 * nu), b = (u - 0.6 * nu - 3 * sin(view)) / (0.13 * nu);
        line[u] = (float)((a * a < 1 ? sqrt(1 - a * a) : 0) + 0.4 * (b * b < 1 ? sqrt(1 - b * b) : 0) +
                          0.5 * problem_noise(&state));
      }
      problem_ramp(line, nu, row);
    }
  free(line);
}

/* The sums of a filtered scan cancel for the most part, the roundings do not: this is what the kernels promise for, and
 * more than projections with a hill lose. */
static void test_filtered_scan(void) {
  static const problem scan = {"filtered", CT_BEAM_PARALLEL, 127, 9,  60, 1, 1, 0, 0, -3.7231, 0, 0,
                               0.1,        TURN / 2,         0,   61, 60, 9, 1, 1, 1, 0,       0, 0};
  for (int interp = CT_INTERP_NEAREST; interp <= CT_INTERP_LINEAR; interp++) {
    ct_error *error = NULL;
    const ct_bp_table table = ct_bp_cpu_kernels();
    scene s;
    double worst = 0;
    bool fine = scene_make(&s, &scan, (ct_interp)interp, 1, &error);
    if (fine) make_filtered(s.stack);
    if (fine) memset(ct_volume_data(s.reference), 0, ct_volume_bytes(s.reference));
    fine = fine && run_textbook(&s, &error);
    for (size_t n = 0; fine && n < table.count; n++) {
      if (!serves_half(table.kernels[n]) || !ct_bp_accepts(table.kernels[n], &s.request, NULL)) continue;
      memset(ct_volume_data(s.volume), 0, ct_volume_bytes(s.volume));
      fine = problem_run(table.kernels[n], &s.request, s.stack, s.volume, NULL, &error);
      if (interp == CT_INTERP_NEAREST) forgive_jumps(&s, 1);
      const double rmse = problem_rel_rmse(s.volume, s.reference);
      if (getenv("CT_TEST_VERBOSE")) printf("# %-20s %-34s %.2e\n", table.kernels[n]->id, scan.name, rmse);
      if (rmse > 3e-4) fine = ct_error_set(&error, CT_ERROR_DATA, "%s: %.3g", table.kernels[n]->id, rmse);
      worst = fmax(worst, rmse);
    }
    scene_clear(&s);
    CHECK_OK(fine);
    CHECK(worst == 0 || worst > 1e-4);
  }
}

/* Without scaling, these would vanish and overflow. */
static void test_scales(void) {
  const float factors[] = {1e-12f, 1e12f};
  for (int n = 0; n < 2; n++) {
    int served[most_kernels] = {0};
    char words[400] = "";
    if (!compare_all(&stack_of_slices, CT_INTERP_LINEAR, factors[n], served, words, sizeof words))
      CT_TEST_END(1, "times %g: %s", (double)factors[n], words);
  }
}

static void test_threads(void) {
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  scene s;
  bool fine = scene_make(&s, &stack_of_slices, CT_INTERP_LINEAR, 1, &error);
  for (size_t n = 0; fine && n < table.count; n++) {
    if (!serves_half(table.kernels[n]) || !ct_bp_accepts(table.kernels[n], &s.request, NULL)) continue;
    memset(ct_volume_data(s.volume), 0, ct_volume_bytes(s.volume));
    memset(ct_volume_data(s.reference), 0, ct_volume_bytes(s.volume));
    s.request.threads = 1;
    fine = problem_run(table.kernels[n], &s.request, s.stack, s.reference, NULL, &error);
    s.request.threads = 3;
    fine = fine && problem_run(table.kernels[n], &s.request, s.stack, s.volume, NULL, &error) &&
           !memcmp(ct_volume_get_data(s.volume), ct_volume_get_data(s.reference), ct_volume_bytes(s.volume));
  }
  scene_clear(&s);
  CHECK_OK(fine);
}

static void test_cancel(void) {
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  scene s;
  ct_job *job = ct_job_new(&error);
  bool fine = job && scene_make(&s, &stack_of_slices, CT_INTERP_LINEAR, 1, &error);
  CHECK_OK(fine);
  ct_job_cancel(job);
  for (size_t n = 0; fine && n < table.count; n++) {
    if (!serves_half(table.kernels[n]) || !ct_bp_accepts(table.kernels[n], &s.request, NULL)) continue;
    fine = !problem_run(table.kernels[n], &s.request, s.stack, s.volume, job, &error) && error &&
           error->code == CT_ERROR_CANCELLED;
    ct_error_clear(&error);
  }
  ct_job_free(job);
  scene_clear(&s);
  CHECK(fine);
}

/* A damaged value must not turn into a plausible one. */
static void test_not_a_number(void) {
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  scene s;
  bool fine = scene_make(&s, &stack_of_slices, CT_INTERP_LINEAR, 1, &error);
  if (fine)
    for (int n = 0; n < s.geometry.nu * s.geometry.nv; n++) ct_stack_view(s.stack, 3)[n] = n & 1 ? NAN : INFINITY;
  for (size_t n = 0; fine && n < table.count; n++) {
    if (!serves_half(table.kernels[n]) || !ct_bp_accepts(table.kernels[n], &s.request, NULL)) continue;
    memset(ct_volume_data(s.volume), 0, ct_volume_bytes(s.volume));
    fine = problem_run(table.kernels[n], &s.request, s.stack, s.volume, NULL, &error) &&
           !isfinite(ct_volume_get_data(s.volume)[ct_grid_voxels(&s.request.grid) / 2]);
  }
  scene_clear(&s);
  CHECK_OK(fine);
}

static const ct_test tests[] = {
    {"every half becomes its value, and back", test_to_float},
    {"floats round to the nearest half, ties to even", test_from_float},
    {"half precision agrees with textbook, linear", test_linear},
    {"half precision agrees with textbook, nearest", test_nearest},
    {"a filtered scan loses what is promised at most", test_filtered_scan},
    {"rounding the samples is all that is lost", test_arithmetic},
    {"tiny projections keep their digits, huge ones do not overflow", test_scales},
    {"results do not depend on the number of threads", test_threads},
    {"a cancel is answered", test_cancel},
    {"what is not a number stays so", test_not_a_number},
};
CT_TEST_MAIN(tests)
