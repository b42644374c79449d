/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sparse matrix by compressed rows: owner of its three arrays, and what can be checked about them. */
#include "recon/data/sparse.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct ct_sparse {
  size_t rows, columns;
  uint64_t *starts;
  uint32_t *indices;
  float *values;
};

static bool starts_are_good(size_t rows, size_t columns, const uint64_t *starts, ct_error **error) {
  if (columns > (size_t)UINT32_MAX + 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A sparse matrix of %zu columns has more than 32-bit indices can name.", columns);
  bool good = starts[0] == 0;
  for (size_t r = 0; good && r < rows; r++) good = starts[r + 1] >= starts[r] && starts[r + 1] - starts[r] <= columns;
  if (good) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT, "The starts of a sparse matrix's rows contradict its size.");
}

ct_sparse *ct_sparse_new(size_t rows, size_t columns, uint64_t *take_starts, ct_error **error) {
  if (!take_starts) return NULL;
  ct_sparse *matrix = starts_are_good(rows, columns, take_starts, error) ? calloc(1, sizeof *matrix) : NULL;
  if (!matrix) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a sparse matrix.");
    ct_free(take_starts);
    return NULL;
  }
  const uint64_t entries = take_starts[rows];
  *matrix = (ct_sparse){.rows = rows, .columns = columns, .starts = take_starts};
  matrix->indices = ct_alloc(entries, sizeof *matrix->indices, "the columns of the system matrix", error);
  matrix->values =
      matrix->indices ? ct_alloc(entries, sizeof *matrix->values, "the values of the system matrix", error) : NULL;
  if (matrix->values) return matrix;
  ct_sparse_free(matrix);
  return NULL;
}

void ct_sparse_free(ct_sparse *matrix) {
  if (!matrix) return;
  ct_free(matrix->starts);
  ct_free(matrix->indices);
  ct_free(matrix->values);
  free(matrix);
}

size_t ct_sparse_rows(const ct_sparse *matrix) {
  return matrix->rows;
}

size_t ct_sparse_columns(const ct_sparse *matrix) {
  return matrix->columns;
}

uint64_t ct_sparse_entries(const ct_sparse *matrix) {
  return matrix->starts[matrix->rows];
}

const uint64_t *ct_sparse_starts(const ct_sparse *matrix) {
  return matrix->starts;
}

uint32_t *ct_sparse_indices(ct_sparse *matrix) {
  return matrix->indices;
}

float *ct_sparse_values(ct_sparse *matrix) {
  return matrix->values;
}

const uint32_t *ct_sparse_get_indices(const ct_sparse *matrix) {
  return matrix->indices;
}

const float *ct_sparse_get_values(const ct_sparse *matrix) {
  return matrix->values;
}

double ct_sparse_bytes_for(double rows, double entries) {
  return (rows + 1) * sizeof(uint64_t) + entries * (sizeof(uint32_t) + sizeof(float));
}

double ct_sparse_bytes(const ct_sparse *matrix) {
  return ct_sparse_bytes_for((double)matrix->rows, (double)ct_sparse_entries(matrix));
}

static bool row_is_good(const ct_sparse *matrix, size_t row) {
  for (uint64_t n = matrix->starts[row]; n < matrix->starts[row + 1]; n++) {
    if (matrix->indices[n] >= matrix->columns || !isfinite(matrix->values[n])) return false;
    if (n > matrix->starts[row] && matrix->indices[n] <= matrix->indices[n - 1]) return false;
  }
  return true;
}

bool ct_sparse_check(const ct_sparse *matrix, ct_error **error) {
  for (size_t row = 0; row < matrix->rows; row++)
    if (!row_is_good(matrix, row))
      return ct_error_set(
          error, CT_ERROR_DATA,
          "Row %zu of the sparse matrix has columns out of range or out of order, or values that are not finite.", row);
  return true;
}
