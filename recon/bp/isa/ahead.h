/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetching ahead what a tile will read of turned views, while it reads others: the rows of each column that its voxels
 * can meet. */
#ifndef CT_BP_ISA_AHEAD_H
#define CT_BP_ISA_AHEAD_H

#include "recon/bp/isa/isa.h"
#include "recon/bp/isa/tile.h"

#include <stddef.h>

/* Where turned views stand in memory, one slot behind the other. A column is one stretch, or several one behind the
 * other: halves that mirror each other, and even and odd rows. */
typedef struct ct_turned {
  const char *first;            /* row `base` of the column before the detector's first, in slot 0 */
  size_t view, column, stretch; /* bytes from one to the next, whole cache lines */
  int nu, base, rows;           /* `rows` from row `base` on */
  int per_sample; /* rows from one sample of a stretch to the next: 2 where even and odd ones stand apart */
  int sample;     /* bytes of one */
} ct_turned;

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

/* Of view slots [slot, slot + views), the first ct_ahead_most of them; matrices: of these slots. */
#define ct_look_ahead CT_ISA_SYMBOL(ct_look_ahead)
ct_ahead ct_look_ahead(const ct_turned *turned, int slot, int views, const double (*matrices)[12], const ct_tile *tile);

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
