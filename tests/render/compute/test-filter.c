/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ramp on a graphics device against the processor's: transforms of every factor, rows and views of odd numbers,
 * every window and what stands beyond the edges; in every place that kernels read projections from; and through a
 * pipeline, which says so where the device cannot. */
#include "recon/base/memory.h"
#include "recon/filter/ramp.h"
#include "recon/solve/pipeline.h"
#include "render/compute/filter-private.h"
#include "tests/filter/support.h"
#include "tests/bp/problem.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

static ct_bp_device *device;

#define NEED_DEVICE()                                                                                                  \
  if (!device) device = ctgl_device_new(NULL, true, NULL);                                                             \
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

/* Capabilities that a test makes smaller. */
static ctgl_device_facts *facts(void) {
  return (ctgl_device_facts *)ctgl_device_get_facts(device);
}

/* Projections weighted alone, and filtered by the processor. */
typedef struct sides {
  ct_geometry geometry;
  ct_stack *weighted, *filtered;
  ct_ramp_filter ramp;
} sides;

static void sides_clear(sides *s) {
  ct_stack_free(s->weighted);
  ct_stack_free(s->filtered);
  ct_ramp_filter_clear(&s->ramp);
  ct_geometry_clear(&s->geometry);
}

static bool sides_make(sides *s, const problem *p, const ct_filter_options *options, ct_error **error) {
  *s = (sides){0};
  if (!problem_geometry(p, &s->geometry, error)) return false;
  ct_filter_options bare = *options;
  bare.without_ramp = true;
  ct_stack *stack = problem_projections(&s->geometry, error);
  const bool good = stack && (s->weighted = filter_all(&s->geometry, &bare, stack, error)) &&
                    (s->filtered = filter_all(&s->geometry, options, stack, error)) &&
                    ct_ramp_filter_make(&s->geometry, options, &s->ramp, error);
  ct_stack_free(stack);
  return good;
}

static problem cone_of(int nu, int nv, int views) {
  return (problem){"cone", CT_BEAM_CONE, nu, nv, views, 1,  1,         4.0 * nu,  6.0 * nu,  0.3, 0, 0,
                   0.1,    6.2831853,    0,  24, 20,    12, nu / 48.0, nu / 48.0, nu / 48.0, 0,   0, 0};
}

/* The largest difference, as a share of the largest value. */
static double off(const float *a, const float *b, size_t count) {
  double largest = 0, most = 0;
  for (size_t n = 0; n < count; n++) {
    largest = fmax(largest, fabs((double)b[n]));
    most = fmax(most, fabs((double)a[n] - (double)b[n]));
  }
  return most / largest;
}

/* All views by the device into a buffer with a border, read back: the largest difference, border included. */
static bool compare(const sides *s, double *most, ct_error **error) {
  const ct_geometry *g = &s->geometry;
  const size_t pitch = (size_t)g->nu + 2, slot = pitch * ((size_t)g->nv + 2), all = slot * (size_t)g->views;
  const ct_bp_request request = {.geometry = g, .device = device, .ramp = &s->ramp};
  const float **projections = ct_alloc((size_t)g->views, sizeof *projections, "a batch", error);
  float *got = ct_alloc_zero(all, sizeof *got, "rows", error),
        *wanted = ct_alloc_zero(all, sizeof *wanted, "rows", error);
  if (!projections || !got || !wanted || !ctgl_filter_accepts(&request, error) || !ctgl_device_enter(device, error))
    return false;
  for (int n = 0; n < g->views; n++) {
    projections[n] = ct_stack_get_view(s->weighted, n);
    for (int v = 0; v < g->nv; v++)
      memcpy(wanted + (size_t)n * slot + ((size_t)v + 1) * pitch + 1,
             ct_stack_get_view(s->filtered, n) + (size_t)v * (size_t)g->nu, (size_t)g->nu * sizeof(float));
  }
  GLuint object;
  ctgl_filter filter;
  ctgl_pace pace = {.device = device};
  glGenBuffers(1, &object);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, object);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(all * sizeof *got), got, GL_DYNAMIC_COPY);
  bool good = ctgl_filter_init(&filter, &request, CTGL_ROWS_BUFFER, GL_R32F, g->views, error);
  good = good && ctgl_filter_run(&filter, projections, g->views, object, 1, &pace, NULL) && ctgl_pace_drain(&pace);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, object);
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(all * sizeof *got), got);
  glDeleteBuffers(1, &object);
  ctgl_filter_clear(&filter);
  good = ctgl_device_leave(device, good, "filtering", error);
  *most = off(got, wanted, all);
  ct_free(projections);
  ct_free(got);
  ct_free(wanted);
  return good;
}

/* Lines of 16, 48, 80, 240, 512 and 1536 numbers; the last row without another; more views than wait at once. */
static void test_lengths(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  static const struct {
    int nu, nv, views, length;
  } of[] = {{5, 1, 3, 16}, {21, 4, 2, 48}, {37, 5, 3, 80}, {101, 2, 1, 240}, {255, 3, 2, 512}, {700, 1, 1, 1536}};
  const ct_filter_options options = {.window = CT_WINDOW_RAM_LAK, .cutoff = 1};
  const size_t block = facts()->storage_block;
  for (size_t n = 0; n < sizeof of / sizeof *of; n++) {
    const problem p = cone_of(of[n].nu, of[n].nv, of[n].views);
    sides s;
    double most;
    CHECK_OK(sides_make(&s, &p, &options, &error));
    CHECK(s.ramp.length == of[n].length);
    if (n == 2) facts()->storage_block = 2 * sizeof(float) * 37 * 5;
    const bool good = compare(&s, &most, &error);
    facts()->storage_block = block;
    CHECK_OK(good);
    CHECK_BELOW(most, 2e-6);
    sides_clear(&s);
  }
}

static void test_windows(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  const problem p = cone_of(21, 3, 2);
  for (const ct_choice *window = ct_window_choices; window->id; window++)
    for (const ct_choice *ends = ct_extension_choices; ends->id; ends++)
      for (int ramp = 0; ramp < 2; ramp++) {
        const ct_filter_options options = {.window = (ct_window)window->value,
                                           .cutoff = ramp ? 0.7 : 1,
                                           .ramp = (ct_ramp)ramp,
                                           .extension = (ct_extension)ends->value};
        sides s;
        double most;
        if (window->value == CT_WINDOW_NONE) {
          CHECK_FAILS(sides_make(&s, &p, &options, &error), CT_ERROR_UNSUPPORTED, "no ramp");
        } else {
          CHECK_OK(sides_make(&s, &p, &options, &error));
          CHECK_OK(compare(&s, &most, &error));
          CHECK_BELOW(most, 2e-6);
        }
        sides_clear(&s);
      }
}

/* Kernels that read a texture, a buffer, columns, and what is made of a buffer; in single and in half precision. */
static void test_kernels(void) {
  NEED_DEVICE();
  static const struct {
    const char *kernel;
    bool parallel;
    ct_precision precision;
    double bound;
  } of[] = {{"gl-naive", false, CT_PRECISION_FLOAT32, 1e-5},         {"gl-texture", false, CT_PRECISION_FLOAT32, 1e-5},
            {"gl-texture", false, CT_PRECISION_FLOAT16, 3e-4},       {"gl-subline", false, CT_PRECISION_FLOAT32, 1e-5},
            {"gl-rabbit-stream", false, CT_PRECISION_FLOAT32, 1e-5}, {"gl-cache-1", true, CT_PRECISION_FLOAT32, 1e-5},
            {"gl-cache-1", true, CT_PRECISION_FLOAT16, 3e-4}};
  const ct_filter_options options = {.window = CT_WINDOW_HANN, .cutoff = 1};
  const ct_bp_table table = ctgl_backend(device).kernels;
  ct_error *error = NULL;
  for (size_t n = 0; n < sizeof of / sizeof *of; n++) {
    problem p = cone_of(37, 25, 9);
    if (of[n].parallel) p.beam = CT_BEAM_PARALLEL;
    const ct_bp_kernel *kernel = ct_bp_find(&table, of[n].kernel);
    const ct_grid grid = problem_grid(&p);
    sides s;
    CHECK_OK(sides_make(&s, &p, &options, &error));
    ct_bp_request request = {.geometry = &s.geometry,
                             .grid = grid,
                             .interp = CT_INTERP_LINEAR,
                             .precision = of[n].precision,
                             .threads = 1,
                             .batch = 5,
                             .device = device};
    ct_volume *expected = ct_volume_new(&grid, &error), *volume = ct_volume_new(&grid, &error);
    request.precision = CT_PRECISION_FLOAT32;
    CHECK_OK(problem_run(kernel, &request, s.filtered, expected, NULL, &error));
    request.precision = of[n].precision;
    request.ramp = &s.ramp;
    CHECK_OK(ct_bp_accepts(kernel, &request, &error));
    CHECK_OK(problem_run(kernel, &request, s.weighted, volume, NULL, &error));
    CHECK_BELOW(problem_rel_rmse(volume, expected), of[n].bound);
    ct_volume_free(expected);
    ct_volume_free(volume);
    sides_clear(&s);
  }
}

/* What the device has no room for, and kernels that have no filter. */
static void test_refusals(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  const ct_filter_options options = {.window = CT_WINDOW_RAM_LAK, .cutoff = 1};
  const problem p = cone_of(37, 25, 9);
  const int shared = facts()->shared_memory, side = facts()->texture_side;
  const ct_bp_table gpu = ctgl_backend(device).kernels, processor = ct_bp_cpu_kernels();
  sides s;
  CHECK_OK(sides_make(&s, &p, &options, &error));
  const ct_bp_request request = {.geometry = &s.geometry,
                                 .grid = problem_grid(&p),
                                 .interp = CT_INTERP_LINEAR,
                                 .threads = 1,
                                 .batch = 5,
                                 .device = device,
                                 .ramp = &s.ramp};
  const ct_bp_kernel *naive = ct_bp_find(&gpu, "gl-naive"), *texture = ct_bp_find(&gpu, "gl-texture");
  CHECK_FAILS(ct_bp_accepts(ct_bp_find(&processor, "voxel-loop"), &request, &error), CT_ERROR_UNSUPPORTED,
              "filtered projections alone");
  facts()->shared_memory = 79 * 8;
  const bool fits = ct_bp_accepts(naive, &request, &error);
  facts()->shared_memory = shared;
  CHECK_FAILS(fits, CT_ERROR_UNSUPPORTED, "lines of 80 numbers, and the shared memory of this graphics card holds 79");
  facts()->texture_side = 24;
  const bool whole = ct_bp_accepts(texture, &request, &error);
  facts()->texture_side = side;
  CHECK_FAILS(whole, CT_ERROR_UNSUPPORTED, "larger than a texture");
  sides_clear(&s);
}

/* Those of the device, and the processor's. */
static ct_backend both_backends(void) {
  static const ct_bp_kernel *list[256];
  const ct_bp_table tables[] = {ctgl_backend(device).kernels, ct_bp_cpu_kernels()};
  ct_backend backend = ctgl_backend(device);
  size_t count = 0;
  for (int n = 0; n < 2; n++)
    for (size_t i = 0; i < tables[n].count && count < 256; i++) list[count++] = tables[n].kernels[i];
  backend.kernels = (ct_bp_table){list, count};
  return backend;
}

/* A volume of a plan, NULL where it fails; *warned: the warning that the processor filters. */
static ct_volume *reconstruct(ct_scan *scan, const char *kernel, bool on_card, char warned[512], ct_error **error) {
  const ct_backend backend = both_backends();
  ct_pipeline *pipeline = ct_pipeline_new(scan, &backend, error);
  ct_plan plan;
  ct_plan_init(&plan);
  plan.filter.on_card = on_card;
  snprintf(plan.kernel, sizeof plan.kernel, "%s", kernel);
  ct_volume *volume = pipeline ? ct_pipeline_volume(pipeline, &plan, NULL, NULL, error) : NULL;
  *warned = 0;
  if (volume) {
    const ct_pipeline_facts *f = ct_pipeline_get_facts(pipeline);
    const ct_warning *warning = ct_warnings_find(f->warnings, CT_WARNING_SETTING);
    if (warning) snprintf(warned, 512, "%s", warning->text);
    /* What is kept says that it lacks the ramp, and a slice on demand gets it. */
    const bool told = strstr(f->kernel_why, "filters on the card") != NULL;
    if (told != (on_card && !warning) || told != !ct_pipeline_get_filtered(pipeline))
      snprintf(warned, 512, "the facts are wrong: %.400s", f->kernel_why);
    int width, height, count;
    ct_grid_plane_size(ct_volume_grid(volume), CT_AXIAL, &width, &height, &count);
    const size_t pixels = (size_t)width * (size_t)height;
    float *slice = ct_alloc(pixels, sizeof *slice, "a slice", error);
    strcpy(plan.kernel, "auto");
    if (!slice || !ct_pipeline_slice(pipeline, &plan, CT_AXIAL, count / 2, slice, NULL, error) ||
        off(ct_volume_get_data(volume) + (size_t)(count / 2) * pixels, slice, pixels) > 1e-4)
      snprintf(warned, 512, "the slice on demand is another");
    ct_free(slice);
  }
  ct_pipeline_free(pipeline);
  return volume;
}

static void test_pipeline(void) {
  NEED_DEVICE();
  static const simulation scans[] = {{CT_BEAM_CONE, 37, 16, 24, 360, 0, "shepp-logan-3d"},
                                     {CT_BEAM_PARALLEL, 40, 5, 30, 180, 0.2, "shepp-logan-3d"}};
  ct_error *error = NULL;
  const int shared = facts()->shared_memory;
  char warned[512];
  for (int n = 0; n < 2; n++) {
    ct_scan *scan = sim_scan(&scans[n], &error);
    CHECK_OK(scan);
    const char *kernel = n ? "gl-cache-1" : "gl-naive";
    ct_volume *expected = reconstruct(scan, kernel, false, warned, &error);
    CHECK_OK(expected);
    if (*warned) CT_TEST_END(1, "%s: %.400s", kernel, warned);
    ct_volume *volume = reconstruct(scan, kernel, true, warned, &error);
    CHECK_OK(volume);
    if (*warned) CT_TEST_END(1, "%s: %.400s", kernel, warned);
    const size_t voxels = ct_grid_voxels(ct_volume_grid(volume));
    CHECK_BELOW(off(ct_volume_get_data(volume), ct_volume_get_data(expected), voxels), 1e-5);
    ct_volume_free(volume);
    facts()->shared_memory = n ? shared : 512;
    volume = reconstruct(scan, n ? "slices-1" : kernel, true, warned, &error);
    facts()->shared_memory = shared;
    CHECK_OK(volume);
    CHECK(strstr(warned, n ? "filtered projections alone" : "shared memory"));
    CHECK_BELOW(off(ct_volume_get_data(volume), ct_volume_get_data(expected), voxels), 1e-5);
    ct_volume_free(volume);
    ct_volume_free(expected);
    ct_scan_free(scan);
  }
}

static const ct_test tests[] = {
    {"rows of every length", test_lengths},           {"every window and every end", test_windows},
    {"every place that kernels read", test_kernels},  {"what cannot be is said", test_refusals},
    {"a pipeline's volume and slice", test_pipeline},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
