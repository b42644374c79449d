/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projections transposed so that v is contiguous, even and odd rows apart, with zeros about them: what line-halves.h
 * reads. Column u of a view begins at view + (u + 2) * 2 half; there row 2 n stands at pad + n, and row 2 n + 1 at half
 * + pad + n. Two columns of zeros stand on either side of the detector. */
#ifndef CT_BP_LAYOUT_HALVES_H
#define CT_BP_LAYOUT_HALVES_H

#include "recon/bp/layout/ahead.h"

#include <stddef.h>

typedef struct ct_halves {
  int nu, nv, rows; /* rows: of a half, (nv + 1) / 2 */
  int pad;
  size_t sample;     /* bytes of one: float, or 16 bits (sample.h) */
  size_t half, view; /* samples */
} ct_halves;

/* For windows of `window` samples. */
ct_halves ct_halves_plan(int nu, int nv, int window, size_t sample);

/* Views from `data` on as they stand in memory. */
static inline ct_transposed ct_halves_transposed(const ct_halves *h, const void *data) {
  return (ct_transposed){.first = (const char *)data + (2 * h->half + (size_t)h->pad) * h->sample,
                         .view = h->view * h->sample,
                         .column = 2 * h->half * h->sample,
                         .stretch = h->half * h->sample,
                         .nu = h->nu,
                         .rows = h->nv,
                         .per_sample = 2,
                         .sample = (int)h->sample};
}

/* Columns that one piece transposes: whole cache lines of each row, few enough that its rows stay in the first-level
 * cache.
 */
enum { ct_halves_piece = 64 };
/* A view is transposed in so many independent pieces (halves-transpose.h). */
int ct_halves_pieces(const ct_halves *halves);

#endif
