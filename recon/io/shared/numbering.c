/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the numbers in the names of a series tell: images that are missing, and angles. */
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_RUNS = 16, MOST_DIGITS = 15 };

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* The runs of digits of a name without its extension. */
typedef struct {
  const char *at[MOST_RUNS];
  int length[MOST_RUNS], count;
} runs;

static runs runs_of(const char *path) {
  const char *name = ct_path_name(path), *extension = ct_path_extension(name);
  const char *end = *extension ? extension - 1 : name + strlen(name);
  runs found = {.count = 0};
  for (const char *c = name; c < end && found.count < MOST_RUNS;) {
    if (!is_digit(*c)) {
      c++;
      continue;
    }
    const char *from = c;
    while (c < end && is_digit(*c)) c++;
    found.at[found.count] = from;
    found.length[found.count++] = (int)(c - from);
  }
  return found;
}

static int64_t value_of(const runs *r, int run) {
  int64_t value = 0;
  for (int i = 0; i < r->length[run]; i++) value = 10 * value + (r->at[run][i] - '0');
  return value;
}

/* The one run whose number differs between the names; -1: there are several, none, or too long ones. */
static int varying_run(const ct_file_list *files) {
  const runs first = runs_of(files->paths[0]);
  int found = -1;
  for (size_t i = 1; i < files->count; i++) {
    const runs one = runs_of(files->paths[i]);
    if (one.count != first.count) return -1;
    for (int run = 0; run < one.count; run++) {
      if (one.length[run] > MOST_DIGITS || first.length[run] > MOST_DIGITS) return -1;
      if (value_of(&one, run) == value_of(&first, run)) continue;
      if (found >= 0 && found != run) return -1;
      found = run;
    }
  }
  return found;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int *ct_series_numbers(const ct_file_list *files, size_t *missing, size_t *before) {
  *missing = *before = 0;
  if (files->count < 3) return NULL;
  const int run = varying_run(files);
  if (run < 0) return NULL;
  int64_t *values = ct_alloc(files->count, sizeof *values, "the numbers of the images", NULL), step = 0;
  int *places = values ? ct_alloc(files->count, sizeof *places, "the numbers of the images", NULL) : NULL;
  bool good = places;
  for (size_t i = 0; good && i < files->count; i++) {
    const runs one = runs_of(files->paths[i]);
    values[i] = value_of(&one, run);
    if (i > 0) good = values[i] > values[i - 1];
    if (good && i > 0) step = common_divisor(values[i] - values[i - 1], step);
  }
  const int64_t count = (int64_t)files->count;
  const int64_t span = good ? (values[count - 1] - values[0]) / step + 1 : 0;
  /* Numbers with more gaps than images (times, angles) are no count of them. */
  good = good && span > count && span <= 2 * count;
  for (int64_t i = 0; good && i < count; i++) {
    places[i] = (int)((values[i] - values[0]) / step);
    if (i > 0 && !*before && places[i] != places[i - 1] + 1) *before = (size_t)i;
  }
  if (good) *missing = (size_t)(span - count);
  ct_free(values);
  if (good) return places;
  ct_free(places);
  return NULL;
}

static bool follows(const char *name, const char *at, const char *word) {
  const size_t length = strlen(word);
  while (at > name && (at[-1] == '_' || at[-1] == '-' || at[-1] == '=' || at[-1] == ' ')) at--;
  return (size_t)(at - name) >= length && strncasecmp(at - length, word, length) == 0;
}

/* Whether the number at a run is said to be an angle: "ang_030", "30deg", "111.2461". */
static bool is_angle(const char *path, const runs *r, int run, bool *decimal) {
  static const char *const words[] = {"ang", "angle", "theta", "rot", "deg"};
  const char *name = ct_path_name(path), *end = r->at[run] + r->length[run];
  *decimal = run + 1 < r->count && *end == '.' && r->at[run + 1] == end + 1;
  if (*decimal) end = r->at[run + 1] + r->length[run + 1];
  if (strncasecmp(end, "deg", 3) == 0 || strncmp(end, "\xc2\xb0", 2) == 0) return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (follows(name, r->at[run], words[i])) return true;
  return *decimal;
}

/* "L_-12.5_001": a minus after something that is no letter or digit. */
static double angle_of(const char *path, const runs *r, int run, bool decimal) {
  double value = (double)value_of(r, run), share = 1;
  if (decimal)
    for (int i = 0; i < r->length[run + 1]; i++) value += (r->at[run + 1][i] - '0') * (share /= 10);
  const char *at = r->at[run], *name = ct_path_name(path);
  const bool minus = at > name && at[-1] == '-' && (at - 1 == name || !isalnum((unsigned char)at[-2]));
  return minus ? -value : value;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Angles of views differ from each other, but for the first one again at the end. */
static bool differ(const double *angles, size_t count) {
  double *sorted = ct_alloc(count, sizeof *sorted, "the angles", NULL);
  if (!sorted) return false;
  memcpy(sorted, angles, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare);
  bool good = sorted[0] >= -360 && sorted[count - 1] <= 720;
  for (size_t i = 1; i < count && good; i++) good = sorted[i] > sorted[i - 1];
  ct_free(sorted);
  return good;
}

double *ct_series_name_angles(const ct_file_list *files) {
  if (files->count < 3) return NULL;
  const runs first = runs_of(files->paths[0]);
  double *angles = ct_alloc(files->count, sizeof *angles, "the angles", NULL);
  for (int run = 0; angles && run < first.count; run++) {
    bool decimal, again, good = first.length[run] <= MOST_DIGITS && is_angle(files->paths[0], &first, run, &decimal);
    for (size_t i = 0; i < files->count && good; i++) {
      const runs one = runs_of(files->paths[i]);
      good = one.count == first.count && one.length[run] <= MOST_DIGITS &&
             is_angle(files->paths[i], &one, run, &again) && again == decimal;
      if (good) angles[i] = angle_of(files->paths[i], &one, run, decimal);
    }
    if (good && differ(angles, files->count)) return angles;
  }
  ct_free(angles);
  return NULL;
}
