/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A made-up scan of counts whose line integrals are known. */
#ifndef CT_TEST_PREP_MADE_UP_H
#define CT_TEST_PREP_MADE_UP_H

#include "recon/data/scan.h"

#include <math.h>

enum { NU = 12, NV = 6, VIEWS = 8 };

/* The line integral that every made-up scan carries. */
static inline double truth(int view, int u, int v) {
  return 0.05 * u + 0.1 * v + 0.01 * view;
}
static inline double gain(int u, int v) {
  return 1000 + 30 * u + 10 * v;
}
static inline double black(int u, int v) {
  return 100 + u - v;
}

static inline float steady(ct_frame_kind kind, int index, int u, int v) {
  if (kind == CT_FRAME_DARK) return (float)black(u, v);
  if (kind == CT_FRAME_FLAT) return (float)(black(u, v) + gain(u, v));
  return (float)(black(u, v) + gain(u, v) * exp(-truth(index, u, v)));
}

#endif
