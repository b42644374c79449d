/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 16-bit integers: what the loop over all kernels does not reach. Samples at plus and minus the largest magnitude must
 * not overflow any sum, projections of any scale keep their digits, zeros stay zero, and what is not finite is refused.
 */
#include "tests/bp/checks.h"

static const problem scans[] = {
    {"cone", CT_BEAM_CONE, 48, 40, 16, 1, 1, 100, 150, 0, 0, 0, 0.1, TURN, 0, 33, 18, 40, 0.6, 0.6, 0.55, 0, 0, 0},
    {"cone, offset, two rows a voxel",
     CT_BEAM_CONE,
     47,
     90,
     19,
     1,
     0.5,
     100,
     150,
     3.3,
     -4.7,
     0,
     0.1,
     TURN,
     0,
     21,
     17,
     35,
     0.6,
     0.7,
     0.7,
     1,
     2,
     1},
    {"parallel", CT_BEAM_PARALLEL, 63, 31, 19, 1, 1.3, 0, 0, -3.7, 2, 0, 0.1, TURN, 0, 35, 45, 37, 1, 0.8, 0.9, 2, 1,
     3},
};
enum { scan_count = sizeof scans / sizeof *scans };

typedef enum { CONSTANT, ALTERNATING, NOISE, ZERO, ODD } pattern;

static void fill(ct_stack *stack, pattern kind, float factor) {
  const int nu = ct_stack_nu(stack), nv = ct_stack_nv(stack);
  float *at = ct_stack_data(stack);
  for (int view = 0; view < ct_stack_views(stack); view++)
    for (int v = 0; v < nv; v++)
      for (int u = 0; u < nu; u++, at++) {
        if (kind == NOISE) *at *= factor;
        if (kind == CONSTANT) *at = -factor;
        if (kind == ALTERNATING) *at = (u + v) % 2 ? factor : -factor;
        if (kind == ZERO) *at = 0;
        if (kind == ODD && view == 3 && u == nu / 2 && v == nv / 2) *at = factor;
      }
}

/* Where neighbours of opposite sign nearly cancel, the error counts against what all views' magnitudes add up to; a sum
 * that overflows is off by sixteen magnitudes. */
static double error_of(const scene *s, pattern kind, float factor) {
  const float *a = ct_volume_get_data(s->volume), *b = ct_volume_get_data(s->reference);
  const size_t count = ct_grid_voxels(ct_volume_grid(s->volume));
  if (kind != ALTERNATING) return problem_rel_rmse(s->volume, s->reference);
  double sum = 0;
  for (size_t n = 0; n < count; n++) sum += ((double)a[n] - b[n]) * ((double)a[n] - b[n]);
  return sqrt(sum / (double)count) / (s->geometry.views * (double)factor);
}

static bool offers_integers(const ct_bp_kernel *kernel) {
  return strcmp(kernel->id, "textbook") && (kernel->precisions & CT_BIT(CT_PRECISION_INT16)) && runs_here(kernel);
}

/* Textbook in single precision. */
static bool run_textbook(const ct_bp_request *request, scene *s, ct_error **error) {
  ct_bp_request single = *request;
  single.precision = CT_PRECISION_FLOAT32;
  return problem_run(ct_bp_cpu_kernels().kernels[0], &single, s->stack, s->reference, NULL, error);
}

/* Runs every kernel of 16-bit integers on every scan; ODD expects a refusal. */
static void check_pattern(pattern kind, float factor) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  int served = 0, offered = 0;
  for (size_t k = 0; k < table.count; k++) {
    const ct_bp_kernel *kernel = table.kernels[k];
    if (!offers_integers(kernel)) continue;
    offered++;
    for (int n = 0; n < scan_count; n++) {
      ct_error *error = NULL;
      scene s = {0};
      bool fine = problem_geometry(&scans[n], &s.geometry, &error);
      const ct_grid grid = problem_grid(&scans[n]);
      const ct_bp_request request = {.geometry = &s.geometry,
                                     .grid = grid,
                                     .interp = CT_INTERP_LINEAR,
                                     .precision = CT_PRECISION_INT16,
                                     .threads = 2,
                                     .batch = 19};
      if (fine && ct_bp_accepts(kernel, &request, NULL)) {
        served++;
        s.stack = problem_projections(&s.geometry, &error);
        s.reference = ct_volume_new(&grid, &error);
        s.volume = ct_volume_new(&grid, &error);
        fine = s.stack && s.reference && s.volume;
        if (fine) fill(s.stack, kind, factor);
        fine = fine && (kind == ODD || run_textbook(&request, &s, &error));
        const bool ran = fine && problem_run(kernel, &request, s.stack, s.volume, NULL, &error);
        if (kind == ODD)
          fine = fine && !ran && error && error->code == CT_ERROR_DATA && strstr(error->message, "Projection 3");
        else
          fine = ran && error_of(&s, kind, factor) <= 1e-4;
      }
      ct_error_clear(&error);
      scene_clear(&s);
      if (!fine) CT_TEST_END(1, "%s, %s, factor %g", kernel->id, scans[n].name, (double)factor);
    }
  }
  CHECK(served >= offered);
}

/* Shepp and Logan's head, modified for contrast (Toft 1996): value, half-axes, centre, degrees. */
static const double head[][6] = {{1, 0.69, 0.92, 0, 0, 0},          {-0.8, 0.6624, 0.874, 0, -0.0184, 0},
                                 {-0.2, 0.11, 0.31, 0.22, 0, -18},  {-0.2, 0.16, 0.41, -0.22, 0, 18},
                                 {0.1, 0.21, 0.25, 0, 0.35, 0},     {0.1, 0.046, 0.046, 0, 0.1, 0},
                                 {0.1, 0.046, 0.046, 0, -0.1, 0},   {0.1, 0.046, 0.023, -0.08, -0.605, 0},
                                 {0.1, 0.023, 0.023, 0, -0.606, 0}, {0.1, 0.023, 0.046, 0.06, -0.605, 0}};

/* Along the line of points whose product with (cos angle, sin angle) is s, of a head of half-axis 0.92 radius. */
static double head_integral(double s, double angle, double radius) {
  double sum = 0;
  for (size_t n = 0; n < sizeof head / sizeof *head; n++) {
    const double *e = head[n], turned = angle - e[5] * M_PI / 180;
    const double off = s / radius - e[3] * cos(angle) - e[4] * sin(angle);
    const double ac = e[1] * cos(turned), bs = e[2] * sin(turned), width = ac * ac + bs * bs;
    if (off * off < width) sum += e[0] * 2 * e[1] * e[2] * sqrt(width - off * off) / width;
  }
  return sum * radius;
}

/* The head, a little smaller in each row than in the one below it, filtered line by line for its beam. */
static bool fill_head(const problem *p, double radius, ct_stack *stack) {
  float *line = malloc((size_t)p->nu * sizeof *line);
  for (int view = 0; line && view < p->views; view++)
    for (int v = 0; v < p->nv; v++) {
      const double angle = p->first + p->arc * view / p->views, size = radius * (1 - 0.03 * v);
      for (int u = 0; u < p->nu; u++) {
        const double at = (u - (p->nu - 1) / 2.0 - p->offset_u) * p->du;
        const double slope = p->beam == CT_BEAM_PARALLEL ? 0 : atan(at / p->sdd);
        line[u] = (float)(cos(slope) * head_integral(slope ? p->sod * sin(slope) : at, angle - slope, size));
      }
      problem_ramp(line, p->nu, ct_stack_view(stack, view) + (size_t)v * (size_t)p->nu);
    }
  free(line);
  return line;
}

/* Positive and negative contributions cancel in a filtered scan, roundings do not: what kernels promise is for these.
 */
static void test_filtered_scans(void) {
  static const problem filtered[] = {{"parallel, 30 views",
                                      CT_BEAM_PARALLEL,
                                      128,
                                      5,
                                      30,
                                      1,
                                      1,
                                      0,
                                      0,
                                      0.3,
                                      0,
                                      0,
                                      0.1,
                                      TURN / 2,
                                      0,
                                      120,
                                      120,
                                      5,
                                      1,
                                      1,
                                      1,
                                      0,
                                      0,
                                      0},
                                     {"parallel, 120 views",
                                      CT_BEAM_PARALLEL,
                                      128,
                                      5,
                                      120,
                                      1,
                                      1,
                                      0,
                                      0,
                                      0.3,
                                      0,
                                      0,
                                      0.1,
                                      TURN / 2,
                                      0,
                                      120,
                                      60,
                                      3,
                                      1,
                                      1,
                                      1,
                                      0,
                                      0,
                                      0},
                                     {"cone, 30 views",
                                      CT_BEAM_CONE,
                                      128,
                                      8,
                                      30,
                                      1,
                                      1,
                                      400,
                                      600,
                                      0.3,
                                      0.2,
                                      0,
                                      0.1,
                                      TURN,
                                      0,
                                      80,
                                      80,
                                      8,
                                      1,
                                      1,
                                      0.6,
                                      0,
                                      0,
                                      0}};
  const ct_bp_table table = ct_bp_cpu_kernels();
  int served = 0;
  for (size_t n = 0; n < sizeof filtered / sizeof *filtered; n++) {
    const problem *p = &filtered[n];
    const double radius = 0.48 * p->nu * (p->beam == CT_BEAM_PARALLEL ? 1 : p->sod / p->sdd);
    ct_error *error = NULL;
    scene s = {0};
    const ct_grid grid = problem_grid(p);
    const ct_bp_request request = {.geometry = &s.geometry,
                                   .grid = grid,
                                   .interp = CT_INTERP_LINEAR,
                                   .precision = CT_PRECISION_INT16,
                                   .threads = 2,
                                   .batch = 19};
    bool fine = problem_geometry(p, &s.geometry, &error) && (s.stack = ct_stack_new(p->nu, p->nv, p->views, &error)) &&
                (s.reference = ct_volume_new(&grid, &error)) && fill_head(p, radius, s.stack) &&
                run_textbook(&request, &s, &error);
    for (size_t k = 1; fine && k < table.count; k++) {
      const ct_bp_kernel *kernel = table.kernels[k];
      if (!offers_integers(kernel) || !ct_bp_accepts(kernel, &request, NULL)) continue;
      served++;
      fine =
          (s.volume = ct_volume_new(&grid, &error)) && problem_run(kernel, &request, s.stack, s.volume, NULL, &error);
      const double rmse = fine ? problem_rel_rmse(s.volume, s.reference) : 0;
      if (getenv("CT_TEST_VERBOSE")) printf("# %-20s %-34s %.2e\n", kernel->id, p->name, rmse);
      if (fine && !(rmse > 2e-5 && rmse <= 2e-4))
        fine = ct_error_set(&error, CT_ERROR_DATA, "%s, %s: relative RMSE %.3g", kernel->id, p->name, rmse);
      ct_volume_free(s.volume);
      s.volume = NULL;
    }
    scene_clear(&s);
    CHECK_OK(fine);
  }
  if (!served) SKIP("no kernel of 16-bit integers runs on this processor");
}

static void test_extremes(void) {
  check_pattern(CONSTANT, 1);
  check_pattern(ALTERNATING, 1);
}

static void test_scales(void) {
  const float factors[] = {1e-25f, 1e-12f, 1e12f, 1e30f};
  for (int n = 0; n < 4; n++) check_pattern(NOISE, factors[n]);
}

static void test_zero(void) {
  check_pattern(ZERO, 0);
}

static void test_not_finite(void) {
  check_pattern(ODD, NAN);
  check_pattern(ODD, INFINITY);
  check_pattern(ODD, -INFINITY);
}

static const ct_test tests[] = {
    {"filtered scans lose what is promised at most, from 30 views on", test_filtered_scans},
    {"samples at plus and minus the largest magnitude overflow nothing", test_extremes},
    {"projections of any scale keep their digits", test_scales},
    {"zeros stay zero", test_zero},
    {"what is not finite is refused with the projection's number", test_not_finite},
};
CT_TEST_MAIN(tests)
