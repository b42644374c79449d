/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turning projections [v][u] into columns of even and of odd rows (halves.h), W x W samples at a time: compiled with
 * the loops that use it. */
#ifndef CT_BP_LAYOUT_HALVES_TRANSPOSE_H
#define CT_BP_LAYOUT_HALVES_TRANSPOSE_H

#include "recon/bp/layout/halves.h"
#include "recon/bp/layout/sample.h"

static inline void ct_halves_transpose_block(const ct_halves *h, const float *projection, int u, int count, int row,
                                             float units, ct_sample *out) {
  vf block[W];
  for (int l = 0; l < W; l++) {
    const int v = row + 2 * l;
    const float *from = projection + (ptrdiff_t)v * h->nu + u;
    block[l] = v >= h->nv ? vset(0) : count == W ? vload(from) : vload_first(from, count);
  }
  if (ct_samples_scaled)
    for (int l = 0; l < W; l++) block[l] = block[l] * vset(units);
  vtranspose(block);
  for (int n = 0; n < count; n++) vsample_store(out + (size_t)n * 2 * h->half, block[n]);
}

/* Piece `piece` of a view, of so many numbers per 1; `out` was zero before its first view. */
static inline void ct_halves_transpose(const ct_halves *h, int piece, const float *projection, float units,
                                       ct_sample *out) {
  const int first = piece * ct_halves_piece, end = first + ct_halves_piece < h->nu ? first + ct_halves_piece : h->nu;
  for (int row = 0; row < h->nv; row += 2 * W)
    for (int u = first; u < end; u += W) {
      ct_sample *at = out + ((size_t)u + 2) * 2 * h->half + (size_t)h->pad + (size_t)(row / 2);
      ct_halves_transpose_block(h, projection, u, end - u < W ? end - u : W, row, units, at);
      ct_halves_transpose_block(h, projection, u, end - u < W ? end - u : W, row + 1, units, at + h->half);
    }
}

#endif
