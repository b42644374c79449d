/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knobs of the tuned kernels: whatever they are turned to, the volume is textbook's; what they cannot be turned to is
 * told. */
#include "render/compute/device.h"
#include "render/compute/knobs-private.h"
#include "render/compute/tuning.h"
#include "tests/bp/checks.h"

static ct_bp_device *device;

#define NEED_DEVICE()                                                                                                  \
  if (!device) device = check_device = ctgl_device_new(NULL, true, NULL);                                              \
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

static const problem *find_case(const char *name) {
  for (int n = 0; n < case_count; n++)
    if (!strcmp(cases[n].name, name)) return &cases[n];
  return NULL;
}

/* One problem with textbook's volume, on which a tuned kernel is tried with knob after knob turned. */
typedef struct bench {
  const ct_bp_kernel *kernel;
  const ctgl_knob *knobs;
  scene scene;
  ct_bp_request request;
  int tried, refused;
} bench;

static bool open_bench(bench *b, const char *id, const ctgl_knob *knobs, const char *name, ct_error **error) {
  const ct_bp_table table = ctgl_backend(device).kernels;
  *b = (bench){.kernel = ct_bp_find(&table, id), .knobs = knobs};
  const ct_bp_table alone = {.kernels = &b->kernel, .count = 1};
  return scene_make(&b->scene, find_case(name), CT_INTERP_LINEAR, CT_PRECISION_FLOAT32, &alone, &b->request, error) &&
         b->scene.volume;
}

/* Runs the kernel as it is set. False with a message where the volume is wrong. */
static bool is_right(bench *b, const char *base, const char *turned, ct_precision precision) {
  ct_error *error = NULL;
  ct_bp_request request = b->request;
  request.precision = precision;
  if (!ct_bp_accepts(b->kernel, &request, &error)) {
    b->refused++;
    const bool told = strlen(error->message) > 20;
    ct_error_clear(&error);
    return told;
  }
  start_at(b->scene.volume, 0.5f);
  const bool fine = problem_run(b->kernel, &request, b->scene.stack, b->scene.volume, NULL, &error);
  const double rmse = fine ? problem_rel_rmse(b->scene.volume, b->scene.reference) : NAN;
  b->tried++;
  if (!(rmse <= (precision == CT_PRECISION_FLOAT16 ? 3e-4 : b->kernel->tolerance)))
    printf("# %s with %s,%s: relative RMSE %g: %s\n", b->kernel->id, base, turned, rmse, error ? error->message : "");
  ct_error_clear(&error);
  return rmse <= (precision == CT_PRECISION_FLOAT16 ? 3e-4 : b->kernel->tolerance);
}

/* From one base setting, every knob turned to the ends of what the search knows, and of what a user may ask for. */
static bool turn_all(bench *b, const char *base, ct_precision precision) {
  bool right = true;
  const ctgl_tuning before = *ctgl_device_tuning(device);
  for (const ctgl_knob *k = b->knobs; k->name && right; k++) {
    int values[4] = {k->values[0]}, count = 1;
    const int *last = k->values;
    while (last[1] != CTGL_KNOB_END) last++;
    values[count++] = *last;
    if (k->most > *last) values[count++] = k->most;
    for (int n = 0; n < count && right; n++) {
      char turned[64];
      snprintf(turned, sizeof turned, "%s=%d", k->name, values[n]);
      right = ctgl_device_turn_knobs(device, base, NULL) && ctgl_device_turn_knobs(device, turned, NULL) &&
              is_right(b, base, turned, precision);
      *ctgl_device_tuning(device) = before;
    }
  }
  return right;
}

static void test_cone(void) {
  NEED_DEVICE();
  static const char *const bases[] = {"views=4,voxels=4,block=8x8,views_outside=no",
                                      "views=4,voxels=3,block=5x7,views_outside=yes,sync=yes,transpose=yes"};
  ct_error *error = NULL;
  bench b;
  CHECK_OK(open_bench(&b, "gl-tuned", ctgl_cone_knobs, "cone, offsets", &error));
  for (int n = 0; n < 2; n++) CHECK(turn_all(&b, bases[n], CT_PRECISION_FLOAT32));
  CHECK(b.tried > 40);
  scene_clear(&b.scene);
}

static void test_parallel(void) {
  NEED_DEVICE();
  static const char *const bases[] = {
      "slices=4,texture_share=0,area=32,cached=4,differences=yes",
      "slices=1,texture_share=3,area=16,cached=8,differences=yes,unroll=2",
      "slices=1,texture_share=0,area=32,cached=4,write_pairs=yes,minima=1,row_threads=8",
      "slices=4,texture_share=8,area=16,curve=yes,quarters=yes,unroll=4"};
  ct_error *error = NULL;
  bench b;
  CHECK_OK(open_bench(&b, "gl-tuned-parallel", ctgl_parallel_knobs, "parallel, slices between rows", &error));
  for (int n = 0; n < 4; n++) CHECK(turn_all(&b, bases[n], CT_PRECISION_FLOAT32));
  CHECK(b.tried > 80);
  scene_clear(&b.scene);
}

/* The words of a half-precision cache: alone, with differences, over one and more arrays. */
static void test_half_caches(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  bench b;
  CHECK_OK(open_bench(&b, "gl-tuned-parallel", ctgl_parallel_knobs, "parallel, slices on rows", &error));
  const ctgl_tuning before = *ctgl_device_tuning(device);
  for (int slices = 1; slices <= 4; slices *= 2)
    for (int arrays = 1; arrays <= slices; arrays *= 2)
      for (int differences = 0; differences < 2; differences++) {
        char list[128];
        snprintf(list, sizeof list, "texture_share=0,area=32,half_cache=yes,slices=%d,arrays=%d,differences=%d", slices,
                 arrays, differences);
        CHECK_OK(ctgl_device_turn_knobs(device, list, &error));
        CHECK(is_right(&b, list, "", CT_PRECISION_FLOAT16));
      }
  CHECK(b.tried == 12);
  *ctgl_device_tuning(device) = before;
  scene_clear(&b.scene);
}

/* Groups that each multiprocessor counts for itself. No driver here tells which one runs a group: the group's number
 * stands in for it. */
static void test_multiprocessors(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  bench b;
  CHECK_OK(open_bench(&b, "gl-tuned-parallel", ctgl_parallel_knobs, "parallel, slices between rows", &error));
  const ctgl_tuning before = *ctgl_device_tuning(device);
  ctgl_device_facts *facts = (ctgl_device_facts *)(size_t)ctgl_device_get_facts(device);
  const char *told = facts->multiprocessor;
  facts->multiprocessor = NULL;
  CHECK_OK(ctgl_device_turn_knobs(device, "slices=2,area=16,texture_share=3,multiprocessor=yes", &error));
  CHECK_FAILS(ct_bp_accepts(b.kernel, &b.request, &error), CT_ERROR_UNSUPPORTED, "which multiprocessor runs a group");
  static const char *const stand_ins[] = {"gl_WorkGroupID.x + gl_WorkGroupID.y", "7u", "5000u * gl_WorkGroupID.y"};
  for (int n = 0; n < 3; n++)
    for (int share = 0; share <= 8; share += n == 0 ? 1 : 4) {
      char list[128];
      facts->multiprocessor = stand_ins[n];
      snprintf(list, sizeof list, "slices=%d,area=16,texture_share=%d,multiprocessor=yes", 1 << n, share);
      CHECK_OK(ctgl_device_turn_knobs(device, list, &error));
      CHECK(is_right(&b, list, "", CT_PRECISION_FLOAT32));
    }
  CHECK(b.refused == 0 && b.tried == 15);
  facts->multiprocessor = told;
  *ctgl_device_tuning(device) = before;
  scene_clear(&b.scene);
}

static void test_words(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  const ctgl_tuning before = *ctgl_device_tuning(device);
  static const struct {
    const char *list, *words;
  } wrong[] = {{"views=65", "views takes 1 to 64, not “65”"},
               {"views=4,sync=perhaps", "sync takes yes or no, not “perhaps”"},
               {"unroll=3", "unroll takes 1, 2 or 4"},
               {"shuffles=2", "shuffles takes yes or no, not “2”"},
               {"block=16", "block takes threads as 16x32"},
               {"block=16x", "block_y takes 1 to 1024, not “”"},
               {"speed=9", "no knob “speed”. Those of gl-tuned: views (1 to 64), voxels (1 to 512)"},
               {"views", "“views” is none of that form"},
               {"slices=3", "slices takes 0, 1, 2 or 4"}};
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
    CHECK_FAILS(ctgl_device_turn_knobs(device, wrong[n].list, &error), CT_ERROR_ARGUMENT, wrong[n].words);
    CHECK(!memcmp(&before, ctgl_device_tuning(device), sizeof before));
  }
}

/* A word and a number turn the same switch, also one that tuning does not try. */
static void test_switches(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  const ctgl_tuning before = *ctgl_device_tuning(device);
  const ctgl_parallel_setting *setting = &ctgl_device_tuning(device)->modes[CTGL_TUNED_LINEAR].parallel[0];
  static const char *const words[] = {"shuffles=yes", "shuffles=no", "shuffles=1", "shuffles=0"};
  for (int n = 0; n < 4; n++) {
    CHECK_OK(ctgl_device_turn_knobs(device, words[n], &error));
    CHECK(setting->shuffles == (n % 2 == 0));
  }
  *ctgl_device_tuning(device) = before;
}

/* Of a pair of numbers that cannot be, the message tells those that can. */
static void test_refused(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  ctgl_parallel_setting setting = ctgl_tuning_guess().modes[CTGL_TUNED_LINEAR].parallel[0];
  const ct_bp_request request = {.device = device};
  setting.quarters = 1, setting.area = 32;
  CHECK_FAILS(ctgl_parallel_accepts(&setting, &request, &error), CT_ERROR_UNSUPPORTED,
              "(quarters) take texture_share=8, area=16, threads=256 and curve=yes");
  setting.quarters = 0, setting.curve = 1, setting.threads = 24;
  CHECK_FAILS(ctgl_parallel_accepts(&setting, &request, &error), CT_ERROR_UNSUPPORTED, "a multiple of 16");
}

/* What was turned is what the kernel then has, for every way of asking. */
static void test_told(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  const ctgl_tuning before = *ctgl_device_tuning(device);
  char text[512];
  ct_bp_request request = {.grid = {.nz = 16}, .interp = CT_INTERP_NEAREST, .device = device};
  CHECK_OK(ctgl_device_turn_knobs(device, "views=16,block=16x32,sync=yes,texture_share=5,slices=2", &error));
  CHECK(ctgl_device_tell_setting(device, "gl-tuned", &request, text, sizeof text));
  CHECK(strstr(text, "views 16, voxels 4, block_x 16, block_y 32, ") && strstr(text, "sync 1"));
  request.interp = CT_INTERP_LINEAR;
  CHECK(ctgl_device_tell_setting(device, "gl-tuned-parallel", &request, text, sizeof text));
  CHECK(strstr(text, "slices 2, texture_share 5, "));
  CHECK(!ctgl_device_tell_setting(device, "gl-naive", &request, text, sizeof text));
  *ctgl_device_tuning(device) = before;
}

static const ct_test tests[] = {
    {"gl-tuned is right with every knob turned", test_cone},
    {"gl-tuned-parallel is right with every knob turned", test_parallel},
    {"caches in half precision are right in every layout", test_half_caches},
    {"groups are shared out on each multiprocessor", test_multiprocessors},
    {"what a knob cannot be is told", test_words},
    {"switches take words and numbers", test_switches},
    {"what cannot be shared out is told with what can", test_refused},
    {"turned knobs are told", test_told},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
