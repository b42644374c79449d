/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the values of an enumeration. Each room states its own once, in a list of rows ROW(value, id, title, brief)
 * from which the enumeration and an array of ct_choice are made; plan, command line and window read the array. */
#ifndef CT_BASE_CHOICE_H
#define CT_BASE_CHOICE_H

#include <stddef.h>

typedef struct ct_choice {
  int value;
  const char *id;    /* in files and on the command line */
  const char *title; /* in a list to choose from: "Sorting (Vo 2018)" */
  const char *brief; /* within a summary: "rings by sorting"; NULL: not worth mentioning */
} ct_choice;

/* What a list is expanded with: enum { LIST(CT_CHOICE_VALUE) }, and {LIST(CT_CHOICE_ROW) CT_CHOICE_END}. */
#define CT_CHOICE_VALUE(value, ...) value,
#define CT_CHOICE_ROW(value, id, title, brief, ...) {value, id, title, brief},
#define CT_CHOICE_END                                                                                                  \
  { 0, NULL, NULL, NULL }

/* In an array that ends with id NULL; NULL: there is none of that value, or of that id. */
const ct_choice *ct_choice_find(const ct_choice *choices, int value);
const ct_choice *ct_choice_find_id(const ct_choice *choices, const char *id);
/* Id and title of a value; "unknown" without one. */
const char *ct_choice_id(const ct_choice *choices, int value);
const char *ct_choice_title(const ct_choice *choices, int value);

#endif
