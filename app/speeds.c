/* SPDX-License-Identifier: GPL-3.0-or-later */
/* {"gantry_speeds": 1, "machine": "AMD EPYC, 2 cores, AVX2", "rows": [{"kernel": "lines-avx2", ...}]} */
#include "app/speeds.h"

#include "app/cache.h"
#include "app/json.h"
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/text.h"
#include "recon/bp/choices.h"
#include "recon/simd/level.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1000, MOST_BYTES = 4 << 20, MACHINE = 256 };

static const char *const what = "measured speeds";

char *gantry_speeds_path(ct_error **error) {
  char machine[MACHINE];
  ct_simd_describe_machine(machine, sizeof machine);
  return gantry_cache_path("speeds", (const char *const[]){machine}, 1, "json", what, error);
}

void gantry_speeds_clear(gantry_speeds *speeds) {
  ct_free(speeds->rows);
  *speeds = (gantry_speeds){0};
}

/* Reading */

static bool take_text(const json_t *row, const char *key, char *text, size_t size) {
  const char *value = json_string_value(json_object_get(row, key));
  if (!value || strlen(value) >= size) return false;
  memcpy(text, value, strlen(value) + 1);
  return true;
}

static bool take_count(const json_t *value, int *count) {
  const json_int_t number = json_integer_value(value);
  *count = (int)number;
  return json_is_integer(value) && number > 0 && number <= 1 << 24;
}

static bool take_row(const json_t *row, gantry_speed *speed) {
  const json_t *size = json_object_get(row, "size"), *error = json_object_get(row, "error");
  const char *interp = json_string_value(json_object_get(row, "interpolation"));
  const char *precision = json_string_value(json_object_get(row, "precision"));
  const ct_choice *how = interp ? ct_choice_find_id(ct_interp_choices, interp) : NULL;
  const ct_choice *digits = precision ? ct_choice_find_id(ct_precision_choices, precision) : NULL;
  *speed = (gantry_speed){.gups = json_number_value(json_object_get(row, "gups")),
                          .error = json_is_number(error) ? json_number_value(error) : NAN,
                          .when = json_number_value(json_object_get(row, "when"))};
  bool good = how && digits && speed->gups > 0 && json_array_size(size) == 3;
  for (size_t i = 0; good && i < 3; i++) good = take_count(json_array_get(size, i), &speed->size[i]);
  good = good && take_count(json_object_get(row, "views"), &speed->views) &&
         take_count(json_object_get(row, "threads"), &speed->threads) &&
         take_text(row, "kernel", speed->kernel, sizeof speed->kernel) &&
         take_text(row, "device", speed->device, sizeof speed->device) &&
         take_text(row, "scan", speed->scan, sizeof speed->scan) &&
         take_text(row, "beam", speed->beam, sizeof speed->beam);
  if (!good) return false;
  speed->interp = (ct_interp)how->value;
  speed->precision = (ct_precision)digits->value;
  return true;
}

static bool take_rows(const json_t *root, gantry_speeds *speeds, ct_error **error) {
  const json_t *rows = json_object_get(root, "rows");
  const size_t count = json_array_size(rows);
  if (json_integer_value(json_object_get(root, "gantry_speeds")) != 1 || !json_is_array(rows))
    return ct_error_set(error, CT_ERROR_FORMAT, "it holds no measured speeds");
  if (!count) return true;
  speeds->rows = ct_alloc(count, sizeof *speeds->rows, what, error);
  if (!speeds->rows) return false;
  for (size_t i = 0; i < count; i++)
    if (take_row(json_array_get(rows, i), &speeds->rows[speeds->count])) speeds->count++;
  return true;
}

bool gantry_speeds_read(gantry_speeds *speeds, ct_error **error) {
  *speeds = (gantry_speeds){0};
  char *path = gantry_speeds_path(error);
  if (!path) return false;
  bool good = true;
  if (access(path, F_OK) == 0) {
    ct_error *fault = NULL;
    json_error_t where;
    char *text = ct_read_text(path, MOST_BYTES, NULL, &fault);
    json_t *root = text ? ct_json_read(text, 0, &where, &fault) : NULL;
    if (text && !root) ct_error_set(&fault, CT_ERROR_FORMAT, "line %d: %s", where.line, where.text);
    good = root && take_rows(root, speeds, &fault);
    if (!good) ct_error_set(error, fault->code, "%s: %s", path, fault->message);
    ct_error_clear(&fault);
    json_decref(root);
    ct_free(text);
  }
  ct_free(path);
  return good;
}

/* Writing */

static json_t *row_json(const gantry_speed *speed) {
  json_t *row = json_object();
  json_object_set_new(row, "kernel", gantry_json_text(speed->kernel));
  json_object_set_new(row, "device", gantry_json_text(speed->device));
  json_object_set_new(row, "scan", gantry_json_text(speed->scan));
  json_object_set_new(row, "beam", gantry_json_text(speed->beam));
  json_object_set_new(row, "interpolation", gantry_json_text(ct_interp_id(speed->interp)));
  json_object_set_new(row, "precision", gantry_json_text(ct_precision_id(speed->precision)));
  json_object_set_new(row, "size", json_pack("[i,i,i]", speed->size[0], speed->size[1], speed->size[2]));
  json_object_set_new(row, "views", json_integer(speed->views));
  json_object_set_new(row, "threads", json_integer(speed->threads));
  json_object_set_new(row, "gups", gantry_json_real(speed->gups));
  json_object_set_new(row, "error", gantry_json_real(speed->error));
  json_object_set_new(row, "when", gantry_json_real(speed->when));
  return row;
}

static bool write_file(const gantry_speeds *speeds, ct_error **error) {
  char machine[MACHINE], *path = gantry_speeds_path(error);
  if (!path) return false;
  ct_simd_describe_machine(machine, sizeof machine);
  json_t *root = json_object(), *rows = json_array();
  for (size_t i = 0; i < speeds->count; i++) json_array_append_new(rows, row_json(&speeds->rows[i]));
  json_object_set_new(root, "gantry_speeds", json_integer(1));
  json_object_set_new(root, "machine", gantry_json_text(machine));
  json_object_set_new(root, "rows", rows);
  char *text = ct_json_text(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
  bool good = text || ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the measured speeds.");
  good = good && gantry_cache_make(what, error) && ct_output_write_text(path, text, error);
  free(text);
  json_decref(root);
  ct_free(path);
  return good;
}

/* Which problem it is */

static bool is_kernel(const gantry_speed *a, const gantry_speed *b) {
  return !strcmp(a->kernel, b->kernel) && !strcmp(a->device, b->device) && !strcmp(a->beam, b->beam) &&
         a->interp == b->interp && a->precision == b->precision;
}

static bool is_problem(const gantry_speed *a, const gantry_speed *b) {
  return is_kernel(a, b) && !strcmp(a->scan, b->scan) && !memcmp(a->size, b->size, sizeof a->size) &&
         a->views == b->views && a->threads == b->threads;
}

bool gantry_speeds_add(gantry_speeds *speeds, const gantry_speed *fresh, size_t count, ct_error **error) {
  gantry_speeds kept;
  if (!gantry_speeds_read(&kept, NULL)) kept = (gantry_speeds){0}; /* what is damaged is made anew */
  gantry_speed *rows = ct_alloc(kept.count + count + 1, sizeof *rows, what, error);
  if (!rows) {
    gantry_speeds_clear(&kept);
    return false;
  }
  size_t all = 0;
  for (size_t i = 0; i < kept.count + count; i++) {
    gantry_speed next = i < kept.count ? kept.rows[i] : fresh[i - kept.count];
    size_t at = 0;
    while (at < all && !is_problem(&rows[at], &next)) at++;
    if (at < all) {
      if (isnan(next.error)) next.error = rows[at].error;
      memmove(&rows[at], &rows[at + 1], (--all - at) * sizeof *rows);
    }
    rows[all++] = next;
  }
  const size_t beyond = all > MOST ? all - MOST : 0;
  memmove(rows, rows + beyond, (all - beyond) * sizeof *rows);
  gantry_speeds_clear(&kept);
  gantry_speeds_clear(speeds);
  *speeds = (gantry_speeds){rows, all - beyond};
  return write_file(speeds, error);
}

/* How far one problem is from another: what changes the rate most counts most. Slices alone and volumes are different
 * things to most kernels. */
static double distance(const gantry_speed *a, const gantry_speed *b) {
  double voxels[2] = {1, 1};
  for (int i = 0; i < 3; i++) voxels[0] *= a->size[i], voxels[1] *= b->size[i];
  const bool thin_a = a->size[2] == 1, thin_b = b->size[2] == 1;
  return fabs(log(voxels[0] / voxels[1])) + 0.5 * fabs(log((double)a->views / b->views)) +
         fabs(log((double)a->threads / b->threads)) + (thin_a != thin_b ? 4 : 0) + (strcmp(a->scan, b->scan) ? 0.1 : 0);
}

const gantry_speed *gantry_speeds_find(const gantry_speeds *speeds, const gantry_speed *like, bool *same) {
  const gantry_speed *nearest = NULL;
  for (size_t i = speeds->count; i-- > 0;) {
    const gantry_speed *row = &speeds->rows[i];
    if (is_kernel(row, like) && (!nearest || distance(row, like) < distance(nearest, like))) nearest = row;
  }
  if (same) *same = nearest && is_problem(nearest, like);
  return nearest;
}
