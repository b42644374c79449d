/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of plans from the rows of the plan table in which they differ. */
#include "recon/solve/plan-names.h"

#include "recon/base/units.h"
#include "recon/bp/choices.h"
#include "recon/solve/iterative/solver.h"
#include "recon/solve/plan-rules.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Whose values are said without the title, in this order, before all others; the method is the first. */
static const size_t spoken_first[] = {offsetof(ct_plan, iterative.method), offsetof(ct_plan, iterative.iterations),
                                      offsetof(ct_plan, kernel), offsetof(ct_plan, interp),
                                      offsetof(ct_plan, precision)};
enum { SPOKEN_FIRST = sizeof spoken_first / sizeof *spoken_first };

static bool is_at(const ct_param *param, size_t offset) {
  return param->offset == offset;
}

/* Whether a plan's result, or how quickly it is made, hangs on the parameter, as far as its method decides that. */
static bool counts(const ct_plan *plan, const ct_param *param) {
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  if (param->stage == CT_PLAN_FILE || ct_param_is_idle(plan, param, NULL, 0)) return false;
  return (solver || !(param->needs & CT_IF_ITERATIVE)) && !(param->uses & ~(solver ? solver->uses : 0));
}

static bool differ(const ct_plan *const plans[], size_t count, const ct_param *param) {
  const ct_plan *first = NULL;
  for (size_t i = 0; i < count; i++) {
    if (!counts(plans[i], param)) continue;
    if (first && !ct_param_equal(first, plans[i], param)) return true;
    if (!first) first = plans[i];
  }
  return false;
}

/* Whether more than half of the plans that the parameter counts for have this one's value. */
static bool goes_without_saying(const ct_plan *const plans[], size_t count, const ct_plan *plan,
                                const ct_param *param) {
  size_t alike = 0, all = 0;
  for (size_t i = 0; i < count; i++) {
    if (!counts(plans[i], param)) continue;
    all++;
    alike += ct_param_equal(plans[i], plan, param);
  }
  return 2 * alike > all;
}

static const char *ordinal(int n) {
  const int last = n % 100 >= 11 && n % 100 <= 13 ? 0 : n % 10;
  return last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
}

/* The title within a sentence: "cut-off", but "TV weight". */
static void in_sentence(const char *title, char *text, size_t size) {
  snprintf(text, size, "%s", title);
  if (text[0] && !isupper((unsigned char)text[1])) text[0] = (char)tolower((unsigned char)text[0]);
}

static void method_words(const ct_plan *plan, char *text, size_t size) {
  const ct_choice *method = ct_choice_find(ct_method_choices, plan->iterative.method);
  if (plan->iterative.method == CT_METHOD_DIRECT || !method)
    snprintf(text, size, "direct");
  else if (!ct_method_iterates(method->value))
    snprintf(text, size, "%s", method->brief);
  else
    snprintf(text, size, "%s %d", method->brief, plan->iterative.iterations);
}

/* "Half, 16 bit": its first word. */
static void precision_words(const ct_plan *plan, char *text, size_t size) {
  const char *title = ct_choice_title(ct_precision_choices, plan->precision);
  in_sentence(title, text, size);
  text[strcspn(text, ",")] = 0;
}

static void number_words(const ct_plan *plan, const ct_param *param, const char *title, char *text, size_t size) {
  const double value = ct_param_get_number(plan, param);
  char number[48];
  ct_format_quantity(value, 7, param->unit, number, sizeof number);
  snprintf(text, size, "%s %s", title, isnan(value) ? "automatic" : number);
}

/* methods: they differ among the plans, so that iterations are told with theirs. */
static void words(const ct_plan *plan, const ct_param *param, bool methods, char *text, size_t size) {
  char title[CT_PLAN_TEXT], value[CT_PLAN_TEXT] = "";
  in_sentence(param->title, title, sizeof title);
  if (!ct_plan_get_text(plan, param, value, sizeof value)) *value = 0;
  if (is_at(param, offsetof(ct_plan, iterative.method)) ||
      (methods && is_at(param, offsetof(ct_plan, iterative.iterations))))
    method_words(plan, text, size);
  else if (is_at(param, offsetof(ct_plan, precision)))
    precision_words(plan, text, size);
  else if (is_at(param, offsetof(ct_plan, interp)) || is_at(param, offsetof(ct_plan, filter.window)) ||
           (is_at(param, offsetof(ct_plan, kernel)) && strcmp(value, "auto") != 0))
    snprintf(text, size, "%s", value);
  else if (is_at(param, offsetof(ct_plan, view_step)) && plan->view_step == 1)
    snprintf(text, size, "every view");
  else if (is_at(param, offsetof(ct_plan, view_step)))
    snprintf(text, size, "every %d%s view", plan->view_step, ordinal(plan->view_step));
  else if (is_at(param, offsetof(ct_plan, iterative.iterations)))
    snprintf(text, size, "%d iteration%s", plan->iterative.iterations, plan->iterative.iterations == 1 ? "" : "s");
  else if (param->type == CT_PARAM_REAL || param->type == CT_PARAM_INT)
    number_words(plan, param, title, text, size);
  else if (param->type == CT_PARAM_BOOL)
    snprintf(text, size, "%s%s", ct_param_get_number(plan, param) > 0 ? "" : "no ", title);
  else
    snprintf(text, size, "%s %s", title, value);
}

static void add(char name[CT_PLAN_NAME], const char *more) {
  const size_t used = strlen(name);
  if (used + strlen(more) + 3 > CT_PLAN_NAME) return;
  snprintf(name + used, CT_PLAN_NAME - used, "%s%s", used ? ", " : "", more);
}

/* The i-th parameter in the order of speaking. */
static const ct_param *spoken(size_t i) {
  size_t count;
  const ct_param *params = ct_params(&count);
  if (i >= SPOKEN_FIRST) return &params[i - SPOKEN_FIRST];
  while (!is_at(params, spoken_first[i])) params++;
  return params;
}

static bool is_spoken_first(const ct_param *param) {
  for (size_t i = 0; i < SPOKEN_FIRST; i++)
    if (is_at(param, spoken_first[i])) return true;
  return false;
}

/* all: also the values that most plans have. */
static void make_name(const ct_plan *const plans[], size_t count, const ct_plan *plan, bool all,
                      char name[CT_PLAN_NAME]) {
  size_t rows;
  char text[CT_PLAN_NAME];
  bool method_said = false;
  const bool methods = differ(plans, count, spoken(0));
  ct_params(&rows);
  name[0] = 0;
  for (size_t i = 0; i < SPOKEN_FIRST + rows; i++) {
    const ct_param *param = spoken(i);
    if ((i >= SPOKEN_FIRST && is_spoken_first(param)) || !counts(plan, param) || !differ(plans, count, param)) continue;
    if (!all && goes_without_saying(plans, count, plan, param)) continue;
    /* The method's name tells the iterations. */
    if (is_at(param, offsetof(ct_plan, iterative.iterations)) && method_said) continue;
    method_said |= is_at(param, offsetof(ct_plan, iterative.method));
    words(plan, param, methods, text, sizeof text);
    add(name, text);
  }
}

static void make_summary(const ct_plan *plan, char name[CT_PLAN_NAME]) {
  char text[CT_PLAN_TEXT];
  name[0] = 0;
  if (plan->iterative.method != CT_METHOD_DIRECT) {
    method_words(plan, name, CT_PLAN_NAME);
    return;
  }
  add(name, ct_choice_id(ct_interp_choices, plan->interp));
  precision_words(plan, text, sizeof text);
  add(name, text);
}

bool ct_plans_differ(const ct_plan *a, const ct_plan *b) {
  size_t rows;
  const ct_param *params = ct_params(&rows);
  for (size_t i = 0; i < rows; i++)
    if ((counts(a, &params[i]) || counts(b, &params[i])) && !ct_param_equal(a, b, &params[i])) return true;
  return false;
}

void ct_plan_names(const ct_plan *const plans[], size_t count, char names[][CT_PLAN_NAME]) {
  for (size_t i = 0; i < count; i++) {
    make_name(plans, count, plans[i], false, names[i]);
    if (!names[i][0]) make_name(plans, count, plans[i], true, names[i]);
    if (!names[i][0]) make_summary(plans[i], names[i]);
  }
}
