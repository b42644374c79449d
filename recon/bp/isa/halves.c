/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turning projections [v][u] into columns of even and of odd rows, W x W samples at a time. */
#include "recon/bp/isa/halves.h"
#include "recon/simd/vector.h"

/* Columns that one piece turns: whole cache lines of each row, few enough that its rows stay in the first-level cache.
 */
enum { piece_columns = 64 };

ct_halves ct_halves_plan(int nu, int nv, int window) {
  ct_halves h = {.nu = nu, .nv = nv, .rows = (nv + 1) / 2, .pad = (window + 15) / 16 * 16};
  /* An odd number of cache lines: neighbouring columns fall into different sets of the cache. */
  h.half = ((size_t)h.rows + 2 * (size_t)h.pad + 15) / 16 * 16;
  if (h.half / 16 % 2 == 0) h.half += 16;
  h.view = 2 * h.half * ((size_t)nu + 4);
  return h;
}

int ct_halves_pieces(const ct_halves *halves) {
  return (halves->nu + piece_columns - 1) / piece_columns;
}

static void turn_block(const ct_halves *h, const float *projection, int u, int count, int row, float *out) {
  vf block[W];
  for (int l = 0; l < W; l++) {
    const int v = row + 2 * l;
    const float *from = projection + (ptrdiff_t)v * h->nu + u;
    block[l] = v >= h->nv ? vset(0) : count == W ? vload(from) : vload_first(from, count);
  }
  vtranspose(block);
  for (int n = 0; n < count; n++) vstore(out + (size_t)n * 2 * h->half, block[n]);
}

void ct_halves_turn(const ct_halves *h, int piece, const float *projection, float *out) {
  const int first = piece * piece_columns, end = first + piece_columns < h->nu ? first + piece_columns : h->nu;
  for (int row = 0; row < h->nv; row += 2 * W)
    for (int u = first; u < end; u += W) {
      float *at = out + ((size_t)u + 2) * 2 * h->half + (size_t)h->pad + (size_t)(row / 2);
      turn_block(h, projection, u, end - u < W ? end - u : W, row, at);
      turn_block(h, projection, u, end - u < W ? end - u : W, row + 1, at + h->half);
    }
}
