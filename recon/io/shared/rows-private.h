/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats: one name a row, in the order of lists and of filters in dialogs. Each is a folder of recon/io
 * that defines the row, ct_format_NAME. */
#ifndef CT_IO_ROWS_PRIVATE_H
#define CT_IO_ROWS_PRIVATE_H

#include "recon/io/shared/format.h"

#define CT_FORMAT_ROWS(ROW)                                                                                            \
  ROW(hdf5)                                                                                                            \
  ROW(tiff)                                                                                                            \
  ROW(png)                                                                                                             \
  ROW(bmp)                                                                                                             \
  ROW(edf)                                                                                                             \
  ROW(fits) ROW(matlab) ROW(metaimage) ROW(nrrd) ROW(nifti) ROW(numpy) ROW(mrc) ROW(zeiss) ROW(rabbitct) ROW(raw)

#define CT_FORMAT_DECLARE(name) extern const ct_format ct_format_##name;
CT_FORMAT_ROWS(CT_FORMAT_DECLARE)
#undef CT_FORMAT_DECLARE

#endif
