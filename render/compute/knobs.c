/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of knobs, settings as text, and knobs set by the user. */
#include "render/compute/knobs-private.h"
#include "render/compute/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONE(field, least, most, ...)                                                                                  \
  {                                                                                                                    \
#field, offsetof(ctgl_cone_setting, field), least, most, {                                                         \
      __VA_ARGS__, CTGL_KNOB_END                                                                                       \
    }                                                                                                                  \
  }
#define CONE_SWITCH(field) CONE(field, 0, 0, 0, 1)
const ctgl_knob ctgl_cone_knobs[] = {
    CONE(views, 1, 64, 1, 2, 4, 8, 16, 32, 64),
    CONE(voxels, 1, 512, 1, 2, 4, 8, 16),
    CONE(block_x, 1, 1024, 4, 8, 16, 32, 64, 128),
    CONE(block_y, 1, 1024, 1, 2, 4, 8, 16, 32),
    CONE_SWITCH(views_outside),
    CONE_SWITCH(fast_divide),
    CONE_SWITCH(transpose),
    CONE_SWITCH(streamed),
    CONE_SWITCH(atomic),
    CONE_SWITCH(sync),
    CONE_SWITCH(texture),
    CONE(unroll, 0, 0, 1, 2, 4),
    {0},
};

#define PARALLEL(field, least, most, ...)                                                                              \
  {                                                                                                                    \
#field, offsetof(ctgl_parallel_setting, field), least, most, {                                                     \
      __VA_ARGS__, CTGL_KNOB_END                                                                                       \
    }                                                                                                                  \
  }
#define PARALLEL_SWITCH(field) PARALLEL(field, 0, 0, 0, 1)
const ctgl_knob ctgl_parallel_knobs[] = {
    PARALLEL(texture_share, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8),
    PARALLEL(area, 0, 0, 16, 32, 64),
    PARALLEL(threads, 0, 0, 64, 128, 256, 512),
    PARALLEL(cached, 1, 64, 4, 8, 16, 32),
    PARALLEL_SWITCH(curve),
    PARALLEL_SWITCH(quarters),
    PARALLEL_SWITCH(differences),
    PARALLEL_SWITCH(columns),
    PARALLEL_SWITCH(float_round),
    PARALLEL_SWITCH(half_cache),
    PARALLEL(arrays, 0, 0, 1, 2, 4),
    PARALLEL(unroll, 0, 0, 1, 2, 4),
    PARALLEL_SWITCH(shared_constants),
    PARALLEL(minima, 0, 0, 0, 1, 2),
    PARALLEL(row_threads, 0, 0, 0, 8, 16, 32),
    PARALLEL_SWITCH(write_pairs),
    PARALLEL_SWITCH(float_index),
    PARALLEL(squares, 0, 0, 0, 1, 2),
    PARALLEL(shuffles, 0, 1, 0), /* by hand, as what follows: no card has been seen to gain by it */
    PARALLEL(multiprocessor, 0, 1, 0),
    {0},
};

/* Of gl-tuned-parallel: 0 is its own choice. */
static const ctgl_knob slices_knob = {"slices", offsetof(ctgl_tuning, slices), 0, 0, {0, 1, 2, 4, CTGL_KNOB_END}};

int *ctgl_knob_field(const ctgl_knob *knob, void *setting) {
  return (int *)((char *)setting + knob->offset);
}

void ctgl_knobs_print(const ctgl_knob *knobs, const void *setting, char *text, size_t size) {
  size_t at = 0;
  *text = 0;
  for (const ctgl_knob *k = knobs; k->name && at < size; k++)
    at += (size_t)snprintf(text + at, size - at, "%s%s %d", at ? ", " : "", k->name,
                           *ctgl_knob_field(k, (void *)setting));
}

static bool can_be(const ctgl_knob *knob, long value) {
  if (knob->most) return value >= knob->least && value <= knob->most;
  const int *allowed = knob->values;
  while (*allowed != CTGL_KNOB_END && *allowed != value) allowed++;
  return *allowed != CTGL_KNOB_END;
}

bool ctgl_knobs_read(const ctgl_knob *knobs, void *setting, const char *text) {
  for (const ctgl_knob *k = knobs; k->name; k++) {
    char name[32];
    int value, used = 0;
    if (sscanf(text, " %31[a-z_] %d%n", name, &value, &used) != 2 || strcmp(name, k->name) != 0 || !can_be(k, value))
      return false;
    *ctgl_knob_field(k, setting) = value;
    text += used;
    if (*text == ',') text++;
  }
  return !*text;
}

static bool is_switch(const ctgl_knob *knob) {
  if (knob->least == 0 && knob->most == 1) return true;
  return !knob->most && knob->values[0] == 0 && knob->values[1] == 1 && knob->values[2] == CTGL_KNOB_END;
}

/* "1 to 64", "yes or no", "1, 2 or 4" */
static void print_range(const ctgl_knob *knob, char *text, size_t size) {
  if (is_switch(knob)) {
    snprintf(text, size, "yes or no");
    return;
  }
  if (knob->most) {
    snprintf(text, size, "%d to %d", knob->least, knob->most);
    return;
  }
  size_t at = 0;
  for (const int *value = knob->values; *value != CTGL_KNOB_END && at < size; value++) {
    const char *between = value == knob->values ? "" : value[1] == CTGL_KNOB_END ? " or " : ", ";
    at += (size_t)snprintf(text + at, size - at, "%s%d", between, *value);
  }
}

static void list_knobs(const ctgl_knob *knobs, char *text, size_t size) {
  size_t at = strlen(text);
  for (const ctgl_knob *k = knobs; k->name && at < size; k++) {
    char range[64];
    print_range(k, range, sizeof range);
    at += (size_t)snprintf(text + at, size - at, "%s%s (%s)", at ? ", " : "", k->name, range);
  }
}

static bool read_value(const ctgl_knob *knob, const char *text, long *value) {
  if (is_switch(knob) && (!strcmp(text, "yes") || !strcmp(text, "no"))) {
    *value = !strcmp(text, "yes");
    return true;
  }
  char *end;
  *value = strtol(text, &end, 10);
  return end != text && !*end && can_be(knob, *value);
}

/* Turns one knob wherever there is one of that name. */
static bool turn(ctgl_tuning *tuning, const char *name, const char *text, ct_error **error) {
  const ctgl_knob *found = NULL;
  const ctgl_knob *const tables[] = {ctgl_cone_knobs, ctgl_parallel_knobs, (const ctgl_knob[]){slices_knob, {0}}};
  for (int n = 0; n < 3; n++)
    for (const ctgl_knob *k = tables[n]; k->name; k++) {
      long value;
      if (strcmp(k->name, name) != 0) continue;
      found = k;
      if (!read_value(k, text, &value)) {
        char range[64];
        print_range(k, range, sizeof range);
        return ct_error_set(error, CT_ERROR_ARGUMENT, "The knob %s takes %s, not “%s”.", name, range, text);
      }
      if (n == 2) *ctgl_knob_field(k, tuning) = (int)value;
      for (int mode = 0; mode < CTGL_TUNED_MODES; mode++) {
        if (n == 0) *ctgl_knob_field(k, &tuning->modes[mode].cone) = (int)value;
        for (int s = 0; n == 1 && s < CTGL_TUNED_SLICES; s++)
          *ctgl_knob_field(k, &tuning->modes[mode].parallel[s]) = (int)value;
      }
    }
  if (found) return true;
  char all[CTGL_KNOBS_TEXT];
  ctgl_knobs_list(all, sizeof all);
  return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no knob “%s”. %s", name, all);
}

void ctgl_knobs_list(char *text, size_t size) {
  char cone[800] = "", parallel[800] = "";
  list_knobs(ctgl_cone_knobs, cone, sizeof cone);
  list_knobs(ctgl_parallel_knobs, parallel, sizeof parallel);
  snprintf(text, size,
           "Those of gl-tuned: %s, and block as 16x32; of gl-tuned-parallel: %s, slices (0, 1, 2 or 4; 0: its own "
           "choice).",
           cone, parallel);
}

/* "16x32": block_x and block_y. */
static bool turn_block(ctgl_tuning *tuning, char *text, ct_error **error) {
  char *times = strchr(text, 'x');
  if (!times) return ct_error_set(error, CT_ERROR_ARGUMENT, "The knob block takes threads as 16x32, not “%s”.", text);
  *times = 0;
  return turn(tuning, "block_x", text, error) && turn(tuning, "block_y", times + 1, error);
}

static bool turn_one(ct_bp_device *device, const char *list, ct_error **error) {
  ctgl_tuning tuning = *ctgl_device_tuning(device);
  const char *whole = list;
  while (*list) {
    char item[64];
    const size_t length = strcspn(list, ",");
    snprintf(item, sizeof item, "%.*s", (int)length, list);
    char *value = strchr(item, '=');
    if (!value || length >= sizeof item)
      return ct_error_set(error, CT_ERROR_ARGUMENT,
                          "Knobs are turned as views=16,voxels=4,block=16x32,sync=yes; “%s” is none of that form.",
                          item);
    *value++ = 0;
    if (!(strcmp(item, "block") ? turn(&tuning, item, value, error) : turn_block(&tuning, value, error))) return false;
    list += length + (list[length] == ',');
  }
  /* A card's kernel streams by itself (device.c), which goes into textures alone. */
  for (int mode = 0; mode < CTGL_TUNED_MODES && !strstr(whole, "streamed"); mode++)
    if (!tuning.modes[mode].cone.texture) tuning.modes[mode].cone.streamed = 0;
  *ctgl_device_tuning(device) = tuning;
  return true;
}

bool ctgl_device_turn_knobs(ct_bp_device *device, const char *list, ct_error **error) {
  for (; device; device = ctgl_device_next(device))
    if (!turn_one(device, list, error)) return false;
  return true;
}
