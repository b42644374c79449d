/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vector code of the projector joseph-2d at the level being compiled, gathered into its descriptor; and an image
 * turned. */
#include "recon/fp/isa/joseph-2d.h"

/* to[i][j] = from[j][i] */
static void transpose(const float *from, ptrdiff_t pitch, int rows, int columns, float *to, ptrdiff_t to_pitch) {
  for (int i = 0; i < columns; i += W)
    for (int j = 0; j < rows; j += W) {
      const float *corner = from + j * pitch + i;
      float *turned = to + i * to_pitch + j;
      if (i + W <= columns && j + W <= rows) {
        vf square[W];
#pragma GCC unroll 16
        for (int n = 0; n < W; n++) square[n] = vload(corner + n * pitch);
        vtranspose(square);
#pragma GCC unroll 16
        for (int n = 0; n < W; n++) vstore(turned + n * to_pitch, square[n]);
      } else {
        for (int m = 0; m < W && i + m < columns; m++)
          for (int n = 0; n < W && j + n < rows; n++) turned[m * to_pitch + n] = corner[n * pitch + m];
      }
    }
}

static const ct_j2d_kernels kernels = {
    .forward = CT_ISA_SYMBOL(ct_j2d_forward),
    .pair = CT_ISA_SYMBOL(ct_j2d_pair),
    .pairs2 = CT_ISA_SYMBOL(ct_j2d_pairs2),
    .pairs4 = CT_ISA_SYMBOL(ct_j2d_pairs4),
    .back = CT_ISA_SYMBOL(ct_j2d_back),
    .back_pair = CT_ISA_SYMBOL(ct_j2d_back_pair),
    .back_pairs2 = CT_ISA_SYMBOL(ct_j2d_back_pairs2),
    .back_pairs4 = CT_ISA_SYMBOL(ct_j2d_back_pairs4),
    .back_places = CT_ISA_SYMBOL(ct_j2d_back_places),
    .back_row = CT_ISA_SYMBOL(ct_j2d_back_row),
    .fan = CT_ISA_SYMBOL(ct_j2d_fan),
    .fan_lanes = W,
    .slices = CT_ISA_SYMBOL(ct_j2d_slices),
#if W == 8
    .eights_spread = CT_ISA_SYMBOL(ct_j2d_eights_spread),
    .eights_forward = CT_ISA_SYMBOL(ct_j2d_eights_forward),
    .eights_back = CT_ISA_SYMBOL(ct_j2d_eights_back),
#endif
    .transpose = transpose,
};

static ct_projector_state *prepare(const ct_projector_request *request, ct_job *job, ct_error **error) {
  return ct_j2d_new(request, &kernels, error);
}

/* In a fan the matrix of symmetry orbits is faster, where there is room for it. */
static int rank_for(const ct_projector_request *request) {
  return request->geometry->beam == CT_BEAM_FAN ? CT_ISA_RANK(40) : CT_ISA_RANK(80);
}

const ct_projector CT_ISA_SYMBOL(ct_projector_joseph_2d) = {
    .id = "joseph-2d" CT_ISA_ID,
    .title = "Slices without a matrix" CT_ISA_TITLE,
    .explanation =
        "Joseph's linear model (1982) made on the way, for parallel and fan beam: rays side by side read the "
        "image through windows and register permutes, and views that mirror each other share positions and "
        "weights; the way back is the exact transpose." CT_ISA_NOTE,
    .beams = CT_FP_BIT(CT_BEAM_PARALLEL) | CT_FP_BIT(CT_BEAM_FAN),
    .models = CT_FP_BIT(CT_MODEL_JOSEPH),
    .cpu = CT_ISA_CPU,
    .matched = true,
    .rank = CT_ISA_RANK(80),
    .rank_for = rank_for,
    .tolerance = 5e-6,
    .accepts = ct_j2d_accepts,
    .memory = W == 8 ? ct_j2d_memory_eights : ct_j2d_memory,
    .prepare = prepare,
    .shape = ct_j2d_shape,
    .block = ct_j2d_block,
    .image_in = ct_j2d_image_in,
    .image_out = ct_j2d_image_out,
    .rays_in = ct_j2d_rays_in,
    .rays_out = ct_j2d_rays_out,
    .forward = ct_j2d_run_forward,
    .back = ct_j2d_run_back,
    .forward_layer = ct_j2d_forward_layer,
    .back_layer = ct_j2d_back_layer,
    .sweep_layer = ct_j2d_sweep_layer,
    .row_squares = ct_j2d_row_squares,
    .free = ct_j2d_free,
};
