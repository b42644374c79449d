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

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RINGS = 16 };

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

/* The eight images of pixel (i, j), in the order of g: symmetry.h. */
static inline void images_of(uint32_t packed, int n, int index[CT_SCSR_IMAGES]) {
  const int i = ct_scsr_i(packed), j = ct_scsr_j(packed), last = n - 1, all = n * n - 1;
  index[0] = j * n + i;
  index[1] = i * n + last - j;
  index[4] = j * n + last - i;
  index[7] = i * n + j;
  index[2] = all - index[0];
  index[3] = all - index[1];
  index[6] = all - index[4];
  index[5] = all - index[7];
}

static void gather_all(const rings *r, size_t from, size_t end, int n, const float *image, float sum[CT_SCSR_IMAGES]) {
  float s[CT_SCSR_IMAGES] = {0};
  for (size_t e = from; e < end; e++) {
    int index[CT_SCSR_IMAGES];
    images_of(r->columns[e], n, index);
    for (int g = 0; g < CT_SCSR_IMAGES; g++) s[g] += r->values[e] * image[index[g]];
  }
  memcpy(sum, s, sizeof s);
}

/* Four accumulators hide the latency of sums. */
static float gather_one(const rings *r, size_t from, size_t end, const ct_symmetry_pixels *map, const float *image) {
  float s[4] = {0};
  size_t e = from;
  for (; e + 4 <= end; e += 4)
    for (size_t k = 0; k < 4; k++)
      s[k] +=
          r->values[e + k] * image[ct_symmetry_pixel(map, ct_scsr_i(r->columns[e + k]), ct_scsr_j(r->columns[e + k]))];
  for (; e < end; e++)
    s[0] += r->values[e] * image[ct_symmetry_pixel(map, ct_scsr_i(r->columns[e]), ct_scsr_j(r->columns[e]))];
  return (s[0] + s[1]) + (s[2] + s[3]);
}

/* All eight at once cost about as much as three alone. */
static bool take_all(unsigned wanted) {
  return __builtin_popcount(wanted) > 3;
}

static void forward(ct_projector_state *state, const float *image) {
  const ct_symmetry *s = state->symmetry;
  const rings *r = state->storage;
#pragma omp parallel num_threads(state->request.threads)
  for (int a = 0; a < state->active_count; a++) {
    const int slot = state->active[a];
    const unsigned wanted = state->wanted[slot];
#pragma omp for schedule(dynamic, 16) nowait
    for (int u = 0; u < s->count[slot]; u++) {
      const size_t row = s->first[slot] + (size_t)u, from = (size_t)state->starts[row],
                   end = (size_t)state->starts[row + 1];
      float *sum = state->orbit + row * CT_SCSR_IMAGES;
      if (take_all(wanted))
        gather_all(r, from, end, state->n, image, sum);
      else
        for (int g = 0; g < CT_SCSR_IMAGES; g++)
          if (wanted >> g & 1) sum[g] = gather_one(r, from, end, state->maps + g, image);
    }
  }
}

static void scatter_all(const rings *r, size_t from, size_t end, int n, const float y[CT_SCSR_IMAGES], float *image) {
  for (size_t e = from; e < end; e++) {
    int index[CT_SCSR_IMAGES];
    images_of(r->columns[e], n, index);
    const float value = r->values[e];
    for (int g = 0; g < CT_SCSR_IMAGES; g++) image[index[g]] += value * y[g];
  }
}

static void scatter_one(const rings *r, size_t from, size_t end, const ct_symmetry_pixels *map, float y, float *image) {
  for (size_t e = from; e < end; e++)
    image[ct_symmetry_pixel(map, ct_scsr_i(r->columns[e]), ct_scsr_j(r->columns[e]))] += r->values[e] * y;
}

/* What all active rows add to one ring. */
static void back_ring(const ct_projector_state *state, int ring, float *image) {
  const ct_symmetry *s = state->symmetry;
  const rings *r = state->storage;
  for (int a = 0; a < state->active_count; a++) {
    const int slot = state->active[a];
    const unsigned wanted = state->wanted[slot];
    for (size_t row = s->first[slot]; row < s->first[slot] + (size_t)s->count[slot]; row++) {
      const size_t start = (size_t)state->starts[row], from = start + (ring ? r->ends[row][ring - 1] : 0),
                   end = start + r->ends[row][ring];
      const float *y = state->orbit + row * CT_SCSR_IMAGES;
      if (from == end) continue;
      if (take_all(wanted))
        scatter_all(r, from, end, state->n, y, image);
      else
        for (int g = 0; g < CT_SCSR_IMAGES; g++)
          if (wanted >> g & 1 && y[g] != 0) scatter_one(r, from, end, state->maps + g, y[g], image);
    }
  }
}

static void back(ct_projector_state *state, float *image) {
#pragma omp parallel num_threads(state->request.threads)
  {
#pragma omp for schedule(static)
    for (int j = 0; j < state->n; j++)
      memset(image + (size_t)j * (size_t)state->n, 0, (size_t)state->n * sizeof *image);
#pragma omp for schedule(dynamic, 1)
    for (int ring = 0; ring < RINGS; ring++) back_ring(state, ring, image);
  }
}

static void get(const ct_projector_state *state, size_t row, uint32_t *columns, float *values) {
  const rings *r = state->storage;
  memcpy(columns, r->columns + state->starts[row], ct_scsr_count(state, row) * sizeof *columns);
  memcpy(values, r->values + state->starts[row], ct_scsr_count(state, row) * sizeof *values);
}

static double bytes_for(double entries, double rows) {
  return entries * (sizeof(uint32_t) + sizeof(float)) + rows * (double)sizeof(uint32_t[RINGS]);
}

static double bytes(const ct_projector_state *state) {
  return bytes_for(state->stored, (double)state->symmetry->rays);
}

static double memory(const ct_projector_request *request) {
  double entries, rows;
  if (!ct_scsr_estimate(request, &entries, &rows)) return 0;
  return bytes_for(entries, rows) + ct_scsr_common_bytes(request, rows);
}

static const ct_scsr_format format = {plan, put, NULL, forward, back, get, bytes, rings_free};

static ct_projector_state *prepare(const ct_projector_request *request, ct_job *job, ct_error **error) {
  return ct_scsr_prepare(&format, request, job, error);
}

const ct_projector ct_projector_scsr = {
    .id = "scsr",
    .title = "Symmetric matrix, by rows (SCSR)",
    .explanation = "Stores the rows of one eighth of the circle and mirrors pixel indices for the others (Yu et al. "
                   "2018): an eighth of the "
                   "memory. Rows are permuted by rings of the slice, each of which one thread owns on the way back.",
    .rank = 30,
    .memory = memory,
    .prepare = prepare,
    CT_SCSR_DESCRIPTOR,
};
