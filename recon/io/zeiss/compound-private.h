/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Microsoft's compound files (OLE2): a file system of storages and streams inside a file, read only. Source: [MS-CFB]
 * of Microsoft's open specifications, version 12. Streams are read from the file piece by piece, whatever their size.
 */
#ifndef CT_IO_COMPOUND_PRIVATE_H
#define CT_IO_COMPOUND_PRIVATE_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_COMPOUND_MAGIC "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

typedef struct ct_compound ct_compound;

ct_compound *ct_compound_open(const char *path, ct_error **error);
void ct_compound_close(ct_compound *compound);
/* A stream by its path, "ImageInfo/Angles"; *bytes: its size. -1 where there is none. */
int ct_compound_find(const ct_compound *compound, const char *path, uint64_t *bytes);
/* Part of a stream, which must have it. */
bool ct_compound_read(const ct_compound *compound, int stream, uint64_t offset, void *out, size_t bytes,
                      ct_error **error);

#endif
