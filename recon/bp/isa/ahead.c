/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tile will read of turned views, bounded by its corners. */
#include "recon/bp/isa/ahead.h"

#include <math.h>
#include <stdint.h>

/* u, v and w are monotone along the tile's edges, so that its corners bound them. */
static void look_at(const ct_turned *turned, int slot, const double m[12], const ct_tile *t, ct_ahead *ahead) {
  double left = turned->nu, right = -1, low = turned->base + turned->rows, high = turned->base - 1;
  for (int corner = 0; corner < 8; corner++) {
    const double i = t->i + (corner & 1 ? t->columns - 1 : 0), j = t->j + (corner & 2 ? t->rows - 1 : 0);
    const double k = t->k + (corner & 4 ? t->length - 1 : 0), w = m[8] * i + m[9] * j + m[10] * k + m[11];
    const double u = (m[0] * i + m[1] * j + m[2] * k + m[3]) / w, v = (m[4] * i + m[5] * j + m[6] * k + m[7]) / w;
    left = fmin(left, u), right = fmax(right, u), low = fmin(low, v), high = fmax(high, v);
  }
  left = fmax(floor(left), -1), right = fmin(floor(right) + 1, turned->nu);
  low = fmax(floor(low) - turned->base, 0), high = fmin(floor(high) + 2 - turned->base, turned->rows);
  if (!(left <= right && low < high)) return;
  const int n = ahead->count++, per = turned->per_sample;
  const int first = (int)low / per, end = ((int)high + per - 1) / per;
  const char *from = turned->first + (size_t)slot * turned->view + (size_t)(left + 1) * turned->column +
                     (size_t)first * (size_t)turned->sample;
  /* From the beginning of a cache line, so that steps of one leave none out. */
  const int before = (int)((uintptr_t)from % ct_ahead_line);
  ahead->views[n].from = from - before;
  ahead->views[n].stretches = (int)(right - left + 1) * (int)(turned->column / turned->stretch);
  ahead->views[n].bytes = before + (end - first) * turned->sample;
  ahead->stretches += ahead->views[n].stretches;
}

ct_ahead ct_look_ahead(const ct_turned *turned, int slot, int views, const double (*matrices)[12],
                       const ct_tile *tile) {
  ct_ahead ahead = {.pitch = turned->stretch};
  for (int n = 0; n < views && n < ct_ahead_most; n++) look_at(turned, slot + n, matrices[n], tile, &ahead);
  return ahead;
}
