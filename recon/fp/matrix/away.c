/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format of a symmetric matrix whose entries an engine holds (blocks.h): filled like any dense one, then handed
 * over, its own copy of the entries freed. */
#include "recon/fp/matrix/blocks.h"
#include "recon/fp/matrix/dense-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct away {
  ct_dense *dense; /* without its entries */
  const ct_matrix_engine *engine;
  void *own; /* the engine's */
} away;

static ct_matrix_call call_of(const ct_projector_state *state) {
  return (ct_matrix_call){state->whole, state->active, state->active_count, state->wanted};
}

static bool forward(ct_projector_state *state, const float *image, ct_error **error) {
  const away *a = state->storage;
  const ct_matrix_call call = call_of(state);
  return a->engine->forward(a->own, &call, image, state->orbit, error);
}

static bool back(ct_projector_state *state, float *image, ct_error **error) {
  const away *a = state->storage;
  const ct_matrix_call call = call_of(state);
  if (state->whole || !a->dense->slot_phase) ct_dense_clear_others(state);
  return a->engine->back(a->own, &call, state->orbit, image, error);
}

static double bytes(const ct_projector_state *state) {
  const away *a = state->storage;
  return a->engine->bytes(a->own) + (double)state->symmetry->rays * sizeof *state->squares;
}

static void away_free(void *storage) {
  away *a = storage;
  if (a->own) a->engine->free(a->own);
  ct_dense_free(a->dense);
  free(a);
}

static const ct_scsr_format format = {.forward = forward, .back = back, .bytes = bytes, .free = away_free};

static const ct_scsr_format fillers[] = {
    [CT_BLOCKING_ROWS] = {ct_dense_plan_rows, ct_dense_put, ct_dense_finish, .free = ct_dense_free},
    [CT_BLOCKING_GLOBAL] = {ct_dense_plan_global, ct_dense_put, ct_dense_finish, .free = ct_dense_free},
    [CT_BLOCKING_VIEW] = {ct_dense_plan_view, ct_dense_put, ct_dense_finish, .free = ct_dense_free},
    [CT_BLOCKING_EVEN] = {ct_dense_plan_even, ct_dense_put, ct_dense_finish, .free = ct_dense_free},
};

/* Sums of squares of the stored rows. */
static bool find_squares(ct_projector_state *state, ct_error **error) {
  const ct_dense *d = state->storage;
  const size_t rows = state->symmetry->rays;
  state->squares = ct_alloc(rows, sizeof *state->squares, "the squares of a matrix", error);
  if (!state->squares) return false;
#pragma omp parallel for schedule(static) num_threads(state->request.threads)
  for (size_t row = 0; row < rows; row++) {
    double sum = 0;
    for (uint32_t k = d->row_first[row]; k < d->row_first[row + 1]; k++) {
      const ct_dense_piece *piece = d->piece + d->row_piece[k];
      const float *value = d->values + ct_dense_place(d, piece);
      for (uint32_t s = 0, count = ct_dense_count(d, piece); s < count; s++, value += CT_DENSE_LANES)
        sum += (double)*value * (double)*value;
    }
    state->squares[row] = (float)sum;
  }
  return true;
}

static ct_matrix_blocks blocks_of(const ct_projector_state *state) {
  const ct_dense *d = state->storage;
  ct_matrix_blocks blocks = {.n = state->n,
                             .rows = state->symmetry->rays,
                             .lanes = d->lanes,
                             .chunks = d->chunks,
                             .pieces = d->pieces,
                             .piece = d->piece,
                             .lane_first = d->lane_first,
                             .row_first = d->row_first,
                             .row_piece = d->row_piece,
                             .start = d->start,
                             .columns = d->columns,
                             .values = d->values,
                             .colliding = d->colliding,
                             .slots = state->symmetry->slots,
                             .slot_row = state->symmetry->first,
                             .slot_phase = d->slot_phase,
                             .phase_chunk = d->phase_chunk,
                             .chunk_of = d->chunk_of};
  memcpy(blocks.map, state->natural, sizeof blocks.map);
  return blocks;
}

static bool hand_over(ct_projector_state *state, const ct_matrix_engine *engine, ct_error **error) {
  if (!find_squares(state, error)) return false;
  away *a = calloc(1, sizeof *a);
  if (!a) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a projector.");
  const ct_matrix_blocks blocks = blocks_of(state);
  *a = (away){state->storage, engine, engine->take(&blocks, &state->request, error)};
  state->storage = a;
  state->format = &format;
  if (!a->own) return false;
  ct_free(a->dense->columns);
  ct_free(a->dense->values);
  a->dense->columns = NULL;
  a->dense->values = NULL;
  /* Images go over as they are. */
  state->padding = state->n;
  memcpy(state->padded, state->natural, sizeof state->padded);
  return true;
}

ct_projector_state *ct_matrix_prepare_away(ct_blocking blocking, const ct_matrix_engine *engine,
                                           const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                           ct_error **error) {
  const double began = ct_now();
  ct_projector_state *state = ct_scsr_prepare(fillers + blocking, self, request, job, error);
  if (!state) return NULL;
  if (!hand_over(state, engine, error)) {
    ct_scsr_free(state);
    return NULL;
  }
  state->seconds = ct_now() - began;
  return state;
}
