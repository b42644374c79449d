/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MRC2014, and what IMOD adds: Cheng et al. 2015, J. Struct. Biol. 192, 146; IMOD's "MRC File Format". */
#ifndef CT_IO_MRC_PRIVATE_H
#define CT_IO_MRC_PRIVATE_H

#include "recon/io/shared/array-private.h"

enum { CT_MRC_HEADER = 1024 };

typedef struct ct_mrc {
  ct_array_layout layout; /* sections, rows, columns; row 0 is the lowest */
  double pitch[3];        /* mm along x, y, z; 0: not told */
} ct_mrc;

/* Whether 1024 bytes can be such a header, in either byte order. */
bool ct_mrc_is_header(const unsigned char *header, size_t size);
bool ct_mrc_read_header(const char *path, ct_mrc *mrc, ct_error **error);

#endif
