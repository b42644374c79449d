/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of where a system matrix has entries, as grey PNG files. */
#ifndef CT_IO_MATRIX_PICTURE_H
#define CT_IO_MATRIX_PICTURE_H

#include "recon/base/error.h"
#include "recon/data/sparse.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of entries of each ray as bars (Fig. 6 of Yu et al. 2018: the entries of every row shifted together): one
 * panel a view, the first one on top, a column of the picture a ray. counts is [views][rays]; all panels have the scale
 * of the longest row, written into the file with `comment`. */
bool ct_matrix_picture_bars(const char *path, const uint64_t *counts, int views, int rays, const char *comment,
                            ct_error **error);

/* The matrix seen from above ("spy"), row 0 on top, each pixel as dark as its share of entries: made from pieces of
 * rows. */
typedef struct ct_matrix_spy ct_matrix_spy;
/* At most `size` pixels either way. */
ct_matrix_spy *ct_matrix_spy_new(uint64_t rows, uint64_t columns, int size, ct_error **error);
/* The next rows; those that are too many are ignored. */
void ct_matrix_spy_add(ct_matrix_spy *spy, const ct_sparse *rows);
bool ct_matrix_spy_write(const ct_matrix_spy *spy, const char *path, const char *comment, ct_error **error);
void ct_matrix_spy_free(ct_matrix_spy *spy);

#endif
