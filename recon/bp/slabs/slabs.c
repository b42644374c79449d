/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The serial loop in slabs: the volume is cut along z into as many slabs as there are threads, and each thread, bound
 * to its core, passes over its slab view by view. Chandrachary, section IV-A ("hardware parallelization"). */
#include "recon/bp/kernels-private.h"
#include "recon/bp/slabs/slabs-private.h"
#include "recon/geom/questions.h"

static void do_slab(const ct_bp_state *state, const ct_bp_batch *batch, int from, int to, float *data,
                    const ct_job *job) {
  for (int n = 0; n < batch->count; n++)
    ct_slabs_pass(state, state->matrices[n], batch->projections[n], from, to, data, job);
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_slabs_run(state, batch, volume, do_slab, job, error);
}

const ct_bp_kernel ct_bp_slabs = {
    .id = "slabs",
    .title = "Slabs",
    .explanation =
        "The serial loop on all cores: one slab of slices a thread, each thread bound to its core. No thread "
        "writes what another one reads, so that the speed grows with the cores (Chandrachary, section IV-A).",
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
