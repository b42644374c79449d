/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RabbitCT's loop on one thread, as published: for each view one pass over the volume, for each voxel three dot
 * products and a bilinear interpolation in double precision. Chandrachary, listing 1 and section III; Rohkohl et al.
 * (2009). */
#include "recon/bp/kernels-private.h"
#include "recon/bp/slabs/slabs-private.h"
#include "recon/bp/support-private.h"
#include "recon/geom/questions.h"

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  ct_slabs_set_matrices(state, batch);
  for (int n = 0; n < batch->count; n++)
    ct_slabs_pass(state, state->matrices[n], batch->projections[n], 0, state->request.grid.nz, ct_volume_data(volume),
                  job);
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel ct_bp_serial_loop = {
    .id = "serial-loop",
    .title = "Serial loop",
    .explanation =
        "RabbitCT's published loop on one thread, whatever the number of cores: each view passes over the whole "
        "volume and nothing is reused. The foot of the ladder (Rohkohl et al. 2009; Chandrachary, listing 1).",
    .geometry = CT_GEOMETRY_ANY,
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .serial = true,
    .tolerance = 5e-6,
    .memory = ct_slabs_memory,
    .prepare = ct_slabs_prepare,
    .rank_for = ct_bp_rank_of_cpu,
    .run = run,
    .free = ct_slabs_free,
};
