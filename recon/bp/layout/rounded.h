/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch as 16 bits would give it back (layout/stored.h), for kernels that show what storage alone costs: the stored
 * numbers of each view as floats, which hold them exactly, and what 1 of them is worth. */
#ifndef CT_BP_LAYOUT_ROUNDED_H
#define CT_BP_LAYOUT_ROUNDED_H

#include "recon/bp/kernel.h"

typedef struct ct_rounded {
  ct_bp_request request; /* batch: of views taken at once */
  size_t pixels;         /* of a view */
  const int *views;      /* [batch], the batch's own */
  float *numbers;        /* [batch][pixels], of the rows that the grid can meet; NULL: samples are read as they are */
  const float **projections; /* [batch]: of the numbers, or the batch's own */
  double *worth;             /* [batch]; 1: the samples themselves */
  bool *finite;              /* [batch] */
  double (*matrices)[12];    /* [batch]: of voxel indices, ct_bp_index_matrix */
} ct_rounded;

/* Bytes that the request's precision and batch take. */
size_t ct_rounded_memory(const ct_bp_request *request);
/* CT_ERROR_MEMORY; cleared either way. */
bool ct_rounded_init(ct_rounded *rounded, const ct_bp_request *request, ct_error **error);
void ct_rounded_clear(ct_rounded *rounded);
/* Fills projections, worth and matrices. CT_ERROR_DATA: integers cannot express a view that is not finite. */
bool ct_rounded_take(ct_rounded *rounded, const ct_bp_batch *batch, int threads, ct_error **error);

/* Rows [first, end) of a view that voxels of the grid, or beside it in the same vector, can read with any
 * interpolation. */
void ct_bp_rows_met(const ct_bp_request *request, int view, int *first, int *end);

/* Adds the views that `rounded` holds, `views` of them, to the volume's data. */
typedef void ct_rounded_add(ct_bp_state *state, int views, float *data, const ct_job *job);
/* The run of a kernel that takes a batch part by part, as many views at once as `rounded` has room for. */
bool ct_rounded_run(ct_rounded *rounded, ct_bp_state *state, ct_rounded_add *add, const ct_bp_batch *batch,
                    ct_volume *volume, ct_job *job, ct_error **error);

#endif
