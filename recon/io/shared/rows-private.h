/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats: CT_FORMAT_ROWS, made from the list of folders in recon/io/meson.build, each of which defines
 * its row, ct_format_NAME. */
#ifndef CT_IO_ROWS_PRIVATE_H
#define CT_IO_ROWS_PRIVATE_H

#include "recon/io/shared/rows.h"
#include "recon/io/shared/format.h"

#define CT_FORMAT_DECLARE(name) extern const ct_format ct_format_##name;
CT_FORMAT_ROWS(CT_FORMAT_DECLARE)
#undef CT_FORMAT_DECLARE

#endif
