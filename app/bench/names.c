/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of names, as options take them and messages tell them. */
#include "app/bench/report-private.h"

#include <stdio.h>
#include <string.h>

bool bench_listed(const char *list, const char *name) {
  if (!list) return true;
  const size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)); at++)
    if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length])) return true;
  return false;
}

bool bench_chosen(const bench *b, const char *name, const char *ordinary) {
  const char *list = b->options.problems ? b->options.problems : ordinary;
  return !strcmp(list, "all") || bench_listed(list, name);
}

/* Whether `length` characters at `name` are one of the names. */
static bool is_among(const char *names, const char *name, size_t length) {
  while (*names) {
    const size_t next = strcspn(names, ",");
    if (next == length && !memcmp(names, name, length)) return true;
    names += next;
    names += strspn(names, ", ");
  }
  return false;
}

void bench_add_name(char *names, size_t size, const char *name) {
  const size_t at = strlen(names);
  if (!is_among(names, name, strlen(name))) snprintf(names + at, size - at, "%s%s", at ? ", " : "", name);
}

bool bench_check_list(const bench *b, const char *what, const char *list, const char *known, ct_error **error) {
  while (list) {
    const size_t length = strcspn(list, ",");
    if (!is_among(known, list, length))
      return ct_error_set(error, CT_ERROR_ARGUMENT, "The suite %s has no %s \"%.*s\"; there are: %s.", b->suite->name,
                          what, (int)length, list, known);
    list = list[length] ? list + length + 1 : NULL;
  }
  return true;
}
