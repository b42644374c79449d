/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of transposed projections in 16-bit integers: sizes and memory. */
#include "recon/bp/layout/columns-int16.h"

#include "recon/base/memory.h"

ct_columns16 ct_columns16_plan(int nu, int nv, int slots, bool mirrored, int twice_centre) {
  ct_columns16 c = {.nu = nu, .nv = nv, .slots = slots, .mirrored = mirrored, .twice_centre = twice_centre};
  c.rows = nv;
  if (mirrored) {
    c.base = twice_centre / 2;
    const int last = twice_centre > nv - 1 ? twice_centre : nv - 1;
    c.rows = last - c.base + 1;
  }
  c.half = ((size_t)c.rows + CT_COLUMN16_PAD + ct_columns16_block - 1) / ct_columns16_block * ct_columns16_block;
  c.stride = mirrored ? 2 * c.half : c.half;
  c.view = c.stride * ((size_t)nu + 2);
  return c;
}

size_t ct_columns16_bytes(const ct_columns16 *columns) {
  return (columns->view * (size_t)columns->slots + CT_COLUMN16_PAD) * sizeof(int16_t);
}

bool ct_columns16_alloc(ct_columns16 *columns, ct_error **error) {
  columns->data = ct_alloc_zero(1, ct_columns16_bytes(columns), "the transposed projections", error);
  return columns->data;
}

int ct_columns16_pieces(const ct_columns16 *columns) {
  return (columns->nu + ct_columns16_piece - 1) / ct_columns16_piece;
}
