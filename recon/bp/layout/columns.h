/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projections transposed so that v is contiguous, with zeros about each column: what the kernels that run along z read.
 * Column u of view slot s begins at data + s * view + (u + 1) * stride; columns -1 and nu are zero. Row v stands at
 * CT_COLUMN_PAD + v - base. Mirrored: base is the row at the middle of the detector (or just below), and a second half,
 * `half` samples behind, holds at the same place the row as far on the other side, so that the voxels k and nz - 1 - k
 * of a centred grid read both at one index with one weight (the symmetry of Chen et al. 2021). Apart: the even rows (as
 * counted from base) stand together, CT_COLUMN_PAD / 2 samples behind the beginning of a half, and the odd ones in the
 * same order `plane` samples further, so that windows reach twice as far. */
#ifndef CT_BP_LAYOUT_COLUMNS_H
#define CT_BP_LAYOUT_COLUMNS_H

#include "recon/base/error.h"
#include "recon/bp/layout/ahead.h"
#include "recon/geom/grid.h"

#include <stdbool.h>
#include <stddef.h>

/* Zero rows before and behind: four vectors of 16, so that no window at the border reads past them. Those behind one
 * column, half or plane are those before the next. */
#define CT_COLUMN_PAD 64

typedef struct ct_columns {
  int nu, nv, slots;
  int base, rows, twice_centre;
  bool mirrored;
  size_t sample;             /* bytes of one: float, or 16 bits (sample.h) */
  size_t plane;              /* samples; 0: not apart */
  size_t half, stride, view; /* samples */
  void *data;
} ct_columns;

/* Sizes only: slots view slots, mirrored about row twice_centre / 2 when wanted. */
ct_columns ct_columns_plan(int nu, int nv, int slots, bool mirrored, int twice_centre, bool apart, size_t sample);
size_t ct_columns_bytes(const ct_columns *columns);
bool ct_columns_alloc(ct_columns *columns, ct_error **error);

/* Where row base of a column stands. */
static inline size_t ct_columns_first(const ct_columns *c) {
  return c->plane ? CT_COLUMN_PAD / 2 : CT_COLUMN_PAD;
}

/* Samples from row base to row base + row in a half. */
static inline ptrdiff_t ct_columns_row(const ct_columns *c, int row) {
  return c->plane ? (ptrdiff_t)c->plane * (row & 1) + (row >> 1) : row;
}

/* Columns that one piece transposes: whole cache lines of each row, few enough that its rows stay in the first-level
 * cache.
 */
enum { ct_columns_piece = 64 };
/* A view is transposed in so many independent pieces (columns-transpose.h). */
int ct_columns_pieces(const ct_columns *columns);
/* Whether voxels of a grid can meet the piece, by the view's index matrix, whose u and w do not depend on z. */
bool ct_columns_met(const ct_columns *columns, int piece, const double m[12], const ct_grid *grid);

/* As it stands in memory. */
static inline ct_transposed ct_columns_transposeed(const ct_columns *c) {
  const size_t bytes = c->sample;
  return (ct_transposed){.first = (const char *)c->data + ct_columns_first(c) * bytes,
                         .view = c->view * bytes,
                         .column = c->stride * bytes,
                         .stretch = (c->plane ? c->plane : c->half) * bytes,
                         .nu = c->nu,
                         .base = c->base,
                         .rows = c->rows,
                         .per_sample = c->plane ? 2 : 1,
                         .sample = (int)bytes};
}

#endif
