/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills dense sub-matrices row by row, and permutes each chunk until no step has a column twice (section 3.2 of Yu et
 * al. 2018): step by step and lane by lane, an entry that collides changes places with the next one of its piece that
 * does not. */
#include "recon/fp/matrix/dense-private.h"

#include <stddef.h>

void ct_dense_put(const ct_projector_state *state, void *storage, size_t row, const uint32_t *columns,
                  const float *values) {
  ct_dense *d = storage;
  (void)state;
  size_t e = 0;
  for (uint32_t k = d->row_first[row]; k < d->row_first[row + 1]; k++) {
    const ct_dense_piece *piece = d->piece + d->row_piece[k];
    size_t to = ct_dense_place(d, piece);
    for (uint32_t s = 0, count = ct_dense_count(d, piece); s < count; s++, e++, to += CT_DENSE_LANES) {
      d->columns[to] = columns[e];
      d->values[to] = values[e];
    }
  }
}

void ct_dense_get(const ct_projector_state *state, size_t row, uint32_t *columns, float *values) {
  const ct_dense *d = state->storage;
  size_t e = 0;
  for (uint32_t k = d->row_first[row]; k < d->row_first[row + 1]; k++) {
    const ct_dense_piece *piece = d->piece + d->row_piece[k];
    size_t from = ct_dense_place(d, piece);
    for (uint32_t s = 0, count = ct_dense_count(d, piece); s < count; s++, e++, from += CT_DENSE_LANES) {
      columns[e] = d->columns[from];
      values[e] = d->values[from];
    }
  }
}

/* Whether `column` stands at this step in one of the lanes 0 .. count - 1, lane `but` aside. */
static bool stands(const uint32_t *step, int count, int but, uint32_t column) {
  unsigned found = 0;
  for (int l = 0; l < count; l++) found |= (unsigned)(step[l] == column && l != but);
  return found;
}

static void exchange(uint32_t *columns, float *values, size_t a, size_t b) {
  const uint32_t column = columns[a];
  const float value = values[a];
  columns[a] = columns[b];
  values[a] = values[b];
  columns[b] = column;
  values[b] = value;
}

/* Lane l collides at step s: another entry of its piece [from, end) takes the place. */
static bool resolve(uint32_t *columns, float *values, size_t from, size_t end, size_t s, int l) {
  const uint32_t *step = columns + s * CT_DENSE_LANES;
  const size_t lane = (size_t)l;
  for (size_t t = s + 1; t < end; t++)
    if (!stands(step, l, -1, columns[t * CT_DENSE_LANES + lane])) {
      exchange(columns, values, s * CT_DENSE_LANES + lane, t * CT_DENSE_LANES + lane);
      return true;
    }
  for (size_t t = from; t < s; t++)
    if (!stands(step, l, -1, columns[t * CT_DENSE_LANES + lane]) &&
        !stands(columns + t * CT_DENSE_LANES, CT_DENSE_LANES, l, step[l])) {
      exchange(columns, values, s * CT_DENSE_LANES + lane, t * CT_DENSE_LANES + lane);
      return true;
    }
  return false;
}

/* A zero behind the lane's last entry. Its column is one of the lane's last piece [begin, end), so that a chunk never
 * touches other pixels than its rows do; for a lane without pieces, any. */
static bool fill_zero(uint32_t *columns, float *values, size_t begin, size_t end, size_t s, int l, int n) {
  uint32_t *step = columns + s * CT_DENSE_LANES;
  values[s * CT_DENSE_LANES + (size_t)l] = 0;
  const bool any = end == 0;
  const size_t choices = any ? 2 * CT_DENSE_LANES : end - begin;
  for (size_t k = 0; k < choices; k++) {
    const uint32_t column =
        any ? ct_scsr_pack((uint32_t)k, (uint32_t)n) : columns[(end - 1 - k) * CT_DENSE_LANES + (size_t)l];
    if (ct_scsr_j(column) >= n) break;
    if (stands(step, CT_DENSE_LANES, l, column)) continue;
    step[l] = column;
    return true;
  }
  step[l] = any ? 0 : columns[begin * CT_DENSE_LANES + (size_t)l];
  return false;
}

/* What stays free until fill_zero: no pixel's name. */
static const uint32_t no_pixel = UINT32_MAX;

/* The pieces of one lane, while steps go up: the present one is [begin, piece->end). */
typedef struct {
  const ct_dense_piece *piece;
  size_t begin, length;
} lane_walk;

static lane_walk walk_lane(const ct_dense *d, size_t lane) {
  const uint32_t *first = d->lane_first + lane;
  return (lane_walk){d->piece + first[0], 0, first[1] > first[0] ? d->piece[first[1] - 1].end : 0};
}

static bool permute(const ct_dense *d, size_t chunk, int n) {
  uint32_t *columns = d->columns + d->start[chunk] * CT_DENSE_LANES;
  float *values = d->values + d->start[chunk] * CT_DENSE_LANES;
  const size_t steps = d->start[chunk + 1] - d->start[chunk];
  lane_walk walk[CT_DENSE_LANES];
  for (int l = 0; l < CT_DENSE_LANES; l++) {
    walk[l] = walk_lane(d, chunk * CT_DENSE_LANES + (size_t)l);
    for (size_t s = walk[l].length; s < steps; s++) columns[s * CT_DENSE_LANES + (size_t)l] = no_pixel;
  }
  bool good = true;
  for (size_t s = 0; s < steps; s++) {
    uint32_t *step = columns + s * CT_DENSE_LANES;
    for (int l = 0; l < CT_DENSE_LANES; l++) {
      lane_walk *w = walk + l;
      if (s >= w->length) continue;
      while (s >= w->piece->end) w->begin = w->piece++->end;
      if (stands(step, l, -1, step[l])) good = resolve(columns, values, w->begin, w->piece->end, s, l) && good;
    }
  }
  for (int l = 0; l < CT_DENSE_LANES; l++)
    for (size_t s = walk[l].length; s < steps; s++)
      good = fill_zero(columns, values, walk[l].begin, walk[l].length, s, l, n) && good;
  return good;
}

bool ct_dense_finish(ct_projector_state *state, void *storage, ct_error **error) {
  ct_dense *d = storage;
  (void)error;
#pragma omp parallel for schedule(dynamic, 16) num_threads(state->request.threads)
  for (size_t chunk = 0; chunk < d->chunks; chunk++) d->colliding[chunk] = !permute(d, chunk, state->n);
  return true;
}
