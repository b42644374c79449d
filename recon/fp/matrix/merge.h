/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed rows of a matrix and of its transpose, for who multiplies them elsewhere (a graphics card): the rest of
 * the contract stays with merge.c. */
#ifndef CT_FP_MATRIX_MERGE_H
#define CT_FP_MATRIX_MERGE_H

#include "recon/data/sparse.h"
#include "recon/fp/projector.h"
#include "recon/geom/questions.h"

/* y[rows] = rows first .. first + rows - 1 of the matrix, or of its transpose, times x. */
typedef struct ct_merge_call {
  bool transposed;
  size_t first, rows;
  const float *x;
  float *y;
} ct_merge_call;

typedef struct ct_merge_engine {
  /* Takes copies. NULL with an error. */
  void *(*take)(const ct_sparse *matrix, const ct_sparse *transpose, const ct_projector_request *request,
                ct_error **error);
  bool (*multiply)(void *own, const ct_merge_call *call, ct_error **error);
  double (*bytes)(const void *own); /* of main memory */
  void (*free)(void *own);
} ct_merge_engine;

/* Makes both matrices, hands them to the engine and keeps the first for its squares. The rest is CT_MERGE_AWAY. */
ct_projector_state *ct_merge_prepare_away(const ct_merge_engine *engine, const ct_projector *self,
                                          const ct_projector_request *request, ct_job *job, ct_error **error);
bool ct_merge_accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error);
/* Bytes of main memory of both matrices. */
double ct_merge_memory(const ct_projector *self, const ct_projector_request *request);
void ct_merge_shape(const ct_projector_state *state, ct_projector_shape *shape);
void ct_merge_block(const ct_projector_state *state, int index, ct_projector_block *block);
void ct_merge_image_in(const ct_projector_state *state, const float *natural, float *own);
void ct_merge_image_out(const ct_projector_state *state, const float *own, float *natural);
void ct_merge_rays_in(const ct_projector_state *state, const float *natural, float *own);
void ct_merge_rays_out(const ct_projector_state *state, const float *own, float *natural);
bool ct_merge_forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                      ct_error **error);
bool ct_merge_back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error);
bool ct_merge_row_squares(ct_projector_state *state, float *y, ct_error **error);
void ct_merge_free(ct_projector_state *state);

#define CT_MERGE_AWAY                                                                                                  \
  .geometry = CT_GEOMETRY_SLICES, .models = 1u << CT_MODEL_JOSEPH | 1u << CT_MODEL_SIDDON | 1u << CT_MODEL_AREA,       \
  .gpu = true, .stored = true, .matched = true, .shape = ct_merge_shape, .block = ct_merge_block,                      \
  .image_in = ct_merge_image_in, .image_out = ct_merge_image_out, .rays_in = ct_merge_rays_in,                         \
  .rays_out = ct_merge_rays_out, .forward = ct_merge_forward, .back = ct_merge_back,                                   \
  .row_squares = ct_merge_row_squares, .free = ct_merge_free

#endif
