/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table 25 of Chilingaryan, Ametova, Kopmann and Mirone (2019), the algorithms suggested for parallel beam on each
 * architecture, beside what the search found on the device at hand: the knob texture_share says by which way. */
#include "app/cli/tune.h"
#include "app/tuning-file.h"
#include "recon/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct suggestion {
  const char *gpu, *mode;
  int linear_slices;
  const char *linear, *linear_approximate;
  int nearest_slices;
  const char *nearest, *nearest_approximate;
} suggestion;

static const suggestion suggestions[] = {
    {"GT200", "single", 1, "TEX", "TEX", 1, "TEX", ""},
    {"Fermi", "both", 4, "ALU", "oversampled", 4, "ALU", ""},
    {"Kepler", "single", 1, "TEX", "oversampled", 1, "ALU", ""},
    {"Kepler", "multi", 2, "TEX", "TEX", 4, "ALU", ""},
    {"Maxwell and later", "single", 1, "hybrid", "oversampled", 1, "ALU", ""},
    {"Maxwell and later", "multi", 2, "hybrid", "oversampled", 4, "ALU", "TEX, half precision"},
    {"VLIW", "single", 4, "ALU", "oversampled", 1, "ALU", ""},
    {"VLIW", "multi", 4, "ALU", "oversampled", 4, "TEX", ""},
    {"GCN", "both", 4, "ALU", "oversampled", 4, "ALU", ""},
};

static const char *const modes[] = {"linear", "half", "nearest", "oversampled"};
enum { MODES = sizeof modes / sizeof *modes };

static void print_published(void) {
  puts("Suggested for parallel beam by Chilingaryan et al. (2019), Table 25. TEX: the texture unit interpolates; ALU: "
       "arithmetic on bins in shared memory; hybrid: both at once.\n");
  puts("| GPU | slices made | linear: slices at a time | exact | approximate | nearest: slices at a time | exact | "
       "approximate |\n|---|---|---|---|---|---|---|---|");
  for (size_t i = 0; i < sizeof suggestions / sizeof *suggestions; i++) {
    const suggestion *s = &suggestions[i];
    printf("| %s | %s | %d | %s | %s | %d | %s | %s |\n", s->gpu, s->mode, s->linear_slices, s->linear,
           s->linear_approximate, s->nearest_slices, s->nearest, s->nearest_approximate);
  }
}

/* Of the line "parallel SLICES MODE: GUPS: ..., texture_share N, ...": 0 where it was not measured. */
static double read_found(const char *text, int slices, const char *mode, int *share) {
  static const char knob[] = "texture_share ";
  char label[64];
  const int length = snprintf(label, sizeof label, "parallel %d %s: ", slices, mode);
  const char *line = strstr(text, label), *end = line ? strchr(line, '\n') : NULL,
             *at = line ? strstr(line, knob) : NULL;
  if (!at || !end || at > end) return 0;
  *share = atoi(at + strlen(knob));
  return strtod(line + length, NULL);
}

/* "ALU, 512 GUPS" */
static void tell_found(double gups, int share, char *text, size_t size) {
  if (gups <= 0)
    snprintf(text, size, "not measured");
  else if (share > 0 && share < 8)
    snprintf(text, size, "hybrid, %d of 8 groups by the texture unit, %.3g GUPS", share, gups);
  else
    snprintf(text, size, "%s, %.3g GUPS", share ? "TEX" : "ALU", gups);
}

static void print_found(const char *text) {
  char cell[96];
  puts("| slices at a time | linear | linear, half precision | nearest | oversampled |\n|---:|---|---|---|---|");
  for (int slices = 1; slices <= 4; slices *= 2) {
    printf("| %d |", slices);
    for (int m = 0; m < MODES; m++) {
      int share = 0;
      const double gups = read_found(text, slices, modes[m], &share);
      tell_found(gups, share, cell, sizeof cell);
      printf(" %s |", cell);
    }
    putchar('\n');
  }
  for (int m = 0; m < MODES; m++) {
    double best = 0;
    int share = 0, way = 0, at = 0;
    for (int slices = 1; slices <= 4; slices *= 2) {
      const double gups = read_found(text, slices, modes[m], &share);
      if (gups > best) best = gups, way = share, at = slices;
    }
    tell_found(best, way, cell, sizeof cell);
    if (at) printf("Fastest %s: %d slice%s at a time, %s\n", modes[m], at, at > 1 ? "s" : "", cell);
  }
}

bool cli_print_suggested(const char *name, ct_error **error) {
  print_published();
  ct_error *none = NULL;
  ct_bp_device *device = ctgl_device_new(name, false, &none);
  if (!device && name) {
    if (error) *error = none;
    return false;
  }
  if (!device) {
    ct_error_clear(&none);
    puts("\nNo graphics device with OpenGL 4.3 is here that it could be compared with.");
    return true;
  }
  const ctgl_device_facts *facts = ctgl_device_get_facts(device);
  char *text = gantry_tuning_load(device, error) ? ctgl_device_save_tuning(device, error) : NULL;
  if (text && ctgl_device_is_tuned(device)) {
    printf("\nFound by gantry-cli tune on %s%s:\n\n", facts->name,
           facts->software ? ", the processor in the place of a card, whose rates mean nothing" : "");
    print_found(text);
  } else if (text) {
    printf("\n%s has not been tuned: gantry-cli tune does it.\n", facts->name);
  }
  ct_free(text);
  ctgl_device_free(device);
  return text != NULL;
}
