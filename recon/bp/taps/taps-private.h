/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation kernels of four taps along each axis (cubic, Gaussian), any geometry: W voxels of a line at a time,
 * their samples gathered one by one. Between two pixel centres each tap's weight is a smooth function of the fraction,
 * taken as a polynomial through its values at Chebyshev's nodes: exact for the cubic, and to 1e-7 for the Gaussian.
 * Positions are relative to the pixel below the vector's first voxel, which is found in double precision. Projections
 * are copied with zeros all round, so that no sample is asked whether it exists. */
#ifndef CT_BP_TAPS_PRIVATE_H
#define CT_BP_TAPS_PRIVATE_H

#include "recon/bp/kernels-private.h"
#include "recon/bp/layout/rounded.h"

/* Taps of pixels -1, 0, 1 and 2 from the one below the position; zeros on either side of a projection: positions are
 * held within three pixels of it, where no tap meets it any more. */
enum { tap_count = 4, most_degree = 11, tap_pad = 5 };

typedef struct ct_taps_loops {
  /* Adds views [0, views) to the sums of line (across, up), of whole vectors. */
  void (*line)(const ct_bp_state *state, int views, int across, int up, float *sums);
} ct_taps_loops;

struct ct_bp_state {
  ct_bp_request request;
  const ct_taps_loops *loops;
  int degree;
  float weights[tap_count][most_degree + 1]; /* of powers of 2 f - 1, f the fraction */
  int axes[3];                               /* x, y and z as 0, 1, 2: along the line, across, up */
  int counts[3];                             /* voxels of those */
  size_t room;                               /* floats of a line's sums */
  ct_rounded rounded;
  ptrdiff_t pitch, pixels; /* of a copied projection: floats of a row, of all */
  float *projections;      /* [batch of rounded][pixels] */
  float *sums;             /* [threads][room] */
};

CT_SIMD_DECLARE(ct_taps_loops, ct_taps_loops);

#endif
