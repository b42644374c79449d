/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of a back-projection when the graphics driver fails at any of its calls: words that tell what to do,
 * nothing left in graphics memory, and a later run that is right. Where memory is short, smaller pieces do. */
#include "render/compute/device.h"
#include "render/compute/state-private.h"
#include "tests/bp/problem.h"
#include "tests/render/compute/faults.h"
#include "tests/test.h"

static const problem cone = {"cone", CT_BEAM_CONE, 48, 40, 13, 1,  1,   100, 150,  0, 0, 0,
                             0.1,    6.2831853,    0,  33, 18, 40, 0.6, 0.6, 0.55, 0, 0, 0};
static const problem parallel = {"parallel", CT_BEAM_PARALLEL, 48, 40, 13, 1,  1, 0, 0, 0.4, 0, 0,
                                 0.1,        3.14159265,       0,  33, 18, 40, 1, 1, 1, 0,   0, 0};
/* Reads from a buffer, streams to a texture, makes sinograms: together every call that can fail. */
static const struct {
  const char *kernel;
  const problem *problem;
  int parts; /* of the memory that it takes, one must do: a group of views cannot be cut */
} kinds[] = {{"gl-naive", &cone, 8}, {"gl-rabbit-stream", &cone, 1}, {"gl-wide-2", &parallel, 8}};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct trial {
  ct_geometry geometry;
  ct_stack *stack;
  ct_volume *reference, *volume;
  ct_bp_device *device;
  const ct_bp_kernel *kernel;
  ct_bp_request request;
} trial;

static void trial_clear(trial *t) {
  ctgl_device_free(t->device);
  ct_volume_free(t->reference);
  ct_volume_free(t->volume);
  ct_stack_free(t->stack);
  ct_geometry_clear(&t->geometry);
  *t = (trial){0};
}

/* The device anew: as a person does who runs again. */
static bool reopen(trial *t, ct_error **error) {
  ctgl_device_free(t->device);
  t->request.device = t->device = ctgl_device_new(NULL, false, error);
  return t->device;
}

static bool trial_make(trial *t, int kind, ct_error **error) {
  const problem *p = kinds[kind].problem;
  const ct_bp_table cpu = ct_bp_cpu_kernels(), gpu = ctgl_bp_kernels(NULL);
  *t = (trial){.kernel = ct_bp_find(&gpu, kinds[kind].kernel)};
  if (!problem_geometry(p, &t->geometry, error)) return false;
  t->request = (ct_bp_request){&t->geometry, problem_grid(p), CT_INTERP_LINEAR, CT_PRECISION_FLOAT32, 2, 5, NULL};
  t->stack = problem_projections(&t->geometry, error);
  t->reference = ct_volume_new(&t->request.grid, error);
  t->volume = ct_volume_new(&t->request.grid, error);
  return t->stack && t->reference && t->volume &&
         problem_run(cpu.kernels[0], &t->request, t->stack, t->reference, NULL, error) && reopen(t, error);
}

/* Time stands still, so that the pace makes the same dispatches in every run. */
static double stopped_clock(void) {
  return 1;
}

/* One whole back-projection; a volume that is not right is a failure, too. */
static bool attempt(trial *t, ct_error **error) {
  memset(ct_volume_data(t->volume), 0, ct_grid_voxels(&t->request.grid) * sizeof(float));
  ct_bp_state *state = t->kernel->prepare(&t->request, error);
  if (state) state->pace.clock = stopped_clock;
  const bool good = state && problem_add(t->kernel, state, &t->request, t->stack, t->volume, NULL, error);
  if (state) t->kernel->free(state);
  if (!good) return false;
  const double rmse = problem_rel_rmse(t->volume, t->reference);
  return rmse < t->kernel->tolerance || ct_error_set(error, CT_ERROR_DATA, "relative RMSE %.3g", rmse);
}

/* Nothing stays on the card but the compiled programs. */
static bool left_nothing(void) {
  const faults *f = faults_get();
  return f->buffers == 0 && f->textures == 0 && f->fences == 0 && f->bytes == 0;
}

static bool has_device(void) {
  faults_reset();
  ct_bp_device *device = ctgl_device_new(NULL, false, NULL);
  ctgl_device_free(device);
  return device;
}

#define NEED_DEVICE()                                                                                                  \
  if (!has_device()) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

/* Events of a kind in a run that nothing disturbs; -1 when that is not right. */
static int count_events(trial *t, fault_kind kind) {
  faults_plan(kind, 0, 0);
  return attempt(t, NULL) ? faults_get()->events : -1;
}

#define FAIL_WITH(n)                                                                                                   \
  CT_TEST_END(1, "%s:%d: %s, event %d: %.200s", __FILE__, __LINE__, t.kernel->id, n,                                   \
              error ? error->message : "(no error)")

/* A single refusal is met with smaller pieces. */
static void test_one_refusal(void) {
  NEED_DEVICE();
  for (int kind = 0; kind < KINDS; kind++) {
    trial t;
    ct_error *error = NULL;
    CHECK_OK(trial_make(&t, kind, &error));
    const int events = count_events(&t, FAULT_ALLOCATION);
    CHECK(events >= 4);
    int served = 0;
    for (int n = 1; n <= events; n++) {
      faults_plan(FAULT_ALLOCATION, n, 1);
      const bool good = attempt(&t, &error);
      if (faults_get()->failed != 1 || !left_nothing()) FAIL_WITH(n);
      if (!good && (error->code != CT_ERROR_MEMORY || !strstr(error->message, "processor (device “none”)")))
        FAIL_WITH(n);
      served += good;
      ct_error_clear(&error);
    }
    /* All but the few bytes that go over during the run. */
    if (served < 4) CT_TEST_END(1, "%s: served in spite of %d of %d refusals", t.kernel->id, served, events);
    CHECK_OK(attempt(&t, &error));
    trial_clear(&t);
  }
}

/* From each event on refused for ever: always the same kind of words, nothing is left, and it works again afterwards.
 */
static void refuse_for_ever(int kind, fault_kind how, const char *words) {
  trial t;
  ct_error *error = NULL;
  CHECK_OK(trial_make(&t, kind, &error));
  const int events = count_events(&t, how);
  CHECK(events > 0);
  for (int n = 1; n <= events; n++) {
    faults_plan(how, n, FAULT_FOR_EVER);
    if (attempt(&t, &error) || !error || error->code != CT_ERROR_MEMORY || !strstr(error->message, words) ||
        !strstr(error->message, "processor (device “none”)") || !left_nothing())
      FAIL_WITH(n);
    ct_error_clear(&error);
  }
  faults_plan(FAULT_NOTHING, 0, 0);
  CHECK_OK(attempt(&t, &error));
  trial_clear(&t);
}

static void test_no_memory_at_all(void) {
  NEED_DEVICE();
  for (int kind = 0; kind < KINDS && !ct_test_state; kind++) refuse_for_ever(kind, FAULT_ALLOCATION, "too small for");
}

/* The driver tells of no memory at all (0: unknown) and has less than the first plan takes. */
static void test_smaller_pieces(void) {
  NEED_DEVICE();
  for (int kind = 0; kind < KINDS; kind++) {
    trial t;
    ct_error *error = NULL;
    CHECK_OK(trial_make(&t, kind, &error));
    faults_get()->most = 0;
    CHECK_OK(attempt(&t, &error));
    const double all = faults_get()->most;
    for (int part = 2; part <= kinds[kind].parts; part *= 2) {
      faults_get()->room = all / part;
      faults_get()->most = faults_get()->failed = 0;
      CHECK_OK(attempt(&t, &error));
      CHECK(faults_get()->failed > 0 && faults_get()->most <= all / part && left_nothing());
    }
    faults_get()->room = 1000;
    CHECK_FAILS(attempt(&t, &error), CT_ERROR_MEMORY, "too small for");
    CHECK(left_nothing());
    faults_get()->room = 0;
    CHECK_OK(attempt(&t, &error));
    trial_clear(&t);
  }
}

static void test_mapping(void) {
  NEED_DEVICE();
  for (int turn = 0; turn < 2 * KINDS && !ct_test_state; turn++)
    refuse_for_ever(turn / 2, turn % 2 ? FAULT_MAPPING_MUTE : FAULT_MAPPING, "");
}

/* Reading a plane of the volume in the making, too. */
static void test_plane(void) {
  NEED_DEVICE();
  trial t;
  ct_error *error = NULL;
  CHECK_OK(trial_make(&t, 0, &error));
  float *plane = calloc(33 * 18, sizeof *plane);
  const int view = 3;
  const float *projection = ct_stack_get_view(t.stack, view);
  for (int turn = 0; turn < 2; turn++) {
    ct_bp_state *state = t.kernel->prepare(&t.request, &error);
    CHECK_OK(state);
    CHECK_OK(t.kernel->run(state, &(ct_bp_batch){1, &view, &projection, false, NULL}, t.volume, NULL, &error));
    faults_plan(turn ? FAULT_MAPPING_MUTE : FAULT_MAPPING, 1, 1);
    CHECK_FAILS(t.kernel->read_plane(state, t.volume, CT_AXIAL, 20, plane, &error), CT_ERROR_MEMORY,
                "reading a plane back");
    CHECK_OK(t.kernel->read_plane(state, t.volume, CT_AXIAL, 20, plane, &error));
    faults_plan(turn ? FAULT_MAPPING_MUTE : FAULT_MAPPING, 1, 1);
    CHECK_FAILS(t.kernel->finish(state, t.volume, &error), CT_ERROR_MEMORY, "reading the volume back");
    t.kernel->free(state);
    CHECK(left_nothing());
  }
  free(plane);
  trial_clear(&t);
}

static void test_shaders(void) {
  NEED_DEVICE();
  for (int turn = 0; turn < 2 * KINDS; turn++) {
    trial t;
    ct_error *error = NULL;
    CHECK_OK(trial_make(&t, turn / 2, &error));
    const fault_kind how = turn % 2 ? FAULT_PROGRAM : FAULT_LINK;
    const int events = count_events(&t, how);
    CHECK(events > 0);
    for (int n = 1; n <= events; n++) {
      CHECK_OK(reopen(&t, &error)); /* a program that was made once is kept */
      const int programs = faults_get()->programs;
      faults_plan(how, n, 1);
      if (attempt(&t, &error) || !error || error->code != CT_ERROR_UNSUPPORTED ||
          !strstr(error->message, "refuses the shader") || !strstr(error->message, "device “none”") ||
          !left_nothing() || faults_get()->programs != programs + n - 1)
        FAIL_WITH(n);
      ct_error_clear(&error);
      CHECK_OK(attempt(&t, &error));
    }
    trial_clear(&t);
    CHECK(faults_get()->programs == 0);
  }
}

/* The device stays refused until it is opened anew. */
static bool lost_for_good(trial *t, const char *words, ct_error **error) {
  ct_error *fault = NULL;
  const int waits = faults_get()->waits;
  const bool refused = !attempt(t, &fault) && strstr(fault->message, words) && faults_get()->waits == waits;
  ct_error_clear(&fault);
  faults_reset();
  return refused && reopen(t, error) && attempt(t, error);
}

/* Provokes up to five faults of a kind in turn, each on a device of its own. The last fences stand behind all work: a
 * fault that comes too late may leave a volume that is right. */
static bool provoke(trial *t, fault_kind how, const char *words, ct_error **error) {
  const int events = count_events(t, how);
  int told = 0;
  for (int n = 1; n <= events; n += 1 + events / 4) {
    ct_error *fault = NULL;
    faults_plan(how, n, FAULT_FOR_EVER);
    const bool good = attempt(t, &fault);
    const bool clear = !good && fault->code == CT_ERROR_UNSUPPORTED && strstr(fault->message, words) &&
                       strstr(fault->message, "Run again") && strstr(fault->message, "processor (device “none”)");
    if (!left_nothing() || faults_get()->waits > n + 60 + events || (!good && !clear) || (good && n == 1))
      return ct_error_set(error, CT_ERROR_DATA, "%s, event %d of %d: %s", t->kernel->id, n, events,
                          fault ? fault->message : "no error");
    ct_error_clear(&fault);
    if (!good && !lost_for_good(t, words, error)) return false;
    faults_reset();
    if (good && !reopen(t, error)) return false;
    told += clear;
  }
  return told >= 3 ||
         ct_error_set(error, CT_ERROR_DATA, "%s: only %d of %d faults were noticed", t->kernel->id, told, events);
}

static void test_fences(void) {
  NEED_DEVICE();
  for (int turn = 0; turn < 2 * KINDS; turn++) {
    trial t;
    ct_error *error = NULL;
    CHECK_OK(trial_make(&t, turn / 2, &error));
    CHECK_OK(provoke(&t, turn % 2 ? FAULT_TIMEOUT : FAULT_WAIT, "does not answer", &error));
    trial_clear(&t);
  }
}

/* The card is reset behind any of the dispatches, and the driver tells in one way or the other. */
static void test_resets(void) {
  NEED_DEVICE();
  for (int turn = 0; turn < 2 * KINDS; turn++) {
    trial t;
    ct_error *error = NULL;
    CHECK_OK(trial_make(&t, turn / 2, &error));
    CHECK_OK(provoke(&t, turn % 2 ? FAULT_LOST : FAULT_RESET, "was reset", &error));
    trial_clear(&t);
  }
}

/* The device vanishes before, after and between the steps. */
static void test_vanishing(void) {
  NEED_DEVICE();
  for (int kind = 0; kind < KINDS; kind++) {
    trial t;
    ct_error *error = NULL;
    CHECK_OK(trial_make(&t, kind, &error));
    const int events = count_events(&t, FAULT_CLOSED);
    CHECK(events >= 5);
    for (int n = 1; n < events; n++) { /* the last one only frees */
      faults_plan(FAULT_CLOSED, n, FAULT_FOR_EVER);
      if (attempt(&t, &error) || !error || error->code != CT_ERROR_UNSUPPORTED ||
          !strstr(error->message, "has closed it") || !strstr(error->message, "Run again"))
        FAIL_WITH(n);
      ct_error_clear(&error);
      CHECK_OK(lost_for_good(&t, "has closed it", &error));
    }
    trial_clear(&t);
  }
}

static const ct_test tests[] = {
    {"one refusal of memory is met with smaller pieces", test_one_refusal},
    {"without memory there are words, and nothing is left behind", test_no_memory_at_all},
    {"a card with less memory than it says makes the volume in smaller pieces", test_smaller_pieces},
    {"memory that cannot be mapped", test_mapping},
    {"planes and volumes that cannot be read back", test_plane},
    {"shaders that the driver refuses", test_shaders},
    {"fences that fail or are never reached", test_fences},
    {"a card that is reset", test_resets},
    {"a device that vanishes", test_vanishing},
};
CT_TEST_MAIN(tests)
