/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that were cut off above: neighbours that hold one and the same largest value, as nothing does that was
 * measured. Looked for in the views of notice.c, before they are corrected. Counts are cut off where a detector of so
 * many bits is full, line integrals where no beam came through. */
#include "recon/prep/load-private.h"

#include <math.h>

/* Neighbours in a row that hold the same. */
enum { RUN = 3 };

/* Shares of the pixels, and of the views looked at, that are no chance. */
static const double least_pixels = 1e-3, least_views = 0.25;

/* Bits that a detector of counts with this largest value has; 0: it is none such. */
static int bits_of(float top) {
  for (int bits = 8; bits <= 16; bits += 2)
    if (top == (float)((1 << bits) - 1)) return bits;
  return 0;
}

void ct_saturation_frame(const ct_loader *l, int index, const float *frame, ct_frame_report *report) {
  const int nu = l->facts->geometry.nu;
  if (!ct_notice_looks_at(l, index)) return;
  float top = -INFINITY;
  for (size_t i = 0; i < (size_t)l->rows * (size_t)nu; i++)
    if (frame[i] > top) top = frame[i];
  report->top = top;
  report->at_top = 0;
  for (int j = 0; j < l->rows; j++) {
    const float *row = frame + (size_t)j * (size_t)nu;
    int run = 0;
    for (int k = 0; k < nu; k++) {
      run = row[k] == top ? run + 1 : 0;
      if (run >= RUN) report->at_top += run == RUN ? RUN : 1;
    }
  }
}

void ct_saturation_report(const ct_loader *l, ct_prep_report *report) {
  float top = -INFINITY;
  double pixels = 0, found = 0;
  int looked_at = 0, views = 0;
  for (int i = 0; i < l->count; i++)
    if (ct_notice_looks_at(l, i) && l->reports[i].result == CT_FRAME_GOOD) top = fmaxf(top, l->reports[i].top);
  for (int i = 0; i < l->count; i++) {
    const ct_frame_report *frame = &l->reports[i];
    if (!ct_notice_looks_at(l, i) || frame->result != CT_FRAME_GOOD) continue;
    looked_at++;
    pixels += (double)l->rows * l->facts->geometry.nu;
    if (frame->top != top || frame->at_top == 0) continue;
    views++;
    found += (double)frame->at_top;
  }
  report->top = top;
  report->top_share = 0;
  report->top_bits = l->values == CT_VALUES_COUNTS ? bits_of(top) : 0;
  if (!(views > 1 && views >= least_views * looked_at && found >= least_pixels * pixels)) return;
  if (report->top_bits > 0 || (l->values == CT_VALUES_LINE_INTEGRALS && top > 0)) report->top_share = found / pixels;
}
