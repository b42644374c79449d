/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every projector of graphics cards against textbook, on whatever device this machine has: transposes, blocks, padding,
 * slabs where memory is short, methods that run on it as on the processor's, and a driver that fails. */
#include "recon/solve/iterative/iterate.h"
#include "recon/solve/iterative/solver.h"
#include "render/compute/device.h"
#include "tests/fp/checks-3d.h"
#include "tests/render/compute/faults.h"
#include "tests/test.h"

static ct_bp_device *device;
static ct_backend backend;

static bool open_device(void) {
  ct_error *error = NULL;
  if (!device) device = ctgl_device_new(NULL, true, &error);
  ct_error_clear(&error);
  backend = ctgl_backend(device);
  return device;
}

#define NEED_DEVICE()                                                                                                  \
  if (!open_device()) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

/* Besides those of recon: slices and fans, also where the pixels are finer or coarser than the voxels. */
/* clang-format off */
static const scene more_scenes[] = {
    {"slices", CT_BEAM_PARALLEL, 40, 7, 11, 1, 1, 0, 0, 0.7, 0, 0, 2, 180, 31, 28, 7, 1, 0.9, 1, 1, 0, 0},
    {"slices, 45 degrees", CT_BEAM_PARALLEL, 34, 2, 4, 1, 1, 0, 0, 0, 0, 0, 45, 360, 24, 24, 2, 1, 1, 1, 0, 0, 0},
    {"one slice, cut off", CT_BEAM_PARALLEL, 21, 1, 9, 1, 1, 0, 0, 0, 0, 0, 2, 180, 41, 38, 1, 1, 1, 1, 4, 4, 0},
    {"fan", CT_BEAM_FAN, 60, 1, 20, 1, 1, 90, 150, 1.3, 0, 0, 1, 360, 40, 37, 1, 0.9, 0.9, 0.9, 0, 0, 0},
    {"fan, fine pixels", CT_BEAM_FAN, 150, 1, 9, 0.3, 1, 60, 110, 0, 0, 0, 1, 360, 20, 23, 1, 1, 1, 1, 0, 0, 0},
    {"fan, coarse pixels", CT_BEAM_FAN, 20, 1, 9, 4, 1, 60, 110, 0, 0, 0, 1, 360, 40, 43, 1, 0.6, 0.6, 0.6, 0, 0, 0},
    /* Closed under the symmetries of the square. */
    {"symmetric fan", CT_BEAM_FAN, 40, 1, 24, 1.2, 1, 70, 110, 0, 0, 0, 0, 360, 26, 26, 1, 1, 1, 1, 0, 0, 0},
    {"symmetric slices", CT_BEAM_PARALLEL, 29, 3, 12, 0.9, 1, 0, 0, 0, 0, 0, 0, 180, 21, 21, 3, 1, 1, 1, 0, 0, 0},
};
/* clang-format on */
enum { more_count = sizeof more_scenes / sizeof *more_scenes };

/* Runs a check for every projector and every `each`th scene that it serves; `served` counts. */
static bool for_scenes(checker *check, int each, int *served, const char **name, char *fault, size_t room,
                       ct_error **error) {
  bool good = true;
  *served = 0;
  for (int n = 0; good && n < scene_count + more_count; n += each) {
    const scene *s = n < more_count ? &more_scenes[n] : &scenes[n - more_count];
    staged stage;
    *name = s->name;
    good = set_stage(&stage, s, error);
    stage.request.device = backend.device;
    float *forward = good ? ct_alloc(stage.rays, sizeof(float), "rays", error) : NULL;
    float *back = good ? ct_alloc(stage.image, sizeof(float), "an image", error) : NULL;
    good = forward && back;
    for (size_t p = 0; good && p < backend.projectors.count; p++)
      if (ct_projector_accepts(backend.projectors.projectors[p], &stage.request, NULL)) {
        good = check(backend.projectors.projectors[p], &stage, forward, back, fault, room, error);
        ++*served;
      }
    ct_free(forward);
    ct_free(back);
    clear_stage(&stage);
  }
  return good;
}

#define FOR_SCENES(check, each, least)                                                                                 \
  do {                                                                                                                 \
    char fault[256] = "no words";                                                                                      \
    const char *name = "";                                                                                             \
    ct_error *error = NULL;                                                                                            \
    int served;                                                                                                        \
    if (!for_scenes(check, each, &served, &name, fault, sizeof fault, &error))                                         \
      CT_TEST_END(1, "scene “%s”: %s", name, error ? error->message : fault);                                          \
    if (served < (least)) CT_TEST_END(1, "only %d scenes were served", served);                                        \
  } while (0)

static void test_textbook(void) {
  NEED_DEVICE();
  FOR_SCENES(agrees, 1, scene_count + more_count);
}

static void test_blocks(void) {
  NEED_DEVICE();
  FOR_SCENES(takes_blocks, 3, 8);
}

static void test_padding(void) {
  NEED_DEVICE();
  FOR_SCENES(keeps_padding, 3, 8);
}

/* With so little memory that the image goes in slabs of a few slices and the views one by one. */
static void test_slabs(void) {
  NEED_DEVICE();
  ctgl_device_facts *facts = (ctgl_device_facts *)ctgl_device_get_facts(device);
  const double memory = facts->memory;
  const size_t block = facts->storage_block;
  facts->memory = 60000;
  FOR_SCENES(agrees, 2, 12);
  facts->memory = memory;
  facts->storage_block = 20000;
  FOR_SCENES(agrees, 4, 4);
  facts->storage_block = block;
}

static void test_refusals(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  ct_geometry geometry;
  CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_CONE, 16, 16, 4, &error));
  ct_geometry_set_arc(&geometry, 0, 1.5);
  geometry.sod = 20, geometry.sdd = 30;
  ct_projector_request request = {.geometry = &geometry,
                                  .grid = ct_grid_centred(8, 8, 8, 1, NULL),
                                  .threads = 1,
                                  .device = backend.device,
                                  .others = &backend.projectors};
  const ct_projector *projector = ct_projector_find_in(&backend.projectors, "gl-joseph");
  CHECK(projector && !ct_projector_find("gl-joseph"));
  CHECK_OK(ct_projector_accepts(projector, &request, &error));
  request.device = NULL;
  CHECK_FAILS(ct_projector_accepts(projector, &request, &error), CT_ERROR_UNSUPPORTED, "needs a graphics device");
  request.device = backend.device;
  geometry.sod = 4;
  CHECK_FAILS(ct_projector_accepts(projector, &request, &error), CT_ERROR_UNSUPPORTED, "source outside");
  request.model = CT_MODEL_SIDDON;
  CHECK_FAILS(ct_projector_accepts(projector, &request, &error), CT_ERROR_UNSUPPORTED, "model");
  ct_geometry_clear(&geometry);
}

/* The automatic choice stays with the processor, whatever the device says of itself. */
static void test_automatic(void) {
  NEED_DEVICE();
  ctgl_device_facts *facts = (ctgl_device_facts *)ctgl_device_get_facts(device);
  const bool software = facts->software;
  for (int n = 0; n < 2; n++) {
    ct_error *error = NULL;
    ct_geometry geometry;
    facts->software = n == 0;
    CHECK_OK(prepare_geometry(&geometry, &scenes[0], &error));
    const ct_projector_request request = {.geometry = &geometry,
                                          .grid = grid_of(&scenes[0]),
                                          .threads = 1,
                                          .device = backend.device,
                                          .others = &backend.projectors};
    const ct_projector *chosen = ct_projector_choose("auto", true, &request, NULL, 0, &error);
    CHECK(chosen && !chosen->gpu);
    chosen = ct_projector_choose("gl-joseph", true, &request, NULL, 0, &error);
    CHECK_OK(chosen && chosen->gpu);
    ct_geometry_clear(&geometry);
  }
  facts->software = software;
}

/* A method's image from this projector; NULL with an error. */
static float *iterate(const staged *stage, ct_method method, const char *projector, ct_error **error) {
  ct_stack *lines = ct_stack_new(stage->geometry.nu, stage->geometry.nv, stage->geometry.views, error);
  float *image = lines ? ct_alloc(stage->image, sizeof *image, "an image", error) : NULL;
  if (image) memcpy(ct_stack_data(lines), stage->forward, stage->rays * sizeof *image);
  ct_iterative_request request = {
      .geometry = &stage->geometry, .grid = stage->request.grid, .integrals = lines, .threads = 2, .backend = &backend};
  ct_iterative_options_init(&request.options);
  request.options.method = (int)method;
  request.options.region = 0;
  snprintf(request.options.projector, sizeof request.options.projector, "%s", projector);
  ct_iterative *run = image ? ct_iterative_new(&request, NULL, error) : NULL;
  const bool good = run && ct_iterative_run(run, 4, NULL, NULL, error);
  if (good) ct_iterative_read(run, image);
  ct_iterative_free(run);
  ct_stack_free(lines);
  if (good) return image;
  ct_free(image);
  return NULL;
}

static void test_methods(void) {
  NEED_DEVICE();
  static const ct_method methods[] = {CT_METHOD_SIRT, CT_METHOD_SART, CT_METHOD_CGLS, CT_METHOD_FISTA_TV};
  static const scene *const places[] = {&more_scenes[0], &more_scenes[3], &scenes[0]};
  for (size_t place = 0; place < sizeof places / sizeof *places; place++) {
    ct_error *error = NULL;
    staged stage;
    CHECK_OK(set_stage(&stage, places[place], &error));
    for (size_t n = 0; n < sizeof methods / sizeof *methods; n++) {
      float *card = iterate(&stage, methods[n], "gl-joseph", &error),
            *processor = card ? iterate(&stage, methods[n], "auto", &error) : NULL;
      CHECK_OK(card && processor);
      const double off = difference(card, processor, stage.image);
      if (!(off <= 1e-4))
        CT_TEST_END(1, "scene “%s”, method %d: %.3g off the processor's", places[place]->name, (int)methods[n], off);
      ct_free(card);
      ct_free(processor);
    }
    clear_stage(&stage);
  }
}

static bool left_nothing(void) {
  const faults *f = faults_get();
  return f->buffers == 0 && f->textures == 0 && f->fences == 0 && f->bytes == 0;
}

/* One forward and one back on a device of its own, with a fault at the n-th event; whether that failed with the words
 * or, for memory, was met with smaller pieces. */
static bool provoke(const staged *stage, fault_kind kind, int n, int count, const char *words, bool *served,
                    ct_error **error) {
  ct_bp_device *own = ctgl_device_new(NULL, false, error);
  ct_projector_request request = stage->request;
  request.device = own;
  float *forward = ct_alloc(stage->rays, sizeof *forward, "rays", error),
        *back = ct_alloc(stage->image, sizeof *back, "an image", error);
  const ct_projector *projector = ct_projector_find_in(&backend.projectors, "gl-joseph");
  bool good = own && forward && back;
  for (int turn = 0; good && turn < 2; turn++) {
    ct_error *fault = NULL;
    faults_plan(turn ? FAULT_NOTHING : kind, n, count);
    const bool done = apply(projector, &request, NULL, 0, stage->x, stage->y, forward, back, &fault) &&
                      difference(forward, stage->forward, stage->rays) < 1e-4 &&
                      difference(back, stage->back, stage->image) < 1e-4;
    /* A device that was lost stays so. */
    const bool later_too = turn && (kind == FAULT_TIMEOUT || kind == FAULT_RESET) && !*served;
    good = done ? !later_too
                : fault && strstr(fault->message, words) && strstr(fault->message, "device “none”") &&
                      (!turn || later_too);
    if (!good)
      ct_error_set(error, CT_ERROR_DATA, "kind %d, event %d, turn %d: %s", (int)kind, n, turn,
                   fault ? fault->message : "no error");
    if (!turn) *served = done;
    good = good && (kind == FAULT_CLOSED || left_nothing());
    ct_error_clear(&fault);
  }
  ct_free(forward);
  ct_free(back);
  ctgl_device_free(own);
  faults_reset();
  return good;
}

static void test_faults(void) {
  static const struct {
    fault_kind kind;
    int count;
    const char *words;
    int least; /* so many of the first six must be told; 0: none may be */
  } known[] = {
      {FAULT_ALLOCATION, 1, "too small for", 0},
      {FAULT_ALLOCATION, FAULT_FOR_EVER, "too small for", 5},
      {FAULT_MAPPING_MUTE, FAULT_FOR_EVER, "no memory for", 1},
      {FAULT_LINK, 1, "refuses the shader", 2},
      {FAULT_TIMEOUT, FAULT_FOR_EVER, "does not answer", 3},
      {FAULT_RESET, 1, "was reset", 3},
  };
  NEED_DEVICE();
  faults_reset();
  ct_error *error = NULL;
  staged stage;
  CHECK_OK(set_stage(&stage, &scenes[0], &error));
  for (size_t kind = 0; kind < sizeof known / sizeof *known; kind++) {
    int told = 0;
    for (int n = 1; n <= 6; n++) {
      bool served = false;
      CHECK_OK(provoke(&stage, known[kind].kind, n, known[kind].count, known[kind].words, &served, &error));
      told += !served;
    }
    if (told < known[kind].least || (!known[kind].least && told))
      CT_TEST_END(1, "fault %d: %d of 6 were told", (int)known[kind].kind, told);
  }
  clear_stage(&stage);
}

static const ct_test tests[] = {
    {"A x and A^T y are the textbook's, and transposes of each other", test_textbook},
    {"blocks of views", test_blocks},
    {"padding stays zero", test_padding},
    {"images go in slabs where memory is short", test_slabs},
    {"what a card cannot do is refused", test_refusals},
    {"auto stays with the processor", test_automatic},
    {"methods give the processor's images", test_methods},
    {"a driver that fails is told of, and leaves nothing", test_faults},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
