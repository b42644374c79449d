/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SCSR by rows: compressed rows of the stored rays, whose entries are permuted so that A^T y needs no transposition,
 * atomics or private images (section 3.2 of Yu et al. 2018, in its meaning for the threads of a processor).
 *
 * The slice is cut into square rings about its middle, all of about as many pixels. The symmetries map every ring onto
 * itself. The entries of a row are sorted by rings (and by pixels within one), and while A^T y is made each ring
 * belongs to one thread, which takes of every row the entries of this ring for all eight images: no two threads ever
 * touch the same pixel, and a pixel's sum has one order whatever the threads. */
#include "recon/fp/matrix/scsr-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At most so many threads share A^T y; more rings make the pieces of rows shorter and the walk through memory longer.
 */
enum { RINGS = 8 };

typedef struct {
  uint8_t *ring; /* [n] of max(|2 i - (n - 1)|, |2 j - (n - 1)|) */
  size_t rows;
  uint32_t *columns; /* [entries] packed */
  float *values;
  uint32_t (*ends)[RINGS]; /* [rows] of each ring's entries, from the row's first */
} rings;

static void rings_free(void *storage) {
  rings *r = storage;
  ct_free(r->ring);
  ct_free(r->columns);
  ct_free(r->values);
  ct_free(r->ends);
  free(r);
}

static void *plan(ct_projector_state *state, ct_error **error) {
  rings *r = calloc(1, sizeof *r);
  if (!r) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a projector.");
    return NULL;
  }
  r->rows = state->symmetry->rays;
  const size_t n = (size_t)state->n, entries = (size_t)state->starts[r->rows];
  r->ring = ct_alloc(n, sizeof *r->ring, "the rings of a slice", error);
  r->columns = ct_alloc(entries + 1, sizeof *r->columns, "the symmetric matrix", error);
  r->values = ct_alloc(entries + 1, sizeof *r->values, "the symmetric matrix", error);
  r->ends = ct_alloc(r->rows, sizeof *r->ends, "the symmetric matrix", error);
  if (!r->ring || !r->columns || !r->values || !r->ends) {
    rings_free(r);
    return NULL;
  }
  /* Pixels within distance m of the middle: about (m / n)^2 of all. */
  for (size_t m = 0; m < n; m++) r->ring[m] = (uint8_t)fmin(RINGS - 1, floor(RINGS * pow((double)m / (double)n, 2)));
  return r;
}

static int ring_of(const rings *r, int n, uint32_t packed) {
  const int x = abs(2 * ct_scsr_i(packed) - (n - 1)), y = abs(2 * ct_scsr_j(packed) - (n - 1));
  return r->ring[x > y ? x : y];
}

static void put(const ct_projector_state *state, void *storage, size_t row, const uint32_t *columns,
                const float *values) {
  rings *r = storage;
  const size_t count = ct_scsr_count(state, row), start = (size_t)state->starts[row];
  uint32_t *ends = r->ends[row], next[RINGS];
  memset(ends, 0, sizeof *r->ends);
  for (size_t e = 0; e < count; e++) ends[ring_of(r, state->n, columns[e])]++;
  for (uint32_t k = 0, sum = 0; k < RINGS; k++) {
    next[k] = sum;
    sum += ends[k];
    ends[k] = sum;
  }
  for (size_t e = 0; e < count; e++) {
    const size_t to = start + next[ring_of(r, state->n, columns[e])]++;
    r->columns[to] = columns[e];
    r->values[to] = values[e];
  }
}

static float gather_row(const ct_projector_state *state, size_t row, int g, const float *image) {
  const rings *r = state->storage;
  const size_t start = (size_t)state->starts[row];
  float sums[16] = {0}, sum = 0;
  state->loops->gather(r->columns + start, r->values + start, ct_scsr_count(state, row), state->maps + g, image, sums);
  for (int l = 0; l < 16; l++) sum += sums[l];
  return sum;
}

static bool forward(ct_projector_state *state, const float *image, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
#pragma omp parallel num_threads(state->request.threads)
  for (int a = 0; a < state->active_count; a++) {
    const int slot = state->active[a];
#pragma omp for schedule(dynamic, 16) nowait
    for (size_t row = s->first[slot]; row < s->first[slot] + (size_t)s->count[slot]; row++)
      for (unsigned left = state->wanted[slot]; left; left &= left - 1) {
        const int g = __builtin_ctz(left);
        state->orbit[row * CT_SCSR_IMAGES + (size_t)g] = gather_row(state, row, g, image);
      }
  }
  (void)error;
  return true;
}

static void scatter_ring(const ct_projector_state *state, size_t row, int ring, int g, float y, float *image) {
  const rings *r = state->storage;
  const size_t start = (size_t)state->starts[row];
  const size_t from = start + (ring ? r->ends[row][ring - 1] : 0), end = start + r->ends[row][ring];
  float factor[16];
  if (from == end || y == 0) return;
  for (int l = 0; l < 16; l++) factor[l] = y;
  /* A row has each column once. */
  state->loops->scatter(r->columns + from, r->values + from, end - from, state->maps + g, factor, 0xffff, image);
}

/* The segments of a ring lie far apart: they are asked for a few rows ahead. */
static void prefetch_segment(const ct_projector_state *state, size_t row, int ring) {
  const rings *r = state->storage;
  if (row >= r->rows) return;
  const size_t start = (size_t)state->starts[row];
  const size_t from = start + (ring ? r->ends[row][ring - 1] : 0), end = start + r->ends[row][ring];
  for (size_t e = from; e < end; e += 16) {
    __builtin_prefetch(r->columns + e);
    __builtin_prefetch(r->values + e);
  }
}

/* What all active rows add to one ring. */
static void back_ring(const ct_projector_state *state, int ring, float *image) {
  const ct_symmetry *s = state->symmetry;
  for (int a = 0; a < state->active_count; a++) {
    const int slot = state->active[a];
    for (size_t row = s->first[slot]; row < s->first[slot] + (size_t)s->count[slot]; row++) {
      prefetch_segment(state, row + 2, ring);
      for (unsigned left = state->wanted[slot]; left; left &= left - 1) {
        const int g = __builtin_ctz(left);
        scatter_ring(state, row, ring, g, state->orbit[row * CT_SCSR_IMAGES + (size_t)g], image);
      }
    }
  }
}

static bool back(ct_projector_state *state, float *image, ct_error **error) {
  (void)error;
#pragma omp parallel num_threads(state->request.threads)
  {
#pragma omp for schedule(static)
    for (int j = 0; j < state->n; j++)
      memset(image + (size_t)j * (size_t)state->pitch, 0, (size_t)state->pitch * sizeof *image);
#pragma omp for schedule(dynamic, 1)
    for (int ring = 0; ring < RINGS; ring++) back_ring(state, ring, image);
  }
  return true;
}

static void get(const ct_projector_state *state, size_t row, uint32_t *columns, float *values) {
  const rings *r = state->storage;
  if (!ct_scsr_count(state, row)) return; /* the room for it may be NULL */
  memcpy(columns, r->columns + state->starts[row], ct_scsr_count(state, row) * sizeof *columns);
  memcpy(values, r->values + state->starts[row], ct_scsr_count(state, row) * sizeof *values);
}

static double bytes_for(double entries, double rows) {
  return entries * (sizeof(uint32_t) + sizeof(float)) + rows * (double)sizeof(uint32_t[RINGS]);
}

static double bytes(const ct_projector_state *state) {
  return bytes_for(state->stored, (double)state->symmetry->rays);
}

static double memory(const ct_projector *self, const ct_projector_request *request) {
  double entries, rows;
  if (!ct_scsr_estimate(request, &entries, &rows)) return 0;
  return bytes_for(entries, rows) + ct_scsr_common_bytes(request, rows);
}

static const ct_scsr_format format = {plan, put, NULL, forward, back, get, bytes, rings_free};

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  return ct_scsr_prepare(&format, self, request, job, error);
}

const ct_projector ct_projector_scsr = {
    .id = "scsr",
    .title = "Symmetric matrix, by rows (SCSR)",
    .explanation = "Stores the rows of one eighth of the circle and mirrors pixel indices for the others (Yu et al. "
                   "2018): an eighth of the "
                   "memory. Rows are permuted by rings of the slice, each of which one thread owns on the way back.",
    .memory = memory,
    .prepare = prepare,
    CT_SCSR_DESCRIPTOR,
};
