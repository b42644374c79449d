/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tuned settings: first guesses, which serves a request, and the form as text. */
#include "render/compute/tuning.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "render/compute/knobs-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const mode_names[CTGL_TUNED_MODES] = {[CTGL_TUNED_LINEAR] = "linear",
                                                         [CTGL_TUNED_HALF] = "half",
                                                         [CTGL_TUNED_NEAREST] = "nearest",
                                                         [CTGL_TUNED_OVERSAMPLED] = "oversampled"};

static ctgl_tuned_mode mode_of(const ct_bp_request *request) {
  if (request->interp == CT_INTERP_NEAREST) return CTGL_TUNED_NEAREST;
  if (request->interp == CT_INTERP_OVERSAMPLED) return CTGL_TUNED_OVERSAMPLED;
  return request->precision == CT_PRECISION_FLOAT16 ? CTGL_TUNED_HALF : CTGL_TUNED_LINEAR;
}

ctgl_tuning ctgl_tuning_guess(void) {
  ctgl_tuned one = {.cone = {.texture = 1,
                             .views_outside = 1,
                             .fast_divide = 1,
                             .views = 32,
                             .voxels = 4,
                             .block_x = 16,
                             .block_y = 16,
                             .unroll = 1}};
  /* Of a cache: on an H100 up to 2.9 times as fast as through the texture unit, and exact to single precision. */
  for (int n = 0; n < CTGL_TUNED_SLICES; n++)
    one.parallel[n] = (ctgl_parallel_setting){
        .slices = 1 << n, .threads = 256, .area = 32, .cached = 16, .curve = 1, .arrays = 1, .unroll = 1};
  /* The paper's choice of four slices for most cards: of two arrays, whose reads are no wider than banks serve. */
  ctgl_tuned four = one;
  for (int n = 0; n < CTGL_TUNED_SLICES; n++) {
    ctgl_parallel_setting *s = &four.parallel[n];
    s->area = 64, s->cached = 8, s->arrays = s->slices == 4 ? 2 : 1;
  }
  return (ctgl_tuning){.modes = {one, one, one, four}};
}

const ctgl_cone_setting *ctgl_tuning_for_cone(const ctgl_tuning *tuning, const ct_bp_request *request) {
  return &tuning->modes[mode_of(request)].cone;
}

const ctgl_parallel_setting *ctgl_tuning_for_parallel(const ctgl_tuning *tuning, const ct_bp_request *request) {
  const ctgl_tuned *tuned = &tuning->modes[mode_of(request)];
  int best = 0;
  if (tuning->slices) return &tuned->parallel[tuning->slices / 2];
  for (int n = 1; n < CTGL_TUNED_SLICES && 1 << n <= request->grid.nz; n++)
    if (tuned->parallel_gups[n] >= tuned->parallel_gups[best]) best = n;
  return &tuned->parallel[best];
}

bool ctgl_device_is_tuned(ct_bp_device *device) {
  return ctgl_device_tuning(device)->modes[CTGL_TUNED_LINEAR].cone_gups > 0;
}

/* One line: "cone linear: 812.5: views 32, ...", for all modes and slices; ct_free what was there before. */
static char *append(char *text, const char *what, int mode, double gups, const ctgl_knob *knobs, const void *setting) {
  char values[512], number[32];
  ctgl_knobs_print(knobs, setting, values, sizeof values);
  ct_double_to_text(gups, number);
  char *longer = text ? ct_strprintf("%s%s %s: %s: %s\n", text, what, mode_names[mode], number, values) : NULL;
  ct_free(text);
  return longer;
}

static const char *const parallel_names[CTGL_TUNED_SLICES] = {"parallel 1", "parallel 2", "parallel 4"};

char *ctgl_device_save_tuning(ct_bp_device *device, ct_error **error) {
  const ctgl_tuning *t = ctgl_device_tuning(device);
  const ctgl_device_facts *facts = ctgl_device_get_facts(device);
  char *text = ct_strprintf("%s\n%s\n", facts->name, facts->driver);
  for (int mode = 0; mode < CTGL_TUNED_MODES; mode++) {
    const ctgl_tuned *one = &t->modes[mode];
    if (ctgl_tuned_for_cone(mode)) text = append(text, "cone", mode, one->cone_gups, ctgl_cone_knobs, &one->cone);
    for (int n = 0; n < CTGL_TUNED_SLICES; n++)
      text = append(text, parallel_names[n], mode, one->parallel_gups[n], ctgl_parallel_knobs, &one->parallel[n]);
  }
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

static bool read_setting(const char **text, const char *what, int mode, const ctgl_knob *knobs, void *setting,
                         double *gups) {
  char line[600], label[40], *rest;
  const size_t length = (size_t)snprintf(label, sizeof label, "%s %s: ", what, mode_names[mode]);
  if (!next_line(text, line, sizeof line) || strncmp(line, label, length) != 0) return false;
  *gups = ct_text_to_double(line + length, &rest);
  return rest != line + length && *gups >= 0 && isfinite(*gups) && *rest == ':' &&
         ctgl_knobs_read(knobs, setting, rest + 1);
}

/* Whether a line for the nearest pixel and most slices, once the last, has its end. */
static bool is_whole(const char *text) {
  const char *last = strstr(text, "parallel 4 nearest: ");
  return last && strchr(last, '\n');
}

static bool read_tuning(const ctgl_device_facts *facts, const char *text, ctgl_tuning *tuning, ct_error **error) {
  char name[256], driver[256];
  ctgl_tuning t = ctgl_tuning_guess();
  if (!next_line(&text, name, sizeof name) || !next_line(&text, driver, sizeof driver) ||
      strcmp(name, facts->name) != 0 || strcmp(driver, facts->driver) != 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "The settings were not found on %s with its present driver.",
                        facts->name);
  /* Before settings were found for each precision and interpolation, lines began with the rate; later there were none
   * for four samples a pixel, then no shuffles, then no multiprocessors. */
  if ((*text >= '0' && *text <= '9') ||
      (is_whole(text) && (!strstr(text, mode_names[CTGL_TUNED_OVERSAMPLED]) || !strstr(text, "multiprocessor "))))
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "The settings kept for %s are of an older version of this program: tune the device again.",
                        facts->name);
  bool good = true;
  for (int mode = 0; good && mode < CTGL_TUNED_MODES; mode++) {
    ctgl_tuned *one = &t.modes[mode];
    good =
        !ctgl_tuned_for_cone(mode) || read_setting(&text, "cone", mode, ctgl_cone_knobs, &one->cone, &one->cone_gups);
    for (int n = 0; good && n < CTGL_TUNED_SLICES; n++)
      good =
          read_setting(&text, parallel_names[n], mode, ctgl_parallel_knobs, &one->parallel[n], &one->parallel_gups[n]);
  }
  if (!good) return ct_error_set(error, CT_ERROR_FORMAT, "The settings kept for %s are damaged.", facts->name);
  *tuning = t;
  return true;
}

bool ctgl_device_load_tuning(ct_bp_device *device, const char *text, ct_error **error) {
  return read_tuning(ctgl_device_get_facts(device), text, ctgl_device_tuning(device), error);
}

bool ctgl_read_tuning_rates(const ctgl_device_facts *facts, const char *text, ctgl_tuning_rates *rates,
                            ct_error **error) {
  ctgl_tuning t;
  if (!read_tuning(facts, text, &t, error)) return false;
  const ctgl_tuned *linear = &t.modes[CTGL_TUNED_LINEAR];
  *rates = (ctgl_tuning_rates){.cone = linear->cone_gups};
  for (int n = 0; n < CTGL_TUNED_SLICES; n++) rates->parallel = fmax(rates->parallel, linear->parallel_gups[n]);
  return true;
}

bool ctgl_device_tell_setting(ct_bp_device *device, const char *kernel, const ct_bp_request *request, char *text,
                              size_t size) {
  const ctgl_tuning *t = ctgl_device_tuning(device);
  if (!strcmp(kernel, "gl-tuned")) {
    ctgl_knobs_print(ctgl_cone_knobs, ctgl_tuning_for_cone(t, request), text, size);
    return true;
  }
  if (strcmp(kernel, "gl-tuned-parallel") != 0) return false;
  const ctgl_parallel_setting *setting = ctgl_tuning_for_parallel(t, request);
  const size_t used = (size_t)snprintf(text, size, "slices %d, ", setting->slices);
  ctgl_knobs_print(ctgl_parallel_knobs, setting, text + used, size - used);
  return true;
}
