/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the Matrix Market exchange format: pieces of rows become text in parallel and are written in their order. */
#include "recon/io/matrix/market.h"

#include "recon/base/memory.h"
#include "recon/base/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A piece is made by one thread. LONGEST: "4294967296 4294967296 -1.23456789e-38" and its line end, with room. */
enum { PIECE = 1 << 14, LONGEST = 48, TYPICAL = 28 };

struct ct_matrix_market {
  char *path; /* as the caller names it */
  ct_output *output;
  FILE *file;
  uint64_t rows, columns, entries; /* announced */
  uint64_t rows_done, entries_done;
};

void ct_matrix_market_abandon(ct_matrix_market *file) {
  if (!file) return;
  if (file->file) fclose(file->file);
  ct_output_abandon(file->output);
  ct_free(file->path);
  free(file);
}

static bool write_head(const ct_matrix_market *file, const char *comment, ct_error **error) {
  fputs("%%MatrixMarket matrix coordinate real general\n", file->file);
  while (comment && *comment) {
    const size_t length = strcspn(comment, "\n");
    fprintf(file->file, "%% %.*s\n", (int)length, comment);
    comment += length + (comment[length] == '\n');
  }
  errno = 0;
  if (fprintf(file->file, "%llu %llu %llu\n", (unsigned long long)file->rows, (unsigned long long)file->columns,
              (unsigned long long)file->entries) > 0 &&
      !ferror(file->file))
    return true;
  return ct_error_set_errno(error, errno ? errno : EIO, "Cannot write %s", file->path);
}

ct_matrix_market *ct_matrix_market_begin(const char *path, uint64_t rows, uint64_t columns, uint64_t entries,
                                         const char *comment, ct_error **error) {
  ct_matrix_market *file = calloc(1, sizeof *file);
  if (!file) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to write %s.", path);
    return NULL;
  }
  file->rows = rows;
  file->columns = columns;
  file->entries = entries;
  file->path = ct_strdup(path, error);
  file->output = file->path ? ct_output_begin(path, false, error) : NULL;
  if (file->output && ct_output_check_space(file->output, entries * TYPICAL, error)) {
    file->file = fopen(ct_output_get_path(file->output), "wb");
    if (!file->file) ct_error_set_errno(error, errno, "Cannot write %s", path);
  }
  if (file->file && write_head(file, comment, error)) return file;
  ct_matrix_market_abandon(file);
  return NULL;
}

static char *put_number(char *text, uint64_t number) {
  char digits[20];
  int count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  while (count) *text++ = digits[--count];
  return text;
}

/* Nine digits, which give the float back, with '.' whatever the locale. */
static char *put_value(char *text, float value) {
  char *end = text + snprintf(text, 20, "%.9g", (double)value);
  for (char *c = text; c < end; c++)
    if (*c == ',') *c = '.';
  return end;
}

/* Entries `from` to `to` - 1 as text; returns its length. */
static size_t make_text(const ct_sparse *matrix, uint64_t first_row, uint64_t from, uint64_t to, char *text) {
  const uint64_t *starts = ct_sparse_starts(matrix);
  const uint32_t *indices = ct_sparse_get_indices(matrix);
  const float *values = ct_sparse_get_values(matrix);
  size_t low = 0, high = ct_sparse_rows(matrix);
  while (high - low > 1) { /* the row that holds `from` */
    const size_t middle = low + (high - low) / 2;
    if (starts[middle] <= from)
      low = middle;
    else
      high = middle;
  }
  char *at = text;
  for (uint64_t n = from; n < to; n++) {
    while (starts[low + 1] <= n) low++;
    at = put_number(at, first_row + low + 1);
    *at++ = ' ';
    at = put_number(at, (uint64_t)indices[n] + 1);
    *at++ = ' ';
    at = put_value(at, values[n]);
    *at++ = '\n';
  }
  return (size_t)(at - text);
}

bool ct_matrix_market_append(ct_matrix_market *file, const ct_sparse *rows, int threads, ct_job *job,
                             ct_error **error) {
  const uint64_t entries = ct_sparse_entries(rows);
  if (ct_sparse_columns(rows) != file->columns)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "Rows of %zu columns do not belong into a matrix of %llu.",
                        ct_sparse_columns(rows), (unsigned long long)file->columns);
  char *text = ct_alloc((size_t)threads * PIECE, LONGEST, "the text of a matrix", error);
  size_t *lengths = ct_alloc((size_t)threads, sizeof *lengths, "the text of a matrix", error);
  bool good = text && lengths;
  for (uint64_t done = 0; good && done < entries; done += (uint64_t)threads * PIECE) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < threads; k++) {
      const uint64_t from = done + (uint64_t)k * PIECE, to = from + PIECE < entries ? from + PIECE : entries;
      lengths[k] = from < to ? make_text(rows, file->rows_done, from, to, text + (size_t)k * PIECE * LONGEST) : 0;
    }
    for (int k = 0; good && k < threads; k++)
      good = ct_output_write(file->file, file->path, text + (size_t)k * PIECE * LONGEST, lengths[k], error);
    good = good && ct_job_may_go_on(job, error);
  }
  ct_free(text);
  ct_free(lengths);
  file->rows_done += ct_sparse_rows(rows);
  file->entries_done += entries;
  return good;
}

bool ct_matrix_market_commit(ct_matrix_market *file, ct_error **error) {
  bool good = file->rows_done == file->rows && file->entries_done == file->entries;
  if (!good)
    ct_error_set(error, CT_ERROR_ARGUMENT, "A matrix of %llu rows and %llu entries was announced, %llu and %llu came.",
                 (unsigned long long)file->rows, (unsigned long long)file->entries, (unsigned long long)file->rows_done,
                 (unsigned long long)file->entries_done);
  if (fclose(file->file) != 0 && good) good = ct_error_set_errno(error, errno, "Cannot write %s", file->path);
  file->file = NULL;
  if (!good) {
    ct_matrix_market_abandon(file);
    return false;
  }
  good = ct_output_commit(file->output, error);
  ct_free(file->path);
  free(file);
  return good;
}
