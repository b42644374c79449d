/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of transposed projections with even and odd rows apart: sizes. */
#include "recon/bp/layout/halves.h"

ct_halves ct_halves_plan(int nu, int nv, int window, size_t sample) {
  const int line = (int)(64 / sample);
  ct_halves h = {.nu = nu, .nv = nv, .rows = (nv + 1) / 2, .pad = (window + line - 1) / line * line, .sample = sample};
  /* An odd number of cache lines: neighbouring columns fall into different sets of the cache. */
  h.half = ((size_t)(h.rows + 2 * h.pad + line - 1) / (size_t)line) * (size_t)line;
  if (h.half / (size_t)line % 2 == 0) h.half += (size_t)line;
  h.view = 2 * h.half * ((size_t)nu + 4);
  return h;
}

int ct_halves_pieces(const ct_halves *halves) {
  return (halves->nu + ct_halves_piece - 1) / ct_halves_piece;
}
