/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge-based products of compressed rows (Merrill and Garland 2016), one of the general methods that Yu et al. 2018
 * compare with: the ends of rows and the numbers of entries are merged, and the path of the merge is cut into parts of
 * equal length, so that each part has as many rows and entries together as any other, however long the rows are. A
 * row that parts share is summed from their shares, in order.
 *
 * It has no product with the transpose: that is a matrix of its own here, as in the libraries of the paper, at twice
 * the memory. Layouts are the natural ones, blocks are single views, slices of a stack share the matrix. */
#include "recon/fp/matrix/merge.h"

#include "recon/fp/matrix/build.h"
#include "recon/fp/natural-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <stdlib.h>
#include <string.h>

/* PART: rows and entries of a part. The cuts do not depend on the number of threads. */
enum { PART = 1 << 14, SUMS = 8 };

struct ct_projector_state {
  ct_natural natural;
  ct_sparse *matrix, *transpose;
  float *line; /* [rows] rays of one slice */
  size_t *shared_row;
  float *share;                  /* [parts] of the row that a part leaves unfinished */
  const ct_merge_engine *engine; /* multiplies in its stead, and there is no transpose; NULL: this file does */
  void *own;
};

/* Rows of a product, of `starts` [rows + 1] entries. */
typedef struct product {
  const uint64_t *starts;
  const uint32_t *indices;
  const float *values;
  size_t rows;
  const float *x;
  float *y; /* [rows] */
} product;

static size_t parts_of(size_t rows, uint64_t entries) {
  return (size_t)((rows + entries) / PART + 1);
}

/* Rows that end before step `at` of the merge path. */
static size_t rows_before(const product *p, uint64_t at) {
  const uint64_t first = p->starts[0], entries = p->starts[p->rows] - first;
  size_t low = at > entries ? (size_t)(at - entries) : 0, high = at < p->rows ? (size_t)at : p->rows;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (p->starts[middle + 1] - first <= at - middle - 1)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static float dot(const product *p, uint64_t begin, uint64_t end) {
  float sums[SUMS] = {0};
  uint64_t n = begin;
  for (; n + SUMS <= end; n += SUMS)
    for (int k = 0; k < SUMS; k++) sums[k] += p->values[n + (uint64_t)k] * p->x[p->indices[n + (uint64_t)k]];
  for (int k = 0; n < end; n++, k++) sums[k] += p->values[n] * p->x[p->indices[n]];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/* One part of the path: whole rows are written, the beginning of the one behind them is told. */
static float walk(const product *p, uint64_t from, uint64_t to, size_t *unfinished) {
  const uint64_t first = p->starts[0];
  size_t row = rows_before(p, from);
  const size_t last = rows_before(p, to);
  uint64_t entry = first + from - row;
  for (; row < last; row++) {
    p->y[row] = dot(p, entry, p->starts[row + 1]);
    entry = p->starts[row + 1];
  }
  *unfinished = last;
  return dot(p, entry, first + to - last);
}

static void multiply_here(ct_projector_state *state, const product *p) {
  const uint64_t length = p->rows + (p->starts[p->rows] - p->starts[0]);
  const size_t parts = (size_t)(length / PART + 1);
#pragma omp parallel for schedule(dynamic, 4) num_threads(state->natural.request.threads)
  for (size_t n = 0; n < parts; n++) {
    const uint64_t from = n * (uint64_t)PART, to = from + PART < length ? from + PART : length;
    state->share[n] = walk(p, from, to, &state->shared_row[n]);
  }
  for (size_t n = 0; n < parts; n++)
    if (state->shared_row[n] < p->rows) p->y[state->shared_row[n]] += state->share[n];
}

/* Some rows of the matrix, or of its transpose. */
static bool multiply(ct_projector_state *state, const ct_merge_call *call, ct_error **error) {
  if (state->engine) return state->engine->multiply(state->own, call, error);
  const ct_sparse *matrix = call->transposed ? state->transpose : state->matrix;
  const product p = {.starts = ct_sparse_starts(matrix) + call->first,
                     .indices = ct_sparse_get_indices(matrix),
                     .values = ct_sparse_get_values(matrix),
                     .rows = call->rows,
                     .x = call->x,
                     .y = call->y};
  multiply_here(state, &p);
  return true;
}

bool ct_merge_accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  if (!ct_projector_slices(request))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "A stored matrix serves slices: it needs a fan beam and a volume of one slice, or a parallel beam whose "
        "rows lie at the volume's slices.");
  return ct_model_accepts(request->geometry, &request->grid, request->model, error);
}

static double bytes_of(const ct_projector_request *request, double rows, double entries) {
  const double pixels = (double)request->grid.nx * request->grid.ny, parts = (rows + pixels + entries) / PART + 2;
  return ct_sparse_bytes_for(rows, entries) + ct_sparse_bytes_for(pixels, entries) + rows * sizeof(float) +
         parts * (sizeof(size_t) + sizeof(float));
}

double ct_merge_memory(const ct_projector *self, const ct_projector_request *request) {
  const ct_matrix_request whole = ct_matrix_whole(request->geometry, &request->grid, request->model, request->threads);
  return bytes_of(request, (double)ct_matrix_rows(&whole), ct_matrix_estimate(&whole));
}

void ct_merge_free(ct_projector_state *state) {
  if (state->own) state->engine->free(state->own);
  ct_sparse_free(state->matrix);
  ct_sparse_free(state->transpose);
  ct_free(state->line);
  ct_free(state->shared_row);
  ct_free(state->share);
  ct_natural_free(&state->natural);
  free(state);
}

/* The rows of the transpose in the order of the rays. */
static ct_sparse *transpose(const ct_sparse *matrix, ct_error **error) {
  const size_t rows = ct_sparse_rows(matrix), columns = ct_sparse_columns(matrix);
  const uint64_t entries = ct_sparse_entries(matrix), *starts = ct_sparse_starts(matrix);
  const uint32_t *indices = ct_sparse_get_indices(matrix);
  const float *values = ct_sparse_get_values(matrix);
  uint64_t *ends = ct_alloc_zero(columns + 1, sizeof *ends, "the transposed matrix", error),
           *next = ct_alloc(columns + 1, sizeof *next, "the transposed matrix", error);
  if (!ends || !next) {
    ct_free(ends);
    ct_free(next);
    return NULL;
  }
  for (uint64_t n = 0; n < entries; n++) ends[indices[n] + 1]++;
  for (size_t c = 0; c < columns; c++) ends[c + 1] += ends[c];
  memcpy(next, ends, (columns + 1) * sizeof *next);
  ct_sparse *result = ct_sparse_new(columns, rows, ends, error);
  for (size_t row = 0; result && row < rows; row++)
    for (uint64_t n = starts[row]; n < starts[row + 1]; n++) {
      const uint64_t to = next[indices[n]]++;
      ct_sparse_indices(result)[to] = (uint32_t)row;
      ct_sparse_values(result)[to] = values[n];
    }
  ct_free(next);
  return result;
}

static bool build(ct_projector_state *state, ct_job *job, ct_error **error) {
  const ct_projector_request *request = &state->natural.request;
  ct_matrix_request whole = ct_matrix_whole(request->geometry, &request->grid, request->model, request->threads);
  whole.memory = request->memory;
  if (!(state->matrix = ct_matrix_build(&whole, job, error)) || !(state->transpose = transpose(state->matrix, error)))
    return false;
  const size_t rows = ct_sparse_rows(state->matrix), most = rows > state->natural.pixels ? rows : state->natural.pixels,
               parts = parts_of(most, ct_sparse_entries(state->matrix));
  state->line = ct_alloc(rows, sizeof *state->line, "the rays of a slice", error);
  state->shared_row = ct_alloc(parts, sizeof *state->shared_row, "the parts of a matrix", error);
  state->share = ct_alloc(parts, sizeof *state->share, "the parts of a matrix", error);
  return state->line && state->shared_row && state->share;
}

/* What is multiplied elsewhere is held there. */
static bool hand_over(ct_projector_state *state, const ct_merge_engine *engine, ct_error **error) {
  state->own = engine->take(state->matrix, state->transpose, &state->natural.request, error);
  if (!state->own) return false;
  state->engine = engine;
  ct_sparse_free(state->transpose);
  state->transpose = NULL;
  return true;
}

ct_projector_state *ct_merge_prepare_away(const ct_merge_engine *engine, const ct_projector *self,
                                          const ct_projector_request *request, ct_job *job, ct_error **error) {
  if (!ct_merge_accepts(self, request, error)) return NULL;
  ct_projector_state *state = calloc(1, sizeof *state);
  if (!state) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a projector.");
    return NULL;
  }
  if (!ct_natural_begin(&state->natural, request, error) || !build(state, job, error) ||
      (engine && !hand_over(state, engine, error))) {
    ct_merge_free(state);
    return NULL;
  }
  state->natural.seconds = ct_now() - state->natural.began;
  return state;
}

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  return ct_merge_prepare_away(NULL, self, request, job, error);
}

void ct_merge_shape(const ct_projector_state *state, ct_projector_shape *shape) {
  const double entries = (double)ct_sparse_entries(state->matrix);
  const double bytes = state->engine
                           ? ct_sparse_bytes(state->matrix) + state->engine->bytes(state->own)
                           : bytes_of(&state->natural.request, (double)ct_sparse_rows(state->matrix), entries);
  ct_natural_shape(&state->natural, entries, bytes, shape);
}

void ct_merge_block(const ct_projector_state *state, int index, ct_projector_block *block) {
  ct_natural_block(state, index, block);
}

void ct_merge_image_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_natural_image_in(state, natural, own);
}

void ct_merge_image_out(const ct_projector_state *state, const float *own, float *natural) {
  ct_natural_image_out(state, own, natural);
}

void ct_merge_rays_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_natural_rays_in(state, natural, own);
}

void ct_merge_rays_out(const ct_projector_state *state, const float *own, float *natural) {
  ct_natural_rays_out(state, own, natural);
}

/* A view's rays of a slice, in the whole layout. */
static size_t place_of(const ct_projector_state *state, size_t view, size_t slice) {
  return (view * (size_t)state->natural.slices + slice) * (size_t)state->natural.request.geometry->nu;
}

bool ct_merge_forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                      ct_error **error) {
  const size_t nu = (size_t)state->natural.request.geometry->nu, views = (size_t)state->natural.request.geometry->views;
  for (size_t slice = 0; slice < (size_t)state->natural.slices; slice++) {
    ct_merge_call call = {
        .rows = ct_sparse_rows(state->matrix), .x = x + slice * state->natural.pixels, .y = state->line};
    if (!blocks) {
      if (!multiply(state, &call, error)) return false;
      for (size_t view = 0; view < views; view++)
        memcpy(y + place_of(state, view, slice), state->line + view * nu, nu * sizeof *y);
    }
    /* Rows of a view lie side by side. */
    for (int n = 0; blocks && n < count; n++) {
      call.first = (size_t)blocks[n] * nu;
      call.rows = nu;
      if (!multiply(state, &call, error)) return false;
      memcpy(y + place_of(state, (size_t)blocks[n], slice), state->line, nu * sizeof *y);
    }
  }
  return true;
}

bool ct_merge_back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x,
                   ct_error **error) {
  const size_t nu = (size_t)state->natural.request.geometry->nu;
  const int views = blocks ? count : state->natural.request.geometry->views;
  for (size_t slice = 0; slice < (size_t)state->natural.slices; slice++) {
    /* The other views take part with rays of 0. */
    memset(state->line, 0, ct_sparse_rows(state->matrix) * sizeof *state->line);
    for (int n = 0; n < views; n++) {
      const size_t view = (size_t)(blocks ? blocks[n] : n);
      memcpy(state->line + view * nu, y + place_of(state, view, slice), nu * sizeof *y);
    }
    const ct_merge_call call = {
        .transposed = true, .rows = state->natural.pixels, .x = state->line, .y = x + slice * state->natural.pixels};
    if (!multiply(state, &call, error)) return false;
  }
  memset(x + state->natural.image, 0, (ct_projector_padded(state->natural.image) - state->natural.image) * sizeof *x);
  return true;
}

bool ct_merge_row_squares(ct_projector_state *state, float *y, ct_error **error) {
  const size_t nu = (size_t)state->natural.request.geometry->nu, rows = ct_sparse_rows(state->matrix);
  const uint64_t *starts = ct_sparse_starts(state->matrix);
  const float *values = ct_sparse_get_values(state->matrix);
  for (size_t r = 0; r < rows; r++) {
    double sum = 0;
    for (uint64_t n = starts[r]; n < starts[r + 1]; n++) sum += (double)values[n] * (double)values[n];
    for (size_t slice = 0; slice < (size_t)state->natural.slices; slice++)
      y[place_of(state, r / nu, slice) + r % nu] = (float)sum;
  }
  memset(y + state->natural.rays, 0, (ct_projector_padded(state->natural.rays) - state->natural.rays) * sizeof *y);
  return true;
}

const ct_projector ct_projector_csr_merge = {
    .id = "csr-merge",
    .title = "Stored matrix and its transpose, merge-based",
    .explanation =
        "Compressed rows of the matrix and of its transpose; both products cut the merge of rows and entries "
        "into equal parts, however long the rows are (Merrill and Garland 2016). Twice the memory of csr: a "
        "general method, to compare with.",
    .geometry = CT_GEOMETRY_SLICES,
    .models = CT_FP_BIT(CT_MODEL_JOSEPH) | CT_FP_BIT(CT_MODEL_SIDDON) | CT_FP_BIT(CT_MODEL_AREA),
    .stored = true,
    .matched = true,
    .tolerance = 2e-6,
    .accepts = ct_merge_accepts,
    .memory = ct_merge_memory,
    .prepare = prepare,
    .shape = ct_merge_shape,
    .block = ct_natural_block,
    .image_in = ct_natural_image_in,
    .image_out = ct_natural_image_out,
    .rays_in = ct_natural_rays_in,
    .rays_out = ct_natural_rays_out,
    .forward = ct_merge_forward,
    .back = ct_merge_back,
    .row_squares = ct_merge_row_squares,
    .free = ct_merge_free,
};
