/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons from JSON (docs/lessons.md). Keys that are not known are errors: a slip of the pen must not drop a claim. */
#include "app/lesson/claim.h"
#include "app/lesson/lesson.h"

#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 1 << 20, MOST = 64 };

const gantry_lesson_page gantry_lesson_pages[] = {
    {"projection", "Projection", true},
    {"sinogram", "Sinogram", true},
    {GANTRY_LESSON_ARC, "Arc and Weights beside Sinogram", true},
    {"oblique", "Oblique Plane", true},
    {"scene", "Scene", true},
    {"profile", "Profile", false},
    {"histogram", "Histogram", false},
    {"statistics", "Statistics", false},
    {"errors", "Errors", false},
    {"filter", "Filter", false},
    {"simulation", "Simulation", false},
    {"growth", "View by View", false},
    {"spectrum", "Spectrum", false},
    {"interpolation", "Interpolation", false},
    {NULL, NULL, false},
};

static bool wrong(ct_error **error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(ct_error **error, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return ct_error_set(error, CT_ERROR_FORMAT, "%s", text);
}

/* Keys of an object; the list ends with NULL. */
static bool check_keys(json_t *object, const char *const *allowed, ct_error **error) {
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    const char *const *a = allowed;
    while (*a && strcmp(*a, key) != 0) a++;
    if (*a) continue;
    char names[512] = "";
    size_t used = 0;
    for (a = allowed; *a && used < sizeof names; a++)
      used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", a == allowed ? "" : ", ", *a);
    return wrong(error, "\"%.60s\" is no key here; there are %s.", key, names);
  }
  return true;
}

/* A text, or a list of lines, which are joined by blanks; an empty line ends a paragraph. */
static char *join(const json_t *lines, const char *key, ct_error **error) {
  size_t length = 1;
  for (size_t i = 0; i < json_array_size(lines); i++) {
    const char *line = json_string_value(json_array_get(lines, i));
    if (!line) {
      wrong(error, "\"%s\" must be a text or a list of texts.", key);
      return NULL;
    }
    length += strlen(line) + 2;
  }
  char *text = ct_alloc(length, 1, "a lesson", error), *end = text;
  if (!text) return NULL;
  *end = 0;
  for (size_t i = 0; i < json_array_size(lines); i++) {
    const char *line = json_string_value(json_array_get(lines, i));
    const bool opens = end == text || end[-1] == '\n';
    end += sprintf(end, "%s%s", !*line ? opens ? "" : "\n\n" : opens ? "" : " ", line);
  }
  return text;
}

static bool take_text(json_t *object, const char *key, bool needed, char **out, ct_error **error) {
  json_t *value = json_object_get(object, key);
  if (!value) return !needed || wrong(error, "\"%s\" is missing.", key);
  if (json_is_array(value)) return (*out = join(value, key, error)) != NULL;
  if (!json_is_string(value)) return wrong(error, "\"%s\" must be a text or a list of texts.", key);
  return (*out = ct_strdup(json_string_value(value), error)) != NULL;
}

/* Values of any type as the text that sets them. */
static bool text_of(const json_t *value, const char *key, char text[2 * CT_PLAN_TEXT], ct_error **error) {
  if (json_is_string(value))
    snprintf(text, 2 * CT_PLAN_TEXT, "%s", json_string_value(value));
  else if (json_is_integer(value))
    snprintf(text, 2 * CT_PLAN_TEXT, "%lld", (long long)json_integer_value(value));
  else if (json_is_real(value))
    ct_double_to_text(json_real_value(value), text);
  else if (json_is_boolean(value))
    snprintf(text, 2 * CT_PLAN_TEXT, "%s", json_is_true(value) ? "true" : "false");
  else if (json_is_null(value))
    snprintf(text, 2 * CT_PLAN_TEXT, "auto");
  else
    return wrong(error, "\"%.60s\" must be a single value.", key);
  return true;
}

static bool take_values(json_t *object, const char *key, gantry_lesson_state *state, ct_error **error) {
  json_t *values = json_object_get(object, key), *value;
  const char *name;
  char text[2 * CT_PLAN_TEXT];
  const bool of_scan = !strcmp(key, "scan");
  if (!values) return true;
  if (!json_is_object(values)) return wrong(error, "\"%s\" must be {\"KEY\": VALUE, ...}.", key);
  json_object_foreach(values, name, value) if (!text_of(value, name, text, error) ||
                                               (of_scan ? !gantry_lesson_set_scan(state, name, text, error)
                                                        : !ct_plan_set_text(&state->plan, name, text, error))) {
    ct_error_prefix(error, "\"%s\"", key);
    return false;
  }
  return true;
}

static bool take_state(json_t *object, gantry_lesson_state *state, ct_error **error) {
  char *slice = NULL;
  const bool good = take_values(object, "scan", state, error) && take_values(object, "plan", state, error) &&
                    take_text(object, "slice", false, &slice, error) &&
                    (!slice || gantry_lesson_set_slice(state, slice, error));
  ct_free(slice);
  return good;
}

/* Whether it describes a scan at all. */
static bool check_state(const gantry_lesson_state *state, ct_error **error) {
  ct_simulation simulation = state->simulation;
  ct_geometry geometry;
  if (!ct_simulation_geometry(&simulation, &geometry, error)) return false;
  const bool good = ct_imperfections_check(&simulation.imperfections, &geometry, error);
  ct_geometry_clear(&geometry);
  return good;
}

/* A list of a step, as an array of elements to fill. */
static bool take_list(json_t *object, const char *key, size_t element, void **out, size_t *count, json_t **list,
                      ct_error **error) {
  *list = json_object_get(object, key);
  if (!*list) return true;
  if (!json_is_array(*list) || json_array_size(*list) > MOST)
    return wrong(error, "\"%s\" must be a list of at most %d.", key, MOST);
  *count = json_array_size(*list);
  return !*count || (*out = ct_alloc_zero(*count, element, "a lesson", error)) != NULL;
}

static bool take_looks(json_t *object, gantry_lesson_step *step, ct_error **error) {
  json_t *list;
  if (!take_list(object, "look", sizeof *step->looks, (void **)&step->looks, &step->look_count, &list, error))
    return false;
  for (size_t i = 0; i < step->look_count; i++) {
    const json_t *value = json_array_get(list, i);
    double *place = step->looks[i].place;
    if (json_is_string(value)) {
      if (!(step->looks[i].name = ct_strdup(json_string_value(value), error))) return false;
    } else if (json_unpack((json_t *)value, "[F, F!]", &place[0], &place[1]) != 0) {
      return wrong(error, "\"look\" lists names of controls and places [x, y] in mm.");
    }
  }
  return true;
}

/* Numbers of a list of just so many; NaN where it is not there. */
static bool take_numbers(json_t *object, const char *key, size_t count, double *out, ct_error **error) {
  const json_t *list = json_object_get(object, key);
  for (size_t i = 0; i < count; i++) {
    const json_t *number = json_array_get(list, i);
    out[i] = number ? json_number_value(number) : NAN;
    if (list && (json_array_size(list) != count || !json_is_number(number)))
      return wrong(error, "\"%s\" must be a list of %zu numbers.", key, count);
  }
  return true;
}

static const gantry_lesson_page *find_page(const char *id) {
  for (const gantry_lesson_page *page = gantry_lesson_pages; id && page->id; page++)
    if (!strcmp(page->id, id)) return page;
  return NULL;
}

static bool take_pages(json_t *object, gantry_lesson_step *step, ct_error **error) {
  json_t *list;
  if (!take_list(object, "show", sizeof *step->pages, (void **)&step->pages, &step->page_count, &list, error))
    return false;
  for (size_t i = 0; i < step->page_count; i++) {
    const char *id = json_string_value(json_array_get(list, i));
    char names[256] = "";
    size_t used = 0;
    if ((step->pages[i] = find_page(id))) continue;
    for (const gantry_lesson_page *page = gantry_lesson_pages; page->id && used < sizeof names; page++)
      used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", page->id);
    return wrong(error, "\"show\" lists %s, not \"%.40s\".", names, id ? id : "...");
  }
  return true;
}

static bool take_claims(json_t *object, gantry_lesson_step *step, ct_error **error) {
  static const char *const keys[] = {"says", "check", NULL};
  json_t *list;
  if (!take_list(object, "claims", sizeof *step->claims, (void **)&step->claims, &step->claim_count, &list, error))
    return false;
  for (size_t i = 0; i < step->claim_count; i++) {
    json_t *value = json_array_get(list, i);
    gantry_claim *claim = &step->claims[i];
    if (!json_is_object(value)) return wrong(error, "\"claims\" lists {\"says\": TEXT, \"check\": CLAIM}.");
    if (check_keys(value, keys, error) && take_text(value, "says", true, &claim->says, error) &&
        take_text(value, "check", true, &claim->check, error) && gantry_claim_parse(claim, &step->state, error) &&
        check_state(&claim->left.state, error) && check_state(&claim->right.state, error))
      continue;
    ct_error_prefix(error, "claim %zu%s%s%s", i + 1, claim->check ? " \"" : "", claim->check ? claim->check : "",
                    claim->check ? "\"" : "");
    return false;
  }
  return true;
}

static bool take_step(json_t *object, const gantry_lesson_state *common, gantry_lesson_step *step, ct_error **error) {
  static const char *const keys[] = {"title", "text", "formula", "scan",     "plan",   "slice",  "show",
                                     "grey",  "line", "look",    "question", "answer", "claims", NULL};
  step->state = *common;
  if (!json_is_object(object)) return wrong(error, "a step must be {\"title\": TEXT, \"text\": TEXT, ...}.");
  if (!check_keys(object, keys, error) || !take_text(object, "title", true, &step->title, error) ||
      !take_text(object, "text", true, &step->text, error) ||
      !take_text(object, "formula", false, &step->formula, error) ||
      !take_text(object, "question", false, &step->question, error) ||
      !take_text(object, "answer", step->question != NULL, &step->answer, error) ||
      !take_state(object, &step->state, error) || !check_state(&step->state, error))
    return false;
  if (step->answer && !step->question) return wrong(error, "\"answer\" has no \"question\".");
  if (!take_numbers(object, "grey", 2, step->grey, error) || !take_numbers(object, "line", 4, step->line, error))
    return false;
  if (step->grey[0] >= step->grey[1]) return wrong(error, "\"grey\" must be [black, white], black the lower one.");
  return take_looks(object, step, error) && take_pages(object, step, error) && take_claims(object, step, error);
}

static bool take_steps(json_t *root, gantry_lesson *lesson, ct_error **error) {
  gantry_lesson_state common;
  json_t *list = NULL;
  gantry_lesson_state_init(&common);
  if (!take_state(root, &common, error) ||
      !take_list(root, "steps", sizeof *lesson->steps, (void **)&lesson->steps, &lesson->count, &list, error))
    return false;
  if (!lesson->count) return wrong(error, "\"steps\" must list one step at least.");
  for (size_t i = 0; i < lesson->count; i++) {
    gantry_lesson_step *step = &lesson->steps[i];
    if (take_step(json_array_get(list, i), &common, step, error)) continue;
    ct_error_prefix(error, "step %zu%s%s%s", i + 1, step->title ? " \"" : "", step->title ? step->title : "",
                    step->title ? "\"" : "");
    return false;
  }
  return true;
}

gantry_lesson *gantry_lesson_parse(const char *text, const char *name, ct_error **error) {
  static const char *const keys[] = {"gantry_lesson", "title", "summary", "scan", "plan", "slice", "steps", NULL};
  json_error_t fault;
  json_t *root = ct_json_read(text, JSON_REJECT_DUPLICATES, &fault, error);
  if (!root) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s: line %d: %s.", name, fault.line, fault.text);
    return NULL;
  }
  gantry_lesson *lesson = ct_alloc_zero(1, sizeof *lesson, "a lesson", error);
  bool good = lesson != NULL;
  if (good && json_integer_value(json_object_get(root, "gantry_lesson")) != 1)
    good = wrong(error, "this is no lesson: it should begin with {\"gantry_lesson\": 1, \"title\": ...}.");
  good = good && check_keys(root, keys, error) && take_text(root, "title", true, &lesson->title, error) &&
         take_text(root, "summary", false, &lesson->summary, error) && take_steps(root, lesson, error);
  json_decref(root);
  if (good) return lesson;
  ct_error_prefix(error, "%s", name);
  gantry_lesson_free(lesson);
  return NULL;
}

gantry_lesson *gantry_lesson_read(const char *path, ct_error **error) {
  char *text = ct_read_text(path, LARGEST, NULL, error);
  gantry_lesson *lesson = text ? gantry_lesson_parse(text, path, error) : NULL;
  ct_free(text);
  return lesson;
}

static void free_step(gantry_lesson_step *step) {
  ct_free(step->title);
  ct_free(step->text);
  ct_free(step->formula);
  ct_free(step->question);
  ct_free(step->answer);
  for (size_t i = 0; i < step->look_count; i++) ct_free(step->looks[i].name);
  for (size_t i = 0; i < step->claim_count; i++) gantry_claim_clear(&step->claims[i]);
  ct_free(step->looks);
  ct_free(step->claims);
  ct_free(step->pages);
}

void gantry_lesson_free(gantry_lesson *lesson) {
  if (!lesson) return;
  for (size_t i = 0; i < lesson->count && lesson->steps; i++) free_step(&lesson->steps[i]);
  ct_free(lesson->steps);
  ct_free(lesson->title);
  ct_free(lesson->summary);
  ct_free(lesson);
}
