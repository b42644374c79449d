/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole system matrix by compressed rows, in natural layouts: the reference of all stored forms, and the only one
 * that needs no symmetry. y = A x row by row. x = A^T y from the same array: the slice is cut into bands of pixel rows,
 * each of which one thread fills alone from the parts of all rows that lie in it, in the order of the rays. So nothing
 * is transposed, nothing races, and sums do not depend on the number of threads. Slices of a stack share the matrix. */
#include "recon/fp/matrix/build.h"
#include "recon/fp/natural-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <stdlib.h>
#include <string.h>

/* BAND_ROWS of a 1024^2 slice are 256 KiB: within the second-level cache. RAYS: taken together through all slices of a
 * stack. AHEAD: a row's part in a band is short and far from the next row's, so that it must be asked for in time. */
enum { BAND_ROWS = 64, LEAST_BANDS = 4, RAYS = 16, SUMS = 8, AHEAD = 6, LINE = 16, FORWARD = 512 };

struct ct_projector_state {
  ct_natural natural;
  ct_sparse *matrix;
  int bands;
  uint32_t *cuts; /* [rows][bands + 1]: where the part of each band begins, from the row's start */
};

static int band_count(const ct_grid *grid) {
  const int bands = grid->ny / BAND_ROWS > LEAST_BANDS ? grid->ny / BAND_ROWS : LEAST_BANDS;
  return grid->ny < bands ? grid->ny : bands;
}

/* First pixel of a band. */
static size_t band_start(const ct_projector_state *state, int band) {
  const ct_grid *grid = &state->natural.request.grid;
  return (size_t)((int64_t)grid->ny * band / state->bands) * (size_t)grid->nx;
}

static bool accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  if (!ct_projector_slices(request))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "A stored matrix serves slices: it needs a fan beam and a volume of one slice, or a parallel beam whose "
        "rows lie at the volume's slices.");
  return ct_model_accepts(request->geometry, &request->grid, request->model, error);
}

static double bytes_of(const ct_projector_request *request, double rows, double entries) {
  return ct_sparse_bytes_for(rows, entries) + rows * (band_count(&request->grid) + 1) * sizeof(uint32_t);
}

static double memory(const ct_projector *self, const ct_projector_request *request) {
  const ct_matrix_request whole = ct_matrix_whole(request->geometry, &request->grid, request->model, request->threads);
  return bytes_of(request, (double)ct_matrix_rows(&whole), ct_matrix_estimate(&whole));
}

static void free_state(ct_projector_state *state) {
  ct_sparse_free(state->matrix);
  ct_free(state->cuts);
  ct_natural_free(&state->natural);
  free(state);
}

static void cut_rows(ct_projector_state *state) {
  const uint64_t *starts = ct_sparse_starts(state->matrix);
  const uint32_t *indices = ct_sparse_get_indices(state->matrix);
  const size_t rows = ct_sparse_rows(state->matrix);
#pragma omp parallel for schedule(static) num_threads(state->natural.request.threads)
  for (size_t r = 0; r < rows; r++) {
    const uint64_t begin = starts[r], end = starts[r + 1];
    uint64_t n = begin;
    for (int band = 0; band <= state->bands; band++) {
      const size_t start = band_start(state, band);
      while (n < end && indices[n] < start) n++;
      state->cuts[r * (size_t)(state->bands + 1) + (size_t)band] = (uint32_t)(n - begin);
    }
  }
}

static bool build(ct_projector_state *state, ct_job *job, ct_error **error) {
  const ct_projector_request *request = &state->natural.request;
  ct_matrix_request whole = ct_matrix_whole(request->geometry, &request->grid, request->model, request->threads);
  whole.memory = request->memory;
  state->matrix = ct_matrix_build(&whole, job, error);
  if (!state->matrix) return false;
  state->cuts = ct_alloc(ct_sparse_rows(state->matrix), (size_t)(state->bands + 1) * sizeof *state->cuts,
                         "the bands of the system matrix", error);
  if (!state->cuts) return false;
  cut_rows(state);
  return true;
}

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  if (!accepts(self, request, error)) return NULL;
  ct_projector_state *state = calloc(1, sizeof *state);
  if (!state) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a projector.");
    return NULL;
  }
  state->bands = band_count(&request->grid);
  if (!ct_natural_begin(&state->natural, request, error) || !build(state, job, error)) {
    free_state(state);
    return NULL;
  }
  state->natural.seconds = ct_now() - state->natural.began;
  return state;
}

static void shape(const ct_projector_state *state, ct_projector_shape *shape) {
  const double entries = (double)ct_sparse_entries(state->matrix);
  ct_natural_shape(&state->natural, entries,
                   bytes_of(&state->natural.request, (double)ct_sparse_rows(state->matrix), entries), shape);
}

/* Several sums side by side: no addition waits for the one before it, and few of them are long. `rest` entries follow
 * in memory, of the next rows too: they are asked for ahead, which processors do by themselves only to a page's end. */
static float dot(const uint32_t *columns, const float *values, size_t count, size_t rest, const float *x) {
  float sums[SUMS] = {0};
  size_t n = 0;
  for (; n + SUMS <= count; n += SUMS) {
    if (n % LINE == 0 && n + FORWARD < rest) {
      __builtin_prefetch(columns + n + FORWARD);
      __builtin_prefetch(values + n + FORWARD);
    }
    for (int k = 0; k < SUMS; k++) sums[k] += values[n + (size_t)k] * x[columns[n + (size_t)k]];
  }
  for (int k = 0; n < count; n++, k++) sums[k] += values[n] * x[columns[n]];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

static bool forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                    ct_error **error) {
  const size_t nu = (size_t)state->natural.request.geometry->nu, slices = (size_t)state->natural.slices;
  const uint64_t *starts = ct_sparse_starts(state->matrix);
  const uint32_t *indices = ct_sparse_get_indices(state->matrix);
  const float *values = ct_sparse_get_values(state->matrix);
  const uint64_t entries = ct_sparse_entries(state->matrix);
  const int views = blocks ? count : state->natural.request.geometry->views, chunks = (int)((nu + RAYS - 1) / RAYS);
#pragma omp parallel for collapse(2) schedule(dynamic, 1) num_threads(state->natural.request.threads)
  for (int n = 0; n < views; n++)
    for (int chunk = 0; chunk < chunks; chunk++) {
      const size_t view = (size_t)(blocks ? blocks[n] : n), from = (size_t)chunk * RAYS;
      const size_t to = from + RAYS < nu ? from + RAYS : nu;
      for (size_t slice = 0; slice < slices; slice++)
        for (size_t u = from; u < to; u++) {
          const uint64_t start = starts[view * nu + u], end = starts[view * nu + u + 1];
          y[(view * slices + slice) * nu + u] =
              dot(indices + start, values + start, end - start, entries - start, x + slice * state->natural.pixels);
        }
    }
  return true;
}

/* Where a row's part in a band begins and ends. */
typedef struct row_part {
  uint64_t begin, end;
} row_part;

static inline row_part part_of(const ct_projector_state *state, const uint64_t *starts, int band, size_t row) {
  const uint32_t *cut = state->cuts + row * (size_t)(state->bands + 1) + (size_t)band;
  return (row_part){starts[row] + cut[0], starts[row] + cut[1]};
}

/* The columns of a row differ: several sums can be read before the first is written. */
static inline void add_scaled(const uint32_t *columns, const float *values, size_t count, float value, float *image) {
  size_t n = 0;
  for (; n + SUMS <= count; n += SUMS) {
    float sums[SUMS];
    for (int k = 0; k < SUMS; k++) sums[k] = image[columns[n + (size_t)k]] + values[n + (size_t)k] * value;
    for (int k = 0; k < SUMS; k++) image[columns[n + (size_t)k]] = sums[k];
  }
  for (; n < count; n++) image[columns[n]] += values[n] * value;
}

/* Adds the part of some rays of a view that lies in a band. */
static void scatter(const ct_projector_state *state, int band, size_t view, size_t from, size_t to, const float *y,
                    float *x) {
  const size_t nu = (size_t)state->natural.request.geometry->nu, slices = (size_t)state->natural.slices;
  const size_t rows = ct_sparse_rows(state->matrix);
  const uint64_t *starts = ct_sparse_starts(state->matrix);
  const uint32_t *indices = ct_sparse_get_indices(state->matrix);
  const float *values = ct_sparse_get_values(state->matrix);
  for (size_t slice = 0; slice < slices; slice++) {
    float *image = x + slice * state->natural.pixels;
    for (size_t u = from; u < to; u++) {
      const size_t row = view * nu + u;
      if (slice == 0 && row + AHEAD < rows) {
        const row_part later = part_of(state, starts, band, row + AHEAD);
        for (uint64_t n = later.begin; n < later.end; n += LINE) {
          __builtin_prefetch(indices + n);
          __builtin_prefetch(values + n);
        }
      }
      const row_part part = part_of(state, starts, band, row);
      const float value = y[(view * slices + slice) * nu + u];
      add_scaled(indices + part.begin, values + part.begin, part.end - part.begin, value, image);
    }
  }
}

static bool back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error) {
  const size_t nu = (size_t)state->natural.request.geometry->nu;
  const int views = blocks ? count : state->natural.request.geometry->views;
#pragma omp parallel for schedule(dynamic, 1) num_threads(state->natural.request.threads)
  for (int band = 0; band < state->bands; band++) {
    const size_t begin = band_start(state, band), end = band_start(state, band + 1);
    for (int slice = 0; slice < state->natural.slices; slice++)
      memset(x + (size_t)slice * state->natural.pixels + begin, 0, (end - begin) * sizeof *x);
    for (int n = 0; n < views; n++)
      for (size_t from = 0; from < nu; from += RAYS)
        scatter(state, band, (size_t)(blocks ? blocks[n] : n), from, from + RAYS < nu ? from + RAYS : nu, y, x);
  }
  memset(x + state->natural.image, 0, (ct_projector_padded(state->natural.image) - state->natural.image) * sizeof *x);
  return true;
}

static bool row(const ct_projector_state *state, size_t ray, ct_row *buffer, ct_projector_row *row, ct_error **error) {
  if (ray >= state->natural.rays) return ct_error_set(error, CT_ERROR_ARGUMENT, "The scan has no ray %zu.", ray);
  const size_t nu = (size_t)state->natural.request.geometry->nu, slices = (size_t)state->natural.slices;
  const size_t line = ray / nu, slice = line % slices, stored = line / slices * nu + ray % nu;
  const uint64_t start = ct_sparse_starts(state->matrix)[stored];
  row->count = ct_sparse_starts(state->matrix)[stored + 1] - start;
  row->columns = ct_sparse_get_indices(state->matrix) + start;
  row->values = ct_sparse_get_values(state->matrix) + start;
  if (slice == 0) return true;
  if (state->natural.image > UINT32_MAX)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A stack of %zu voxels has more than 32-bit column indices can name.", state->natural.image);
  if (!ct_row_reserve(buffer, row->count, error)) return false;
  for (size_t n = 0; n < row->count; n++)
    buffer->columns[n] = row->columns[n] + (uint32_t)(slice * state->natural.pixels);
  row->columns = buffer->columns;
  return true;
}

static bool row_squares(ct_projector_state *state, float *y, ct_error **error) {
  const size_t nu = (size_t)state->natural.request.geometry->nu, slices = (size_t)state->natural.slices;
  const uint64_t *starts = ct_sparse_starts(state->matrix);
  const float *values = ct_sparse_get_values(state->matrix);
  const size_t rows = ct_sparse_rows(state->matrix);
#pragma omp parallel for schedule(static) num_threads(state->natural.request.threads)
  for (size_t r = 0; r < rows; r++) {
    double sum = 0;
    for (uint64_t n = starts[r]; n < starts[r + 1]; n++) sum += (double)values[n] * (double)values[n];
    for (size_t slice = 0; slice < slices; slice++) y[(r / nu * slices + slice) * nu + r % nu] = (float)sum;
  }
  memset(y + state->natural.rays, 0, (ct_projector_padded(state->natural.rays) - state->natural.rays) * sizeof *y);
  return true;
}

const ct_projector ct_projector_csr = {
    .id = "csr",
    .title = "Stored matrix by rows (CSR)",
    .explanation =
        "The whole system matrix in memory by compressed sparse rows: every model and any set of views, at the "
        "price of eight bytes an entry.",
    .geometry = CT_GEOMETRY_SLICES,
    .models = CT_FP_BIT(CT_MODEL_JOSEPH) | CT_FP_BIT(CT_MODEL_SIDDON) | CT_FP_BIT(CT_MODEL_AREA),
    .stored = true,
    .matched = true,
    .tolerance = 2e-6,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .shape = shape,
    .block = ct_natural_block,
    .image_in = ct_natural_image_in,
    .image_out = ct_natural_image_out,
    .rays_in = ct_natural_rays_in,
    .rays_out = ct_natural_rays_out,
    .forward = forward,
    .back = back,
    .row = row,
    .row_squares = row_squares,
    .free = free_state,
};
