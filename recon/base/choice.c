/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking up the names of values. */
#include "recon/base/choice.h"

#include <string.h>

const ct_choice *ct_choice_find(const ct_choice *choices, int value) {
  for (const ct_choice *c = choices; c->id; c++)
    if (c->value == value) return c;
  return NULL;
}

const ct_choice *ct_choice_find_id(const ct_choice *choices, const char *id) {
  for (const ct_choice *c = choices; c->id; c++)
    if (strcmp(c->id, id) == 0) return c;
  return NULL;
}

const char *ct_choice_id(const ct_choice *choices, int value) {
  const ct_choice *choice = ct_choice_find(choices, value);
  return choice ? choice->id : "unknown";
}

const char *ct_choice_title(const ct_choice *choices, int value) {
  const ct_choice *choice = ct_choice_find(choices, value);
  return choice ? choice->title : "unknown";
}
