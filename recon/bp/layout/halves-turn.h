/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turning projections [v][u] into columns of even and of odd rows (halves.h), W x W samples at a time: compiled with
 * the loops that use it. */
#ifndef CT_BP_LAYOUT_HALVES_TURN_H
#define CT_BP_LAYOUT_HALVES_TURN_H

#include "recon/bp/layout/halves.h"
#include "recon/simd/vector.h"

static inline void ct_halves_turn_block(const ct_halves *h, const float *projection, int u, int count, int row,
                                        float *out) {
  vf block[W];
  for (int l = 0; l < W; l++) {
    const int v = row + 2 * l;
    const float *from = projection + (ptrdiff_t)v * h->nu + u;
    block[l] = v >= h->nv ? vset(0) : count == W ? vload(from) : vload_first(from, count);
  }
  vtranspose(block);
  for (int n = 0; n < count; n++) vstore(out + (size_t)n * 2 * h->half, block[n]);
}

/* Piece `piece` of a view; `out` was zero before its first view. */
static inline void ct_halves_turn(const ct_halves *h, int piece, const float *projection, float *out) {
  const int first = piece * ct_halves_piece, end = first + ct_halves_piece < h->nu ? first + ct_halves_piece : h->nu;
  for (int row = 0; row < h->nv; row += 2 * W)
    for (int u = first; u < end; u += W) {
      float *at = out + ((size_t)u + 2) * 2 * h->half + (size_t)h->pad + (size_t)(row / 2);
      ct_halves_turn_block(h, projection, u, end - u < W ? end - u : W, row, at);
      ct_halves_turn_block(h, projection, u, end - u < W ? end - u : W, row + 1, at + h->half);
    }
}

#endif
