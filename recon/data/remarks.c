/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of remarks about a scan. */
#include "recon/data/remarks.h"

#include "recon/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A scan that has more to tell than this is told about in part. */
enum { MOST = 200 };

static bool is_there(const ct_remarks *remarks, ct_remark_kind kind, const char *from, const char *text) {
  for (int i = 0; i < remarks->count; i++) {
    const ct_remark *r = &remarks->items[i];
    if (r->kind == kind && strcmp(r->text, text) == 0 && !r->from == !from && (!from || strcmp(r->from, from) == 0))
      return true;
  }
  return false;
}

static void push(ct_remarks *remarks, ct_remark_kind kind, const char *from, const char *text) {
  if (remarks->count >= MOST || is_there(remarks, kind, from, text)) return;
  if (remarks->count == remarks->capacity) {
    const int larger = remarks->capacity ? 2 * remarks->capacity : 8;
    ct_remark *items = ct_alloc((size_t)larger, sizeof *items, "remarks", NULL);
    if (!items) return;
    if (remarks->count) memcpy(items, remarks->items, (size_t)remarks->count * sizeof *items);
    ct_free(remarks->items);
    remarks->items = items;
    remarks->capacity = larger;
  }
  ct_remark one = {kind, from ? ct_strdup(from, NULL) : NULL, ct_strdup(text, NULL)};
  if (!one.text || (from && !one.from)) {
    ct_free(one.from);
    ct_free(one.text);
    return;
  }
  remarks->items[remarks->count++] = one;
}

void ct_remarks_add(ct_remarks *remarks, ct_remark_kind kind, const char *from, const char *format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  push(remarks, kind, from, text);
}

void ct_remarks_append(ct_remarks *remarks, const ct_remarks *more) {
  for (int i = 0; more && i < more->count; i++)
    push(remarks, more->items[i].kind, more->items[i].from, more->items[i].text);
}

int ct_remarks_count(const ct_remarks *remarks, ct_remark_kind kind) {
  int count = 0;
  for (int i = 0; remarks && i < remarks->count; i++) count += remarks->items[i].kind == kind;
  return count;
}

void ct_remarks_clear(ct_remarks *remarks) {
  for (int i = 0; i < remarks->count; i++) {
    ct_free(remarks->items[i].from);
    ct_free(remarks->items[i].text);
  }
  ct_free(remarks->items);
  *remarks = (ct_remarks){0};
}

const char *ct_remark_kind_id(ct_remark_kind kind) {
  static const char *const ids[CT_REMARK_KINDS] = {"read", "assumed", "ignored", "warning"};
  return ids[kind];
}
