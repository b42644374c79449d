/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views that hold one number everywhere, where the views beside them show the object: frames that were lost, and are
 * zeros in the file. A view that looks past the object may do so too, but its neighbours then see little of it. */
#include "recon/base/memory.h"
#include "recon/prep/load-private.h"

#include <math.h>
#include <stdlib.h>

enum {
  LEAST_PIXELS = 16, /* fewer may be the same by chance */
  SAMPLE = 61        /* of so many pixels one stands for the mean */
};

/* Share of the mean that views usually have, above a blank one's value, from which on the object is there. */
static const double there = 0.5;

void ct_blank_frame(const float *integrals, size_t count, ct_frame_report *report) {
  size_t same = 1, samples = 0;
  double sum = 0;
  while (same < count && integrals[same] == integrals[0]) same++;
  for (size_t i = 0; i < count; i += SAMPLE, samples++) sum += integrals[i];
  report->blank = count >= LEAST_PIXELS && same == count;
  report->mean = (float)(sum / (double)samples);
}

static int compare(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static bool shows(const ct_frame_report *view) {
  return view->result == CT_FRAME_GOOD && !view->blank;
}

/* The nearest view from `index` on in a direction that is not blank; -1: none. */
static int neighbour(const ct_loader *l, int index, int direction) {
  for (int i = index; i >= 0 && i < l->count; i += direction)
    if (shows(&l->reports[i])) return i;
  return -1;
}

void ct_blank_report(const ct_loader *l, ct_prep_report *report) {
  int blank = 0, shown = 0;
  for (int i = 0; i < l->count; i++) blank += l->reports[i].result == CT_FRAME_GOOD && l->reports[i].blank;
  float *means = blank > 0 ? ct_alloc((size_t)l->count, sizeof *means, "the views' means", NULL) : NULL;
  for (int i = 0; means && i < l->count; i++)
    if (shows(&l->reports[i])) means[shown++] = l->reports[i].mean;
  if (shown > 0) {
    qsort(means, (size_t)shown, sizeof *means, compare);
    const float usual = means[shown / 2];
    for (int i = 0; i < l->count; i++) {
      const ct_frame_report *view = &l->reports[i];
      if (view->result != CT_FRAME_GOOD || !view->blank) continue;
      bool lost = true;
      for (int direction = -1; direction <= 1; direction += 2) {
        const int n = neighbour(l, i, direction);
        if (n >= 0) lost = lost && fabsf(l->reports[n].mean - view->mean) >= there * fabsf(usual - view->mean);
      }
      if (lost && report->blank_views++ == 0) report->blank_first = l->first + i * l->step;
    }
  }
  ct_free(means);
}
