/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sparse matrix: sizes, refusals of starts that contradict themselves, and what its check finds. */
#include "recon/base/memory.h"
#include "recon/data/sparse.h"
#include "tests/test.h"

#include <stdint.h>

static ct_sparse *make(const uint64_t *starts, size_t rows, size_t columns, ct_error **error) {
  uint64_t *own = ct_alloc(rows + 1, sizeof *own, "a test", error);
  if (!own) return NULL;
  memcpy(own, starts, (rows + 1) * sizeof *own);
  return ct_sparse_new(rows, columns, own, error);
}

static void sizes_are_told(void) {
  ct_error *error = NULL;
  ct_sparse *matrix = make((const uint64_t[]){0, 2, 2, 5}, 3, 4, &error);
  CHECK_OK(matrix);
  CHECK(ct_sparse_rows(matrix) == 3 && ct_sparse_columns(matrix) == 4 && ct_sparse_entries(matrix) == 5);
  CHECK(ct_sparse_bytes(matrix) == 4 * 8 + 5 * 8 && ct_sparse_bytes_for(3, 5) == ct_sparse_bytes(matrix));
  CHECK(ct_sparse_starts(matrix)[3] == 5);
  CHECK(ct_sparse_get_indices(matrix) == ct_sparse_indices(matrix) &&
        ct_sparse_get_values(matrix) == ct_sparse_values(matrix));
  ct_sparse_free(matrix);
  ct_sparse_free(NULL);
}

static void contradictions_are_refused(void) {
  ct_error *error = NULL;
  CHECK_FAILS(make((const uint64_t[]){0, 3, 2}, 2, 4, &error), CT_ERROR_ARGUMENT, "contradict");
  CHECK_FAILS(make((const uint64_t[]){1, 3, 3}, 2, 4, &error), CT_ERROR_ARGUMENT, "contradict");
  CHECK_FAILS(make((const uint64_t[]){0, 5, 5}, 2, 4, &error), CT_ERROR_ARGUMENT, "contradict");
  CHECK_FAILS(make((const uint64_t[]){0, 1}, 1, (size_t)1 << 33, &error), CT_ERROR_ARGUMENT, "32-bit");
}

static void check_finds_what_is_wrong(void) {
  ct_error *error = NULL;
  ct_sparse *matrix = make((const uint64_t[]){0, 2, 2, 5}, 3, 4, &error);
  CHECK_OK(matrix);
  const uint32_t columns[] = {1, 3, 0, 1, 2};
  for (int n = 0; n < 5; n++) ct_sparse_values(matrix)[n] = 1;
  memcpy(ct_sparse_indices(matrix), columns, sizeof columns);
  CHECK_OK(ct_sparse_check(matrix, &error));
  ct_sparse_indices(matrix)[4] = 4;
  CHECK_FAILS(ct_sparse_check(matrix, &error), CT_ERROR_DATA, "Row 2");
  ct_sparse_indices(matrix)[4] = 1;
  CHECK_FAILS(ct_sparse_check(matrix, &error), CT_ERROR_DATA, "Row 2");
  ct_sparse_indices(matrix)[4] = 3;
  ct_sparse_values(matrix)[1] = NAN;
  CHECK_FAILS(ct_sparse_check(matrix, &error), CT_ERROR_DATA, "Row 0");
  ct_sparse_free(matrix);
}

static const ct_test tests[] = {
    {"sizes are told", sizes_are_told},
    {"contradictions are refused", contradictions_are_refused},
    {"the check finds what is wrong", check_finds_what_is_wrong},
};

CT_TEST_MAIN(tests)
