/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every GPU kernel against textbook on one in twelve of the cases that it accepts (CT_TEST_WHOLE: on one in six, in
 * each of the three interpolations; all would take software OpenGL minutes), on whatever device this machine has
 * (Mesa's software renderer will do), with the driver checking every call. */
#include "render/compute/device.h"
#include "render/compute/setting-macros-private.h"
#include "tests/bp/checks.h"

static ct_bp_device *device;

static bool open_device(void) {
  ct_error *error = NULL;
  if (!device) device = check_device = ctgl_device_new(NULL, true, &error);
  ct_error_clear(&error);
  return device;
}

#define NEED_DEVICE()                                                                                                  \
  if (!open_device()) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

/* Sanitizers watch the processor's side of the kernels, which is the same in every case. Each share is part of the next
 * larger one: software OpenGL takes a tenth of a second to compile a shader, and keeps it for the next test. */
#if defined(__SANITIZE_ADDRESS__)
enum { SAMPLE = 60 };
#else
enum { SAMPLE = 12 };
#endif
enum { WHOLE = 6 };

static int shares(void) {
  return whole() ? WHOLE : SAMPLE;
}

static void test_linear(void) {
  NEED_DEVICE();
  const ct_bp_table table = ctgl_backend(device).kernels;
  check_interp_shared(&table, CT_INTERP_LINEAR, CT_PRECISION_FLOAT32, shares(), WHOLE);
}

static void test_nearest(void) {
  NEED_DEVICE();
  const ct_bp_table table = ctgl_backend(device).kernels;
  check_interp_shared(&table, CT_INTERP_NEAREST, CT_PRECISION_FLOAT32, shares(), WHOLE);
}

static void test_oversampled(void) {
  NEED_DEVICE();
  const ct_bp_table table = ctgl_backend(device).kernels;
  check_interp_shared(&table, CT_INTERP_OVERSAMPLED, CT_PRECISION_FLOAT32, shares(), WHOLE);
}

/* Of half precision, in some unit of the projections: the relative RMSE against textbook, and the factor between both.
 */
typedef struct half_error {
  double rmse, slope;
} half_error;

static void scale_stack(ct_stack *stack, float unit) {
  const size_t pixels = (size_t)ct_stack_nu(stack) * (size_t)ct_stack_nv(stack);
  for (int view = 0; view < ct_stack_views(stack); view++)
    for (size_t n = 0; n < pixels; n++) ct_stack_view(stack, view)[n] *= unit;
}

static half_error difference(const ct_volume *volume, const ct_volume *reference, const ct_grid *grid) {
  const float *a = ct_volume_get_data(volume), *b = ct_volume_get_data(reference);
  double product = 0, square = 0, off = 0;
  for (size_t n = 0; n < ct_grid_voxels(grid); n++) {
    product += (double)a[n] * b[n], square += (double)b[n] * b[n];
    off += ((double)a[n] - b[n]) * ((double)a[n] - b[n]);
  }
  return (half_error){sqrt(off / square), product / square};
}

/* The errors of a kernel's half precision on a scene whose projections are in the unit wanted: beside textbook, and of
 * a texture unit, which cuts positions to 8 bits, beside its own single precision. */
static bool half_errors(const ct_bp_kernel *kernel, const ct_bp_request *half, scene *s, half_error *out,
                        ct_error **error) {
  ct_bp_request single = *half;
  single.precision = CT_PRECISION_FLOAT32;
  const bool fetches = kernel->tolerance == CTGL_TEXTURE_TOLERANCE;
  ct_volume *own = fetches ? ct_volume_new(&half->grid, error) : NULL;
  bool good = !fetches || (own && problem_run(kernel, &single, s->stack, own, NULL, error));
  start_at(s->volume, 0);
  good = good && problem_run(kernel, half, s->stack, s->volume, NULL, error);
  if (good) *out = difference(s->volume, fetches ? own : s->reference, &half->grid);
  ct_volume_free(own);
  return good;
}

/* The scene of a case in a unit, with textbook's volume of it. */
static bool make_scaled(scene *s, const problem *p, float unit, ct_bp_request *request, ct_error **error) {
  const ct_bp_table table = ctgl_backend(device).kernels, processor = ct_bp_cpu_kernels();
  if (!scene_make(s, p, CT_INTERP_LINEAR, CT_PRECISION_FLOAT32, &table, request, error)) return false;
  if (!s->stack) return true;
  scale_stack(s->stack, unit);
  start_at(s->reference, 0);
  return problem_run(ct_bp_find(&processor, "textbook"), request, s->stack, s->reference, NULL, error);
}

static bool offers_half(const ct_bp_kernel *kernel) {
  return (kernel->precisions & CT_BIT(CT_PRECISION_FLOAT16)) && runs_here(kernel);
}

/* Samples rounded to the nearest of half precision are 2^-12 of themselves off at most, and none is smaller on average,
 * as cut ones are (0.9996): in any unit of measurement, which must not reach the format's subnormal numbers. */
static void test_half(void) {
  NEED_DEVICE();
  static const float units[] = {1, 1e-6f, 1e6f};
  enum { unit_count = sizeof units / sizeof *units };
  unsigned served[most_kernels] = {0}; /* by kernel: a bit for each unit */
  const ct_bp_table table = ctgl_backend(device).kernels;
  CHECK(table.count <= most_kernels);
  for (int c = 0, turn = 0; c < case_count; c += 5, turn = (turn + 1) % unit_count) {
    ct_error *error = NULL;
    scene s;
    ct_bp_request half;
    char words[400] = "";
    if (make_scaled(&s, &cases[c], units[turn], &half, &error)) {
      half.precision = CT_PRECISION_FLOAT16;
      for (size_t n = 0; n < table.count && !*words; n++) {
        const ct_bp_kernel *kernel = table.kernels[n];
        half_error e = {0, 1};
        if (!s.stack || !offers_half(kernel) || (served[n] & CT_BIT(turn)) || !ct_bp_accepts(kernel, &half, NULL))
          continue;
        served[n] |= CT_BIT(turn);
        if (!half_errors(kernel, &half, &s, &e, &error))
          snprintf(words, sizeof words, "%s, %s: %.200s", kernel->id, cases[c].name, error->message);
        else if (!(e.rmse <= 3e-4 && fabs(e.slope - 1) <= 2e-5))
          snprintf(words, sizeof words, "%s, %s: relative RMSE %.3g, slope 1 %+.2g in half precision", kernel->id,
                   cases[c].name, e.rmse, e.slope - 1);
      }
    } else
      snprintf(words, sizeof words, "%s: %.200s", cases[c].name, error->message);
    ct_error_clear(&error);
    scene_clear(&s);
    if (*words) CT_TEST_END(1, "%s", words);
  }
  for (size_t n = 0; n < table.count; n++)
    if (offers_half(table.kernels[n]) && !served[n])
      CT_TEST_END(1, "no case tests kernel %s in half precision", table.kernels[n]->id);
}

/* The axis of Eq. 1 of Chilingaryan et al., corrected for each view, in kernels of each way to read. */
static void test_wandering_axis(void) {
  NEED_DEVICE();
  static const char *const ids[] = {"gl-slices-2", "gl-quarters-1", "gl-columns", "gl-hybrid-4", "gl-tuned-parallel"};
  enum { id_count = sizeof ids / sizeof *ids };
  const ct_bp_table all = ctgl_backend(device).kernels;
  const ct_bp_kernel *some[id_count];
  for (int n = 0; n < id_count; n++) some[n] = ct_bp_find(&all, ids[n]);
  const ct_bp_table table = {.kernels = some, .count = id_count};
  char words[400];
  for (int n = 0; n < case_count; n++) {
    int served[id_count] = {0};
    if (!strstr(cases[n].name, "wandering axis")) continue;
    if (!compare_all(&table, &cases[n], CT_INTERP_LINEAR, CT_PRECISION_FLOAT32, NULL, served, words, sizeof words))
      CT_TEST_END(1, "%s", words);
    for (int k = 0; k < id_count; k++) CHECK(served[k] == 1);
  }
}

static void test_cancel(void) {
  NEED_DEVICE();
  const ct_bp_table table = ctgl_backend(device).kernels;
  check_cancel(&table);
}

/* What auto takes for a cube (or a single plane) of a beam, among all kernels. */
static const ct_bp_kernel *automatic(ct_beam beam, int nz, ct_interp interp, ct_precision precision) {
  const ct_bp_table cpu = ct_bp_cpu_kernels(), gpu = ctgl_backend(device).kernels;
  const ct_bp_kernel *all[256];
  size_t count = 0;
  for (size_t n = 0; n < cpu.count; n++) all[count++] = cpu.kernels[n];
  for (size_t n = 0; n < gpu.count; n++) all[count++] = gpu.kernels[n];
  const ct_bp_table table = {.kernels = all, .count = count};
  ct_geometry geometry;
  if (!ct_geometry_init(&geometry, beam, 32, 32, 8, NULL)) return NULL;
  geometry.sod = 100, geometry.sdd = 150;
  ct_geometry_set_arc(&geometry, 0, 0.7);
  ct_grid grid = ct_grid_natural(&geometry);
  grid.nz = nz;
  const ct_bp_request request = {.geometry = &geometry,
                                 .grid = grid,
                                 .interp = interp,
                                 .precision = precision,
                                 .threads = 2,
                                 .batch = 8,
                                 .device = device};
  const ct_bp_kernel *kernel = ct_bp_choose(&table, "auto", &request, NULL, 0, NULL);
  ct_geometry_clear(&geometry);
  return kernel;
}

static bool takes(ct_beam beam, int nz, ct_interp interp, ct_precision precision, const char *id) {
  const ct_bp_kernel *kernel = automatic(beam, nz, interp, precision);
  return kernel && (id ? !strcmp(kernel->id, id) : !kernel->gpu);
}

static void test_automatic(void) {
  static const ct_interp interps[] = {CT_INTERP_NEAREST, CT_INTERP_LINEAR, CT_INTERP_OVERSAMPLED};
  static const ct_precision precisions[] = {CT_PRECISION_FLOAT32, CT_PRECISION_FLOAT16};
  NEED_DEVICE();
  /* The device's own facts: a card as far as the choice can see. */
  ctgl_device_facts *facts = (ctgl_device_facts *)ctgl_device_get_facts(device);
  const bool software = facts->software;
  int wrong = 0;
  for (int card = 0; card < 2; card++)
    for (int i = 0; i < 3; i++)
      for (int p = 0; p < 2; p++) {
        facts->software = !card;
        /* The kernel for any matrices takes no four samples a pixel: the processor serves a cone there. */
        const char *cone = card && interps[i] != CT_INTERP_OVERSAMPLED ? "gl-tuned" : NULL;
        wrong += !takes(CT_BEAM_CONE, 32, interps[i], precisions[p], cone);
        wrong += !takes(CT_BEAM_PARALLEL, 32, interps[i], precisions[p], card ? "gl-tuned-parallel" : NULL);
        wrong += !takes(CT_BEAM_CONE, 1, interps[i], precisions[p], NULL);
        wrong += !takes(CT_BEAM_PARALLEL, 1, interps[i], precisions[p], NULL);
      }
  facts->software = software;
  CHECK(wrong == 0);
}

static const ct_test tests[] = {
    {"every GPU kernel agrees with textbook, linear", test_linear},
    {"every GPU kernel agrees with textbook, nearest", test_nearest},
    {"every GPU kernel agrees with textbook, oversampled", test_oversampled},
    {"every GPU kernel that offers half precision keeps to 3e-4, and to the mean", test_half},
    {"an axis that wanders is served by the kernels of parallel beam", test_wandering_axis},
    {"a cancel is answered", test_cancel},
    {"auto takes a card's tuned kernels for volumes, and nothing drawn in software", test_automatic},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
