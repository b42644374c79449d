/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turning projections [v][u] into columns [u][v] of 16-bit integers: two rows are joined to one row of 32-bit words,
 * and 16 x 16 such words, 32 rows of 16 columns, turned at once. */
#include "recon/bp/isa/columns-int16.h"
#include "recon/bp/isa/int16.h"

#include "recon/base/memory.h"

/* Columns that one piece turns: whole cache lines of each row, few enough that its rows stay in the first-level cache.
 */
enum { piece_columns = 64, block_rows = 2 * W };

ct_columns16 ct_columns16_plan(int nu, int nv, int slots, bool mirrored, int twice_centre) {
  ct_columns16 c = {.nu = nu, .nv = nv, .slots = slots, .mirrored = mirrored, .twice_centre = twice_centre};
  c.rows = nv;
  if (mirrored) {
    c.base = twice_centre / 2;
    const int last = twice_centre > nv - 1 ? twice_centre : nv - 1;
    c.rows = last - c.base + 1;
  }
  c.half = ((size_t)c.rows + CT_COLUMN16_PAD + block_rows - 1) / block_rows * block_rows;
  c.stride = mirrored ? 2 * c.half : c.half;
  c.view = c.stride * ((size_t)nu + 2);
  return c;
}

size_t ct_columns16_bytes(const ct_columns16 *columns) {
  return (columns->view * (size_t)columns->slots + CT_COLUMN16_PAD) * sizeof(int16_t);
}

bool ct_columns16_alloc(ct_columns16 *columns, ct_error **error) {
  columns->data = ct_alloc_zero(1, ct_columns16_bytes(columns), "the turned projections", error);
  return columns->data;
}

int ct_columns16_pieces(const ct_columns16 *columns) {
  return (columns->nu + piece_columns - 1) / piece_columns;
}

/* 16 columns of one row, zeros outside the detector. */
CT_INLINE vi quantise(const ct_columns16 *c, const float *projection, float units, int u, int count, int v) {
  if (v < 0 || v >= c->nv) return viset(0);
  const float *at = projection + (size_t)v * (size_t)c->nu + u;
  return vround((count == W ? vload(at) : vload_first(at, count)) * vset(units));
}

static void turn_block(const ct_columns16 *c, const float *projection, float units, int u, int count, int row, int step,
                       int16_t *out) {
  vf block[W];
  for (int l = 0; l < W; l++) {
    const vi low = quantise(c, projection, units, u, count, row + 2 * l * step);
    const vi high = quantise(c, projection, units, u, count, row + (2 * l + 1) * step);
    block[l] = (vf)vpair(low, high);
  }
  vtranspose(block);
  for (int n = 0; n < count; n++) _mm512_storeu_si512(out + (size_t)n * c->stride, (vi)block[n]);
}

void ct_columns16_turn(ct_columns16 *c, int slot, int piece, const float *projection, float magnitude) {
  const int first = piece * piece_columns, end = first + piece_columns < c->nu ? first + piece_columns : c->nu;
  const float units = ct_int16_units(magnitude);
  int16_t *view = c->data + (size_t)slot * c->view + CT_COLUMN16_PAD;
  for (int row = 0; row < c->rows; row += block_rows)
    for (int u = first; u < end; u += W) {
      const int count = end - u < W ? end - u : W;
      int16_t *out = view + ((size_t)u + 1) * c->stride + row;
      turn_block(c, projection, units, u, count, c->base + row, 1, out);
      if (c->mirrored) turn_block(c, projection, units, u, count, c->twice_centre - c->base - row, -1, out + c->half);
    }
}
