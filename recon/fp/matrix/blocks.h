/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A symmetric matrix whose products are made elsewhere, on a graphics card: rows are made and laid out in dense
 * sub-matrices here (Yu et al. 2018; dense-private.h explains them), then handed to an engine, and the contract of
 * projector.h goes on with rays and images alone.
 *
 * Sixteen lanes are a chunk; element (step, lane) of a chunk lies at (start + step) 16 + lane. A lane is made of pieces
 * of stored rows. At any step no two lanes of a chunk have the same column, unless it is marked as colliding. */
#ifndef CT_FP_MATRIX_BLOCKS_H
#define CT_FP_MATRIX_BLOCKS_H

#include "recon/fp/projector.h"
#include "recon/fp/symmetry.h"
#include "recon/geom/questions.h"

enum { CT_MATRIX_LANES = 16, CT_MATRIX_ZONES = 8 };

/* How stored rows become lanes: a row each, global-level (section 4.1), or view-level (Algorithm 1) without or with its
 * lines 30 to 33, which even out the lanes of opposite pairs of views. */
typedef enum { CT_BLOCKING_ROWS, CT_BLOCKING_GLOBAL, CT_BLOCKING_VIEW, CT_BLOCKING_EVEN } ct_blocking;

/* A run of entries of one stored row within a lane. A row's pieces take its entries in the order in which they were
 * planned. */
typedef struct ct_dense_piece {
  uint32_t row, lane, end; /* step behind it; it begins where the lane's piece before it ends, or at 0 */
} ct_dense_piece;

/* Borrowed while the engine takes it. */
typedef struct ct_matrix_blocks {
  int n; /* pixels of a side of the slice */
  size_t rows, lanes, chunks, pieces;
  const ct_dense_piece *piece;             /* [pieces] by lanes, then steps */
  const uint32_t *lane_first;              /* [lanes + 1] into piece */
  const uint32_t *row_first, *row_piece;   /* [rows + 1], [pieces]: the pieces of each row */
  const size_t *start;                     /* [chunks + 1] steps before each chunk */
  const uint32_t *columns;                 /* [steps][16] pixels j 2^16 + i */
  const float *values;                     /* [steps][16] mm */
  const uint8_t *colliding;                /* [chunks] */
  ct_symmetry_pixels map[CT_MATRIX_ZONES]; /* of each zone, into [n][n] */
  int slots;                               /* stored views */
  const size_t *slot_row;                  /* [slots + 1] first row of each */
  /* Chunks of each stored view in phases, whose chunks share no pixel; slot_phase NULL: chunks hold any views. */
  const size_t *slot_phase;  /* [slots + 1] into phase_chunk */
  const size_t *phase_chunk; /* [phases + 1] into chunk_of */
  const uint32_t *chunk_of;
} ct_matrix_blocks;

/* What one product asks for. */
typedef struct ct_matrix_call {
  bool whole;        /* most of the matrix */
  const int *active; /* [count] stored views, ascending */
  int count;
  const uint8_t *wanted; /* [slots] bits of the zones that are asked for */
} ct_matrix_call;

typedef struct ct_matrix_engine {
  /* NULL with an error. */
  void *(*take)(const ct_matrix_blocks *blocks, const ct_projector_request *request, ct_error **error);
  /* orbit[row][zone] = products of the active views' rows with image [n][n], for at least the wanted zones. */
  bool (*forward)(void *own, const ct_matrix_call *call, const float *image, float *orbit, ct_error **error);
  /* image = sum of rows times orbit, 0 where a ray is not asked for. */
  bool (*back)(void *own, const ct_matrix_call *call, const float *orbit, float *image, ct_error **error);
  double (*bytes)(const void *own); /* of main memory */
  void (*free)(void *own);
} ct_matrix_engine;

/* Makes the rows, hands them to the engine and keeps no entry of them: the state has no rows, but knows their squares.
 * The rest of the contract is CT_MATRIX_AWAY. */
ct_projector_state *ct_matrix_prepare_away(ct_blocking blocking, const ct_matrix_engine *engine,
                                           const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                           ct_error **error);
/* Entries of the stored rows and their number, estimated; false where there is no symmetry. */
bool ct_scsr_estimate(const ct_projector_request *request, double *stored, double *rows);
/* Bytes of main memory while it is made. */
double ct_dense_memory(const ct_projector *self, const ct_projector_request *request);

bool ct_scsr_accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error);
void ct_scsr_shape(const ct_projector_state *state, ct_projector_shape *shape);
void ct_scsr_block(const ct_projector_state *state, int index, ct_projector_block *block);
void ct_scsr_image_in(const ct_projector_state *state, const float *natural, float *own);
void ct_scsr_image_out(const ct_projector_state *state, const float *own, float *natural);
void ct_scsr_rays_in(const ct_projector_state *state, const float *natural, float *own);
void ct_scsr_rays_out(const ct_projector_state *state, const float *own, float *natural);
bool ct_scsr_forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                     ct_error **error);
bool ct_scsr_back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error);
bool ct_scsr_row_squares(ct_projector_state *state, float *y, ct_error **error);
void ct_scsr_free(ct_projector_state *state);

#define CT_MATRIX_AWAY                                                                                                 \
  .geometry = CT_GEOMETRY_SLICES, .models = 1u << CT_MODEL_JOSEPH | 1u << CT_MODEL_SIDDON | 1u << CT_MODEL_AREA,       \
  .gpu = true, .stored = true, .matched = true, .shape = ct_scsr_shape, .block = ct_scsr_block,                        \
  .image_in = ct_scsr_image_in, .image_out = ct_scsr_image_out, .rays_in = ct_scsr_rays_in,                            \
  .rays_out = ct_scsr_rays_out, .forward = ct_scsr_forward, .back = ct_scsr_back, .row_squares = ct_scsr_row_squares,  \
  .free = ct_scsr_free

#endif
