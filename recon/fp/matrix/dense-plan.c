/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where each run of a stored row's entries goes in the dense sub-matrices: lanes and pieces as a blocking asks for
 * them, room for chunks as long as their longest lanes, and back from rows to pieces. */
#include "recon/fp/matrix/dense-private.h"

#include "recon/base/memory.h"

#include <stdlib.h>
#include <string.h>

bool ct_dense_plan_init(ct_dense_plan *plan, size_t rows, ct_error **error) {
  *plan =
      (ct_dense_plan){.dense = calloc(1, sizeof *plan->dense), .piece_room = 4 * rows + 64, .lane_room = 3 * rows + 64};
  if (!plan->dense) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a projector.");
  plan->dense->piece = ct_alloc(plan->piece_room, sizeof *plan->dense->piece, "the plan of a matrix", error);
  plan->dense->lane_first =
      ct_alloc_zero(plan->lane_room + 1, sizeof *plan->dense->lane_first, "the plan of a matrix", error);
  if (plan->dense->piece && plan->dense->lane_first) return true;
  ct_dense_plan_abandon(plan);
  return false;
}

void ct_dense_plan_abandon(ct_dense_plan *plan) {
  if (plan->dense) ct_dense_free(plan->dense);
  plan->dense = NULL;
}

/* The last lane has no piece yet. */
static bool lane_is_empty(const ct_dense *d) {
  return d->lane_first[d->lanes - 1] == d->pieces;
}

static bool add_lane(ct_dense_plan *plan, ct_error **error) {
  ct_dense *d = plan->dense;
  if (d->lanes == plan->lane_room) {
    uint32_t *larger = ct_alloc(2 * plan->lane_room + 1, sizeof *larger, "the plan of a matrix", error);
    if (!larger) return false;
    memcpy(larger, d->lane_first, (d->lanes + 1) * sizeof *larger);
    ct_free(d->lane_first);
    d->lane_first = larger;
    plan->lane_room *= 2;
  }
  d->lane_first[d->lanes++] = (uint32_t)d->pieces;
  d->lane_first[d->lanes] = (uint32_t)d->pieces;
  return true;
}

bool ct_dense_plan_lane(ct_dense_plan *plan, ct_error **error) {
  if (plan->open && lane_is_empty(plan->dense)) return true;
  plan->open = true;
  return add_lane(plan, error);
}

bool ct_dense_plan_piece(ct_dense_plan *plan, size_t row, size_t count, ct_error **error) {
  ct_dense *d = plan->dense;
  if (count == 0) return true;
  if (d->pieces == plan->piece_room) {
    ct_dense_piece *larger = ct_alloc(2 * plan->piece_room, sizeof *larger, "the plan of a matrix", error);
    if (!larger) return false;
    memcpy(larger, d->piece, d->pieces * sizeof *larger);
    ct_free(d->piece);
    d->piece = larger;
    plan->piece_room *= 2;
  }
  const uint32_t begin = lane_is_empty(d) ? 0 : d->piece[d->pieces - 1].end;
  d->piece[d->pieces++] = (ct_dense_piece){(uint32_t)row, (uint32_t)d->lanes - 1, begin + (uint32_t)count};
  d->lane_first[d->lanes] = (uint32_t)d->pieces;
  return true;
}

bool ct_dense_plan_align(ct_dense_plan *plan, ct_error **error) {
  ct_dense *d = plan->dense;
  if (plan->open && lane_is_empty(d)) d->lanes--;
  plan->open = false;
  while (d->lanes % CT_DENSE_LANES)
    if (!add_lane(plan, error)) return false;
  return true;
}

bool ct_dense_plan_block(ct_dense_plan *plan, ct_error **error) {
  if (!ct_dense_plan_align(plan, error)) return false;
  plan->dense->block[++plan->blocks] = plan->dense->lanes / CT_DENSE_LANES;
  return true;
}

/* Back from rows to their pieces, in the order of planning. */
static bool index_rows(ct_dense *d, size_t rows, ct_error **error) {
  d->row_first = ct_alloc_zero(rows + 2, sizeof *d->row_first, "the plan of a matrix", error);
  d->row_piece = ct_alloc(d->pieces + 1, sizeof *d->row_piece, "the plan of a matrix", error);
  if (!d->row_first || !d->row_piece) return false;
  uint32_t *next = d->row_first + 1; /* becomes row_first of the row after it */
  for (size_t p = 0; p < d->pieces; p++) next[d->piece[p].row + 1]++;
  for (size_t r = 0; r < rows; r++) next[r + 1] += next[r];
  for (size_t p = 0; p < d->pieces; p++) d->row_piece[next[d->piece[p].row]++] = (uint32_t)p;
  return true;
}

static bool lay_out(ct_dense *d, ct_error **error) {
  d->chunks = d->lanes / CT_DENSE_LANES;
  d->start = ct_alloc_zero(d->chunks + 1, sizeof *d->start, "the plan of a matrix", error);
  d->colliding = ct_alloc_zero(d->chunks + 1, sizeof *d->colliding, "the plan of a matrix", error);
  if (!d->start || !d->colliding) return false;
  for (size_t p = 0; p < d->pieces; p++) {
    const size_t chunk = d->piece[p].lane / CT_DENSE_LANES, end = d->piece[p].end;
    if (d->start[chunk + 1] < end) d->start[chunk + 1] = end;
  }
  for (size_t c = 0; c < d->chunks; c++) d->start[c + 1] += d->start[c];
  const size_t steps = d->start[d->chunks];
  d->columns = ct_alloc(steps * CT_DENSE_LANES + 1, sizeof *d->columns, "the symmetric matrix", error);
  d->values = ct_alloc(steps * CT_DENSE_LANES + 1, sizeof *d->values, "the symmetric matrix", error);
  return d->columns && d->values;
}

/* No more memory than what there is a use for. */
static bool trim(ct_dense_plan *plan, ct_error **error) {
  ct_dense *d = plan->dense;
  ct_dense_piece *piece = ct_alloc(d->pieces + 1, sizeof *piece, "the plan of a matrix", error);
  uint32_t *lane_first = ct_alloc(d->lanes + 1, sizeof *lane_first, "the plan of a matrix", error);
  if (!piece || !lane_first) {
    ct_free(piece);
    ct_free(lane_first);
    return false;
  }
  memcpy(piece, d->piece, d->pieces * sizeof *piece);
  memcpy(lane_first, d->lane_first, (d->lanes + 1) * sizeof *lane_first);
  ct_free(d->piece);
  ct_free(d->lane_first);
  d->piece = piece;
  d->lane_first = lane_first;
  return true;
}

ct_dense *ct_dense_plan_finish(ct_dense_plan *plan, const ct_projector_state *state, bool by_views, ct_error **error) {
  ct_dense *d = plan->dense;
  while (plan->blocks < CT_DENSE_BLOCKS) {
    d->block[plan->blocks + 1] = d->block[plan->blocks];
    plan->blocks++;
  }
  bool good = trim(plan, error) && index_rows(d, state->symmetry->rays, error) && lay_out(d, error);
  if (good && by_views) good = ct_dense_find_phases(d, state, error);
  if (good) return d;
  ct_dense_plan_abandon(plan);
  return NULL;
}

void ct_dense_free(void *storage) {
  ct_dense *d = storage;
  ct_free(d->piece);
  ct_free(d->lane_first);
  ct_free(d->row_first);
  ct_free(d->row_piece);
  ct_free(d->start);
  ct_free(d->columns);
  ct_free(d->values);
  ct_free(d->colliding);
  ct_free(d->slot_phase);
  ct_free(d->phase_chunk);
  ct_free(d->chunk_of);
  free(d);
}

double ct_dense_bytes(const ct_projector_state *state) {
  const ct_dense *d = state->storage;
  double bytes = (double)d->start[d->chunks] * CT_DENSE_LANES * (sizeof *d->columns + sizeof *d->values) +
                 (double)d->pieces * (sizeof *d->piece + sizeof *d->row_piece) +
                 (double)d->lanes * sizeof *d->lane_first + (double)state->symmetry->rays * sizeof *d->row_first +
                 (double)d->chunks * (sizeof *d->start + 1);
  if (d->slot_phase) {
    const size_t phases = d->slot_phase[state->symmetry->slots];
    bytes += (double)(state->symmetry->slots + 1 + phases + 1) * sizeof(size_t) +
             (double)d->phase_chunk[phases] * sizeof *d->chunk_of;
  }
  return bytes;
}

double ct_dense_memory(const ct_projector *self, const ct_projector_request *request) {
  double entries, rows;
  if (!ct_scsr_estimate(request, &entries, &rows)) return 0;
  /* Filling: about a hundredth; pieces: two or three for each row; the images of a product. */
  return 1.01 * entries * (sizeof(uint32_t) + sizeof(float)) +
         2.5 * rows * (sizeof(ct_dense_piece) + 2 * sizeof(uint32_t)) + ct_scsr_common_bytes(request, rows) +
         CT_SCSR_IMAGES * (double)(request->grid.nx + 32) * (double)request->grid.ny * sizeof(float);
}
