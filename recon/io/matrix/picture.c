/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sparsity pattern of a system matrix as a picture: bars of entries per ray, and the matrix seen from above. */
#include "recon/io/matrix/picture.h"

#include "recon/base/memory.h"
#include "recon/io/png/plane.h"

#include <math.h>
#include <stdlib.h>

/* Height of a panel of bars and of the line between two, pixels; greys: 0 black. */
enum { PANEL = 256, GAP = 8, LARGEST = 1 << 15 };
static const float paper = 255, line = 160, ink = 32;

/* Greys from 0 to 255 as they are. */
static bool write_greys(const char *path, const float *greys, int width, int height, const char *comment,
                        ct_error **error) {
  const ct_png_plane plane = {.values = greys,
                              .width = width,
                              .height = height,
                              .pixel_x = 1,
                              .pixel_y = 1,
                              .bits = 8,
                              .low = 0,
                              .high = 255,
                              .plan = comment};
  return ct_png_write_plane(path, &plane, error);
}

bool ct_matrix_picture_bars(const char *path, const uint64_t *counts, int views, int rays, const char *comment,
                            ct_error **error) {
  if (views < 1 || rays < 1 || rays > LARGEST || views > LARGEST / (PANEL + GAP))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A picture of %d views of %d rays is more than a file of %d pixels either way can hold.", views,
                        rays, LARGEST);
  uint64_t most = 1;
  for (size_t n = 0; n < (size_t)views * (size_t)rays; n++) most = counts[n] > most ? counts[n] : most;
  const int height = views * (PANEL + GAP) - GAP;
  const size_t width = (size_t)rays;
  float *plane = ct_alloc((size_t)height * width, sizeof *plane, "a picture", error);
  if (!plane) return false;
  for (int y = 0; y < height; y++) { /* upwards: the last view is at the bottom */
    const int view = views - 1 - y / (PANEL + GAP), place = y % (PANEL + GAP);
    for (size_t u = 0; u < width; u++) {
      const double bar = (double)counts[(size_t)view * width + u] * PANEL / (double)most;
      plane[(size_t)y * width + u] = place >= PANEL ? line : place < bar ? ink : paper;
    }
  }
  const bool good = write_greys(path, plane, rays, height, comment, error);
  ct_free(plane);
  return good;
}

struct ct_matrix_spy {
  uint64_t rows, columns, done;
  int width, height;
  double *counts; /* [height][width] */
};

ct_matrix_spy *ct_matrix_spy_new(uint64_t rows, uint64_t columns, int size, ct_error **error) {
  if (rows < 1 || columns < 1 || size < 1 || size > LARGEST) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "A picture of %d pixels cannot show a matrix of %llu x %llu.", size,
                 (unsigned long long)rows, (unsigned long long)columns);
    return NULL;
  }
  ct_matrix_spy *spy = calloc(1, sizeof *spy);
  if (!spy) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a picture.");
    return NULL;
  }
  *spy = (ct_matrix_spy){.rows = rows, .columns = columns};
  spy->width = columns < (uint64_t)size ? (int)columns : size;
  spy->height = rows < (uint64_t)size ? (int)rows : size;
  spy->counts = ct_alloc_zero((size_t)spy->width * (size_t)spy->height, sizeof *spy->counts, "a picture", error);
  if (spy->counts) return spy;
  free(spy);
  return NULL;
}

void ct_matrix_spy_free(ct_matrix_spy *spy) {
  if (!spy) return;
  ct_free(spy->counts);
  free(spy);
}

void ct_matrix_spy_add(ct_matrix_spy *spy, const ct_sparse *rows) {
  const uint64_t *starts = ct_sparse_starts(rows);
  const uint32_t *indices = ct_sparse_get_indices(rows);
  const double across = (double)spy->width / (double)spy->columns, down = (double)spy->height / (double)spy->rows;
  for (size_t r = 0; r < ct_sparse_rows(rows) && spy->done < spy->rows; r++, spy->done++) {
    double *line_of = spy->counts + (size_t)((double)spy->done * down) * (size_t)spy->width;
    for (uint64_t n = starts[r]; n < starts[r + 1]; n++)
      if (indices[n] < spy->columns) line_of[(size_t)((double)indices[n] * across)]++;
  }
}

bool ct_matrix_spy_write(const ct_matrix_spy *spy, const char *path, const char *comment, ct_error **error) {
  const size_t width = (size_t)spy->width, height = (size_t)spy->height;
  double most = 0;
  for (size_t n = 0; n < width * height; n++) most = fmax(most, spy->counts[n]);
  float *plane = ct_alloc(width * height, sizeof *plane, "a picture", error);
  if (!plane) return false;
  /* The root keeps single entries visible beside crowded pixels. */
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++) {
      const double share = most > 0 ? spy->counts[(height - 1 - y) * width + x] / most : 0;
      plane[y * width + x] = share > 0 ? (float)(200 * (1 - sqrt(share))) : paper;
    }
  const bool good = write_greys(path, plane, spy->width, spy->height, comment, error);
  ct_free(plane);
  return good;
}
