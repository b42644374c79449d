/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed against error of variants, as SVG. */
#ifndef GANTRY_VARIANTS_PICTURE_H
#define GANTRY_VARIANTS_PICTURE_H

#include "app/variants.h"

/* New text (ct_free): a point for each row that was done and compared, named; seconds of the whole run to the right,
 * relative RMSE upwards, both logarithmic. Rows equal to the reference have no place there and are told below. NULL
 * with an error; CT_ERROR_DATA where there is no point. */
char *gantry_variants_picture(const gantry_variants *variants, const char *title, ct_error **error);

#endif
