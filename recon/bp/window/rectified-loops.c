/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resampling a view onto its virtual detector (rectified-private.h), compiled once per variant. */
#include "recon/bp/window/line-inside.h"
#include "recon/bp/window/rectified-private.h"

static void resample_row(const ct_bp_state *state, const ct_rectified_view *v, const float *projection, int row,
                         float *out) {
  const image from = {projection, state->nu, state->nv, state->nu, 0, 0, 1};
  const int nu = state->geometry.nu;
  const voxel_line line = {v->origin[0] + row * v->along_v[0],
                           v->origin[1] + row * v->along_v[1],
                           v->origin[2] + row * v->along_v[2],
                           v->along_u[0],
                           v->along_u[1],
                           v->along_u[2]};
  for (int u = 0; u < nu; u += W) vstore(out + u, vset(0));
  add_line(false, &from, &line, NULL, nu, out);
}

const ct_rectified_loops CT_SIMD_TABLE(ct_rectified_loops) = {.row = resample_row};
