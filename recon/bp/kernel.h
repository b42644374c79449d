/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract that every back-projection technique fills, on the CPU (recon/bp) or the GPU (render/compute).
 *
 * A kernel adds, for every voxel x of the grid and every view n of a batch,
 *     volume(x) += q_n(u, v) / w^2,   (u, v, w) from the view's 3x4 matrix (geom/geometry.h),
 * where q_n is the filtered projection, interpolated at (u, v), zero outside the detector: bilinear interpolation sees
 * a border of zeros, that is a sample at u in (-1, 0) fades linearly. Nearest neighbour takes pixel floor(u + 1/2 +
 * CT_BP_TIE), oversampled interpolation is linear at u rounded likewise to a quarter (bp/nearest.h), so that what lies
 * midway goes up in every kernel. All other weights (cosine, redundancy, angular step) are in q_n already. A kernel
 * object is used by one thread at a time and starts its own OpenMP team of request.threads; results must not depend on
 * that number.
 *
 * float16 and int16 are precisions of storage: q_n is rounded to 16 bits, sums are made in single precision (textbook:
 * double). Each view has a unit of its own, from its largest finite magnitude m. float16: 2^n that brings m to
 * [2^13, 2^14), so that the unit itself costs no digit; int16: m / 32767. Samples become the nearest multiple, ties
 * to even (bp/layout/stored.h); integers refuse a view that is not finite. Which batch a view comes in makes no
 * difference. Kernels that interpolate first store what they interpolated: rows of a slice between detector rows
 * (parallel beam), the views of `rectified`. `z-window-int16` and `slices-int16` calculate in integers, too, with one
 * unit for four or eight views. */
#ifndef CT_BP_KERNEL_H
#define CT_BP_KERNEL_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/volume.h"
#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"
#include "recon/geom/oblique.h"
#include "recon/simd/level.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  CT_INTERP_NEAREST,
  CT_INTERP_LINEAR,
  CT_INTERP_CUBIC,
  CT_INTERP_GAUSSIAN,
  CT_INTERP_OVERSAMPLED
} ct_interp;
typedef enum { CT_PRECISION_FLOAT32, CT_PRECISION_FLOAT16, CT_PRECISION_INT16, CT_PRECISION_FLOAT64 } ct_precision;

#define CT_BIT(x) (1u << (x))

/* A graphics card as render/compute sees it; recon only hands it on. */
typedef struct ct_bp_device ct_bp_device;

typedef struct ct_bp_request {
  const ct_geometry *geometry; /* of the filtered projections; outlives the kernel object */
  ct_grid grid;
  ct_interp interp;
  ct_precision precision;
  int threads;          /* >= 1 */
  int batch;            /* most views that one run call will carry, >= 1 */
  ct_bp_device *device; /* outlives the kernel object; NULL: only kernels of the processor serve */
  bool ahead; /* kernels that lay views out (lays) take memory for two layouts, to make one while the other is read */
  /* The projections are weighted and not filtered yet: the kernel does that where it back-projects (filter/ramp.h; read
   * by accepts and prepare). NULL: they are filtered. */
  const struct ct_ramp_filter *ramp;
  /* Of kernels beside the table, read by accepts and prepare: the options of direct Fourier reconstruction
   * (solve/fourier), and what makes each position of a sequence (solve/sequence). */
  union {
    const struct ct_fourier_options *fourier;
    const struct ct_bp_kernel *inner;
  };
} ct_bp_request;

typedef struct ct_bp_batch {
  int count;
  const int *views;                /* [count] indices into the geometry */
  const float *const *projections; /* [count] filtered projections, each [nv][nu] */
  bool first; /* none were added before: every voxel is 0, and a kernel may store sums instead of adding them */
  bool last;  /* no views follow: a kernel may begin with what finish does. Where a run ends early it was never said */
  /* NULL: all views have to be added. Else *added is `count` beforehand, and a kernel that is asked to finish early
   * (ct_job_requested) in the middle of the batch may leave the rest out: it then stores how many of the first views
   * are in the volume, in every voxel, at least one. */
  int *added;
  /* The batch of the next run, ready as it stands and left so until then; there may be none after all, but no other. A
   * kernel that lays views out (lays) does that for them beside this one's work. NULL: not known yet. */
  const struct ct_bp_batch *next;
} ct_bp_batch;

typedef struct ct_bp_state ct_bp_state; /* each kernel defines its own */

typedef struct ct_bp_kernel ct_bp_kernel;
struct ct_bp_kernel {
  const char *id;          /* "cone-window", for plans and the command line */
  const char *title;       /* for menus */
  const char *explanation; /* one or two sentences: what it does, whose idea it is */
  const char *family;  /* what kernels that differ in their vectors alone have in common; NULL: it is the only one */
  const void *setting; /* constants of the family's own */
  ct_simd_loops loops; /* its loops by level, of which one has to be usable; none: code for any processor */
  /* The same for samples kept in float16 and int16, at the same levels; none: `loops` serve all precisions there are */
  ct_simd_loops stored[2];
  int width;           /* floats of the loops' vectors; 0: left to the compiler */
  bool portable;       /* vectors without intrinsics */
  unsigned geometry;   /* CT_TRAIT_* that it relies on, all of them: a set of geom/questions.h */
  unsigned interps;    /* bits of ct_interp */
  unsigned precisions; /* bits of ct_precision */
  bool gpu;            /* runs on request.device, and needs one */
  int rank;            /* what `auto` prefers among those that apply: higher is faster */
  int (*rank_for)(const ct_bp_kernel *kernel,
                  const ct_bp_request *request); /* instead, where the order depends on the problem; NULL: rank */
  double tolerance;                              /* relative RMSE against textbook that it promises in float32 */
  int batch;      /* most views that it gains by in one run, where its sums go to the volume once a run; 0: 64 */
  bool serial;    /* runs on one thread, whatever is requested */
  bool lays;      /* brings views into a layout of its own, with request.ahead into two by turns */
  bool ramps;     /* filters where it back-projects (ct_bp_request.ramp) */
  bool at_once;   /* all views in one run: more runs cost as much each, and it advances the job by its views itself */
  bool resamples; /* projections are resampled first: tolerance holds for those without frequencies above an
                   * eighth of a cycle per pixel, which vanish at the detector's border; noise loses more */

  /* The functions below get the kernel itself, of which one function may serve several. What a kernel says of itself is
   * baseline code, and may be asked on any machine; prepare only where ct_bp_runs_here. */
  /* Further limits: false with the reason in words ("needs a detector without tilt"). NULL: none. */
  bool (*accepts)(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);
  /* Bytes beyond the volume and the projections. NULL: none worth counting. */
  size_t (*memory)(const ct_bp_kernel *kernel, const ct_bp_request *request);
  ct_bp_state *(*prepare)(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);
  /* Adds one batch. A cancel (ct_job_requested) may leave the volume incomplete: false with CT_ERROR_CANCELLED. A
   * kernel that accumulates elsewhere may return while that work goes on, done with the projections and the volume;
   * run, read_plane and finish wait for it, and tell what went wrong meanwhile. */
  bool (*run)(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error);
  /* Brings the volume up to date where a kernel accumulates elsewhere (own layout, device memory). NULL: it always is.
   */
  bool (*finish)(ct_bp_state *state, ct_volume *volume, ct_error **error);
  /* One plane as it stands, [height][width], without finishing. NULL: read it from the volume. */
  bool (*read_plane)(ct_bp_state *state, const ct_volume *volume, ct_plane plane, int index, float *out,
                     ct_error **error);
  /* A plane of any pose likewise, as ct_volume_copy_oblique cuts it out of a volume (data/volume.h). NULL: read from
   * planes or the volume. */
  bool (*read_oblique)(ct_bp_state *state, const ct_volume *volume, const ct_oblique *oblique, float *out,
                       ct_error **error);
  void (*free)(ct_bp_state *state);
};

typedef struct ct_bp_table {
  const ct_bp_kernel *const *kernels;
  size_t count;
} ct_bp_table;

/* The CPU kernels, textbook first. */
ct_bp_table ct_bp_cpu_kernels(void);

const ct_bp_kernel *ct_bp_find(const ct_bp_table *table, const char *id);
/* Whether a kernel is made for such requests at all, or the first thing that it is not made for. What else it needs
 * (instructions, a detector without tilt), ct_bp_accepts tells. */
typedef enum {
  CT_BP_FITS,
  CT_BP_LACKS_DEVICE,
  CT_BP_LACKS_GEOMETRY,
  CT_BP_LACKS_INTERP,
  CT_BP_LACKS_PRECISION
} ct_bp_fit;
/* `traits` are those of the scan's geometry, all there are where it is not known yet. */
ct_bp_fit ct_bp_find_fit(const ct_bp_kernel *kernel, unsigned traits, ct_interp interp, ct_precision precision,
                         bool device);
/* The instruction-set level that it needs; whether that may be used here. */
ct_simd_level ct_bp_needs(const ct_bp_kernel *kernel);
bool ct_bp_runs_here(const ct_bp_kernel *kernel);
/* Whether the kernel can serve the request on this machine; the error says why not. */
bool ct_bp_accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);
/* Views that a run should carry where nobody says otherwise: 64, and more of a kernel that gains by it as long as a run
 * remains brief. The kernel may be NULL. */
int ct_bp_batch_views(const ct_bp_kernel *kernel, const ct_grid *grid);
/* The kernel's rank for a request that it is made for: what it would have if it accepted. */
int ct_bp_rank(const ct_bp_kernel *kernel, const ct_bp_request *request);
/* The highest rank that any request gives a kernel of the processor; the rank of others. */
int ct_bp_highest_rank(const ct_bp_kernel *kernel);
/* The kernel of that id, or for "auto" (or NULL) the applicable one of highest rank, never textbook unless nothing else
 * applies. `why` (may be NULL; CT_BP_WHY bytes hold all of it) tells people: what was taken and for what, which kernel
 * comes next, and what made a kernel refuse that would have gone first. NULL with an error that says why none serves.
 */
enum { CT_BP_WHY = 640 };
const ct_bp_kernel *ct_bp_choose(const ct_bp_table *table, const char *id, const ct_bp_request *request, char *why,
                                 size_t why_size, ct_error **error);

const char *ct_interp_id(ct_interp interp);          /* "linear" */
const char *ct_precision_id(ct_precision precision); /* "float32" */

#endif
