/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long dispatches are, by a clock that counts work groups: a device that is slower gets smaller dispatches, down to
 * a part of a row of groups, and makes the same volume; a cancel is answered after one more. */
#include "render/compute/state-private.h"
#include "tests/render/compute/faults.h"
#include "tests/render/compute/trial.h"
#include "tests/test.h"

static const problem cone = TRIAL_CONE(65, 50, 40), parallel = TRIAL_PARALLEL(65, 50, 12);
/* A column of 512 slices, eight views at a time, x and y in turn; whole slices from textures, caches and both. */
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
  ct_job *job;    /* to be cancelled by dispatch `cancel`, to finish early by dispatch `finish` */
  int cancel, finish;
} card;

static double clock_of_card(void) {
  return card.seconds;
}

static void dispatched(unsigned across, unsigned down, unsigned layers) {
  const double groups = (double)across * down * layers;
  card.seconds += groups * card.each;
  card.longest = fmax(card.longest, groups);
  if (++card.dispatches == card.cancel) ct_job_cancel(card.job);
  if (card.dispatches == card.finish) ct_job_finish_early(card.job);
}

/* On a card whose work groups take so long. */
static ct_volume *run_on(trial *t, double each, ct_job *job, int cancel, ct_error **error) {
  card.seconds = 1, card.each = each, card.dispatches = 0, card.longest = 0, card.job = job, card.cancel = cancel,
  card.finish = 0;
  ct_volume *volume = ct_volume_new(&t->request.grid, error);
  ct_bp_state *state = volume ? t->kernel->prepare(t->kernel, &t->request, error) : NULL;
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
    CHECK_OK(trial_make(&t, kinds[kind].problem, kinds[kind].kernel, device, &error));
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
    CHECK_OK(job && trial_make(&t, kinds[kind].problem, kinds[kind].kernel, device, &error));
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

/* One batch of all views but the last, which is asked to finish early by its dispatch `finish` (0: only its first
 * `count` views), and finished. */
static ct_volume *run_batch(trial *t, int finish, int *count, ct_error **error) {
  int views[13];
  const float *projections[13];
  for (int n = 0; n < 13; n++) views[n] = n, projections[n] = ct_stack_get_view(t->stack, n);
  ct_volume *volume = ct_volume_new(&t->request.grid, error);
  ct_job *job = ct_job_new(error);
  ct_bp_state *state = volume && job ? t->kernel->prepare(t->kernel, &t->request, error) : NULL;
  card.seconds = 1, card.each = CTGL_DISPATCH_SECONDS / 3.5, card.dispatches = 0;
  card.job = job, card.cancel = 0, card.finish = finish;
  bool good = state;
  if (good) state->pace.clock = clock_of_card;
  const ct_bp_batch batch = {
      .count = finish ? 12 : *count, .views = views, .projections = projections, .added = finish ? count : NULL};
  if (finish) *count = 12;
  good = good && t->kernel->run(state, &batch, volume, job, error) && t->kernel->finish(state, volume, error);
  if (state) t->kernel->free(state);
  ct_job_free(job);
  if (good) return volume;
  ct_volume_free(volume);
  return NULL;
}

/* Wherever it is asked, all voxels have taken the same views, as many as the kernel says; those that need not take all
 * do not. */
static void test_finish(void) {
  static const struct {
    const char *kernel;
    const problem *problem;
    bool amid; /* ends within what goes to the card at once */
  } ends[] = {{"gl-thumper-1", &cone, true},
              {"gl-four-views", &cone, true},
              {"gl-naive", &cone, true},
              {"gl-rabbit-transpose", &cone, false},
              {"gl-slices-2", &parallel, false}};
  ct_bp_device *device = open_device();
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3");
  ctgl_device_facts *facts = (ctgl_device_facts *)ctgl_device_get_facts(device);
  const double memory = facts->memory;
  for (size_t n = 0; n < sizeof ends / sizeof *ends; n++)
    for (int turn = 0; turn < 4; turn++) {
      trial t;
      ct_error *error = NULL;
      CHECK_OK(trial_make(&t, ends[n].problem, ends[n].kernel, device, &error));
      t.request.batch = 12;
      /* All tiles on the card, or some rows at a time. */
      facts->memory = turn < 2 ? memory : 200000;
      int count = 0;
      ct_volume *ended = run_batch(&t, turn % 2 ? 60 : 2, &count, &error);
      CHECK_OK(ended);
      if (count < 1 || count > 12 || (ends[n].amid && turn % 2 == 0 && count == 12))
        CT_TEST_END(1, "%s: ended with %d of 12 views", ends[n].kernel, count);
      ct_volume *right = run_batch(&t, 0, &count, &error);
      CHECK_OK(right);
      if (memcmp(ct_volume_get_data(ended), ct_volume_get_data(right), ct_volume_bytes(right)))
        CT_TEST_END(1, "%s, turn %d: not the volume of %d views", ends[n].kernel, turn, count);
      ct_volume_free(ended);
      ct_volume_free(right);
      trial_clear(&t);
    }
  facts->memory = memory;
  ctgl_device_free(device);
}

/* A run leaves its last dispatch to the card; whoever needs the volume waits for it, and tells when it never ends. */
static void test_return(void) {
  for (int reader = 0; reader < 4; reader++) {
    ct_bp_device *device = open_device();
    if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3");
    trial t;
    ct_error *error = NULL;
    CHECK_OK(trial_make(&t, kinds[0].problem, kinds[0].kernel, device, &error));
    ct_volume *volume = ct_volume_new(&t.request.grid, &error);
    ct_bp_state *state = t.kernel->prepare(t.kernel, &t.request, &error);
    float *plane = calloc(65 * 50, sizeof *plane);
    CHECK_OK(volume && state && plane);
    const int view = 3;
    const float *projection = ct_stack_get_view(t.stack, view);
    const ct_bp_batch batch = {.count = 1, .views = &view, .projections = &projection};
    const ct_oblique pose = ct_oblique_turned((double[]){0, 0, 0}, 0.3, 0.4, 1, 50, 50);
    for (int turn = 0; turn < 2; turn++) {
      if (turn == 0) {
        CHECK_OK(t.kernel->run(state, &batch, volume, NULL, &error));
        CHECK(faults_get()->fences == 1);
      } else
        faults_plan(FAULT_WAIT, 1, FAULT_FOR_EVER);
      const bool good = reader == 0   ? t.kernel->run(state, &batch, volume, NULL, &error)
                        : reader == 1 ? t.kernel->read_plane(state, volume, CT_AXIAL, 20, plane, &error)
                        : reader == 2 ? t.kernel->read_oblique(state, volume, &pose, plane, &error)
                                      : t.kernel->finish(state, volume, &error);
      CHECK(good == (turn == 0));
      if (good)
        CHECK(faults_get()->fences == (reader == 0));
      else
        CHECK(strstr(error->message, "does not answer"));
      ct_error_clear(&error);
      if (!good) break;
      if (reader) CHECK_OK(t.kernel->run(state, &batch, volume, NULL, &error));
    }
    t.kernel->free(state);
    CHECK(faults_get()->fences == 0);
    free(plane);
    ct_volume_free(volume);
    trial_clear(&t);
    ctgl_device_free(device);
  }
}

static const ct_test tests[] = {
    {"a slower device gets smaller dispatches, and makes the same volume", test_slower},
    {"a cancel between two dispatches is answered before the next", test_cancel},
    {"an early end leaves every voxel with the same views", test_finish},
    {"a run returns while the card works, and what goes wrong then is told later", test_return},
    {"the pace learns what a unit costs", test_learning},
};
CT_TEST_MAIN(tests)
