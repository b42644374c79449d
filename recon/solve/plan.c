/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan's values by name: as numbers, as text, compared and reset, all through the table of parameters. */
#include "recon/solve/plan.h"

#include "recon/base/text.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const ct_param *ct_param_find(const char *key) {
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(params[i].key, key) == 0) return params + i;
  return NULL;
}

static void *field(ct_plan *plan, const ct_param *param) {
  return (char *)plan + param->offset;
}
static const void *get_field(const ct_plan *plan, const ct_param *param) {
  return (const char *)plan + param->offset;
}

double ct_param_get_number(const ct_plan *plan, const ct_param *param) {
  switch (param->type) {
  case CT_PARAM_REAL:
    return *(const double *)get_field(plan, param);
  case CT_PARAM_TEXT:
    return NAN;
  default: {
    const int value = *(const int *)get_field(plan, param);
    return value == CT_AUTO_INT ? NAN : value;
  }
  }
}

static void store_number(ct_plan *plan, const ct_param *param, double value) {
  if (param->type == CT_PARAM_REAL)
    *(double *)field(plan, param) = value;
  else if (param->type != CT_PARAM_TEXT)
    *(int *)field(plan, param) = isnan(value) ? CT_AUTO_INT : (int)value;
}

void ct_param_reset(ct_plan *plan, const ct_param *param) {
  if (param->type == CT_PARAM_TEXT)
    snprintf(field(plan, param), CT_PLAN_TEXT, "%s", param->fallback_text);
  else if (param->type == CT_PARAM_REAL)
    store_number(plan, param, param->fallback);
  else
    *(int *)field(plan, param) = (int)param->fallback;
}

void ct_plan_init(ct_plan *plan) {
  size_t count;
  const ct_param *params = ct_params(&count);
  memset(plan, 0, sizeof *plan);
  for (size_t i = 0; i < count; i++) ct_param_reset(plan, params + i);
}

bool ct_param_equal(const ct_plan *a, const ct_plan *b, const ct_param *param) {
  if (param->type == CT_PARAM_TEXT) return strcmp(get_field(a, param), get_field(b, param)) == 0;
  const double x = ct_param_get_number(a, param), y = ct_param_get_number(b, param);
  return x == y || (isnan(x) && isnan(y));
}

bool ct_plan_equal(const ct_plan *a, const ct_plan *b) {
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++)
    if (!ct_param_equal(a, b, params + i)) return false;
  return true;
}

bool ct_param_is_default(const ct_plan *plan, const ct_param *param) {
  ct_plan defaults;
  ct_plan_init(&defaults);
  return ct_param_equal(plan, &defaults, param);
}

/* "auto", or "none, border, region or value": what a parameter takes. */
static void describe_range(const ct_param *param, char *text, size_t size) {
  size_t at = 0;
  text[0] = 0;
  switch (param->type) {
  case CT_PARAM_CHOICE:
    for (const ct_choice *c = param->choices; c->id && at < size; c++)
      at += (size_t)snprintf(text + at, size - at, "%s%s", c == param->choices ? "one of " : ", ", c->id);
    break;
  case CT_PARAM_BOOL:
    snprintf(text, size, "yes or no");
    break;
  case CT_PARAM_TEXT:
    snprintf(text, size, "a word of at most %d letters", CT_PLAN_TEXT - 1);
    break;
  default:
    snprintf(text, size, "%s from %.10g to %.10g%s%s%s", param->type == CT_PARAM_INT ? "a whole number" : "a number",
             param->low, param->high, *param->unit ? " " : "", param->unit, param->automatic ? ", or auto" : "");
  }
}

static bool refuse(const ct_param *param, const char *value, ct_error **error) {
  char range[512];
  describe_range(param, range, sizeof range);
  const bool device = param->offset == offsetof(ct_plan, device);
  return ct_error_set(error, CT_ERROR_ARGUMENT, "%s cannot be \"%s\": it takes %s%s.", param->key, value, range,
                      device ? "; of each device a part of its name will do" : "");
}

static bool number_fits(const ct_param *param, double value) {
  if (isnan(value))
    return param->automatic || (param->type == CT_PARAM_CHOICE && ct_choice_find(param->choices, CT_AUTO_INT));
  if (param->type == CT_PARAM_CHOICE)
    return fabs(value) < 1e9 && value == rint(value) && ct_choice_find(param->choices, (int)value);
  if (param->type == CT_PARAM_TEXT || !(value >= param->low && value <= param->high)) return false;
  return param->type == CT_PARAM_REAL || value == rint(value);
}

bool ct_param_set_number(ct_plan *plan, const ct_param *param, double value, ct_error **error) {
  if (!number_fits(param, value)) {
    char text[64];
    snprintf(text, sizeof text, "%.10g", value);
    return refuse(param, text, error);
  }
  store_number(plan, param, value);
  return true;
}

bool ct_plan_get_text(const ct_plan *plan, const ct_param *param, char *text, size_t size) {
  const double value = ct_param_get_number(plan, param);
  switch (param->type) {
  case CT_PARAM_TEXT:
    return snprintf(text, size, "%s", (const char *)get_field(plan, param)) < (int)size;
  case CT_PARAM_CHOICE: {
    const ct_choice *choice = ct_choice_find(param->choices, isnan(value) ? CT_AUTO_INT : (int)value);
    return snprintf(text, size, "%s", choice ? choice->id : "?") < (int)size;
  }
  case CT_PARAM_BOOL:
    return snprintf(text, size, value != 0 ? "yes" : "no") < (int)size;
  case CT_PARAM_INT:
  case CT_PARAM_REAL:
    break;
  }
  if (isnan(value)) return snprintf(text, size, "auto") < (int)size;
  char number[32];
  return snprintf(text, size, "%s", ct_double_to_text(value, number)) < (int)size;
}

static bool parse_bool(const char *text, double *value) {
  static const char *const yes[] = {"yes", "true", "on", "1"}, *const no[] = {"no", "false", "off", "0"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    if (strcmp(text, yes[i]) == 0)
      *value = 1;
    else if (strcmp(text, no[i]) == 0)
      *value = 0;
    else
      continue;
    return true;
  }
  return false;
}

static bool set_text(ct_plan *plan, const ct_param *param, const char *text, ct_error **error) {
  double value = NAN;
  switch (param->type) {
  case CT_PARAM_TEXT:
    if (!*text || strlen(text) >= CT_PLAN_TEXT) return refuse(param, text, error);
    snprintf(field(plan, param), CT_PLAN_TEXT, "%s", text);
    return true;
  case CT_PARAM_CHOICE: {
    const ct_choice *choice = ct_choice_find_id(param->choices, text);
    if (!choice) return refuse(param, text, error);
    *(int *)field(plan, param) = choice->value;
    return true;
  }
  case CT_PARAM_BOOL:
    if (!parse_bool(text, &value)) return refuse(param, text, error);
    break;
  case CT_PARAM_INT:
  case CT_PARAM_REAL:
    if (strcmp(text, "auto") != 0) {
      char *end;
      value = ct_text_to_double(text, &end);
      if (end == text || *end || isnan(value)) return refuse(param, text, error);
    }
  }
  if (!number_fits(param, value)) return refuse(param, text, error);
  store_number(plan, param, value);
  return true;
}

static bool takes(const ct_plan *plan, const ct_param *param, const char *text) {
  ct_plan scratch = *plan;
  return set_text(&scratch, param, text, NULL);
}

/* The parameter whose key ends in ".part", the one that takes the text where there are several. */
static const ct_param *find_by_part(const ct_plan *plan, const char *part, const char *text, ct_error **error) {
  size_t count, at = 0;
  int named = 0, taking = 0;
  const ct_param *params = ct_params(&count), *last = NULL, *taker = NULL;
  char names[256] = "";
  for (size_t i = 0; i < count; i++) {
    const char *dot = strchr(params[i].key, '.');
    if (!dot || strcmp(dot + 1, part) != 0) continue;
    if (at < sizeof names)
      at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", named ? ", " : "", params[i].key);
    last = params + i;
    named++;
    if (!takes(plan, params + i, text)) continue;
    taker = params + i;
    taking++;
  }
  if (named == 1) return last;
  if (taking == 1) return taker;
  if (named == 0)
    ct_error_set(error, CT_ERROR_ARGUMENT, "There is no parameter \"%s\".", part);
  else
    ct_error_set(error, CT_ERROR_ARGUMENT,
                 taking ? "\"%s\" could be %s: write it out." : "\"%s\" could be %s, and none takes \"%s\".", part,
                 names, text);
  return NULL;
}

bool ct_plan_set_text(ct_plan *plan, const char *key, const char *text, ct_error **error) {
  const ct_param *param = ct_param_find(key);
  if (!param) param = find_by_part(plan, key, text, error);
  return param && set_text(plan, param, text, error);
}
