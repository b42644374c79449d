/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting the state of a lesson's step by keys. */
#include "app/lesson/state.h"

#include "recon/base/text.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void gantry_lesson_state_init(gantry_lesson_state *state) {
  *state = (gantry_lesson_state){.plane = CT_AXIAL, .position = NAN};
  ct_simulation_init(&state->simulation);
  state->simulation.phantom = ct_phantom_find("shepp-logan");
  state->simulation.beam = ct_beam_find("parallel")->beam;
  state->simulation.nu = 160;
  state->simulation.nv = 1;
  state->simulation.views = 180;
  ct_plan_init(&state->plan);
}

static const ct_simulation_number *find_number(const char *key) {
  size_t count;
  const ct_simulation_number *numbers = ct_simulation_numbers(&count);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(numbers[i].id, key)) return numbers + i;
  return NULL;
}

static const ct_imperfection *find_imperfection(const char *key) {
  size_t count;
  const ct_imperfection *rows = ct_imperfection_rows(&count);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(rows[i].id, key)) return rows + i;
  return NULL;
}

bool gantry_lesson_is_scan_key(const char *key) {
  return !strcmp(key, "phantom") || !strcmp(key, "geometry") || !strcmp(key, "counts") || !strcmp(key, "seed") ||
         find_number(key) || find_imperfection(key);
}

static bool set_phantom(ct_simulation *s, const char *value, ct_error **error) {
  const ct_phantom *phantom = ct_phantom_find(value);
  if (phantom) {
    s->phantom = phantom;
    return true;
  }
  size_t count, used = 0;
  char names[512] = "";
  const ct_phantom *phantoms = ct_phantoms(&count);
  for (size_t i = 0; i < count && used < sizeof names; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", phantoms[i].id);
  return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no phantom \"%.60s\"; there are %s.", value, names);
}

static bool set_beam(ct_simulation *s, const char *value, ct_error **error) {
  char beams[128];
  const ct_beam_kind *kind = ct_beam_find(value);
  if (!kind || !ct_beam_promises(kind->beam, CT_TRAIT_CIRCULAR))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "\"geometry\" must be %s, not \"%.60s\".",
                        ct_simulation_beams(beams, sizeof beams), value);
  s->beam = kind->beam;
  return true;
}

static bool read_real(const char *key, const char *value, double low, double high, bool whole, double *out,
                      ct_error **error) {
  char *end;
  *out = ct_text_to_double(value, &end);
  if (end != value && !*end && *out >= low && *out <= high && (!whole || *out == floor(*out))) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT, "\"%s\" must be a %snumber from %g to %g, not \"%.60s\".", key,
                      whole ? "whole " : "", low, high, value);
}

static bool set_imperfection(ct_imperfections *all, const ct_imperfection *row, const char *value, ct_error **error) {
  double number;
  if (!read_real(row->id, value, row->low, row->high, false, &number, error)) return false;
  *(double *)((char *)all + row->offset) = number;
  all->counts = all->counts || (row->counts && number > 0);
  return true;
}

bool gantry_lesson_set_scan(gantry_lesson_state *state, const char *key, const char *value, ct_error **error) {
  ct_simulation *s = &state->simulation;
  double number;
  if (!strcmp(key, "phantom")) return set_phantom(s, value, error);
  if (!strcmp(key, "geometry")) return set_beam(s, value, error);
  if (!strcmp(key, "counts")) {
    s->imperfections.counts = !strcmp(value, "true");
    return s->imperfections.counts || !strcmp(value, "false") ||
           ct_error_set(error, CT_ERROR_ARGUMENT, "\"counts\" must be true or false, not \"%.60s\".", value);
  }
  if (!strcmp(key, "seed")) {
    if (!read_real(key, value, 0, 1e9, true, &number, error)) return false;
    s->imperfections.seed = (uint64_t)number;
    return true;
  }
  const ct_imperfection *imperfection = find_imperfection(key);
  if (imperfection) return set_imperfection(&s->imperfections, imperfection, value, error);
  const ct_simulation_number *row = find_number(key);
  if (!row)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A scan has no \"%.60s\": it takes phantom, geometry, counts, seed and the numbers "
                        "that docs/lessons.md tells of.",
                        key);
  if (row->automatic && !strcmp(value, "auto")) {
    ct_simulation_set(s, row, NAN);
    return true;
  }
  if (!read_real(key, value, row->low, row->high, row->whole, &number, error)) return false;
  ct_simulation_set(s, row, number);
  return true;
}

bool gantry_lesson_set_slice(gantry_lesson_state *state, const char *value, ct_error **error) {
  static const char *const names[] = {[CT_AXIAL] = "axial", [CT_CORONAL] = "coronal", [CT_SAGITTAL] = "sagittal"};
  const size_t length = strcspn(value, " ");
  for (size_t p = 0; p < sizeof names / sizeof *names; p++) {
    if (strlen(names[p]) != length || strncmp(value, names[p], length) != 0) continue;
    state->plane = (ct_plane)p;
    state->position = NAN;
    return !value[length] || read_real("slice", value + length + 1, -1e6, 1e6, false, &state->position, error);
  }
  return ct_error_set(
      error, CT_ERROR_ARGUMENT,
      "\"slice\" must be axial, coronal or sagittal, with its position in mm unless it is the middle one "
      "(\"axial 12.5\"), not \"%.60s\".",
      value);
}

static void trim(char *text) {
  size_t begin = strspn(text, " \t"), length = strlen(text);
  while (length > begin && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
  memmove(text, text + begin, length - begin);
  text[length - begin] = 0;
}

bool gantry_lesson_set_changes(gantry_lesson_state *state, const char *changes, ct_error **error) {
  for (const char *c = changes; *c;) {
    char key[2 * CT_PLAN_TEXT];
    const size_t length = strcspn(c, ",");
    if (length >= sizeof key)
      return ct_error_set(error, CT_ERROR_ARGUMENT, "\"%.60s...\" is too long for KEY=VALUE.", c);
    memcpy(key, c, length);
    key[length] = 0;
    char *equals = strchr(key, '=');
    if (!equals) return ct_error_set(error, CT_ERROR_ARGUMENT, "\"%.60s\" should be KEY=VALUE.", key);
    *equals = 0;
    char *value = equals + 1;
    trim(key);
    trim(value);
    if (gantry_lesson_is_scan_key(key) ? !gantry_lesson_set_scan(state, key, value, error)
                                       : !ct_plan_set_text(&state->plan, key, value, error))
      return false;
    c += length;
    c += *c == ',';
  }
  return true;
}

static bool same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

bool gantry_same_simulation(const ct_simulation *a, const ct_simulation *b) {
  size_t count;
  if (a->phantom != b->phantom || a->object != b->object || a->beam != b->beam ||
      a->imperfections.counts != b->imperfections.counts || a->imperfections.seed != b->imperfections.seed)
    return false;
  const ct_simulation_number *numbers = ct_simulation_numbers(&count);
  for (size_t i = 0; i < count; i++)
    if (!same(ct_simulation_get(a, numbers + i), ct_simulation_get(b, numbers + i))) return false;
  const ct_imperfection *rows = ct_imperfection_rows(&count);
  for (size_t i = 0; i < count; i++)
    if (!same(*(const double *)((const char *)&a->imperfections + rows[i].offset),
              *(const double *)((const char *)&b->imperfections + rows[i].offset)))
      return false;
  return true;
}
