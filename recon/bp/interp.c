/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation kernels as a table. Cubic: Keys, "Cubic convolution interpolation for digital image processing" (1981),
 * a = -1/2. Oversampled: nearest neighbour on projections interpolated linearly to four samples a pixel, the classical
 * trade of memory for arithmetic (Chilingaryan et al. 2019); here by rounding the position to a quarter of a pixel. */
#include "recon/bp/interp.h"
#include "recon/bp/nearest.h"

#include <math.h>

static double weight_nearest(double t) {
  return t >= -0.5 && t < 0.5 ? 1 : 0;
}

static double weight_linear(double t) {
  const double d = fabs(t);
  return d < 1 ? 1 - d : 0;
}

static double weight_cubic(double t) {
  const double d = fabs(t);
  if (d < 1) return (1.5 * d - 2.5) * d * d + 1;
  if (d < 2) return ((-0.5 * d + 2.5) * d - 4) * d + 2;
  return 0;
}

/* Standard deviation of half a pixel: as wide at half height (1.18 pixels) as a pixel is, nearly. Lowered to zero where
 * it is cut, so that rounding cannot matter there. */
static double weight_gaussian(double t) {
  const double edge = 3.3546262790251184e-4; /* exp(-8) */
  return fabs(t) < 2 ? exp(-2 * t * t) - edge : 0;
}

/* Operations. Nearest: one rounding. Linear: t and 1 - t for two weights, 2 + 2. Cubic: t, then 5 or 6 for the
 * polynomial, two weights of each. Gaussian: t, 4 in the formula, and the division, four weights; 3 for their sum.
 * Oversampled: linear, behind a multiplication, a rounding and a division of the position. */
static const ct_interp_shape shapes[] = {
    [CT_INTERP_NEAREST] = {0.5, weight_nearest, 1, false, 1},
    [CT_INTERP_LINEAR] = {1, weight_linear, 0, false, 4},
    [CT_INTERP_CUBIC] = {2, weight_cubic, 0, false, 2 * (1 + 5) + 2 * (1 + 6)},
    [CT_INTERP_GAUSSIAN] = {2, weight_gaussian, 0, true, 4 * (1 + 4 + 1) + 3},
    [CT_INTERP_OVERSAMPLED] = {1, weight_linear, 4, false, 4 + 3},
};

const ct_interp_shape *ct_interp_get_shape(ct_interp interp) {
  const size_t index = (size_t)interp;
  return &shapes[index < sizeof shapes / sizeof *shapes ? index : CT_INTERP_LINEAR];
}

int ct_interp_taps(const ct_interp_shape *shape, double position, int *first, double weights[CT_INTERP_TAPS]) {
  position = ct_bp_nearest(position, shape->steps);
  const int low = (int)ceil(position - shape->radius), high = (int)floor(position + shape->radius);
  const int count = high - low + 1 < CT_INTERP_TAPS ? high - low + 1 : CT_INTERP_TAPS;
  double sum = 0;
  for (int tap = 0; tap < count; tap++) sum += weights[tap] = shape->weight(position - (low + tap));
  if (shape->normalise)
    for (int tap = 0; tap < count; tap++) weights[tap] /= sum;
  *first = low;
  return count;
}

ct_interp_cost ct_interp_get_cost(ct_interp interp, int axes) {
  const ct_interp_shape *shape = ct_interp_get_shape(interp);
  const int taps = (int)(2 * shape->radius), line = taps > 1 ? 2 * taps - 1 : 0;
  if (axes < 2) return (ct_interp_cost){taps, shape->operations + line};
  return (ct_interp_cost){taps * taps, 2 * shape->operations + (taps + 1) * line};
}
