/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse matrices as text in the Matrix Market exchange format (Boisvert, Pozo, Remington, NISTIR 5935, 1996):
 * coordinate, real, general; rows and columns count from 1, values have the nine digits that give the same float back.
 * A matrix may come in pieces of rows, so that one larger than the memory can be written. The file is whole or not
 * there. */
#ifndef CT_IO_MATRIX_MARKET_H
#define CT_IO_MATRIX_MARKET_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/sparse.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ct_matrix_market ct_matrix_market;

/* Begins the file of a matrix of these counts. `comment` (may be NULL) goes into the header, line by line. CT_ERROR_IO
 * also when the disk has no room for it. */
ct_matrix_market *ct_matrix_market_begin(const char *path, uint64_t rows, uint64_t columns, uint64_t entries,
                                         const char *comment, ct_error **error);
/* The next rows. Text is made by `threads` threads. Cancelling the job ends it with CT_ERROR_CANCELLED. */
bool ct_matrix_market_append(ct_matrix_market *file, const ct_sparse *rows, int threads, ct_job *job, ct_error **error);
/* Puts the file in its place; CT_ERROR_ARGUMENT when other rows or entries came than were announced. Frees in any case.
 */
bool ct_matrix_market_commit(ct_matrix_market *file, ct_error **error);
/* Removes what was written and frees. NULL allowed. */
void ct_matrix_market_abandon(ct_matrix_market *file);

#endif
