/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tuning: the search ends with a setting no slower than the guess, is heard of, can be cancelled, and survives as text.
 */
#include "recon/base/memory.h"
#include "render/compute/tuning.h"
#include "render/compute/tuning-private.h"
#include "tests/test.h"

static ct_bp_device *device;

#define NEED_DEVICE()                                                                                                  \
  if (!device) device = ctgl_device_new(NULL, true, NULL);                                                             \
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

typedef struct heard {
  int steps, problems;
  char problem[96];
  double first, best;
  bool ordered; /* the best never falls */
  ct_job *cancel_after_two;
} heard;

static void hear(void *user, const ctgl_tuning_step *step) {
  heard *h = user;
  if (!h->steps++) h->first = step->gups;
  if (step->best < h->best && !strcmp(step->problem, h->problem)) h->ordered = false;
  h->problems += strcmp(step->problem, h->problem) != 0;
  snprintf(h->problem, sizeof h->problem, "%s", step->problem);
  h->best = step->best;
  if (h->cancel_after_two && h->steps == 2) ct_job_cancel(h->cancel_after_two);
}

/* Whether the device has the settings of a text; padding does not count. */
static bool has_settings(const char *text) {
  char *now = ctgl_device_save_tuning(device, NULL);
  const bool same = now && !strcmp(now, text);
  ct_free(now);
  return same;
}

static void test_guess_as_text(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  CHECK(!ctgl_device_is_tuned(device));
  char *text = ctgl_device_save_tuning(device, &error);
  CHECK_OK(text != NULL);
  ctgl_device_tuning(device)->modes[CTGL_TUNED_HALF].cone.views = 8;
  ctgl_device_tuning(device)->modes[CTGL_TUNED_LINEAR].parallel[1].area = 64;
  CHECK(!has_settings(text));
  CHECK_OK(ctgl_device_load_tuning(device, text, &error));
  const ctgl_tuned guess = ctgl_tuning_guess().modes[CTGL_TUNED_HALF],
                   *half = &ctgl_device_tuning(device)->modes[CTGL_TUNED_HALF];
  CHECK(has_settings(text) && half->cone.views == guess.cone.views && half->cone_gups == 0);
  ct_free(text);
}

static void test_foreign_text(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  char *text = ctgl_device_save_tuning(device, &error);
  CHECK_OK(text != NULL);
  char *before = ct_strdup(text, &error);
  CHECK_FAILS(ctgl_device_load_tuning(device, "Another card\n1.0\n", &error), CT_ERROR_FORMAT, "not found on");
  /* Cut anywhere, it is refused or the same. */
  const size_t length = strlen(text);
  for (size_t n = 0; n < length; n++) {
    const char kept = text[n];
    text[n] = 0;
    CHECK_FAILS(ctgl_device_load_tuning(device, text, &error), CT_ERROR_FORMAT, "");
    text[n] = kept;
  }
  char *views = strstr(text, "views 32");
  CHECK(views);
  views[6] = '9';
  CHECK_FAILS(ctgl_device_load_tuning(device, text, &error), CT_ERROR_FORMAT, "damaged");
  /* As version 0.1 kept them: rates before knobs, nothing about precision. */
  const ctgl_device_facts *facts = ctgl_device_get_facts(device);
  char *old = ct_strprintf("%s\n%s\n12.5: views 32, voxels 4\n", facts->name, facts->driver);
  CHECK(old);
  CHECK_FAILS(ctgl_device_load_tuning(device, old, &error), CT_ERROR_FORMAT, "older version");
  ct_free(old);
  /* As later versions kept them: nothing about multiprocessors, or about four samples a pixel. */
  views[6] = '3';
  for (char *at = text; (at = strstr(at, "multiprocessor")); at++) *at = 'M';
  CHECK_FAILS(ctgl_device_load_tuning(device, text, &error), CT_ERROR_FORMAT, "older version");
  char *four = strstr(text, "parallel 1 oversampled");
  CHECK(four);
  *four = 0;
  CHECK_FAILS(ctgl_device_load_tuning(device, text, &error), CT_ERROR_FORMAT, "older version");
  CHECK(has_settings(before));
  ct_free(before);
  ct_free(text);
}

/* The search may come by this pair of numbers: what is on its way in a mapped buffer can only go into a texture. */
static void test_impossible_pair(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  ctgl_cone_setting setting = ctgl_tuning_guess().modes[0].cone;
  const ct_bp_request request = {.device = device};
  setting.streamed = 1, setting.texture = 0;
  CHECK_FAILS(ctgl_cone_accepts(&setting, &request, &error), CT_ERROR_UNSUPPORTED, "");
}

static void test_cancelled(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  ct_job *job = ct_job_new(&error);
  heard h = {.ordered = true, .cancel_after_two = job};
  char *before = ctgl_device_save_tuning(device, &error);
  CHECK_OK(before);
  const ctgl_tuning_watcher watcher = {&h, hear};
  CHECK_FAILS(ctgl_device_tune(device, 8, &watcher, job, &error), CT_ERROR_CANCELLED, "cancelled");
  CHECK(h.steps <= 3);
  CHECK(has_settings(before));
  ct_free(before);
  ct_job_free(job);
}

/* From the second trial on volumes are left out, which is quick and wrong. */
typedef struct cheat {
  int steps, faster; /* trials; those that were faster than the first */
  double first;
  bool won; /* one of them was taken */
  ct_job *job;
} cheat;

static void hear_cheat(void *user, const ctgl_tuning_step *step) {
  cheat *c = user;
  if (!c->steps++) c->first = step->gups;
  c->faster += step->gups > c->first;
  c->won = c->won || step->best > c->first;
  ctgl_device_omit(device, CTGL_NO_UPDATES);
  if (c->steps == 8) ct_job_cancel(c->job);
}

/* However fast, what makes another volume than the first setting is not taken. */
static void test_wrong_volumes(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  cheat c = {.job = ct_job_new(&error)};
  const ctgl_tuning_watcher watcher = {&c, hear_cheat};
  const bool tuned = ctgl_device_tune(device, 32, &watcher, c.job, &error);
  ctgl_device_omit(device, CTGL_WHOLE);
  ct_job_free(c.job);
  CHECK_FAILS(tuned, CT_ERROR_CANCELLED, "cancelled");
  CHECK(c.first > 0 && !c.won);
  if (!c.faster) SKIP("none of %d wrong settings was faster than the first", c.steps - 1);
}

static void test_search(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  heard h = {.ordered = true};
  const ctgl_tuning_watcher watcher = {&h, hear};
  ct_job *job = ct_job_new(&error);
  ct_progress progress;
  CHECK_OK(ctgl_device_tune(device, 8, &watcher, job, &error));
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_TUNING && progress.done == progress.total && progress.total >= (uint64_t)h.steps);
  ct_job_free(job);
  CHECK(ctgl_device_is_tuned(device));
  CHECK(h.ordered && h.steps > 30 && h.problems == CTGL_TUNED_MODES * (1 + CTGL_TUNED_SLICES) - 1);
  const ctgl_tuning *t = ctgl_device_tuning(device);
  CHECK(t->modes[CTGL_TUNED_LINEAR].cone_gups >= h.first);
  for (int mode = 0; mode < CTGL_TUNED_MODES; mode++)
    for (int n = 0; n < CTGL_TUNED_SLICES; n++) {
      const ctgl_parallel_setting *found = &t->modes[mode].parallel[n];
      CHECK(t->modes[mode].parallel_gups[n] > 0 && found->slices == 1 << n && found->arrays <= found->slices);
      /* Half precision would be lost where it was not asked for. */
      CHECK(mode == CTGL_TUNED_HALF || !found->half_cache);
      CHECK(mode != CTGL_TUNED_OVERSAMPLED || found->texture_share == 0);
    }
}

/* What is told of settings without the device are the rates that they have on it. */
static void test_rates(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  ctgl_device_facts facts = *ctgl_device_get_facts(device);
  const ctgl_tuned *t = &ctgl_device_tuning(device)->modes[CTGL_TUNED_LINEAR];
  ctgl_tuning_rates rates;
  char *text = ctgl_device_save_tuning(device, &error);
  CHECK_OK(text != NULL);
  CHECK_OK(ctgl_read_tuning_rates(&facts, text, &rates, &error));
  CHECK(rates.cone == t->cone_gups);
  for (int n = 0; n < CTGL_TUNED_SLICES; n++) CHECK(rates.parallel >= t->parallel_gups[n]);
  CHECK(rates.parallel == t->parallel_gups[0] || rates.parallel == t->parallel_gups[1] ||
        rates.parallel == t->parallel_gups[2]);
  strcat(facts.driver, ".1");
  CHECK_FAILS(ctgl_read_tuning_rates(&facts, text, &rates, &error), CT_ERROR_FORMAT, "not found on");
  ct_free(text);
}

static const ct_test tests[] = {
    {"settings go into text and back", test_guess_as_text},
    {"text of another device, cut or damaged is refused", test_foreign_text},
    {"streaming without textures is refused", test_impossible_pair},
    {"a cancelled search changes nothing", test_cancelled},
    {"a wrong volume does not win", test_wrong_volumes},
    {"the search finds nothing slower than the guess", test_search},
    {"rates are told without the device", test_rates},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
