/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix Market files: what is written reads back as the same matrix, whole or in pieces; wrong counts, full disks and
 * cancelled jobs leave nothing. Pictures of the sparsity pattern: bars as high as counted, entries where they lie. */
#include "recon/base/memory.h"
#include "recon/io/matrix/market.h"
#include "recon/io/matrix/picture.h"
#include "tests/io/io-test.h"

#include <png.h>

enum { ROWS = 300, COLUMNS = 1000 };

/* Rows `from` to `to` - 1 of one matrix of noise; some rows are empty. */
static ct_sparse *make(int from, int to, ct_error **error) {
  uint64_t *starts = ct_alloc((size_t)(to - from) + 1, sizeof *starts, "a test", error);
  if (!starts) return NULL;
  starts[0] = 0;
  for (int r = from; r < to; r++) starts[r - from + 1] = starts[r - from] + (uint64_t)(r % 7 == 3 ? 0 : 100 + r % 50);
  ct_sparse *matrix = ct_sparse_new((size_t)(to - from), COLUMNS, starts, error);
  if (!matrix) return NULL;
  for (int r = from; r < to; r++)
    for (uint64_t n = starts[r - from], k = 0; n < starts[r - from + 1]; n++, k++) {
      ct_sparse_indices(matrix)[n] = (uint32_t)(5 * k + (uint64_t)(r % 5));
      ct_sparse_values(matrix)[n] = (float)sin((double)r * 1e3 + (double)k) * (k % 9 == 0 ? 1e-7F : 1);
    }
  return matrix;
}

/* Reads the file as text and compares every entry; the number of comment lines into *comments. */
static bool reads_back(const char *path, const ct_sparse *matrix, int *comments) {
  FILE *file = fopen(path, "r");
  char text[256];
  if (!file || !fgets(text, sizeof text, file) || strcmp(text, "%%MatrixMarket matrix coordinate real general\n") != 0)
    return false;
  *comments = 0;
  while (fgets(text, sizeof text, file) && *text == '%') ++*comments;
  unsigned long long rows, columns, entries;
  bool good = sscanf(text, "%llu %llu %llu", &rows, &columns, &entries) == 3 && rows == ct_sparse_rows(matrix) &&
              columns == COLUMNS && entries == ct_sparse_entries(matrix);
  for (size_t r = 0; good && r < ct_sparse_rows(matrix); r++)
    for (uint64_t n = ct_sparse_starts(matrix)[r]; good && n < ct_sparse_starts(matrix)[r + 1]; n++) {
      float value;
      good = fscanf(file, "%llu %llu %f\n", &rows, &columns, &value) == 3 && rows == r + 1 &&
             columns == ct_sparse_get_indices(matrix)[n] + 1 && value == ct_sparse_get_values(matrix)[n];
    }
  good = good && fgetc(file) == EOF;
  fclose(file);
  return good;
}

static void files_read_back(void) {
  ct_error *error = NULL;
  scratch_begin();
  ct_sparse *whole = make(0, ROWS, &error), *first = make(0, 100, &error), *second = make(100, ROWS, &error);
  CHECK_OK(whole && first && second);
  int comments;
  for (int threads = 1; threads <= 3; threads++) {
    ct_matrix_market *file =
        ct_matrix_market_begin(scratch_path("whole.mtx"), ROWS, COLUMNS, ct_sparse_entries(whole), NULL, &error);
    CHECK_OK(file);
    CHECK_OK(ct_matrix_market_append(file, whole, threads, NULL, &error));
    CHECK_OK(ct_matrix_market_commit(file, &error));
    CHECK(reads_back(scratch_path("whole.mtx"), whole, &comments) && comments == 0);
    file = ct_matrix_market_begin(scratch_path("parts.mtx"), ROWS, COLUMNS, ct_sparse_entries(whole), "two\nlines",
                                  &error);
    CHECK_OK(file);
    CHECK_OK(ct_matrix_market_append(file, first, threads, NULL, &error));
    CHECK_OK(ct_matrix_market_append(file, second, threads, NULL, &error));
    CHECK_OK(ct_matrix_market_commit(file, &error));
    CHECK(reads_back(scratch_path("parts.mtx"), whole, &comments) && comments == 2);
  }
  ct_sparse_free(whole);
  ct_sparse_free(first);
  ct_sparse_free(second);
  scratch_end();
}

static void faults_leave_nothing(void) {
  ct_error *error = NULL;
  scratch_begin();
  ct_sparse *matrix = make(0, ROWS, &error);
  CHECK_OK(matrix);
  const uint64_t entries = ct_sparse_entries(matrix);
  const char *path = scratch_path("a.mtx");
  CHECK_FAILS(ct_matrix_market_begin(scratch_path("x.mtx"), ROWS, COLUMNS, (uint64_t)1 << 55, NULL, &error),
              CT_ERROR_IO, "");
  char missing[600];
  snprintf(missing, sizeof missing, "%s/nowhere/a.mtx", scratch);
  CHECK_FAILS(ct_matrix_market_begin(missing, ROWS, COLUMNS, entries, NULL, &error), CT_ERROR_IO, "nowhere");
  ct_matrix_market *file = ct_matrix_market_begin(path, ROWS, COLUMNS, entries + 1, NULL, &error);
  CHECK_OK(file);
  CHECK_OK(ct_matrix_market_append(file, matrix, 2, NULL, &error));
  CHECK_FAILS(ct_matrix_market_commit(file, &error), CT_ERROR_ARGUMENT, "announced");
  file = ct_matrix_market_begin(path, ROWS, COLUMNS + 1, entries, NULL, &error);
  CHECK_OK(file);
  CHECK_FAILS(ct_matrix_market_append(file, matrix, 2, NULL, &error), CT_ERROR_ARGUMENT, "columns");
  ct_matrix_market_abandon(file);
  file = ct_matrix_market_begin(path, ROWS, COLUMNS, entries, NULL, &error);
  CHECK_OK(file);
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  ct_job_cancel(job);
  CHECK_FAILS(ct_matrix_market_append(file, matrix, 2, job, &error), CT_ERROR_CANCELLED, "");
  ct_job_free(job);
  ct_matrix_market_abandon(file);
  CHECK(rmdir(scratch) == 0); /* empty */
  ct_sparse_free(matrix);
}

/* Grey levels of a PNG, rows from the top (ct_free); NULL when it is none. */
static unsigned char *read_grey(const char *path, int *width, int *height) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&image, path)) return NULL;
  image.format = PNG_FORMAT_GRAY;
  *width = (int)image.width;
  *height = (int)image.height;
  unsigned char *grey = ct_alloc(PNG_IMAGE_SIZE(image), 1, "a test", NULL);
  if (grey && png_image_finish_read(&image, NULL, grey, 0, NULL)) return grey;
  ct_free(grey);
  return NULL;
}

static void bars_are_as_high_as_counted(void) {
  ct_error *error = NULL;
  scratch_begin();
  const uint64_t counts[2][4] = {{0, 100, 50, 25}, {200, 0, 0, 75}};
  CHECK_OK(ct_matrix_picture_bars(scratch_path("bars.png"), counts[0], 2, 4, "two views", &error));
  int width, height;
  unsigned char *grey = read_grey(scratch_path("bars.png"), &width, &height);
  CHECK(grey && width == 4 && height == 2 * 256 + 8);
  for (int view = 0; view < 2; view++)
    for (int u = 0; u < 4; u++) {
      int dark = 0;
      for (int y = 0; y < 256; y++) {
        const bool inked = grey[(view * 264 + y) * 4 + u] < 100;
        CHECK(!inked || y >= 256 - 1 - (int)(counts[view][u] * 256 / 200)); /* from the bottom up */
        dark += inked;
      }
      CHECK(dark == (int)(counts[view][u] * 256 / 200));
    }
  ct_free(grey);
  CHECK_FAILS(ct_matrix_picture_bars(scratch_path("b.png"), counts[0], 1000, 4, NULL, &error), CT_ERROR_ARGUMENT,
              "1000 views");
  scratch_end();
}

static void spies_see_entries_where_they_lie(void) {
  ct_error *error = NULL;
  scratch_begin();
  uint64_t *starts = ct_alloc(5, sizeof *starts, "a test", &error);
  CHECK_OK(starts);
  for (int r = 0; r < 5; r++) starts[r] = (uint64_t)r;
  ct_sparse *matrix = ct_sparse_new(4, 6, starts, &error); /* entries (0, 0), (1, 1), ... */
  CHECK_OK(matrix);
  for (uint32_t r = 0; r < 4; r++) ct_sparse_indices(matrix)[r] = r, ct_sparse_values(matrix)[r] = 1;
  ct_matrix_spy *spy = ct_matrix_spy_new(8, 6, 100, &error);
  CHECK_OK(spy);
  ct_matrix_spy_add(spy, matrix);
  ct_matrix_spy_add(spy, matrix);
  ct_matrix_spy_add(spy, matrix); /* too many */
  CHECK_OK(ct_matrix_spy_write(spy, scratch_path("spy.png"), NULL, &error));
  ct_matrix_spy_free(spy);
  int width, height;
  unsigned char *grey = read_grey(scratch_path("spy.png"), &width, &height);
  CHECK(grey && width == 6 && height == 8);
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 6; x++) CHECK((grey[y * 6 + x] < 100) == (y % 4 == x));
  ct_free(grey);
  CHECK_FAILS(ct_matrix_spy_new(0, 6, 100, &error), CT_ERROR_ARGUMENT, "cannot show");
  ct_sparse_free(matrix);
  scratch_end();
}

static const ct_test tests[] = {
    {"files read back", files_read_back},
    {"faults leave nothing", faults_leave_nothing},
    {"bars are as high as counted", bars_are_as_high_as_counted},
    {"spies see entries where they lie", spies_see_entries_where_they_lie},
};

CT_TEST_MAIN(tests)
