/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truncated rows, continued as the rays through the object's outline: what the columns next to the edge measure of it
 * scales them, so that the values go on without a step. */
#include "recon/filter/extend-private.h"

#include <math.h>

/* Where the outermost columns show less than this share of the scale that more of them give, they alone count. */
static const double steep = 0.75;
enum { OUTERMOST = 2 };

/* Columns to which the outline is scaled. */
static int edge_columns(int nu) {
  const int columns = nu / 32 < 3 ? 3 : nu / 32;
  return columns > 24 ? 24 : columns > nu ? nu : columns;
}

/* Columns beyond the edge in which the values reach 0: their squares fall evenly there, as at the rim of a disc. At
 * most twice as many as are looked at. */
static double reach_by_slope(const float *edge, int inwards, int wide) {
  const double outer = edge[0], inner = edge[inwards * (wide - 1)], fall = (inner * inner - outer * outer) / (wide - 1);
  const double reach = fall > 0 ? outer * outer / fall : 2 * wide;
  return fmin(fmax(reach, 2), 2 * wide);
}

void ct_extend_end(const ct_end *e, float *chords) {
  enum { SOME = 64 };
  const bool high = e->high;
  const int nu = e->nu, room = e->room, wide = edge_columns(nu), way = high ? 2 : -2;
  const float *measured = e->measured, *edge = high ? measured + 2 * (nu - 1) : measured;
  double inner = 0, square = 0, outer = 0, outer_square = 0, all = 0, all_square = 0;
  ct_outline_chords(e->outline, e->rays, e->v, e->shift, 1, nu, chords);
  for (int k = 0; k < nu; k++) {
    const double c = chords[k];
    all += c * measured[2 * k];
    all_square += c * c;
    if (high ? k < nu - wide : k >= wide) continue;
    inner += c * measured[2 * k];
    square += c * c;
    if (high ? k < nu - OUTERMOST : k >= OUTERMOST) continue;
    outer += c * measured[2 * k];
    outer_square += c * c;
  }
  if (!(all > 0)) return;
  /* Scaled to the edge, but not beyond what the object may be; the rest of the step fades away. */
  const double most = 3 * all / all_square, little = 1e-9 * all_square;
  double scale = square > little ? fmin(fmax(inner / square, 0), most) : 0;
  /* An object that ends with the detector falls steeply there. */
  if (outer_square > 0 && outer < steep * scale * outer_square) scale = fmax(outer / outer_square, 0);
  const double step = *edge - scale * chords[high ? nu - 1 : 0];
  const double reach = fmin(step > 0 ? reach_by_slope(edge, high ? -2 : 2, wide) : 2 * wide, room);
  const int fade = (int)ceil(reach);
  for (int at = 0; at < room; at += SOME) {
    const int n = room - at < SOME ? room - at : SOME;
    ct_outline_chords(e->outline, e->rays, e->v, e->shift + (high ? nu + at : -1 - at), high ? 1 : -1, n, chords);
    bool any = at < fade;
    for (int i = 0; i < n; i++) {
      const int k = at + i;
      const double rest = k + 1 < reach ? step * sqrt(1 - (k + 1) / reach) : 0;
      e->beyond[way * k] = (float)fmax(scale * chords[i] + rest, 0);
      any = any || chords[i] > 0;
    }
    if (!any) return;
  }
}
