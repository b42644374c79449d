/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume that several processes make together (recon/exchange): the direct method, in slabs of whole slices. Each
 * slab belongs to a column of ranks; each rank of it reads, corrects and filters the detector rows that its column's
 * slabs need, of the views of its group alone, and back-projects these. The partial slabs are added up while the next
 * slab is made, and each rank is handed the sums of some slices.
 *
 * The volume is the one that one process makes: all that hangs on the whole scan (centre, weights, steps between views)
 * is found out or calculated from the whole of it, by rank 0 where data have to be asked. Only the order in which
 * single-precision sums are made differs.
 *
 * Not shared out are the views of a spiral or sequence, of direct Fourier reconstruction, and of what needs all views
 * at once (removal of rings, files that pack views together): the first two are refused in more than one view group,
 * the others read all views of their rows. Every rank looks at the CT_SAMPLE_VIEWS views by which truncation is judged.
 */
#ifndef CT_SOLVE_SHARED_H
#define CT_SOLVE_SHARED_H

#include "recon/exchange/exchange.h"
#include "recon/solve/pipeline.h"

/* What had to be found out from the data before the work can be shared: a value, the same for all ranks. */
typedef struct ct_found {
  ct_plan plan; /* with the centre that was found */
  ct_grid grid; /* of the whole volume */
  bool searched;
  char how[160]; /* the centre was found */
  double confidence;
  ct_warnings warned; /* of the centre */
} ct_found;

/* Finds it out, in the memory that is free (bytes; 0: unknown): from all projections where they fit, else from those of
 * the rows in the middle, as ct_pipeline_slabs does. Reads nothing where plan and scan tell everything. */
bool ct_pipeline_find(ct_pipeline *pipeline, const ct_plan *plan, double memory, ct_found *found, ct_job *job,
                      ct_error **error);

/* How the work is cut: a value, the same for all ranks. */
typedef struct ct_shares {
  int groups, columns;
  int height;    /* slices of a slab, at most */
  int together;  /* slices that are made as one, counted from slice 0: slabs begin there (ct_plan_slices_together) */
  bool held;     /* a rank's rows are read and filtered once, else for each slab */
  double memory; /* bytes that the busiest rank takes */
} ct_shares;

/* The grid of so many ranks and the slabs, for slices that are missing (done[nz]: 1 of one that is there; NULL: all are
 * missing). groups, columns: as asked for, 0: chosen, slabs before view groups while a column has slices enough.
 * memory: bytes that each rank may take, 0: unknown. CT_ERROR_ARGUMENT, CT_ERROR_MEMORY. */
typedef struct ct_share_request {
  const ct_found *found;
  const ct_scan *scan;
  const ct_backend *backend;
  int ranks, groups, columns;
  double memory;
  const unsigned char *done;
} ct_share_request;
bool ct_plan_shares(const ct_share_request *request, ct_shares *shares, ct_error **error);

/* Slices of a slab where memory does not limit them, of a column of so many; updates: voxels of a slice times views. */
int ct_shared_slab_slices(int slices, int groups, double updates);

/* Bytes that each of so many processes on this machine may take; 0: unknown. */
double ct_shared_memory(int processes);

typedef struct ct_slices {
  int first, count;
} ct_slices;
/* The slabs of a column, from below: its share of the missing slices. *slabs is new (ct_free). */
bool ct_shares_slabs(const ct_shares *shares, int column, int nz, const unsigned char *done, ct_slices **slabs,
                     int *count, ct_error **error);

/* A rank that is behind is nothing special; one whose machine has lost the network never tells. */
enum { CT_WAITS_LONG = 5 }; /* s */

typedef struct ct_shared_request {
  const ct_found *found;
  const ct_shares *shares;
  const unsigned char *done;
  void *user;
  /* Takes finished slices, in the worker's thread. */
  bool (*write)(void *user, const float *slices, int first, int count, ct_error **error);
  /* How all ranks stand, 0..1, as was told last, and for how many seconds this one has waited for them and heard
   * nothing (0: for less than CT_WAITS_LONG); may be NULL. */
  void (*stand)(void *user, double fraction, double silence);
} ct_shared_request;

/* All ranks: makes the missing slices, the exchange being arranged as the shares say. Ends on all ranks alike, with one
 * error for all; a job that is cancelled on one rank is on all. */
bool ct_pipeline_shared(ct_pipeline *pipeline, const ct_shared_request *request, ct_exchange *exchange, ct_job *job,
                        ct_error **error);

/* Whether several processes iterate it, and whether it corrects the image after all views, so that they make groups. */
bool ct_method_is_shared(int method);
bool ct_method_takes_all_views(int method);
ct_slices ct_iteration_slices(int nz, int columns, int column); /* of a column */

/* How the run stands, between two iterations, in all ranks at once. */
typedef struct ct_shared_run {
  const ct_iterative *run; /* of this rank's slab: what it needs to be gone on with is to be had of it */
  float *room;             /* for an image of the slab */
  ct_slices slices;        /* of the slab, which all ranks of its column have alike */
  int done, wanted;        /* iterations */
  double memory;           /* bytes that this rank takes, as calculated before */
  bool ends, cancelled;    /* it was the last */
} ct_shared_run;

typedef struct ct_shared_iteration {
  const ct_found *found;
  int groups, columns; /* 0: chosen */
  double memory;       /* bytes that each rank may take; 0: unknown */
  void *user;
  /* Before the first: may set the run to what another one of the same plan and scan kept. May be NULL. */
  bool (*begun)(void *user, const ct_shared_run *stand, ct_iterative *run, ct_error **error);
  void (*iterated)(void *user, const ct_shared_run *stand); /* after each; may be NULL */
} ct_shared_iteration;
/* All ranks: the plan's iterative method, the volume cut into a slab for each column, the views (every groups-th) into
 * groups. A rank holds its slab, and of its group's views the detector rows that the slab's rays hit; the sums of line
 * integrals that several slabs have a part in, and of what the groups carry back, are exchanged after each product.
 * SIRT and CGLS; SART and SART in subsets in one group; all from zero: CT_ERROR_UNSUPPORTED. CT_ERROR_MEMORY where that
 * needs more than `memory` bytes. Every rank gets the slices of its column, or all get one and the same error; the
 * exchange is arranged then. *iterations: those done. The job is watched between iterations alone. */
ct_volume *ct_pipeline_shared_iterated(ct_pipeline *pipeline, const ct_shared_iteration *request, ct_exchange *exchange,
                                       int *iterations, ct_job *job, ct_error **error);

#endif
