/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One iterative reconstruction: a projector, a method and the data, iterated, watched and gone on with. Used by one
 * thread at a time. */
#ifndef CT_SOLVE_ITERATIVE_ITERATE_H
#define CT_SOLVE_ITERATIVE_ITERATE_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/stack.h"
#include "recon/data/volume.h"
#include "recon/solve/backend.h"
#include "recon/solve/iterative/options.h"

#include <stdbool.h>
#include <stddef.h>

/* Detector rows [first, first + count). */
typedef struct ct_row_range {
  int first, count;
} ct_row_range;

typedef struct ct_iterative_request {
  ct_iterative_options options;
  const ct_geometry *geometry; /* outlives the run */
  ct_grid grid;
  const ct_stack *integrals;  /* line integrals of the geometry's views; copied into the projector's layout */
  const ct_volume *start;     /* on the same grid: for the starts that are not zero; NULL otherwise. Copied */
  const ct_volume *reference; /* on the same grid: what the curve compares with; NULL: nothing. Outlives the run */
  int threads;
  size_t memory;             /* bytes for the projector's state; 0: what is free */
  size_t spare;              /* bytes for a matrix that could be done without; 0: as many as memory says */
  bool complete;             /* a finish-early does not end it */
  const ct_backend *backend; /* outlives the run; NULL: the processor alone */
  /* Several processes, all with one projector, each with the slices of its column and the views of its group: only
   * SIRT, CGLS, and in one group SART and OS-SART. NULL: all are here. */
  struct ct_exchange *exchange;
  const ct_row_range *columns; /* [exchange->columns] the detector rows that each slab's rays hit; those of this one's
                                * are the geometry's. NULL: there is one column */
} ct_iterative_request;

/* One point of the convergence curve. */
typedef struct ct_iteration {
  int index;       /* 1: after the first iteration */
  double seconds;  /* of this iteration, measuring and publishing excluded */
  double residual; /* |A x - b| / |b| of the image that the iteration began with (SIRT, CGLS, FISTA, MLEM), or gathered
                    * over its sub-steps, each before its own update (ART, SART, OS forms): see the method */
  double residual_after; /* iterations that this image had behind it: index - 1 at the beginning of the iteration, index
                          * at its end (CGLS), the mean over the sub-steps where it is gathered. Residuals of two
                          * methods compare over this */
  double change;         /* |x' - x| / |x'| */
  double rmse, relative_rmse, ssim; /* against the reference; NaN without one. SSIM only every so many iterations where
                                     * it would cost more than they: NaN between */
} ct_iteration;

typedef enum {
  CT_STOPPED_NOT,
  CT_STOPPED_ITERATIONS,
  CT_STOPPED_RESIDUAL,
  CT_STOPPED_CHANGE,
  CT_STOPPED_EARLY
} ct_stopped;

typedef struct ct_iterative ct_iterative;

/* Bytes at most of the lists of rays that column `own` of so many shares with others, and of what it gives and takes at
 * a time: request.columns, the geometry's views and columns. 0 where it shares none. */
double ct_iterative_shared_bytes(const ct_row_range *columns, int count, int own, int views, int nu);

/* Chooses and prepares the projector (stage CT_STAGE_BUILDING of the job where a matrix is built), copies the data. */
ct_iterative *ct_iterative_new(const ct_iterative_request *request, ct_job *job, ct_error **error);
void ct_iterative_free(ct_iterative *run);

/* Called after every iteration, no OpenMP team active, on the worker's thread; the image may be read from `run`. */
typedef struct ct_iterative_watch {
  void *user;
  void (*iterated)(void *user, const ct_iterative *run, const ct_iteration *last);
} ct_iterative_watch;

/* Goes on until `iterations` in all are done (from the first), a stopping rule holds, or a finish-early asks (from zero
 * after one iteration at the earliest: zeros are no result). Stage CT_STAGE_ITERATING, units: iterations. A cancel
 * returns false with CT_ERROR_CANCELLED; the image then is that of the last whole iteration, and the run can go on. */
bool ct_iterative_run(ct_iterative *run, int iterations, const ct_iterative_watch *watch, ct_job *job,
                      ct_error **error);

/* What another run of the same plan and data, in as many processes as there are then, needs to go on from where this
 * one stands. So many images, the first of them the image itself; 0: its method cannot go on so. */
int ct_iterative_kept_images(const ct_iterative *run);
/* One of them, natural layout [nz][ny][nx], and the number that goes with them. */
void ct_iterative_read_kept(const ct_iterative *run, int image, float *natural);
double ct_iterative_get_kept_number(const ct_iterative *run);
/* Into a run that has done nothing: each image, then the number and the convergence curve, one point per iteration. All
 * processes. */
void ct_iterative_write_kept(ct_iterative *run, int image, const float *natural);
bool ct_iterative_take_up(ct_iterative *run, double number, const ct_iteration *curve, size_t count, ct_error **error);

/* The image as it stands, natural layout [nz][ny][nx]. */
void ct_iterative_read(const ct_iterative *run, float *image);
const ct_iteration *ct_iterative_get_curve(const ct_iterative *run, size_t *count);
ct_stopped ct_iterative_get_stopped(const ct_iterative *run);
const ct_projector *ct_iterative_get_projector(const ct_iterative *run);
void ct_iterative_get_shape(const ct_iterative *run, ct_projector_shape *shape);
/* The relaxation in use, the automatic one for the projector's blocks; 0 where the method has none. */
double ct_iterative_get_relaxation(const ct_iterative *run);
/* Why this projector: a sentence for the user. */
const char *ct_iterative_get_why(const ct_iterative *run);
/* Whether the geometry, lacking a symmetry, rules out the chosen matrix or one that automatic choice would have taken:
 * the sentence says so. */
bool ct_iterative_fell_back(const ct_iterative *run);

#endif
