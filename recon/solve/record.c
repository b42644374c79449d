/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two results differ in, by the values that were in use. */
#include "recon/solve/record.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A value for people: numbers at 7 digits. */
static const char *value_text(const ct_plan *plan, const ct_param *param, char text[CT_PLAN_TEXT]) {
  const double value = ct_param_get_number(plan, param);
  if (param->type == CT_PARAM_REAL && !isnan(value))
    return ct_format_quantity(value, 7, param->unit, text, CT_PLAN_TEXT);
  if (!ct_plan_get_text(plan, param, text, CT_PLAN_TEXT)) text[0] = 0;
  return text;
}

/* Whether the plan leaves the value to the program; a centre that was found is one. */
static bool is_automatic(const ct_plan *plan, const ct_plan *resolved, const ct_param *param) {
  if (param->offset == offsetof(ct_plan, centre_u)) return plan->centre_method != CT_CENTRE_MANUAL;
  return !ct_param_equal(plan, resolved, param);
}

/* What the program would decide, and did not tell. */
static bool is_unknown(const ct_plan *resolved, const ct_param *param) {
  char text[CT_PLAN_TEXT];
  return ct_plan_get_text(resolved, param, text, sizeof text) && strcmp(text, "auto") == 0;
}

typedef struct {
  ct_plan plan, resolved;
  char *centre_how;
} side;

static bool open_side(side *s, const char *json, ct_error **error) {
  *s = (side){0};
  return ct_record_read_resolved(json, &s->plan, &s->resolved, &s->centre_how, error);
}

/* Whether it is to be told; what is equal, and what changes no voxel, is not. */
static bool differs(const side *a, const side *b, const ct_param *param, bool asked) {
  if (param->stage >= CT_PLAN_FILE || param->offset == offsetof(ct_plan, centre_method) ||
      ct_param_equal(&a->resolved, &b->resolved, param))
    return false;
  const bool automatic = is_automatic(&a->plan, &a->resolved, param) || is_automatic(&b->plan, &b->resolved, param);
  if (automatic && (is_unknown(&a->resolved, param) || is_unknown(&b->resolved, param)))
    return asked && !ct_param_equal(&a->plan, &b->plan, param);
  return automatic != asked;
}

static char *list_differences(const side *a, const side *b, bool asked, ct_error **error) {
  size_t count;
  const ct_param *params = ct_params(&count);
  char *list = ct_strdup("", error), x[CT_PLAN_TEXT], y[CT_PLAN_TEXT];
  for (size_t i = 0; list && i < count; i++) {
    if (!differs(a, b, &params[i], asked)) continue;
    char *longer = ct_strprintf("%s%s (%s): %s, %s\n", list, params[i].title, params[i].key,
                                value_text(&a->resolved, &params[i], x), value_text(&b->resolved, &params[i], y));
    ct_free(list);
    list = longer;
  }
  if (!list) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a list of differences.");
  return list;
}

char *ct_record_differences(const char *a, const char *b, bool asked, ct_error **error) {
  side of_a, of_b = {0};
  char *list = NULL;
  if (open_side(&of_a, a, error) && open_side(&of_b, b, error)) list = list_differences(&of_a, &of_b, asked, error);
  ct_free(of_a.centre_how);
  ct_free(of_b.centre_how);
  return list;
}
