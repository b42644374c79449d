/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Tam window and the filter's lines in units of D h / R (katsevich.h). */
#ifndef CT_SOLVE_SPIRAL_KATSEVICH_PRIVATE_H
#define CT_SOLVE_SPIRAL_KATSEVICH_PRIVATE_H

#include "recon/solve/spiral/katsevich.h"

#include <math.h>

/* Upper end of the window at q = u / D; the lower one is so much below. */
static inline double ct_tam_top(double q) {
  return (1 + q * q) * (M_PI / 2 - atan(q));
}
static inline double ct_tam_height(double q) {
  return M_PI * (1 + q * q);
}

/* h, mm per radian. */
static inline double ct_katsevich_rise(const ct_geometry *spiral) {
  return spiral->feed / (2 * M_PI);
}

/* Height at q of the line psi: level + slope q. */
typedef struct ct_katsevich_line {
  double level, slope;
} ct_katsevich_line;
static inline ct_katsevich_line ct_katsevich_line_at(double psi) {
  return (ct_katsevich_line){psi, fabs(psi) < 1e-4 ? 1 - psi * psi / 3 : psi / tan(psi)};
}

#endif
