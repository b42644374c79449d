/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tuned settings: first guesses, the numbers that a search may change, and the form as text. */
#include "render/compute/tuning.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "render/compute/knobs-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CONE(field, ...) {#field, offsetof(ctgl_cone_setting, field), {__VA_ARGS__, CTGL_KNOB_END}}
const ctgl_knob ctgl_cone_knobs[] = {
    CONE(views, 1, 2, 4, 8, 16, 32, 64), CONE(voxels, 1, 2, 4, 8, 16), CONE(block_x, 4, 8, 16, 32, 64, 128),
    CONE(block_y, 1, 2, 4, 8, 16, 32),   CONE(views_outside, 0, 1),    CONE(fast_divide, 0, 1),
    CONE(transpose, 0, 1),               CONE(streamed, 0, 1),         CONE(atomic, 0, 1),
    CONE(sync, 0, 1),                    CONE(texture, 0, 1),          {NULL, 0, {0}},
};

#define PARALLEL(field, ...) {#field, offsetof(ctgl_parallel_setting, field), {__VA_ARGS__, CTGL_KNOB_END}}
const ctgl_knob ctgl_parallel_knobs[] = {
    PARALLEL(texture_share, 0, 1, 2, 3, 4, 5, 6, 7, 8),
    PARALLEL(area, 16, 32, 64),
    PARALLEL(threads, 64, 128, 256, 512),
    PARALLEL(cached, 4, 8, 16, 32),
    PARALLEL(curve, 0, 1),
    PARALLEL(quarters, 0, 1),
    PARALLEL(differences, 0, 1),
    PARALLEL(columns, 0, 1),
    PARALLEL(float_round, 0, 1),
    {NULL, 0, {0}},
};

int *ctgl_knob_field(const ctgl_knob *knob, void *setting) {
  return (int *)((char *)setting + knob->offset);
}

ctgl_tuning ctgl_tuning_guess(void) {
  ctgl_tuning t = {.cone = {.texture = 1, .views_outside = 1, .fast_divide = 1, .views = 32, .voxels = 4, .block_x = 16, .block_y = 16}};
  for (int n = 0; n < CTGL_TUNED_SLICES; n++)
    t.parallel[n] = (ctgl_parallel_setting){.slices = 1 << n, .texture_share = 8, .threads = 256, .area = 16, .cached = 8, .curve = 1};
  return t;
}

const ctgl_parallel_setting *ctgl_tuning_for_slices(const ctgl_tuning *tuning, int slices) {
  int best = 0;
  for (int n = 1; n < CTGL_TUNED_SLICES && 1 << n <= slices; n++)
    if (tuning->parallel_gups[n] >= tuning->parallel_gups[best]) best = n;
  return &tuning->parallel[best];
}

bool ctgl_device_is_tuned(ct_bp_device *device) {
  return ctgl_device_tuning(device)->cone_gups > 0;
}

/* "name value, name value" */
void ctgl_knobs_print(const ctgl_knob *knobs, const void *setting, char *text, size_t size) {
  size_t at = 0;
  *text = 0;
  for (const ctgl_knob *k = knobs; k->name && at < size; k++)
    at += (size_t)snprintf(text + at, size - at, "%s%s %d", at ? ", " : "", k->name, *ctgl_knob_field(k, (void *)setting));
}

/* Reads what ctgl_knobs_print wrote; every knob, and values that it can take. */
static bool read_knobs(const ctgl_knob *knobs, void *setting, const char *text) {
  for (const ctgl_knob *k = knobs; k->name; k++) {
    char name[32];
    int value, used = 0;
    if (sscanf(text, " %31[a-z_] %d%n", name, &value, &used) != 2 || strcmp(name, k->name) != 0) return false;
    const int *allowed = k->values;
    while (*allowed != CTGL_KNOB_END && *allowed != value) allowed++;
    if (*allowed == CTGL_KNOB_END) return false;
    *ctgl_knob_field(k, setting) = value;
    text += used;
    if (*text == ',') text++;
  }
  return true;
}

char *ctgl_device_save_tuning(ct_bp_device *device, ct_error **error) {
  const ctgl_tuning *t = ctgl_device_tuning(device);
  const ctgl_device_facts *facts = ctgl_device_get_facts(device);
  char cone[512], parallel[CTGL_TUNED_SLICES][512], gups[CTGL_TUNED_SLICES][32], cone_gups[32];
  ctgl_knobs_print(ctgl_cone_knobs, &t->cone, cone, sizeof cone);
  ct_double_to_text(t->cone_gups, cone_gups);
  for (int n = 0; n < CTGL_TUNED_SLICES; n++) {
    ctgl_knobs_print(ctgl_parallel_knobs, &t->parallel[n], parallel[n], sizeof parallel[n]);
    ct_double_to_text(t->parallel_gups[n], gups[n]);
  }
  char *text = ct_strprintf("%s\n%s\n%s: %s\n%s: %s\n%s: %s\n%s: %s\n", facts->name, facts->driver, cone_gups, cone,
                            gups[0], parallel[0], gups[1], parallel[1], gups[2], parallel[2]);
  if (!text) ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for the graphics device's settings.");
  return text;
}

/* The line at *text, without its end; moves on to the next. */
static bool next_line(const char **text, char *line, size_t size) {
  const size_t length = strcspn(*text, "\n");
  if (!(*text)[length] || length >= size) return false;
  snprintf(line, size, "%.*s", (int)length, *text);
  *text += length + 1;
  return true;
}

static bool read_setting(const char **text, const ctgl_knob *knobs, void *setting, double *gups) {
  char line[600], *rest;
  if (!next_line(text, line, sizeof line)) return false;
  *gups = ct_text_to_double(line, &rest);
  return rest != line && *gups >= 0 && isfinite(*gups) && *rest == ':' && read_knobs(knobs, setting, rest + 1);
}

static bool read_tuning(const ctgl_device_facts *facts, const char *text, ctgl_tuning *tuning, ct_error **error) {
  char name[256], driver[256];
  ctgl_tuning t = ctgl_tuning_guess();
  if (!next_line(&text, name, sizeof name) || !next_line(&text, driver, sizeof driver) ||
      strcmp(name, facts->name) != 0 || strcmp(driver, facts->driver) != 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "The settings were not found on %s with its present driver.", facts->name);
  bool good = read_setting(&text, ctgl_cone_knobs, &t.cone, &t.cone_gups);
  for (int n = 0; good && n < CTGL_TUNED_SLICES; n++)
    good = read_setting(&text, ctgl_parallel_knobs, &t.parallel[n], &t.parallel_gups[n]);
  if (!good) return ct_error_set(error, CT_ERROR_FORMAT, "The settings kept for %s are damaged.", facts->name);
  *tuning = t;
  return true;
}

bool ctgl_device_load_tuning(ct_bp_device *device, const char *text, ct_error **error) {
  return read_tuning(ctgl_device_get_facts(device), text, ctgl_device_tuning(device), error);
}

bool ctgl_read_tuning_rates(const ctgl_device_facts *facts, const char *text, ctgl_tuning_rates *rates, ct_error **error) {
  ctgl_tuning t;
  if (!read_tuning(facts, text, &t, error)) return false;
  *rates = (ctgl_tuning_rates){.cone = t.cone_gups};
  for (int n = 0; n < CTGL_TUNED_SLICES; n++) rates->parallel = fmax(rates->parallel, t.parallel_gups[n]);
  return true;
}
