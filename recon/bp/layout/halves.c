/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of turned projections with even and odd rows apart: sizes. */
#include "recon/bp/layout/halves.h"

ct_halves ct_halves_plan(int nu, int nv, int window) {
  ct_halves h = {.nu = nu, .nv = nv, .rows = (nv + 1) / 2, .pad = (window + 15) / 16 * 16};
  /* An odd number of cache lines: neighbouring columns fall into different sets of the cache. */
  h.half = ((size_t)h.rows + 2 * (size_t)h.pad + 15) / 16 * 16;
  if (h.half / 16 % 2 == 0) h.half += 16;
  h.view = 2 * h.half * ((size_t)nu + 4);
  return h;
}

int ct_halves_pieces(const ct_halves *halves) {
  return (halves->nu + ct_halves_piece - 1) / ct_halves_piece;
}
