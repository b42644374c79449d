/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ladder of Chandrachary, "Parallelization of medical CT image reconstruction on a multicore processor": RabbitCT's
 * loop (its listing 1) and what its kernels share. Coordinates in millimetres and double precision as there. Two slips
 * of the listing are put right: the weights of the pixels br and tl are exchanged, and the pixels are read unchecked
 * where section III says that they are zero outside the image. */
#ifndef CT_BP_SLABS_SLABS_PRIVATE_H
#define CT_BP_SLABS_SLABS_PRIVATE_H

#include "recon/bp/kernel.h"

#include <math.h>

struct ct_bp_state {
  ct_bp_request request;
  double (*matrices)[12]; /* [batch], world mm to pixels, of the batch in work */
};

size_t ct_slabs_memory(const ct_bp_kernel *kernel, const ct_bp_request *request);
ct_bp_state *ct_slabs_prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);
void ct_slabs_free(ct_bp_state *state);
void ct_slabs_set_matrices(ct_bp_state *state, const ct_bp_batch *batch);

/* Adds all views of the batch to slices from .. to - 1, and returns early when the job is cancelled. */
typedef void (*ct_slab_work)(const ct_bp_state *state, const ct_bp_batch *batch, int from, int to, float *data,
                             const ct_job *job);

/* Section IV-A: one slab of equally many slices a thread, each thread bound to a core of its own. Nothing is shared but
 * the projections, which are only read. */
bool ct_slabs_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_slab_work work, ct_job *job,
                  ct_error **error);

/* One view over slices from .. to - 1: the loops of listing 1. */
void ct_slabs_pass(const ct_bp_state *state, const double a[12], const float *image, int from, int to, float *data,
                   const ct_job *job);
/* Two views over slices from .. to - 1, one voxel taking both before the next: listing 2. */
void ct_slabs_pass_two(const ct_bp_state *state, const double (*matrices)[12], const float *const *images, int from,
                       int to, float *data, const ct_job *job);

static inline double ct_slab_pixel(const float *image, int nu, int nv, int iu, int iv) {
  return iu >= 0 && iu < nu && iv >= 0 && iv < nv ? (double)image[(ptrdiff_t)iv * nu + iu] : 0;
}

/* What one view adds to the voxel at (x, y, z). */
static inline float ct_slab_value(const double a[12], const float *image, int nu, int nv, double x, double y,
                                  double z) {
  const double w = a[8] * x + a[9] * y + a[10] * z + a[11];
  if (!(w > 0)) return 0;
  const double u = (a[0] * x + a[1] * y + a[2] * z + a[3]) / w, v = (a[4] * x + a[5] * y + a[6] * z + a[7]) / w;
  /* All four pixels are outside; the conversions below need it, too. */
  if (!(u > -1 && u < nu && v > -1 && v < nv)) return 0;
  const int iu = (int)floor(u), iv = (int)floor(v);
  const double alpha = u - iu, beta = v - iv;
  const double bl = ct_slab_pixel(image, nu, nv, iu, iv), br = ct_slab_pixel(image, nu, nv, iu + 1, iv);
  const double tl = ct_slab_pixel(image, nu, nv, iu, iv + 1), tr = ct_slab_pixel(image, nu, nv, iu + 1, iv + 1);
  const double fx =
      (1.0 - alpha) * (1.0 - beta) * bl + alpha * (1.0 - beta) * br + (1.0 - alpha) * beta * tl + alpha * beta * tr;
  return (float)(1.0 / (w * w) * fx);
}

#endif
