/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a scan and a plan to slices and volumes. A pipeline remembers the corrected line integrals, the found centre and
 * the filtered projections, and re-makes only what a changed plan invalidates: that is what makes slices on demand
 * quick. Where memory is short it filters in place, and reads the scan again when the line integrals are needed again.
 * Used by one thread at a time. */
#ifndef CT_SOLVE_PIPELINE_H
#define CT_SOLVE_PIPELINE_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/base/units.h"
#include "recon/base/warnings.h"
#include "recon/solve/backend.h"
#include "recon/data/scan.h"
#include "recon/data/volume.h"
#include "recon/geom/oblique.h"
#include "recon/prep/prep.h"
#include "recon/solve/iterative/iterate.h"
#include "recon/solve/plan.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_pipeline ct_pipeline;

/* Borrows the scan and what the backend points to (NULL: the processor alone), which must outlive it. */
ct_pipeline *ct_pipeline_new(ct_scan *scan, const ct_backend *backend, ct_error **error);
void ct_pipeline_free(ct_pipeline *pipeline);
/* Another backend from now on, borrowed as the first, which may go after the call; what was corrected and filtered is
 * kept, and a run that could go on unless it is on the first one's device. */
void ct_pipeline_set_backend(ct_pipeline *pipeline, const ct_backend *backend);
/* A limit in bytes for all that it holds and makes: projections, volume, kernel. 0, as from the beginning: what the
 * machine has free. A limit changes what is kept, and nothing of the results; what does not fit at all is tried all the
 * same. */
void ct_pipeline_limit_memory(ct_pipeline *pipeline, size_t bytes);

/* Makes (or re-uses) line integrals, centre and filtered projections for the plan. Cancelling keeps what was valid
 * before. */
bool ct_pipeline_prepare(ct_pipeline *pipeline, const ct_plan *plan, ct_job *job, ct_error **error);
/* The same for planes alone, which have kernels of their own: that the plan's kernel refuses the volume is no fault,
 * and facts.kernel is NULL then. */
bool ct_pipeline_prepare_planes(ct_pipeline *pipeline, const ct_plan *plan, ct_job *job, ct_error **error);

/* A kernel and why it was taken; NULL: none was. */
typedef struct ct_kernel_choice {
  const ct_bp_kernel *kernel;
  char why[CT_BP_WHY];
} ct_kernel_choice;

/* What the last prepare found; valid until the next. */
typedef struct ct_pipeline_facts {
  const ct_geometry *geometry; /* binned, cropped, centred: what the kernels see */
  int bin_u, bin_v, row0; /* detector pixels in one of the line integrals', and the detector row that those begin at */
  ct_grid grid;
  ct_units units; /* of the grid and of the values */
  /* That a whole volume is made of: the geometry's, or of a spiral's direct one the directions of its parallel views;
   * and those of the direct volume made last, 0: none since prepare. */
  int views_all, views_taken;
  double centre_u;          /* used, in columns of the unbinned detector */
  double centre_confidence; /* 0..1; NaN when not searched */
  const char *centre_how;   /* "found by comparing opposite views" */
  ct_centre_found found;    /* of comparing opposite rays, in columns of the unbinned detector; count 0: not searched */
  ct_tilt_found tilt;       /* that was found beside it and is not in use; NaN: none */
  ct_prep_report prep;
  const ct_warnings *warnings; /* of all stages so far */
  const ct_bp_kernel *kernel;  /* of the volume, or of the first slab where it was made in slabs */
  char kernel_why[CT_BP_WHY];
  ct_kernel_choice
      plane; /* of the plane that was reconstructed alone since; sagittal and oblique ones in a frame of their own */
  /* Of the iterative volume or slice made last; NULL before. */
  const ct_projector *projector;
  char projector_why[512];
  bool projector_fell_back; /* for lack of symmetry: projector_why says what would have been taken */
  ct_projector_shape projector_shape;
} ct_pipeline_facts;
const ct_pipeline_facts *ct_pipeline_get_facts(const ct_pipeline *pipeline);

/* The header of what was made last, with this plan: JSON (ct_free) with the plan that makes the same again (the centre
 * as found, the views really taken), the input's identity (NULL: none), what automatic values came to, and warnings. */
char *ct_pipeline_record(const ct_pipeline *pipeline, const ct_plan *plan, const ct_identity *identity,
                         ct_error **error);

/* The line integrals and filtered projections as they stand. Borrowed until the next call that may prepare. NULL before
 * the first prepare, and while views are missing, after a volume that was finished early or cancelled; line integrals:
 * also where they were filtered in place; filtered: also after a volume whose kernel filtered them. */
const ct_stack *ct_pipeline_get_line_integrals(const ct_pipeline *pipeline);
const ct_stack *ct_pipeline_get_filtered(const ct_pipeline *pipeline);
/* Bytes of projections that it holds, in whatever state, whose place the next run takes. */
double ct_pipeline_get_held(const ct_pipeline *pipeline);

/* One plane of the plan's grid, alone: out[height][width] (ct_grid_plane_size of the facts' grid, after a prepare for
 * the plan: ct_plan_grid_is_told). Prepares first if needed. direct     Exactly as the volume would hold it, from the
 * filtered projections. iterative  An axial plane of a stack of 2-D problems (parallel beam whose rows lie at the
 * slices, or a fan) is iterated alone, all of the plan's iterations. Methods that look at one slice at a time give it
 * as the volume would hold it (to the precision of their projectors, where the slices of the volume share a matrix);
 * those with one step or one total variation for the whole volume (cgls, fista-tv, fista-haar, fista-shearlet,
 * asd-pocs), and stopping rules, see this slice only. Every other plane belongs to a volume that cannot be had in part:
 * in its place comes the direct reconstruction, as a preview of position and centre, and ct_pipeline_slice_is_preview
 * says so. */
bool ct_pipeline_slice(ct_pipeline *pipeline, const ct_plan *plan, ct_plane plane, int index, float *out, ct_job *job,
                       ct_error **error);

/* Whether ct_pipeline_slice gives the direct preview in place of the plan's iterative method; after a prepare for the
 * plan. Oblique planes do for every iterative method. */
bool ct_pipeline_slice_is_preview(const ct_pipeline *pipeline, const ct_plan *plan, ct_plane plane);

/* A plane of any pose, alone and exact: every view's matrix is turned with the plane, which then is a grid of one
 * slice. out[height][width]; 0 outside the plan's grid, and outside the field of view where the plan masks it. Prepares
 * first if needed. CT_ERROR_ARGUMENT for a bad pose, CT_ERROR_UNSUPPORTED for a fan beam but in its own plane. */
bool ct_pipeline_oblique(ct_pipeline *pipeline, const ct_plan *plan, const ct_oblique *oblique, float *out, ct_job *job,
                         ct_error **error);

/* A volume in the making, handed to the publisher between batches (no OpenMP team active, worker's thread). */
typedef struct ct_partial ct_partial;
const ct_grid *ct_partial_grid(const ct_partial *partial);
int ct_partial_views_done(const ct_partial *partial);
/* One plane, scaled as if the views so far were the whole scan. */
bool ct_partial_read_plane(const ct_partial *partial, ct_plane plane, int index, float *out, ct_error **error);
/* The same of a plane of any pose, by trilinear interpolation (ct_volume_copy_oblique). */
bool ct_partial_read_oblique(const ct_partial *partial, const ct_oblique *oblique, float *out, ct_error **error);
/* The convergence curve of an iterative volume so far, valid while it is published; NULL and 0 for a direct one (also
 * for the one that an iterative volume starts from). */
const ct_iteration *ct_partial_curve(const ct_partial *partial, size_t *count);
/* Published because the job is paused, and again at every ct_job_look: somebody waits for this one. An iterative volume
 * may then be in the middle of an iteration. */
bool ct_partial_is_asked_for(const ct_partial *partial);
typedef struct ct_publisher {
  void *user;
  void (*publish)(void *user, const ct_partial *partial);
} ct_publisher;

/* The volume. Direct: views are taken in bit-reversed order in batches that grow from 8 views to what the kernel would
 * have (or as the plan says), and read and filtered batch by batch unless they are already: the first planes come after
 * 8 views. Without a publisher they grow from 64 views, which goes over the volume less often. Views that come out
 * of a file are made ready while those before them are back-projected. All are read first where the centre must be
 * searched, where rings are removed, where the file packs views together, and where flats were taken amid the run. What
 * was read and filtered is kept. Finish-early returns the volume of the views so far, scaled to absolute values; cancel
 * returns NULL with CT_ERROR_CANCELLED. The volume carries the plan (centre found included) and the input's identity as
 * JSON.
 *
 * Iterative: the line integrals are iterated unfiltered and published after every iteration. The run is kept: the same
 * plan with more iterations (after a finish-early or a cancel, too) goes on from where it stood, with fewer it begins
 * anew; so it does after any other change. The plan that the volume carries states the iterations really done. A start
 * from the direct reconstruction makes and publishes that first. */
ct_volume *ct_pipeline_volume(ct_pipeline *pipeline, const ct_plan *plan, const ct_publisher *publisher, ct_job *job,
                              ct_error **error);

/* What iterative volumes start from (start "current") and what their curve is compared with; both borrowed until they
 * are replaced or NULL. Each counts where it lies on the plan's grid, for a slice also on that slice's; a start that
 * does not is an error, a reference that does not gives NaN. Another start counts from the next run on that starts from
 * it; another reference ends the kept run. */
void ct_pipeline_set_start(ct_pipeline *pipeline, const ct_volume *start);
void ct_pipeline_set_reference(ct_pipeline *pipeline, const ct_volume *reference);
/* The kept run: its curve so far (NULL and 0 without one), why it ended, and its end, which frees its memory. */
const ct_iteration *ct_pipeline_get_curve(const ct_pipeline *pipeline, size_t *count);
ct_stopped ct_pipeline_get_stopped(const ct_pipeline *pipeline);
void ct_pipeline_drop_run(ct_pipeline *pipeline);
/* The curve of the slice that was iterated last, and why it ended; NULL and 0 before the first. */
const ct_iteration *ct_pipeline_get_slice_curve(const ct_pipeline *pipeline, size_t *count, ct_stopped *stopped);

/* One point of a centre sweep. */
typedef struct ct_centre_trial {
  double centre;        /* columns of the unbinned detector */
  double metric;        /* smaller is better, whatever the measure */
  ct_sharpness measure; /* that judged it: the plan's, or the one that suits the arc; the same for all */
} ct_centre_trial;
/* Reconstructs the middle axial plane (or `index`) for every trial centre; trials is allocated (ct_free). best is
 * refined by a parabola, NaN when it is an end of the range. Metrics: negativity (sum of negative values, Donath et al.
 * 2006), gradient (negated sharpness), entropy. */
bool ct_pipeline_sweep(ct_pipeline *pipeline, const ct_plan *plan, int index, ct_centre_trial **trials, size_t *count,
                       double *best, ct_job *job, ct_error **error);

/* Memory that a plan needs, and what to do when it is too much. filtered is 0 where only filtering in place makes it
 * fit. */
typedef struct ct_estimate {
  double projections, filtered, volume, kernel; /* bytes */
  double iterative;                             /* projector and working copies of an iterative method */
  double total;
  double ahead; /* more that the run takes for a second layout of views, which it can do without: 0 where there is no
                   room for it */
  double available; /* bytes now; 0 unknown */
  bool fits;
  char advice[384]; /* when it does not: "This needs 9 GB and 7 GB are free: bin 2 x 2 (3.1 GB), or ..." */
  int suggested_bin;
  ct_grid suggested_grid; /* a smaller region that fits; nx 0: none does */
  int slab_height; /* when it does not fit: slices of the slabs in which it can be reconstructed to file (slabs.h); 0:
                      none can */
  double file;     /* bytes of that file's samples */
} ct_estimate;
bool ct_plan_estimate(const ct_plan *plan, const ct_scan *scan, const ct_backend *backend, ct_estimate *estimate,
                      ct_error **error);
/* The same for planes alone (ct_pipeline_slice), which need the projections, and `beside` bytes for themselves (in the
 * place of the volume's): fewer slices are advised only where fewer detector rows then are held, and no slabs at all.
 */
bool ct_plan_estimate_planes(const ct_plan *plan, const ct_scan *scan, const ct_backend *backend, double beside,
                             ct_estimate *estimate, ct_error **error);

/* Whether ct_plan_grid is told the grid by plan and scan alone, `geometry` being theirs: false where the centre is to
 * be searched, or the data have to say whether the detector is displaced. A pipeline then makes the grid for what it
 * finds (facts.grid). */
bool ct_plan_grid_is_told(const ct_plan *plan, const ct_scan *scan, const ct_geometry *geometry);

/* order[count]: 0..count-1 in bit-reversed order (van der Corput): any prefix is spread evenly. */
void ct_bit_reversed_order(int count, int *order);

#endif
