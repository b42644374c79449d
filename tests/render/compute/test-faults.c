/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of a back-projection when the graphics driver fails at any of its calls: words that tell what to do,
 * nothing left in graphics memory, and a later run that is right. Where memory is short, smaller pieces do. */
#include "render/compute/state-private.h"
#include "tests/render/compute/faults.h"
#include "tests/render/compute/trial.h"
#include "tests/test.h"

static const problem cone = TRIAL_CONE(33, 18, 40), parallel = TRIAL_PARALLEL(33, 18, 40);
/* Reads from a buffer, streams to a texture, makes sinograms: together every call that can fail. */
static const struct {
  const char *kernel;
  const problem *problem;
  int parts; /* of the memory that it takes, one must do: a group of views cannot be cut */
} kinds[] = {{"gl-naive", &cone, 8}, {"gl-rabbit-stream", &cone, 1}, {"gl-wide-2", &parallel, 8}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* With a device of its own, and what is right. */
typedef struct attempts {
  trial trial;
  ct_volume *reference, *volume;
} attempts;

static void attempts_clear(attempts *a) {
  ctgl_device_free(a->trial.request.device);
  ct_volume_free(a->reference);
  ct_volume_free(a->volume);
  trial_clear(&a->trial);
  *a = (attempts){0};
}

/* The device anew: as a person does who runs again. */
static bool reopen(attempts *a, ct_error **error) {
  ctgl_device_free(a->trial.request.device);
  return (a->trial.request.device = ctgl_device_new(NULL, false, error));
}

static bool attempts_make(attempts *a, int kind, ct_error **error) {
  const ct_bp_table cpu = ct_bp_cpu_kernels();
  trial *t = &a->trial;
  *a = (attempts){0};
  if (!trial_make(t, kinds[kind].problem, kinds[kind].kernel, NULL, error)) return false;
  a->reference = ct_volume_new(&t->request.grid, error);
  a->volume = ct_volume_new(&t->request.grid, error);
  return a->reference && a->volume && problem_run(cpu.kernels[0], &t->request, t->stack, a->reference, NULL, error) &&
         reopen(a, error);
}

/* Time stands still, so that the pace makes the same dispatches in every run. */
static double stopped_clock(void) {
  return 1;
}

/* One whole back-projection; a volume that is not right is a failure, too. */
static bool attempt(attempts *a, ct_error **error) {
  const trial *t = &a->trial;
  memset(ct_volume_data(a->volume), 0, ct_grid_voxels(&t->request.grid) * sizeof(float));
  ct_bp_state *state = t->kernel->prepare(t->kernel, &t->request, error);
  if (state) state->pace.clock = stopped_clock;
  const bool good = state && problem_add(t->kernel, state, &t->request, t->stack, a->volume, NULL, error);
  if (state) t->kernel->free(state);
  if (!good) return false;
  const double rmse = problem_rel_rmse(a->volume, a->reference);
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
static int count_events(attempts *a, fault_kind kind) {
  faults_plan(kind, 0, 0);
  return attempt(a, NULL) ? faults_get()->events : -1;
}

#define FAIL_WITH(n)                                                                                                   \
  CT_TEST_END(1, "%s:%d: %s, event %d: %.200s", __FILE__, __LINE__, a.trial.kernel->id, n,                             \
              error ? error->message : "(no error)")

/* A single refusal is met with smaller pieces. */
static void test_one_refusal(void) {
  NEED_DEVICE();
  for (int kind = 0; kind < KINDS; kind++) {
    attempts a;
    ct_error *error = NULL;
    CHECK_OK(attempts_make(&a, kind, &error));
    const int events = count_events(&a, FAULT_ALLOCATION);
    CHECK(events >= 4);
    int served = 0;
    for (int n = 1; n <= events; n++) {
      faults_plan(FAULT_ALLOCATION, n, 1);
      const bool good = attempt(&a, &error);
      if (faults_get()->failed != 1 || !left_nothing()) FAIL_WITH(n);
      if (!good && (error->code != CT_ERROR_MEMORY || !strstr(error->message, "processor (device “none”)")))
        FAIL_WITH(n);
      served += good;
      ct_error_clear(&error);
    }
    /* All but the few bytes that go over during the run. */
    if (served < 4) CT_TEST_END(1, "%s: served in spite of %d of %d refusals", a.trial.kernel->id, served, events);
    CHECK_OK(attempt(&a, &error));
    attempts_clear(&a);
  }
}

/* From each event on refused for ever: always the same kind of words, nothing is left, and it works again afterwards.
 */
static void refuse_for_ever(int kind, fault_kind how, const char *words) {
  attempts a;
  ct_error *error = NULL;
  CHECK_OK(attempts_make(&a, kind, &error));
  const int events = count_events(&a, how);
  CHECK(events > 0);
  for (int n = 1; n <= events; n++) {
    faults_plan(how, n, FAULT_FOR_EVER);
    if (attempt(&a, &error) || !error || error->code != CT_ERROR_MEMORY || !strstr(error->message, words) ||
        !strstr(error->message, "processor (device “none”)") || !left_nothing())
      FAIL_WITH(n);
    ct_error_clear(&error);
  }
  faults_plan(FAULT_NOTHING, 0, 0);
  CHECK_OK(attempt(&a, &error));
  attempts_clear(&a);
}

static void test_no_memory_at_all(void) {
  NEED_DEVICE();
  for (int kind = 0; kind < KINDS && !ct_test_state; kind++) refuse_for_ever(kind, FAULT_ALLOCATION, "too small for");
}

/* The driver tells of no memory at all (0: unknown) and has less than the first plan takes. */
static void test_smaller_pieces(void) {
  NEED_DEVICE();
  for (int kind = 0; kind < KINDS; kind++) {
    attempts a;
    ct_error *error = NULL;
    CHECK_OK(attempts_make(&a, kind, &error));
    faults_get()->most = 0;
    CHECK_OK(attempt(&a, &error));
    const double all = faults_get()->most;
    for (int part = 2; part <= kinds[kind].parts; part *= 2) {
      faults_get()->room = all / part;
      faults_get()->most = faults_get()->failed = 0;
      CHECK_OK(attempt(&a, &error));
      CHECK(faults_get()->failed > 0 && faults_get()->most <= all / part && left_nothing());
    }
    faults_get()->room = 1000;
    CHECK_FAILS(attempt(&a, &error), CT_ERROR_MEMORY, "too small for");
    CHECK(left_nothing());
    faults_get()->room = 0;
    CHECK_OK(attempt(&a, &error));
    attempts_clear(&a);
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
  attempts a;
  ct_error *error = NULL;
  CHECK_OK(attempts_make(&a, 0, &error));
  float *plane = calloc(33 * 18, sizeof *plane);
  const int view = 3;
  const float *projection = ct_stack_get_view(a.trial.stack, view);
  for (int turn = 0; turn < 2; turn++) {
    ct_bp_state *state = a.trial.kernel->prepare(a.trial.kernel, &a.trial.request, &error);
    CHECK_OK(state);
    CHECK_OK(a.trial.kernel->run(state, &(ct_bp_batch){.count = 1, .views = &view, .projections = &projection},
                                 a.volume, NULL, &error));
    faults_plan(turn ? FAULT_MAPPING_MUTE : FAULT_MAPPING, 1, 1);
    CHECK_FAILS(a.trial.kernel->read_plane(state, a.volume, CT_AXIAL, 20, plane, &error), CT_ERROR_MEMORY,
                "reading a plane back");
    CHECK_OK(a.trial.kernel->read_plane(state, a.volume, CT_AXIAL, 20, plane, &error));
    faults_plan(turn ? FAULT_MAPPING_MUTE : FAULT_MAPPING, 1, 1);
    CHECK_FAILS(a.trial.kernel->finish(state, a.volume, &error), CT_ERROR_MEMORY, "reading the volume back");
    a.trial.kernel->free(state);
    CHECK(left_nothing());
  }
  free(plane);
  attempts_clear(&a);
}

static void test_shaders(void) {
  NEED_DEVICE();
  for (int turn = 0; turn < 2 * KINDS; turn++) {
    attempts a;
    ct_error *error = NULL;
    CHECK_OK(attempts_make(&a, turn / 2, &error));
    const fault_kind how = turn % 2 ? FAULT_PROGRAM : FAULT_LINK;
    const int events = count_events(&a, how);
    CHECK(events > 0);
    for (int n = 1; n <= events; n++) {
      CHECK_OK(reopen(&a, &error)); /* a program that was made once is kept */
      const int programs = faults_get()->programs;
      faults_plan(how, n, 1);
      if (attempt(&a, &error) || !error || error->code != CT_ERROR_UNSUPPORTED ||
          !strstr(error->message, "refuses the shader") || !strstr(error->message, "device “none”") ||
          !left_nothing() || faults_get()->programs != programs + n - 1)
        FAIL_WITH(n);
      ct_error_clear(&error);
      CHECK_OK(attempt(&a, &error));
    }
    attempts_clear(&a);
    CHECK(faults_get()->programs == 0);
  }
}

/* The device stays refused until it is opened anew. */
static bool lost_for_good(attempts *a, const char *words, ct_error **error) {
  ct_error *fault = NULL;
  const int waits = faults_get()->waits;
  const bool refused = !attempt(a, &fault) && strstr(fault->message, words) && faults_get()->waits == waits;
  ct_error_clear(&fault);
  faults_reset();
  return refused && reopen(a, error) && attempt(a, error);
}

/* Provokes up to five faults of a kind in turn, each on a device of its own. The last fences stand behind all work: a
 * fault that comes too late may leave a volume that is right. */
static bool provoke(attempts *a, fault_kind how, const char *words, ct_error **error) {
  const int events = count_events(a, how);
  int told = 0;
  for (int n = 1; n <= events; n += 1 + events / 4) {
    ct_error *fault = NULL;
    faults_plan(how, n, FAULT_FOR_EVER);
    const bool good = attempt(a, &fault);
    const bool clear = !good && fault->code == CT_ERROR_UNSUPPORTED && strstr(fault->message, words) &&
                       strstr(fault->message, "Run again") && strstr(fault->message, "processor (device “none”)");
    if (!left_nothing() || faults_get()->waits > n + 60 + events || (!good && !clear) || (good && n == 1))
      return ct_error_set(error, CT_ERROR_DATA, "%s, event %d of %d: %s", a->trial.kernel->id, n, events,
                          fault ? fault->message : "no error");
    ct_error_clear(&fault);
    if (!good && !lost_for_good(a, words, error)) return false;
    faults_reset();
    if (good && !reopen(a, error)) return false;
    told += clear;
  }
  return told >= 3 ||
         ct_error_set(error, CT_ERROR_DATA, "%s: only %d of %d faults were noticed", a->trial.kernel->id, told, events);
}

static void test_fences(void) {
  NEED_DEVICE();
  for (int turn = 0; turn < 2 * KINDS; turn++) {
    attempts a;
    ct_error *error = NULL;
    CHECK_OK(attempts_make(&a, turn / 2, &error));
    CHECK_OK(provoke(&a, turn % 2 ? FAULT_TIMEOUT : FAULT_WAIT, "does not answer", &error));
    attempts_clear(&a);
  }
}

/* The card is reset behind any of the dispatches, and the driver tells in one way or the other. */
static void test_resets(void) {
  NEED_DEVICE();
  for (int turn = 0; turn < 2 * KINDS; turn++) {
    attempts a;
    ct_error *error = NULL;
    CHECK_OK(attempts_make(&a, turn / 2, &error));
    CHECK_OK(provoke(&a, turn % 2 ? FAULT_LOST : FAULT_RESET, "was reset", &error));
    attempts_clear(&a);
  }
}

/* The device vanishes before, after and between the steps. */
static void test_vanishing(void) {
  NEED_DEVICE();
  for (int kind = 0; kind < KINDS; kind++) {
    attempts a;
    ct_error *error = NULL;
    CHECK_OK(attempts_make(&a, kind, &error));
    const int events = count_events(&a, FAULT_CLOSED);
    CHECK(events >= 5);
    for (int n = 1; n < events; n++) { /* the last one only frees */
      faults_plan(FAULT_CLOSED, n, FAULT_FOR_EVER);
      if (attempt(&a, &error) || !error || error->code != CT_ERROR_UNSUPPORTED ||
          !strstr(error->message, "has closed it") || !strstr(error->message, "Run again"))
        FAIL_WITH(n);
      ct_error_clear(&error);
      CHECK_OK(lost_for_good(&a, "has closed it", &error));
    }
    attempts_clear(&a);
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
