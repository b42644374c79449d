/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reader has to tell about where a scan's facts come from: a list of sentences, each with the file that it is
 * about. */
#ifndef CT_DATA_REMARKS_H
#define CT_DATA_REMARKS_H

#include "recon/base/error.h"

#include <stdbool.h>

typedef enum {
  CT_REMARK_READ,    /* taken from a file */
  CT_REMARK_ASSUMED, /* not told anywhere, or told in a way that leaves a choice */
  CT_REMARK_IGNORED, /* lies there, or stands in the file, and is not used */
  CT_REMARK_DOUBT,   /* a warning: the result may be wrong */
  CT_REMARK_KINDS
} ct_remark_kind;

typedef struct ct_remark {
  ct_remark_kind kind;
  char *from; /* a file's name without its folder, or NULL */
  char *text; /* begins with a small letter where a name comes before it; no full stop */
} ct_remark;

/* A value that owns its texts; all zero is an empty list. */
typedef struct ct_remarks {
  ct_remark *items;
  int count, capacity;
} ct_remarks;

/* Appends what is not there yet. They are words for people: where memory is short nothing is added, and nothing fails.
 */
void ct_remarks_add(ct_remarks *remarks, ct_remark_kind kind, const char *from, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Appends all of another list. */
void ct_remarks_append(ct_remarks *remarks, const ct_remarks *more);
int ct_remarks_count(const ct_remarks *remarks, ct_remark_kind kind);
void ct_remarks_clear(ct_remarks *remarks);

/* "read", "assumed", "ignored", "warning": for lists and JSON. */
const char *ct_remark_kind_id(ct_remark_kind kind);

#endif
