/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projection matrices by rectification, as in stereo vision: a view is resampled onto a virtual detector behind the
 * same source whose columns are parallel to z, and the kernel for such detectors (z-window-private.h) does the rest. A
 * ray keeps its place in the object, so that only the resampling is approximate: bilinear, on a detector that is finer
 * along u. With the source s, the horizontal part d of the real detector's axis and e = z x d, virtual pixel (u', v')
 * stands for the ray D (d + (u' - c) / F e + (v' - c') / F' z), D = -d s, and the left part M of the real matrix maps
 * it to (u w, v w, w): affine in u' along a row, which is line.h's case, including the weight 1 / w^2 that turns the
 * virtual depth into the real one. */
#ifndef CT_BP_WINDOW_RECTIFIED_PRIVATE_H
#define CT_BP_WINDOW_RECTIFIED_PRIVATE_H

#include "recon/bp/kernels-private.h"
#include "recon/bp/window/courses.h"

typedef struct ct_rectified_loops {
  /* A row of the virtual detector, whole vectors, from the real view's pixels [nv][nu]. */
  void (*row)(const ct_bp_state *state, const ct_rectified_view *view, const float *projection, int row, float *out);
} ct_rectified_loops;

struct ct_bp_state {
  ct_bp_request request; /* of the inner kernel */
  const ct_rectified_loops *loops;
  const ct_bp_kernel *inner;
  ct_geometry geometry; /* of the virtual detector */
  ct_bp_state *inner_state;
  int nu, nv; /* of the real one */
  int slots;
  ct_rectified_view *views;  /* [views] */
  float *pixels;             /* [slots][nv][nu] of the virtual detector */
  const float **projections; /* [slots] */
};

CT_SIMD_DECLARE(ct_rectified_loops, ct_rectified_loops);

#endif
