/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system matrix of a slice, or the part of it that a compressed form stores, by compressed rows. */
#ifndef CT_FP_MATRIX_BUILD_H
#define CT_FP_MATRIX_BUILD_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/sparse.h"
#include "recon/fp/model/ray-model.h"
#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"

#include <stdbool.h>
#include <stdint.h>

/* Which rows: of view_count views the columns 0 .. rays[k] - 1, one after another. The columns of the matrix are the
 * slice's pixels. */
typedef struct ct_matrix_request {
  const ct_geometry *geometry;
  ct_grid grid;
  ct_ray_model model;
  const int *views; /* [view_count]; NULL: all views in their order */
  int view_count;
  const int *rays; /* [view_count]; NULL: all nu */
  int threads;
  size_t memory; /* bytes that the matrix may take; 0: what the machine has free */
} ct_matrix_request;

/* All views of a scan. */
ct_matrix_request ct_matrix_whole(const ct_geometry *geometry, const ct_grid *grid, ct_ray_model model, int threads);

size_t ct_matrix_rows(const ct_matrix_request *request);
/* Entries of every row, counted without being made. starts (may be NULL) is [rows + 1] and gets what stands before each
 * row. */
bool ct_matrix_count(const ct_matrix_request *request, uint64_t *starts, uint64_t *entries, ct_job *job,
                     ct_error **error);
/* Entries within about a percent, from a few views: for a quick answer whether a matrix would fit. 0 if rows cannot be
 * made. */
double ct_matrix_estimate(const ct_matrix_request *request);
/* The matrix, columns ascending in each row. It does not depend on the number of threads. One that is too big for the
 * memory is refused with its size (CT_ERROR_MEMORY). A job that is cancelled ends it with CT_ERROR_CANCELLED; its units
 * are views. */
ct_sparse *ct_matrix_build(const ct_matrix_request *request, ct_job *job, ct_error **error);

#endif
