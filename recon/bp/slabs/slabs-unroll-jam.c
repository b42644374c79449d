/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slabs with two views a pass, and the loop over slices unrolled by two and jammed: one iteration of the innermost loop
 * holds four independent updates, two voxels above each other with two views each, which the compiler can interleave.
 * Chandrachary, section IV-B ("unroll and jam"; larger factors ran out of registers there). */
#include "recon/bp/kernels-private.h"
#include "recon/bp/slabs/slabs-private.h"
#include "recon/bp/support-private.h"
#include "recon/geom/questions.h"

/* Slices k and k + 1. */
static void two_slices(const ct_bp_state *state, const ct_bp_batch *batch, int n, int k, float *data,
                       const ct_job *job) {
  const ct_grid *g = &state->request.grid;
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  const double *a = state->matrices[n], *b = state->matrices[n + 1];
  const float *image_1 = batch->projections[n], *image_2 = batch->projections[n + 1];
  const double z_1 = g->z0 + k * g->dz, z_2 = g->z0 + (k + 1) * g->dz;
  for (int j = 0; j < g->ny; j++) {
    const double y = g->y0 + j * g->dy;
    float *row_1 = data + ((size_t)k * (size_t)g->ny + (size_t)j) * (size_t)g->nx;
    float *row_2 = row_1 + (size_t)g->ny * (size_t)g->nx;
    if (ct_bp_stopped(job)) return;
    for (int i = 0; i < g->nx; i++) {
      const double x = g->x0 + i * g->dx;
      /* All four first: the stores may not pass the reads of the images otherwise. */
      const float value_11 = ct_slab_value(a, image_1, nu, nv, x, y, z_1);
      const float value_12 = ct_slab_value(a, image_1, nu, nv, x, y, z_2);
      const float value_21 = ct_slab_value(b, image_2, nu, nv, x, y, z_1);
      const float value_22 = ct_slab_value(b, image_2, nu, nv, x, y, z_2);
      row_1[i] += value_11;
      row_1[i] += value_21;
      row_2[i] += value_12;
      row_2[i] += value_22;
    }
  }
}

static void do_slab(const ct_bp_state *state, const ct_bp_batch *batch, int from, int to, float *data,
                    const ct_job *job) {
  int n = 0;
  for (; n + 1 < batch->count; n += 2) {
    int k = from;
    for (; k + 1 < to; k += 2) two_slices(state, batch, n, k, data, job);
    ct_slabs_pass_two(state, state->matrices + n, batch->projections + n, k, to, data, job);
  }
  if (n < batch->count) ct_slabs_pass(state, state->matrices[n], batch->projections[n], from, to, data, job);
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_slabs_run(state, batch, volume, do_slab, job, error);
}

const ct_bp_kernel ct_bp_slabs_unroll_jam = {
    .id = "slabs-unroll-jam",
    .title = "Slabs, unroll and jam",
    .explanation = "Slabs, two views a pass, and two slices in one iteration of the inner loop: four independent "
                   "updates at a time "
                   "fill the pipeline while single ones would wait for memory (Chandrachary, section IV-B).",
    .geometry = CT_GEOMETRY_ANY,
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .tolerance = 5e-6,
    .memory = ct_slabs_memory,
    .prepare = ct_slabs_prepare,
    .rank_for = ct_bp_rank_of_cpu,
    .run = run,
    .free = ct_slabs_free,
};
