/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of warnings. */
#include "recon/base/warnings.h"

#include "recon/base/shown.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const ct_choice ct_warning_choices[] = {CT_WARNING_KINDS(CT_CHOICE_ROW) CT_CHOICE_END};

static void add(ct_warnings *warnings, const ct_warning *warning) {
  for (int i = 0; i < warnings->count; i++)
    if (strcmp(warnings->items[i].text, warning->text) == 0) return;
  if (warnings->count < CT_WARNINGS_MOST) warnings->count++;
  warnings->items[warnings->count - 1] = *warning;
}

void ct_warnings_add(ct_warnings *warnings, ct_warning_kind kind, const char *format, ...) {
  if (!warnings) return;
  ct_warning warning = {.kind = kind};
  char text[2 * sizeof warning.text]; /* longer, so that it is cut behind a whole character */
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  ct_shown(text, warning.text, sizeof warning.text);
  add(warnings, &warning);
}

void ct_warnings_join(ct_warnings *warnings, const ct_warnings *more) {
  for (int i = 0; i < more->count; i++) add(warnings, more->items + i);
}

const ct_warning *ct_warnings_find(const ct_warnings *warnings, ct_warning_kind kind) {
  for (int i = 0; i < warnings->count; i++)
    if (warnings->items[i].kind == kind) return warnings->items + i;
  return NULL;
}
