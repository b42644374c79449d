/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transposed projections in 16-bit integers (int16.h). Column u of view slot s begins at data + s * view + (u + 1) *
 * stride; columns -1 and nu are zero. Row v stands at CT_COLUMN16_PAD + v - base; everything about the rows is zero.
 * Mirrored: as in columns.h, a second half, `half` samples behind, holds the rows on the other side of row twice_centre
 * / 2. */
#ifndef CT_BP_LAYOUT_COLUMNS_INT16_H
#define CT_BP_LAYOUT_COLUMNS_INT16_H

#include "recon/base/error.h"
#include "recon/bp/layout/ahead.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero rows before and behind: two vectors of 32, so that no window at the border reads past them. Those behind one
 * column or half are those before the next. */
#define CT_COLUMN16_PAD 64

typedef struct ct_columns16 {
  int nu, nv, slots;
  int base, rows, twice_centre;
  bool mirrored;
  size_t half, stride, view; /* samples */
  int16_t *data;
} ct_columns16;

/* Sizes only: slots view slots, mirrored about row twice_centre / 2 when wanted. */
ct_columns16 ct_columns16_plan(int nu, int nv, int slots, bool mirrored, int twice_centre);
size_t ct_columns16_bytes(const ct_columns16 *columns);
bool ct_columns16_alloc(ct_columns16 *columns, ct_error **error);

/* As it stands in memory. */
static inline ct_transposed ct_columns16_transposed(const ct_columns16 *c) {
  const size_t bytes = sizeof *c->data;
  return (ct_transposed){.first = (const char *)(c->data + CT_COLUMN16_PAD),
                         .view = c->view * bytes,
                         .column = c->stride * bytes,
                         .stretch = c->half * bytes,
                         .nu = c->nu,
                         .base = c->base,
                         .rows = c->rows,
                         .per_sample = 1,
                         .sample = (int)bytes};
}

/* Columns that one piece transposes: whole cache lines of each row, few enough that its rows stay in the first-level
 * cache.
 */
enum { ct_columns16_piece = 64, ct_columns16_block = 32 };
/* A view is transposed in so many independent pieces (window/z-window-int16-loops.c). */
int ct_columns16_pieces(const ct_columns16 *columns);

#endif
