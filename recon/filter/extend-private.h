/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One end of a detector row, continued by the rays through an outline. */
#ifndef CT_FILTER_EXTEND_PRIVATE_H
#define CT_FILTER_EXTEND_PRIVATE_H

#include "recon/filter/outline.h"

typedef struct ct_end {
  const ct_outline *outline;
  const ct_outline_row *rays;
  double v;     /* of the outline's rows */
  double shift; /* column 0 is this one of the outline's */
  int nu;
  bool high;                  /* behind the last column; else before column 0 */
  const float *row, *weights; /* [nu] as measured, and their cosine weights */
  float redundancy;           /* of the outermost column, and so of what lies beyond */
  float *beyond;              /* [room], every other number, outwards: backwards before column 0 */
  int room;
} ct_end;

/* Writes beyond the end, as far as the outline reaches. chords: space for nu, and 64 at least. */
void ct_extend_end(const ct_end *end, float *chords);

#endif
