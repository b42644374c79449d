/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views in the order of their angles. */
#include "recon/prep/prep-private.h"

#include <stdlib.h>

static int by_angle(const void *a, const void *b) {
  const ct_sorted_view *p = a, *q = b;
  if (p->angle != q->angle) return p->angle < q->angle ? -1 : 1;
  return p->view - q->view;
}

void ct_sort_views(ct_sorted_view *views, size_t count) {
  qsort(views, count, sizeof *views, by_angle);
}
