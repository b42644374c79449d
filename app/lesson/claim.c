/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims: TERM < TERM, TERM > TERM, TERM = TERM +- NUMBER [%]. A term is NUMBER, QUANTITY, or NUMBER * QUANTITY; a
 * quantity is a name with its arguments in parentheses and what changes against the step's state in braces. */
#include "app/lesson/claim.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void pass_blanks(const char **c) {
  while (**c == ' ') (*c)++;
}

static bool take(const char **c, const char *token) {
  pass_blanks(c);
  const size_t length = strlen(token);
  if (strncmp(*c, token, length) != 0) return false;
  *c += length;
  return true;
}

static bool take_number(const char **c, double *number) {
  char *end;
  pass_blanks(c);
  if (!((**c >= '0' && **c <= '9') || **c == '-' || **c == '.')) return false;
  *number = ct_text_to_double(*c, &end);
  if (end == *c) return false;
  *c = end;
  return true;
}

static bool unknown_quantity(const char *name, ct_error **error) {
  size_t count, used = 0;
  char names[512] = "";
  const struct gantry_quantity *rows = gantry_quantities(&count);
  for (size_t i = 0; i < count && used < sizeof names; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", rows[i].id);
  return ct_error_set(error, CT_ERROR_ARGUMENT, "nothing is measured at \"%.40s\"; there are %s, and numbers.", name,
                      names);
}

static bool take_arguments(const char **c, gantry_term *term, ct_error **error) {
  const gantry_quantity *q = term->quantity;
  for (bool more = take(c, "(") && !take(c, ")"); more;) {
    if (term->count == GANTRY_TERM_ARGUMENTS || !take_number(c, &term->arguments[term->count++]))
      return ct_error_set(error, CT_ERROR_ARGUMENT, "%s takes %s, not \"%.40s\".", q->id, q->arguments, *c);
    more = take(c, ",");
    if (!more && !take(c, ")"))
      return ct_error_set(error, CT_ERROR_ARGUMENT, "the \"(\" behind %s is not closed.", q->id);
  }
  return (q->counts & (1u << term->count)) != 0 ||
         ct_error_set(error, CT_ERROR_ARGUMENT, "%s takes %s: %d number%s will not do.", q->id, q->arguments,
                      term->count, term->count == 1 ? "" : "s");
}

static bool take_changes(const char **c, gantry_term *term, ct_error **error) {
  if (!take(c, "{")) return true;
  const size_t length = strcspn(*c, "}");
  if (!(*c)[length])
    return ct_error_set(error, CT_ERROR_ARGUMENT, "the \"{\" behind %s is not closed.", term->quantity->id);
  char *changes = ct_alloc(length + 1, 1, "a claim", error);
  if (!changes) return false;
  memcpy(changes, *c, length);
  changes[length] = 0;
  term->changes = changes;
  *c += length + 1;
  return gantry_lesson_set_changes(&term->state, changes, error);
}

static bool take_term(const char **c, gantry_term *term, const gantry_lesson_state *own, ct_error **error) {
  *term = (gantry_term){.factor = 1, .state = *own};
  if (take_number(c, &term->factor) && !take(c, "*")) return true;
  pass_blanks(c);
  size_t count, length = strspn(*c, "abcdefghijklmnopqrstuvwxyz-");
  const struct gantry_quantity *rows = gantry_quantities(&count);
  for (size_t i = 0; i < count; i++)
    if (strlen(rows[i].id) == length && strncmp(rows[i].id, *c, length) == 0) term->quantity = rows + i;
  if (!term->quantity) return unknown_quantity(*c, error);
  *c += length;
  return take_arguments(c, term, error) && take_changes(c, term, error);
}

bool gantry_claim_parse(gantry_claim *claim, const gantry_lesson_state *own, ct_error **error) {
  const char *c = claim->check;
  if (!take_term(&c, &claim->left, own, error)) return false;
  if (!claim->left.quantity)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "what is measured stands left, a number right.");
  if (take(&c, "<"))
    claim->relation = GANTRY_CLAIM_BELOW;
  else if (take(&c, ">"))
    claim->relation = GANTRY_CLAIM_ABOVE;
  else if (take(&c, "="))
    claim->relation = GANTRY_CLAIM_WITHIN;
  else
    return ct_error_set(error, CT_ERROR_ARGUMENT, "\"<\", \">\" or \"=\" is expected, not \"%.40s\".", c);
  if (!take_term(&c, &claim->right, own, error)) return false;
  if (claim->relation == GANTRY_CLAIM_WITHIN) {
    if (!(take(&c, "+-") || take(&c, "±")) || !take_number(&c, &claim->within) || !(claim->within > 0))
      return ct_error_set(error, CT_ERROR_ARGUMENT,
                          "\"=\" needs how near: \"= 0.02 +- 0.001\" or \"= 0.02 +- 5 %%\", more than 0.");
    claim->percent = take(&c, "%");
  }
  pass_blanks(&c);
  return !*c || ct_error_set(error, CT_ERROR_ARGUMENT, "\"%.40s\" is too much behind the claim.", c);
}

void gantry_claim_clear(gantry_claim *claim) {
  ct_free(claim->says);
  ct_free(claim->check);
  ct_free(claim->left.changes);
  ct_free(claim->right.changes);
  *claim = (gantry_claim){0};
}

/* Measuring */

static bool measure(const gantry_term *term, const gantry_lesson_state *own, gantry_lesson_lab *lab, double *value,
                    ct_job *job, ct_error **error) {
  *value = 1;
  if (!term->quantity) return true;
  const gantry_measuring of = {lab, &term->state, own, term->arguments, term->count, job};
  return term->quantity->measure(&of, value, error);
}

static size_t add_term(char *text, size_t size, const gantry_term *term, double value) {
  char number[64];
  const gantry_quantity *q = term->quantity;
  const int used =
      snprintf(text, size, "%s %s%s%s", q->title, ct_format_quantity(value, 4, q->unit, number, sizeof number),
               term->changes ? " with " : "", term->changes ? term->changes : "");
  return used > 0 && (size_t)used < size ? (size_t)used : size - 1;
}

char *gantry_finding_text(const gantry_claim *claim, const gantry_finding *finding, char *text, size_t size) {
  size_t used = add_term(text, size, &claim->left, finding->left);
  if (claim->right.quantity && used + 3 < size) {
    used += (size_t)snprintf(text + used, size - used, "; ");
    add_term(text + used, size - used, &claim->right, finding->right);
  }
  return text;
}

bool gantry_claim_check(const gantry_claim *claim, const gantry_lesson_state *own, gantry_lesson_lab *lab,
                        gantry_finding *finding, ct_job *job, ct_error **error) {
  double a, b;
  if (!measure(&claim->left, own, lab, &a, job, error) || !measure(&claim->right, own, lab, &b, job, error))
    return false;
  const double left = claim->left.factor * a, right = claim->right.factor * b;
  const double within = claim->percent ? fabs(right) * claim->within / 100 : claim->within;
  *finding = (gantry_finding){.left = a, .right = b};
  finding->holds = claim->relation == GANTRY_CLAIM_BELOW   ? left < right
                   : claim->relation == GANTRY_CLAIM_ABOVE ? left > right
                                                           : fabs(left - right) <= within;
  return true;
}
