/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file was when it was opened. Every reader remembers it and compares around each read and at the end of a load:
 * a file that is cut short, rewritten or replaced meanwhile would otherwise give a mixture of two states, or zeros
 * where a library fills up what is missing. */
#ifndef CT_IO_SOURCE_PRIVATE_H
#define CT_IO_SOURCE_PRIVATE_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ct_source {
  bool known;
  bool placed; /* device and inode count */
  uint64_t bytes, device, inode;
  int64_t seconds, nanoseconds; /* of the last modification */
} ct_source;

/* Remembers the file, the first time; compares later. Fails also where `path` is no regular file. */
bool ct_source_take(ct_source *source, const char *path, ct_error **error);
/* CT_ERROR_DATA, which says what happened, when the file is no longer what it was (CT_ERROR_IO: it is gone); true for
 * one not yet known. */
bool ct_source_check(const ct_source *source, const char *path, ct_error **error);

#endif
