/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sparse matrix in memory by compressed rows (CSR): entries starts[r] .. starts[r + 1] - 1 belong to row r, each with
 * its column and its value. */
#ifndef CT_DATA_SPARSE_H
#define CT_DATA_SPARSE_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ct_sparse ct_sparse;

/* Room for the entries that starts[rows + 1] (of ct_alloc, 0 first, never falling) announces; columns and values are
 * undefined. starts becomes the matrix's own, also when this fails. CT_ERROR_MEMORY names the size, CT_ERROR_ARGUMENT
 * what is wrong with the starts or with counts that 32-bit columns cannot name. */
ct_sparse *ct_sparse_new(size_t rows, size_t columns, uint64_t *take_starts, ct_error **error);
void ct_sparse_free(ct_sparse *matrix);

size_t ct_sparse_rows(const ct_sparse *matrix);
size_t ct_sparse_columns(const ct_sparse *matrix);
uint64_t ct_sparse_entries(const ct_sparse *matrix);
const uint64_t *ct_sparse_starts(const ct_sparse *matrix);
/* [entries], to be filled and to be read. */
uint32_t *ct_sparse_indices(ct_sparse *matrix);
float *ct_sparse_values(ct_sparse *matrix);
const uint32_t *ct_sparse_get_indices(const ct_sparse *matrix);
const float *ct_sparse_get_values(const ct_sparse *matrix);

/* Bytes that a matrix of so many rows and entries takes: 8 a row and 8 an entry. */
double ct_sparse_bytes_for(double rows, double entries);
double ct_sparse_bytes(const ct_sparse *matrix);

/* Whether every column is in range and above the one before it in its row, and every value finite; the error names the
 * first row that is not so (CT_ERROR_DATA). */
bool ct_sparse_check(const ct_sparse *matrix, ct_error **error);

#endif
