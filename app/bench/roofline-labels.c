/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list beside a roofline. */
#include "app/bench/roofline-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So much may points of one label differ. */
static const double BESIDE = 1.05;

static bool takes(const bench_roofline_label *label, const bench_roofline_point *p) {
  const double across = p->intensity / label->first->intensity;
  return !label->points[p->precision] && !strcmp(label->first->name, p->name) && across < BESIDE &&
         across * BESIDE > 1 && fmax(label->high, p->gflops) < BESIDE * fmin(label->low, p->gflops);
}

static void add(bench_roofline_label *label, const bench_roofline_point *p) {
  if (!label->first || p->gflops > label->first->gflops) label->first = p;
  label->points[p->precision] = p;
  label->low = fmin(label->low, p->gflops);
  label->high = fmax(label->high, p->gflops);
}

static int by_rate(const void *a, const void *b) {
  const double one = ((const bench_roofline_label *)a)->high, other = ((const bench_roofline_label *)b)->high;
  return (one < other) - (one > other);
}

size_t bench_roofline_list(const bench_roofline_data *all, int problem, bench_roofline_label *labels) {
  size_t count = 0;
  for (size_t n = 0; n < all->count; n++) {
    const bench_roofline_point *p = &all->points[n];
    size_t k = 0;
    if (p->problem != problem || !(p->gflops > 0) || !isfinite(p->gflops)) continue;
    while (k < count && !takes(&labels[k], p)) k++;
    if (k == count) labels[count++] = (bench_roofline_label){.low = INFINITY};
    add(&labels[k], p);
  }
  qsort(labels, count, sizeof *labels, by_rate);
  return count;
}

/* Less a pitch a line the places have to grow, no more: lines that would not are a block at their mean (isotonic
 * regression), which is then brought within the bounds. */
void bench_roofline_spread(bench_roofline_label *labels, size_t count, double pitch, double low, double high) {
  for (size_t n = 0; n < count; n++) labels[n].place = labels[n].wanted - (double)n * pitch;
  for (size_t n = 1; n < count; n++) {
    size_t from = n;
    double sum = labels[n].place, mean = sum;
    while (from > 0 && labels[from - 1].place > mean) {
      sum += labels[--from].place;
      mean = sum / (double)(n + 1 - from);
    }
    for (size_t k = from; k <= n; k++) labels[k].place = mean;
  }
  for (size_t n = 0; n < count; n++)
    labels[n].place = fmax(fmin(labels[n].place, high - (double)(count - 1) * pitch), low) + (double)n * pitch;
}
