/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filtered projections kept in 16 bits: every kernel that offers it against textbook of the same precision, with every
 * interpolation that it offers, as closely as in single precision; textbook's own against single precision; and what
 * is not finite. */
#include "tests/bp/checks.h"

static void check(ct_precision precision) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  for (int interp = CT_INTERP_NEAREST; interp <= CT_INTERP_OVERSAMPLED; interp++)
    check_interp_in_steps(&table, (ct_interp)interp, precision, interp == CT_INTERP_LINEAR ? 2 : 4);
}

static void test_float16(void) {
  check(CT_PRECISION_FLOAT16);
}

static void test_int16(void) {
  check(CT_PRECISION_INT16);
}

typedef struct pair {
  ct_bp_request request;
  ct_geometry geometry;
  ct_stack *stack;
  ct_volume *single, *stored;
} pair;

static void pair_clear(pair *p) {
  ct_volume_free(p->single);
  ct_volume_free(p->stored);
  ct_stack_free(p->stack);
  ct_geometry_clear(&p->geometry);
}

static bool pair_make(pair *p, const problem *from, ct_precision precision, float factor, ct_error **error) {
  *p = (pair){0};
  if (!problem_geometry(from, &p->geometry, error)) return false;
  p->request = (ct_bp_request){.geometry = &p->geometry,
                               .grid = problem_grid(from),
                               .interp = CT_INTERP_LINEAR,
                               .precision = precision,
                               .threads = 2,
                               .batch = 5};
  p->stack = problem_projections(&p->geometry, error);
  p->single = p->stack ? ct_volume_new(&p->request.grid, error) : NULL;
  p->stored = p->single ? ct_volume_new(&p->request.grid, error) : NULL;
  if (!p->stored) return false;
  for (int view = 0; view < p->geometry.views; view++)
    for (int n = 0; n < from->nu * from->nv; n++) ct_stack_view(p->stack, view)[n] *= factor;
  return true;
}

/* One case of every beam. */
static const char *const beams[] = {"cone, offsets", "cone, tilted detector", "parallel, slices between rows", "fan",
                                    "free, C-arm"};

/* One where a machine is too slow for all. */
static int beam_count(void) {
  return ct_test_case_step() > 1 ? 1 : 5;
}

static const problem *find_case(const char *name) {
  for (int c = 0; c < case_count; c++)
    if (!strcmp(cases[c].name, name)) return &cases[c];
  return NULL;
}

/* What storage costs, by textbook, in projections of any scale: 11 bits of each sample, and 16 of the largest. */
static void test_cost(void) {
  const ct_bp_kernel *textbook = ct_bp_cpu_kernels().kernels[0];
  static const float factors[] = {1, 1e-25f, 1e-9f, 1e12f, 1e30f};
  for (int b = 0; b < beam_count(); b++)
    for (int precision = CT_PRECISION_FLOAT16; precision <= CT_PRECISION_INT16; precision++) {
      ct_error *error = NULL;
      pair p;
      bool fine = pair_make(&p, find_case(beams[b]), (ct_precision)precision, factors[b], &error) &&
                  problem_run(textbook, &p.request, p.stack, p.stored, NULL, &error);
      p.request.precision = CT_PRECISION_FLOAT32;
      fine = fine && problem_run(textbook, &p.request, p.stack, p.single, NULL, &error);
      const double rmse = fine ? problem_rel_rmse(p.stored, p.single) : 0;
      pair_clear(&p);
      CHECK_OK(fine);
      if (getenv("CT_TEST_VERBOSE"))
        printf("# %-34s %-7s %.2e\n", beams[b], ct_precision_id((ct_precision)precision), rmse);
      if (!(rmse > 2e-6 && rmse < (precision == CT_PRECISION_FLOAT16 ? 3e-4 : 5e-5)))
        CT_TEST_END(1, "%s, %s: relative RMSE %.3g", beams[b], ct_precision_id((ct_precision)precision), rmse);
    }
}

/* Layouts of 16 bits take about half of the memory. */
static void test_memory(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  int halved = 0;
  for (size_t k = 0; k < table.count; k++) {
    const ct_bp_kernel *kernel = table.kernels[k];
    if (!kernel->stored[0].at[ct_bp_needs(kernel)]) continue;
    ct_error *error = NULL;
    pair p;
    CHECK_OK(pair_make(&p, find_case("free, C-arm"), CT_PRECISION_FLOAT32, 1, &error));
    p.request.grid.nx = p.request.grid.ny = p.request.grid.nz = 1, p.request.threads = 1;
    const size_t single = kernel->memory(kernel, &p.request);
    for (int precision = CT_PRECISION_FLOAT16; precision <= CT_PRECISION_INT16; precision++) {
      p.request.precision = (ct_precision)precision;
      const size_t stored = kernel->memory(kernel, &p.request);
      if (!(stored < 0.75 * (double)single)) CT_TEST_END(1, "%s: %zu bytes, not %zu", kernel->id, stored, single);
      halved++;
    }
    pair_clear(&p);
  }
#ifdef __x86_64__
  CHECK(halved >= 8);
#endif
}

/* Halves hand on what is not a number; integers refuse it, with the projection's number. What is not finite does not
 * set the unit either. */
static void test_not_finite(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  for (size_t k = 0; k < table.count; k++)
    for (int precision = CT_PRECISION_FLOAT16; precision <= CT_PRECISION_INT16; precision++) {
      const ct_bp_kernel *kernel = table.kernels[k];
      if (!runs_here(kernel)) continue;
      for (int b = 0; b < beam_count(); b++) {
        const problem *from = find_case(beams[b]);
        ct_error *error = NULL;
        pair p;
        CHECK_OK(pair_make(&p, from, (ct_precision)precision, 1, &error));
        if (ct_bp_accepts(kernel, &p.request, NULL)) {
          ct_stack_view(p.stack, 3)[from->nu * (from->nv / 2) + from->nu / 2] = b % 2 ? NAN : INFINITY;
          const bool ran = problem_run(kernel, &p.request, p.stack, p.stored, NULL, &error);
          size_t odd = 0;
          for (size_t n = 0; n < ct_grid_voxels(&p.request.grid); n++)
            odd += !isfinite(ct_volume_get_data(p.stored)[n]);
          const bool right = precision == CT_PRECISION_FLOAT16
                                 ? ran && odd > 0 && odd < ct_grid_voxels(&p.request.grid)
                                 : !ran && error && error->code == CT_ERROR_DATA && strstr(error->message, "ection 3 ");
          ct_error_clear(&error);
          if (!right) CT_TEST_END(1, "%s, %s, precision %d", kernel->id, from->name, precision);
        }
        pair_clear(&p);
      }
    }
}

static const ct_test tests[] = {
    {"kernels agree with textbook in half precision", test_float16},
    {"kernels agree with textbook in 16-bit integers", test_int16},
    {"storage costs what the digits left out are", test_cost},
    {"layouts take less memory", test_memory},
    {"what is not finite stays so, or is refused", test_not_finite},
};
CT_TEST_MAIN(tests)
