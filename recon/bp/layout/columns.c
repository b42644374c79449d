/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of transposed projections: sizes and memory. */
#include "recon/bp/layout/columns.h"

#include "recon/base/memory.h"

#include <math.h>

ct_columns ct_columns_plan(int nu, int nv, int slots, bool mirrored, int twice_centre, bool apart, size_t sample) {
  ct_columns c = {
      .nu = nu, .nv = nv, .slots = slots, .mirrored = mirrored, .twice_centre = twice_centre, .sample = sample};
  c.rows = nv;
  if (mirrored) {
    c.base = twice_centre / 2;
    const int last = twice_centre > nv - 1 ? twice_centre : nv - 1;
    c.rows = last - c.base + 1;
  }
  const size_t length = (size_t)c.rows + CT_COLUMN_PAD, line = 64 / sample;
  if (apart) c.plane = (length / 2 + line) / line * line;
  c.half = apart ? 2 * c.plane : (length + line - 1) / line * line;
  c.stride = mirrored ? 2 * c.half : c.half;
  c.view = c.stride * ((size_t)nu + 2);
  return c;
}

size_t ct_columns_bytes(const ct_columns *columns) {
  return (columns->view * (size_t)columns->slots + CT_COLUMN_PAD) * columns->sample;
}

bool ct_columns_alloc(ct_columns *columns, ct_error **error) {
  columns->data = ct_alloc_zero(1, ct_columns_bytes(columns), "the transposed projections", error);
  return columns->data;
}

int ct_columns_pieces(const ct_columns *columns) {
  return (columns->nu + ct_columns_piece - 1) / ct_columns_piece;
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
  return most + 2 > piece * ct_columns_piece && least - 2 < (piece + 1) * ct_columns_piece;
}
