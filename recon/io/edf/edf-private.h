/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ESRF data format: a text "{ key = value ; ... }" filled up to a multiple of 512 bytes, then samples; several such
 * blocks may follow each other. Sources: ESRF's "The EDF file format"; fabio's documentation. */
#ifndef CT_IO_EDF_PRIVATE_H
#define CT_IO_EDF_PRIVATE_H

#include "recon/io/shared/series-private.h"

typedef struct ct_edf_block {
  uint64_t begin, data, end; /* bytes in the file: of the text, of the samples, behind them */
  bool big_endian;
  ct_image_facts facts;
} ct_edf_block;

/* The block at a place of the file; the samples are checked to be there. */
bool ct_edf_read_block(int descriptor, const char *path, uint64_t begin, uint64_t file_bytes, ct_edf_block *block,
                       ct_error **error);

#endif
