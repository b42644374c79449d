/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes and detectors larger than the textures of a device, which the tests make small: they are cut into tiles and
 * strips, and come out as textbook's. */
#include "render/compute/device.h"
#include "tests/bp/checks.h"

static ct_bp_device *device;
static ctgl_device_facts kept, *facts;

/* The device's own facts, to be changed. */
static bool open_device(void) {
  if (!device) {
    device = ctgl_device_new(NULL, true, NULL);
    if (!device) return false;
    facts = (ctgl_device_facts *)ctgl_device_get_facts(device);
    kept = *facts;
  }
  *facts = kept;
  return true;
}

#define NEED_DEVICE()                                                                                                  \
  if (!open_device()) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

static const char *const parallel_kernels[] = {"gl-slices-1", "gl-slices-4", "gl-wide-2"};

static const problem tall = {"tall", CT_BEAM_PARALLEL, 24, 30, 5, 1,  1, 0, 0,   0.4, 0, 0,
                             0.1,    3.14159265,       0,  9,  7, 41, 1, 1, 0.7, 0,   0, 0};

/* Whether these kernels are textbook's on a problem; words at the first that is not. */
static bool agree(const problem *p, ct_interp interp, const char *const *ids, size_t count, char *words, size_t size) {
  const ct_bp_table table = ctgl_bp_kernels(device);
  bool good = true;
  *words = 0;
  for (size_t n = 0; good && n < count; n++) {
    int served = 0;
    const ct_bp_kernel *kernel = ct_bp_find(&table, ids[n]);
    const ct_bp_table one = {.kernels = &kernel, .count = 1, .device = device};
    good = compare_all(&one, p, interp, &served, words, size);
    if (good && !served) good = snprintf(words, size, "%s does not take %s", ids[n], p->name) < 0;
  }
  return good;
}

#define CHECK_AGREE(p, interp, ids)                                                                                    \
  do {                                                                                                                 \
    char words[400];                                                                                                   \
    if (!agree(p, interp, ids, sizeof ids / sizeof *ids, words, sizeof words)) CT_TEST_END(1, "%s", words);            \
  } while (0)

static void test_layers(void) {
  NEED_DEVICE();
  const int layers[] = {40, 7, 1};
  for (size_t n = 0; n < sizeof layers / sizeof *layers; n++) {
    facts->texture_layers = layers[n];
    CHECK_AGREE(&tall, CT_INTERP_LINEAR, parallel_kernels);
  }
}

/* More slices than this device's textures have layers. */
static void test_true_layers(void) {
  NEED_DEVICE();
  if (facts->texture_layers > 4096) CT_TEST_END(2, "textures of %d layers", facts->texture_layers);
  problem tower = tall;
  tower.nz = facts->texture_layers + 52, tower.dz = 28.0 / tower.nz;
  CHECK_AGREE(&tower, CT_INTERP_LINEAR, parallel_kernels);
}

/* Strips across, down, and both; one pixel more than fits. */
static void test_strips(void) {
  NEED_DEVICE();
  static const char *const kernels[] = {"gl-texture", "gl-four-views", "gl-rabbit-stream", "gl-tuned"};
  static const int picks[] = {0, 2, 4, 6};
  for (size_t n = 0; n < sizeof picks / sizeof *picks; n++) {
    problem p = cases[picks[n]];
    const int sides[] = {p.nu - 1, (p.nu < p.nv ? p.nu : p.nv) - 1, 9};
    for (size_t side = 0; side < sizeof sides / sizeof *sides; side++) {
      facts->texture_side = sides[side];
      CHECK_AGREE(&p, CT_INTERP_LINEAR, kernels);
    }
    /* Away from the middles between pixels, where rounding may go either way. */
    p.offset_u += 0.1231, p.offset_v += 0.0377;
    CHECK_AGREE(&p, CT_INTERP_NEAREST, kernels);
  }
}

/* A detector too wide for the parallel beam's sinograms: they say which kernel serves, and the automatic choice takes
 * it. */
static void test_wide_parallel(void) {
  NEED_DEVICE();
  const ct_bp_table gpu = ctgl_bp_kernels(device);
  ct_geometry geometry;
  ct_error *error = NULL;
  facts->texture_side = 20, facts->software = false;
  CHECK_OK(problem_geometry(&tall, &geometry, &error));
  ct_bp_request request = {&geometry, problem_grid(&tall), CT_INTERP_LINEAR, CT_PRECISION_FLOAT32, 2, 5, device};
  request.grid.nx = request.grid.ny = 33;
  CHECK_FAILS(ct_bp_accepts(ct_bp_find(&gpu, "gl-wide-2"), &request, &error), CT_ERROR_UNSUPPORTED,
              "“gl-tuned” serves instead");
  const ct_bp_kernel *kernel = ct_bp_choose(&gpu, "auto", &request, NULL, 0, &error);
  CHECK_OK(kernel);
  CHECK(!strcmp(kernel->id, "gl-tuned"));
  static const char *const kernels[] = {"gl-tuned"};
  CHECK_AGREE(&tall, CT_INTERP_LINEAR, kernels);
  facts->texture_layers = 100;
  CHECK_FAILS(ct_bp_accepts(kernel, &request, &error), CT_ERROR_UNSUPPORTED, "fewer views at a time");
  ct_geometry_clear(&geometry);
}

static const ct_test tests[] = {
    {"sinograms of more slices than a texture has layers go in tiles", test_layers},
    {"so do those of more than this device's layers", test_true_layers},
    {"projections larger than a texture lie in strips", test_strips},
    {"a parallel beam wider than a texture gets another kernel", test_wide_parallel},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
