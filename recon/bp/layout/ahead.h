/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetching ahead what a tile will read of transposed views, while it reads others: the rows of each column that its
 * voxels can meet, bounded by the tile's corners. Inline: it is compiled with the loops that use it. */
#ifndef CT_BP_LAYOUT_AHEAD_H
#define CT_BP_LAYOUT_AHEAD_H

#include "recon/bp/layout/tile.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Where transposed views stand in memory, one slot behind the other. A column is one stretch, or several one behind the
 * other: halves that mirror each other, and even and odd rows. */
typedef struct ct_transposed {
  const char *first;            /* row `base` of the column before the detector's first, in slot 0 */
  size_t view, column, stretch; /* bytes from one to the next, whole cache lines */
  int nu, base, rows;           /* `rows` from row `base` on */
  int per_sample; /* rows from one sample of a stretch to the next: 2 where even and odd ones stand apart */
  int sample;     /* bytes of one */
} ct_transposed;

enum { ct_ahead_most = 4, ct_ahead_line = 64 };

/* What is still to be fetched: of each view a number of stretches at the same distance. */
typedef struct ct_ahead {
  struct {
    const char *from;
    int stretches, bytes;
  } views[ct_ahead_most];
  size_t pitch;         /* bytes from one stretch to the next */
  int count, stretches; /* views, stretches of all */
  int view, next;       /* the next to be fetched */
} ct_ahead;

/* u, v and w are monotone along the tile's edges, so that its corners bound them. */
static inline void ct_look_at(const ct_transposed *transposed, int slot, const double m[12], const ct_tile *t,
                              ct_ahead *ahead) {
  double left = transposed->nu, right = -1, low = transposed->base + transposed->rows, high = transposed->base - 1;
  for (int corner = 0; corner < 8; corner++) {
    const double i = t->i + (corner & 1 ? t->columns - 1 : 0), j = t->j + (corner & 2 ? t->rows - 1 : 0);
    const double k = t->k + (corner & 4 ? t->length - 1 : 0), w = m[8] * i + m[9] * j + m[10] * k + m[11];
    const double u = (m[0] * i + m[1] * j + m[2] * k + m[3]) / w, v = (m[4] * i + m[5] * j + m[6] * k + m[7]) / w;
    left = fmin(left, u), right = fmax(right, u), low = fmin(low, v), high = fmax(high, v);
  }
  left = fmax(floor(left), -1), right = fmin(floor(right) + 1, transposed->nu);
  low = fmax(floor(low) - transposed->base, 0), high = fmin(floor(high) + 2 - transposed->base, transposed->rows);
  if (!(left <= right && low < high)) return;
  const int n = ahead->count++, per = transposed->per_sample;
  const int first = (int)low / per, end = ((int)high + per - 1) / per;
  const char *from = transposed->first + (size_t)slot * transposed->view + (size_t)(left + 1) * transposed->column +
                     (size_t)first * (size_t)transposed->sample;
  /* From the beginning of a cache line, so that steps of one leave none out. */
  const int before = (int)((uintptr_t)from % ct_ahead_line);
  ahead->views[n].from = from - before;
  ahead->views[n].stretches = (int)(right - left + 1) * (int)(transposed->column / transposed->stretch);
  ahead->views[n].bytes = before + (end - first) * transposed->sample;
  ahead->stretches += ahead->views[n].stretches;
}

/* Of view slots [slot, slot + views), the first ct_ahead_most of them; matrices: of these slots. */
static inline ct_ahead ct_look_ahead(const ct_transposed *transposed, int slot, int views, const double (*matrices)[12],
                                     const ct_tile *tile) {
  ct_ahead ahead = {.pitch = transposed->stretch};
  for (int n = 0; n < views && n < ct_ahead_most; n++) ct_look_at(transposed, slot + n, matrices[n], tile, &ahead);
  return ahead;
}

/* How many stretches to fetch at each of so many visits. */
static inline int ct_ahead_share(const ct_ahead *ahead, int visits) {
  return (ahead->stretches + visits - 1) / visits;
}

/* The next `count` stretches, while there are any. */
static inline void ct_fetch_ahead(ct_ahead *ahead, int count) {
  for (; count > 0 && ahead->view < ahead->count; count--) {
    const char *from = ahead->views[ahead->view].from + (size_t)ahead->next * ahead->pitch;
    for (int byte = 0; byte < ahead->views[ahead->view].bytes; byte += ct_ahead_line)
      __builtin_prefetch(from + byte, 0, 3);
    if (++ahead->next < ahead->views[ahead->view].stretches) continue;
    ahead->next = 0;
    ahead->view++;
  }
}

#endif
