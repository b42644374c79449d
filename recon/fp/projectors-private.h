/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The descriptors of all projectors, and what they share. */
#ifndef CT_FP_PROJECTORS_PRIVATE_H
#define CT_FP_PROJECTORS_PRIVATE_H

#include "recon/fp/projector.h"

extern const ct_projector ct_projector_textbook;
extern const ct_projector ct_projector_joseph_3d_general;
extern const ct_projector ct_projector_orbit_matrix, ct_projector_orbit_matrix_float, ct_projector_orbit_matrix_c8;
#ifdef CT_BP_X86
extern const ct_projector ct_projector_orbit_matrix_avx2;
#endif
extern const ct_projector ct_projector_csr;
extern const ct_projector ct_projector_scsr;
extern const ct_projector ct_projector_scsr_global;
extern const ct_projector ct_projector_scsr_view;

/* Of isa/, once per instruction set. */
extern const ct_projector ct_projector_joseph_2d_c8, ct_projector_joseph_3d_c8, ct_projector_fast_pair_c8;
#ifdef CT_BP_X86
extern const ct_projector ct_projector_joseph_2d_c16, ct_projector_joseph_2d_v3, ct_projector_joseph_2d_v4;
extern const ct_projector ct_projector_joseph_3d_c16, ct_projector_joseph_3d_v3, ct_projector_joseph_3d_v4;
extern const ct_projector ct_projector_fast_pair_c16, ct_projector_fast_pair_v3, ct_projector_fast_pair_v4;
#endif

#define CT_FP_BIT(x) (1u << (x))

/* Floats of a layout: `count` rounded up to a whole vector. */
static inline size_t ct_projector_padded(size_t count) {
  return (count + 15) & ~(size_t)15;
}
/* Copies count floats and clears the padding behind them. */
void ct_projector_copy_in(const float *natural, size_t count, float *own);

#endif
