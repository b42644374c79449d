/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slabs with two views a pass: each voxel takes both while it is in the cache, so that the volume travels to memory
 * and back half as often. Chandrachary, section IV-B and listing 2 ("blocking"). An odd last view has a pass of its
 * own. */
#include "recon/bp/kernels-private.h"
#include "recon/bp/slabs/slabs-private.h"
#include "recon/geom/questions.h"

static void do_slab(const ct_bp_state *state, const ct_bp_batch *batch, int from, int to, float *data,
                    const ct_job *job) {
  int n = 0;
  for (; n + 1 < batch->count; n += 2)
    ct_slabs_pass_two(state, state->matrices + n, batch->projections + n, from, to, data, job);
  if (n < batch->count) ct_slabs_pass(state, state->matrices[n], batch->projections[n], from, to, data, job);
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_slabs_run(state, batch, volume, do_slab, job, error);
}

const ct_bp_kernel ct_bp_slabs_two_views = {
    .id = "slabs-two-views",
    .title = "Slabs, two views a pass",
    .explanation =
        "Slabs whose every pass adds two views: the second finds its voxel still in the cache, and the traffic of "
        "the volume to memory is halved (Chandrachary, section IV-B).",
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
