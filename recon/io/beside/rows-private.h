/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of geometry files: one name a row. Each is a file of recon/io/beside that defines the row,
 * ct_geometry_reader_NAME. */
#ifndef CT_IO_BESIDE_ROWS_PRIVATE_H
#define CT_IO_BESIDE_ROWS_PRIVATE_H

#include "recon/io/beside/beside-private.h"

#define CT_GEOMETRY_READERS(ROW)                                                                                       \
  ROW(nikon)                                                                                                           \
  ROW(skyscan) ROW(phoenix) ROW(yxlon) ROW(diondo) ROW(rtk) ROW(astra) ROW(tigre) ROW(rxsolutions) ROW(rxtable)

#define CT_GEOMETRY_READER_DECLARE(name) extern const ct_geometry_reader ct_geometry_reader_##name;
CT_GEOMETRY_READERS(CT_GEOMETRY_READER_DECLARE)
#undef CT_GEOMETRY_READER_DECLARE

#endif
