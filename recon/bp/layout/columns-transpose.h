/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turning projections [v][u] into columns [u][v] with a border of zeros (columns.h), W x W at a time: compiled with the
 * loops that use it. */
#ifndef CT_BP_LAYOUT_COLUMNS_TRANSPOSE_H
#define CT_BP_LAYOUT_COLUMNS_TRANSPOSE_H

#include "recon/bp/layout/columns.h"
#include "recon/bp/layout/sample.h"

/* Rows row, row + step, ... of `count` columns from u on, transposed: block[n] is a stretch of column u + n. */
CT_INLINE void ct_columns_transpose_block(const ct_columns *c, const float *projection, int u, int count, int row,
                                          int step, float units, vf block[W]) {
  for (int l = 0; l < W; l++) {
    const int v = row + l * step;
    if (v < 0 || v >= c->nv)
      block[l] = vset(0);
    else if (count == W)
      block[l] = vload(projection + (size_t)v * (size_t)c->nu + u);
    else
      block[l] = vload_first(projection + (size_t)v * (size_t)c->nu + u, count);
  }
  if (ct_samples_scaled)
    for (int l = 0; l < W; l++) block[l] = block[l] * vset(units);
  vtranspose(block);
}

static inline void ct_columns_transpose_rows(const ct_columns *c, const float *projection, int u, int count, int row,
                                             int step, float units, ct_sample *out) {
  vf block[W];
  ct_columns_transpose_block(c, projection, u, count, row, step, units, block);
  for (int n = 0; n < count; n++) vsample_store(out + (size_t)n * c->stride, block[n]);
}

/* Twice as many rows, the even and the odd ones apart. */
static inline void ct_columns_split_rows(const ct_columns *c, const float *projection, int u, int count, int row,
                                         int step, float units, ct_sample *out) {
  vf first[W], second[W];
  ct_columns_transpose_block(c, projection, u, count, row, step, units, first);
  ct_columns_transpose_block(c, projection, u, count, row + W * step, step, units, second);
  for (int n = 0; n < count; n++) {
    ct_sample *at = out + (size_t)n * c->stride;
    vsample_store(at, veven(first[n], second[n]));
    vsample_store(at + c->plane, vodd(first[n], second[n]));
  }
}

/* Piece `piece` of a view into its slot; units: numbers per 1. */
static inline void ct_columns_transpose(ct_columns *c, int slot, int piece, const float *projection, float units) {
  const int first = piece * ct_columns_piece, end = first + ct_columns_piece < c->nu ? first + ct_columns_piece : c->nu;
  ct_sample *view = (ct_sample *)c->data + (size_t)slot * c->view + c->stride + ct_columns_first(c);
  for (int row = 0; row < c->rows; row += c->plane ? 2 * W : W)
    for (int u = first; u < end; u += W) {
      const int count = end - u < W ? end - u : W;
      for (int side = 0; side <= c->mirrored; side++) {
        const int from = side ? c->twice_centre - c->base - row : c->base + row, step = side ? -1 : 1;
        ct_sample *out = view + (size_t)u * c->stride + ct_columns_row(c, row) + (side ? c->half : 0);
        if (c->plane)
          ct_columns_split_rows(c, projection, u, count, from, step, units, out);
        else
          ct_columns_transpose_rows(c, projection, u, count, from, step, units, out);
      }
    }
}

#endif
