/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stored rows of a symmetric matrix as dense sub-matrices (section 4 of Yu et al. 2018). A dense row, here a lane,
 * is made of pieces of one or more stored rows. Sixteen lanes are a chunk, kept column by column (Fig. 10, the chunk in
 * the place of a warp): element (step, lane) at (start + step) 16 + lane. Chunks are as long as their longest lane;
 * what is short is filled with zeros.
 *
 * Entries are permuted within their pieces (section 3.2) so that at any step no two lanes of a chunk have the same
 * column, the zeros included: then sixteen sums can be scattered at once, for any of the eight images. Where that is
 * impossible (more lanes than pixels) the chunk is marked. Where lanes go on with their next pieces (junctions) a bit
 * mask of the step tells; it is made from the pieces' ends while a chunk is walked, which takes an eighth of its
 * memory. */
#ifndef CT_FP_MATRIX_DENSE_PRIVATE_H
#define CT_FP_MATRIX_DENSE_PRIVATE_H

#include "recon/fp/matrix/scsr-private.h"

enum { CT_DENSE_LANES = CT_MATRIX_LANES, CT_DENSE_BLOCKS = 5 };

typedef struct ct_dense {
  size_t lanes, chunks, pieces;
  /* First chunk of each sub-matrix, of which a plan may leave the last ones empty. A row stands in one lane of each at
   * most. */
  size_t block[CT_DENSE_BLOCKS + 1];
  ct_dense_piece *piece;           /* [pieces] by lanes, then steps */
  uint32_t *lane_first;            /* [lanes + 1] into piece; lanes is a multiple of 16 */
  uint32_t *row_first, *row_piece; /* [rows + 1], [pieces]: the pieces of each row */
  size_t *start;                   /* [chunks + 1] steps before each chunk */
  uint32_t *columns;               /* [steps][16] packed */
  float *values;
  uint8_t *colliding; /* [chunks] lanes may have the same column at some step */

  /* Where chunks hold few views each, the chunks of one stored view in phases: those of one phase belong to one
   * sub-matrix and share no pixel, so that threads can scatter from them at once. NULL where chunks hold any views. */
  size_t *slot_phase;  /* [slots + 1] into phase_chunk */
  size_t *phase_chunk; /* [phases + 1] into chunk_of */
  uint32_t *chunk_of;
} ct_dense;

static inline uint32_t ct_dense_begin(const ct_dense *d, const ct_dense_piece *piece) {
  return piece > d->piece + d->lane_first[piece->lane] ? piece[-1].end : 0;
}

static inline uint32_t ct_dense_count(const ct_dense *d, const ct_dense_piece *piece) {
  return piece->end - ct_dense_begin(d, piece);
}

/* Where a piece begins in columns and values; its entries lie 16 apart. */
static inline size_t ct_dense_place(const ct_dense *d, const ct_dense_piece *piece) {
  return (d->start[piece->lane / CT_DENSE_LANES] + ct_dense_begin(d, piece)) * CT_DENSE_LANES +
         piece->lane % CT_DENSE_LANES;
}

/* Planning: sub-matrix by sub-matrix, lane by lane, piece by piece. A lane without pieces is dropped. */
typedef struct ct_dense_plan {
  ct_dense *dense;
  size_t piece_room, lane_room;
  int blocks;
  bool open; /* a lane that may take pieces */
} ct_dense_plan;
bool ct_dense_plan_init(ct_dense_plan *plan, size_t rows, ct_error **error);
bool ct_dense_plan_lane(ct_dense_plan *plan, ct_error **error);
bool ct_dense_plan_piece(ct_dense_plan *plan, size_t row, size_t count, ct_error **error);
/* The next lane begins a chunk. */
bool ct_dense_plan_align(ct_dense_plan *plan, ct_error **error);
/* A sub-matrix ends. */
bool ct_dense_plan_block(ct_dense_plan *plan, ct_error **error);
/* The room for it all. NULL, everything freed, when memory is short. `by_views`: chunks hold few views each. */
ct_dense *ct_dense_plan_finish(ct_dense_plan *plan, const ct_projector_state *state, bool by_views, ct_error **error);
void ct_dense_plan_abandon(ct_dense_plan *plan);
/* The phases of `slot_phase`; part of finish. */
bool ct_dense_find_phases(ct_dense *dense, const ct_projector_state *state, ct_error **error);

/* The functions of a format but for its plan. */
void ct_dense_put(const ct_projector_state *state, void *storage, size_t row, const uint32_t *columns,
                  const float *values);
bool ct_dense_finish(ct_projector_state *state, void *storage, ct_error **error);
bool ct_dense_forward(ct_projector_state *state, const float *image, ct_error **error);
bool ct_dense_back(ct_projector_state *state, float *image, ct_error **error);
void ct_dense_get(const ct_projector_state *state, size_t row, uint32_t *columns, float *values);
double ct_dense_bytes(const ct_projector_state *state);
void ct_dense_free(void *storage);
/* Views that are not asked for take part in whole products, with rays of 0. */
void ct_dense_clear_others(ct_projector_state *state);

/* The plans: a lane for each row, global-level and view-level blocks, these also with the pairs evened out. */
void *ct_dense_plan_rows(ct_projector_state *state, ct_error **error);
void *ct_dense_plan_global(ct_projector_state *state, ct_error **error);
void *ct_dense_plan_view(ct_projector_state *state, ct_error **error);
void *ct_dense_plan_even(ct_projector_state *state, ct_error **error);

#endif
