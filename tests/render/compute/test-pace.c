/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long dispatches are, by a clock that counts work groups: a device that is slower gets smaller dispatches, down to
 * a part of a row of groups, and makes the same volume; a cancel is answered after one more. */
#include "render/compute/device.h"
#include "render/compute/state-private.h"
#include "tests/bp/problem.h"
#include "tests/render/compute/faults.h"
#include "tests/test.h"

static const problem cone = {"cone", CT_BEAM_CONE, 48, 40, 13, 1,  1,   100, 150,  0, 0, 0,
                             0.1,    6.2831853,    0,  65, 50, 40, 0.6, 0.6, 0.55, 0, 0, 0};
static const problem parallel = {"parallel", CT_BEAM_PARALLEL, 48, 40, 13, 1,  1, 0, 0, 0.4, 0, 0,
                                 0.1,        3.14159265,       0,  65, 50, 12, 1, 1, 1, 0,   0, 0};
/* A column of 512 levels, eight views at a time, x and y in turn; whole slices from textures, caches and both. */
static const struct {
  const char *kernel;
  const problem *problem;
} kinds[] = {{"gl-thumper-1", &cone},
             {"gl-rabbit-transpose", &cone},
             {"gl-slices-1", &parallel},
             {"gl-wide-2", &parallel},
             {"gl-hybrid-1", &parallel}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The device that all of it runs on, its clock, and what it was given. */
static struct {
  double seconds, each; /* of a work group */
  int dispatches;
  double longest; /* groups */
  ct_job *job;    /* to be cancelled by dispatch `cancel` */
  int cancel;
} card;

static double clock_of_card(void) {
  return card.seconds;
}

static void dispatched(unsigned across, unsigned down, unsigned layers) {
  const double groups = (double)across * down * layers;
  card.seconds += groups * card.each;
  card.longest = fmax(card.longest, groups);
  if (++card.dispatches == card.cancel) ct_job_cancel(card.job);
}

typedef struct trial {
  ct_geometry geometry;
  ct_stack *stack;
  ct_bp_request request;
  const ct_bp_kernel *kernel;
} trial;

static bool trial_make(trial *t, int kind, ct_bp_device *device, ct_error **error) {
  const ct_bp_table gpu = ctgl_bp_kernels(NULL);
  const problem *p = kinds[kind].problem;
  *t = (trial){.kernel = ct_bp_find(&gpu, kinds[kind].kernel)};
  if (!problem_geometry(p, &t->geometry, error)) return false;
  t->request = (ct_bp_request){&t->geometry, problem_grid(p), CT_INTERP_LINEAR, CT_PRECISION_FLOAT32, 2, 5, device};
  return (t->stack = problem_projections(&t->geometry, error));
}

static void trial_clear(trial *t) {
  ct_stack_free(t->stack);
  ct_geometry_clear(&t->geometry);
}

/* On a card whose work groups take so long. */
static ct_volume *run_on(trial *t, double each, ct_job *job, int cancel, ct_error **error) {
  card.seconds = 1, card.each = each, card.dispatches = 0, card.longest = 0, card.job = job, card.cancel = cancel;
  ct_volume *volume = ct_volume_new(&t->request.grid, error);
  ct_bp_state *state = volume ? t->kernel->prepare(&t->request, error) : NULL;
  if (state) state->pace.clock = clock_of_card;
  const bool good = state && problem_add(t->kernel, state, &t->request, t->stack, volume, job, error);
  if (state) t->kernel->free(state);
  if (good) return volume;
  ct_volume_free(volume);
  return NULL;
}

static ct_bp_device *open_device(void) {
  faults_reset();
  faults_get()->dispatched = dispatched;
  return ctgl_device_new(NULL, true, NULL);
}

/* Groups so quick that all of a view's pass go at once; then a hundred and a thousand times slower. */
static void test_slower(void) {
  ct_bp_device *device = open_device();
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3");
  for (int kind = 0; kind < KINDS; kind++) {
    trial t;
    ct_error *error = NULL;
    CHECK_OK(trial_make(&t, kind, device, &error));
    ct_volume *quick = run_on(&t, 1e-9, NULL, 0, &error);
    CHECK_OK(quick);
    const int few = card.dispatches;
    const double most = card.longest;
    const double limits[] = {12, 3, 1};
    CHECK(most > 12);
    for (size_t n = 0; n < sizeof limits / sizeof *limits; n++) {
      ct_volume *slow = run_on(&t, CTGL_DISPATCH_SECONDS / (limits[n] + 0.5), NULL, 0, &error);
      CHECK_OK(slow);
      if (card.longest != limits[n] || card.dispatches <= few)
        CT_TEST_END(1, "%s: %.0f groups of %.0f at once, in %d dispatches", t.kernel->id, card.longest, limits[n],
                    card.dispatches);
      CHECK(!memcmp(ct_volume_get_data(slow), ct_volume_get_data(quick), ct_volume_bytes(slow)));
      ct_volume_free(slow);
    }
    ct_volume_free(quick);
    trial_clear(&t);
  }
  ctgl_device_free(device);
}

static void test_cancel(void) {
  ct_bp_device *device = open_device();
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3");
  for (int kind = 0; kind < KINDS; kind++) {
    trial t;
    ct_error *error = NULL;
    ct_job *job = ct_job_new(&error);
    CHECK_OK(job && trial_make(&t, kind, device, &error));
    CHECK(!run_on(&t, CTGL_DISPATCH_SECONDS / 3.5, job, 7, &error) && error && error->code == CT_ERROR_CANCELLED);
    if (card.dispatches != 7) CT_TEST_END(1, "%s: went on for %d dispatches", t.kernel->id, card.dispatches - 7);
    CHECK(faults_get()->buffers == 0 && faults_get()->textures == 0 && faults_get()->fences == 0);
    ct_error_clear(&error);
    ct_job_free(job);
    trial_clear(&t);
  }
  ctgl_device_free(device);
}

/* Work that becomes cheaper is believed by halves, work that becomes dearer at once; two kinds of work have two
 * measures. */
static void test_learning(void) {
  ct_bp_device *device = open_device();
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3");
  ct_error *error = NULL;
  CHECK_OK(ctgl_device_enter(device, &error));
  ctgl_pace pace = {.device = device, .clock = clock_of_card};
  card.seconds = 1;
  const double costs[] = {9e-4, 9e-4, 9e-4, 9e-4, 9e-4, 9e-4, 5.5e-3, 5.5e-3}; /* of a unit */
  const int expected[] = {1, 2, 4, 8, 16, 32, 33, 5};
  for (int n = 0; n < 8; n++) {
    const int units = ctgl_pace_next(&pace, 1000);
    if (units != expected[n]) CT_TEST_END(1, "dispatch %d carries %d units", n, units);
    CHECK(ctgl_pace_sent(&pace, units));
    card.seconds += units * costs[n];
    CHECK(ctgl_pace_drain(&pace));
  }
  CHECK(ctgl_pace_next(&pace, 3) == 3);
  pace.work = CTGL_WORK_MAKING_READY;
  CHECK(ctgl_pace_next(&pace, 1000) == 1);
  CHECK_OK(ctgl_device_leave(device, true, "the test", &error));
  ctgl_device_free(device);
}

static const ct_test tests[] = {
    {"a slower device gets smaller dispatches, and makes the same volume", test_slower},
    {"a cancel between two dispatches is answered before the next", test_cancel},
    {"the pace learns what a unit costs", test_learning},
};
CT_TEST_MAIN(tests)
