/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes larger than the memory: reconstructed in slabs of whole slices, each handed to a sink and forgotten. Where
 * the filtered projections fit they are made once; else each slab reads, corrects and filters only the detector rows
 * that it needs, so that the projections are bounded, too. A volume made in slabs is the volume made at once: the same
 * views in the same order, the same centre (where the projections do not fit it is searched in the rows of the middle
 * slab), the same plan.
 *
 * Iterative methods: slabs where every slice is a problem of its own (parallel beam whose rows lie at the slices) and
 * the method treats them so; else they are refused (CT_ERROR_UNSUPPORTED). All slabs take the iterations of the first,
 * and one projector. */
#ifndef CT_SOLVE_SLABS_H
#define CT_SOLVE_SLABS_H

#include "recon/solve/backend.h"
#include "recon/solve/pipeline.h"

/* How the work is cut up. */
typedef struct ct_slab_plan {
  ct_grid grid;      /* of the whole volume */
  int height, count; /* slices of a slab (the last may have fewer), slabs */
  int copies; /* of all projections in memory: 2 line integrals and filtered, 1 filtered, 0 only rows of a slab */
  const ct_projector *projector; /* of an iterative method; NULL for the direct one */
  int overview_step;             /* of the small copy that planes on screen are made of */
  double projections;            /* bytes */
  double total;                  /* bytes at most at once: projections, slab, kernel and small copy */
  double file;                   /* bytes of the whole volume's samples, not compressed */
  double budget;                 /* bytes that it was planned for */
} ct_slab_plan;

/* Slices [slab * height, ...) of the grid. */
ct_grid ct_slab_grid(const ct_slab_plan *slabs, int slab);

/* The thickest slabs that take `budget` bytes at most; 0: most of what is free now. CT_ERROR_MEMORY names what one
 * slice needs when not even that fits. */
bool ct_plan_slabs(const ct_plan *plan, const ct_scan *scan, const ct_backend *backend, double budget,
                   ct_slab_plan *slabs, ct_error **error);
/* The same for a pipeline: with its scan and kernels, and with what it holds already for its use again. */
bool ct_pipeline_plan_slabs(const ct_pipeline *pipeline, const ct_plan *plan, double budget, ct_slab_plan *slabs,
                            ct_error **error);

/* Takes the slabs from slice 0 up, on the worker's thread; `first` is the slab's first slice. The slab carries the plan
 * that is the whole volume's. The job: for cancel and pause, and its units are slices. */
typedef struct ct_slab_sink {
  void *user;
  bool (*write)(void *user, const ct_grid *whole, const ct_volume *slab, int first, ct_job *job, ct_error **error);
} ct_slab_sink;

/* ct_pipeline_volume in slabs, cut as planned for this very plan; where the data lead to another grid than plan and
 * scan told (ct_plan_grid_is_told), *slabs is planned anew for that one, and where memory falls short before the first
 * slab is handed on, for less. The publisher sees the whole grid: in axial
 * and other planes the slices of the slab in work as they are, finished ones coarser where memory is short, later ones
 * 0. Finish-early counts while the first slab is made: all slabs then take the views done by then; asked for later it
 * is too late and has no effect. *views_done (may be NULL): of every slab. */
bool ct_pipeline_slabs(ct_pipeline *pipeline, const ct_plan *plan, ct_slab_plan *slabs, const ct_slab_sink *sink,
                       const ct_publisher *publisher, int *views_done, ct_job *job, ct_error **error);

#endif
