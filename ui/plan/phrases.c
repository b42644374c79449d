/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of what the side panel says: names of choices, and lists of words. */
#include "ui/plan/phrases.h"

#include <math.h>

const char *gantry_plan_choice_title(const ct_plan *plan, const ct_param *param) {
  const double value = ct_param_get_number(plan, param);
  for (const ct_choice *choice = param->choices; choice && choice->id; choice++) {
    if (isnan(value) ? choice->value == CT_AUTO_INT : choice->value == (int)value) return choice->title;
  }
  return "";
}

const char *gantry_plan_method_name(int method) {
  const ct_choice *choice = ct_choice_find(ct_method_choices, method);
  return choice ? choice->brief : "iterative method";
}

void gantry_words_add(GString *text, const char *format, ...) {
  va_list arguments;
  if (text->len) g_string_append(text, ", ");
  va_start(arguments, format);
  g_string_append_vprintf(text, format, arguments);
  va_end(arguments);
}
