/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes the numbers of a result doubtful, or what was decided without being told: collected while the result is
 * made, kept with it, and shown by whoever shows it. A warning is for the person in front of the program: one or two
 * sentences that say what was found, what it does to the numbers, and what to do. */
#ifndef CT_BASE_WARNINGS_H
#define CT_BASE_WARNINGS_H

#include "recon/base/choice.h"

#define CT_WARNING_KINDS(ROW)                                                                                          \
  ROW(CT_WARNING_CENTRE, "centre", "Centre of rotation", NULL)                                                         \
  ROW(CT_WARNING_TRUNCATION, "truncation", "Truncated projections", NULL)                                              \
  ROW(CT_WARNING_ARC, "arc", "Limited arc", NULL)                                                                      \
  ROW(CT_WARNING_VALUES, "values", "Meaning of the values", NULL)                                                      \
  ROW(CT_WARNING_ASSUMED, "assumed", "Assumed geometry", NULL)                                                         \
  ROW(CT_WARNING_SETTING, "setting", "Setting without effect", NULL)                                                   \
  ROW(CT_WARNING_PIXELS, "pixels", "Bad pixels", NULL)                                                                 \
  ROW(CT_WARNING_VIEWS, "views", "Views of no use", NULL)                                                              \
  ROW(CT_WARNING_METHOD, "method", "Method", NULL)
typedef enum { CT_WARNING_KINDS(CT_CHOICE_VALUE) } ct_warning_kind;
extern const ct_choice ct_warning_choices[];

enum { CT_WARNING_TEXT = 448, CT_WARNINGS_MOST = 24 };

typedef struct ct_warning {
  ct_warning_kind kind;
  char text[CT_WARNING_TEXT]; /* UTF-8, ends with a full stop; cut at its end where it is too long */
} ct_warning;

/* A value. All zero: none. */
typedef struct ct_warnings {
  int count;
  ct_warning items[CT_WARNINGS_MOST];
} ct_warnings;

/* Each text once; beyond CT_WARNINGS_MOST the newest replaces the last. NULL: nothing is kept. */
void ct_warnings_add(ct_warnings *warnings, ct_warning_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Those of `more` behind them. */
void ct_warnings_join(ct_warnings *warnings, const ct_warnings *more);
/* The first of a kind; NULL: there is none. */
const ct_warning *ct_warnings_find(const ct_warnings *warnings, ct_warning_kind kind);

#endif
