/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turning projections [v][u] into columns [u][v] with a border of zeros, W x W at a time. */
#include "recon/bp/isa/columns.h"
#include "recon/simd/vector.h"

#include "recon/base/memory.h"

#include <math.h>

/* Columns that one piece turns: whole cache lines of each row, few enough that its rows stay in the first-level cache.
 */
enum { piece_columns = 64 };

ct_columns ct_columns_plan(int nu, int nv, int slots, bool mirrored, int twice_centre, bool apart) {
  ct_columns c = {.nu = nu, .nv = nv, .slots = slots, .mirrored = mirrored, .twice_centre = twice_centre};
  c.rows = nv;
  if (mirrored) {
    c.base = twice_centre / 2;
    const int last = twice_centre > nv - 1 ? twice_centre : nv - 1;
    c.rows = last - c.base + 1;
  }
  const size_t length = (size_t)c.rows + CT_COLUMN_PAD;
  if (apart) c.plane = (length / 2 + 16) / 16 * 16;
  c.half = apart ? 2 * c.plane : (length + 15) / 16 * 16;
  c.stride = mirrored ? 2 * c.half : c.half;
  c.view = c.stride * ((size_t)nu + 2);
  return c;
}

size_t ct_columns_bytes(const ct_columns *columns) {
  return (columns->view * (size_t)columns->slots + CT_COLUMN_PAD) * sizeof(float);
}

bool ct_columns_alloc(ct_columns *columns, ct_error **error) {
  columns->data = ct_alloc_zero(1, ct_columns_bytes(columns), "the turned projections", error);
  return columns->data;
}

int ct_columns_pieces(const ct_columns *columns) {
  return (columns->nu + piece_columns - 1) / piece_columns;
}

/* Rows row, row + step, ... of `count` columns from u on, turned: block[n] is a stretch of column u + n. */
CT_INLINE void turn_block(const ct_columns *c, const float *projection, int u, int count, int row, int step,
                          vf block[W]) {
  for (int l = 0; l < W; l++) {
    const int v = row + l * step;
    if (v < 0 || v >= c->nv)
      block[l] = vset(0);
    else if (count == W)
      block[l] = vload(projection + (size_t)v * (size_t)c->nu + u);
    else
      block[l] = vload_first(projection + (size_t)v * (size_t)c->nu + u, count);
  }
  vtranspose(block);
}

static void turn_rows(const ct_columns *c, const float *projection, int u, int count, int row, int step, float *out) {
  vf block[W];
  turn_block(c, projection, u, count, row, step, block);
  for (int n = 0; n < count; n++) vstore(out + (size_t)n * c->stride, block[n]);
}

/* Twice as many rows, the even and the odd ones apart. */
static void split_rows(const ct_columns *c, const float *projection, int u, int count, int row, int step, float *out) {
  vf first[W], second[W];
  turn_block(c, projection, u, count, row, step, first);
  turn_block(c, projection, u, count, row + W * step, step, second);
  for (int n = 0; n < count; n++) {
    float *at = out + (size_t)n * c->stride;
    vstore(at, veven(first[n], second[n]));
    vstore(at + c->plane, vodd(first[n], second[n]));
  }
}

void ct_columns_turn(ct_columns *c, int slot, int piece, const float *projection) {
  const int first = piece * piece_columns, end = first + piece_columns < c->nu ? first + piece_columns : c->nu;
  float *view = c->data + (size_t)slot * c->view + c->stride + ct_columns_first(c);
  for (int row = 0; row < c->rows; row += c->plane ? 2 * W : W)
    for (int u = first; u < end; u += W) {
      const int count = end - u < W ? end - u : W;
      for (int side = 0; side <= c->mirrored; side++) {
        const int from = side ? c->twice_centre - c->base - row : c->base + row, step = side ? -1 : 1;
        float *out = view + (size_t)u * c->stride + ct_columns_row(c, row) + (side ? c->half : 0);
        if (c->plane)
          split_rows(c, projection, u, count, from, step, out);
        else
          turn_rows(c, projection, u, count, from, step, out);
      }
    }
}

/* u is monotone along any line that does not pass the source, so that the corners bound it. */
bool ct_columns_met(const ct_columns *c, int piece, const double m[12], const ct_grid *grid) {
  double least = c->nu, most = -1;
  for (int corner = 0; corner < 4; corner++) {
    const double i = corner & 1 ? grid->nx - 1 : 0, j = corner & 2 ? grid->ny - 1 : 0;
    const double w = m[8] * i + m[9] * j + m[11], u = (m[0] * i + m[1] * j + m[3]) / w;
    if (!(w > 0)) return true;
    least = fmin(least, u), most = fmax(most, u);
  }
  /* A voxel reads columns floor(u) and floor(u) + 1; one more on either side is for rounding. */
  return most + 2 > piece * piece_columns && least - 2 < (piece + 1) * piece_columns;
}
