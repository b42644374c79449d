/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of views whose angles nobody tells. */
#include "recon/geom/assumed.h"

#include <math.h>
#include <stdbool.h>

static bool is_round(double step) {
  const double twentieths = step * (180 / M_PI) * 20;
  return twentieths > 0.5 && fabs(twentieths - round(twentieths)) < 1e-9;
}

double ct_assumed_step(double turn, int views) {
  const double step = turn / views;
  if (turn < 1.99 * M_PI || views < 2 || is_round(step)) return step;
  return is_round(turn / (views - 1)) ? turn / (views - 1) : step;
}
