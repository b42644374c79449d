/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the table, and the symlog: y = x s / p for |x| <= p, else sign(x) (s + (1 - s) log(|x| / p) / log(1 /
 * p)), with the linear part p and its share s. As image.frag computes it. */
#include "render/mode.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define ROW(name, id, label, title, tip, reads, scale) {#name, id, label, title, tip, reads, scale},
static const ctgl_mode_row rows[] = {CTGL_MODE_TABLE(ROW)};

const ctgl_mode_row *ctgl_mode_get(ctgl_mode mode) {
  return &rows[mode];
}

ctgl_mode ctgl_mode_find(const char *id) {
  int mode = 0;
  while (mode < CTGL_MODES && (!id || strcmp(rows[mode].id, id) != 0)) mode++;
  return (ctgl_mode)mode;
}

bool ctgl_mode_needs_b(ctgl_mode mode) {
  return rows[mode].reads != CTGL_READS_A;
}

bool ctgl_mode_tells_difference(ctgl_mode mode) {
  return rows[mode].scale != CTGL_SCALE_GREY;
}

bool ctgl_mode_is_symmetric(ctgl_mode mode) {
  return rows[mode].scale == CTGL_SCALE_DIFFERENCE || rows[mode].scale == CTGL_SCALE_RELATIVE;
}

double ctgl_scale_position(double part, bool logarithmic) {
  const double size = fabs(part);
  if (!logarithmic) return fmin(fmax(part, -1), 1);
  if (size <= CTGL_LINEAR_PART) return part / CTGL_LINEAR_PART * CTGL_LINEAR_SHARE;
  const double decades = log(fmin(size, 1) / CTGL_LINEAR_PART) / log(1 / CTGL_LINEAR_PART);
  return copysign(CTGL_LINEAR_SHARE + (1 - CTGL_LINEAR_SHARE) * decades, part);
}

double ctgl_mode_value(ctgl_mode mode, double a, double b, double least) {
  switch (mode) {
  case CTGL_SHOW_A:
    return a;
  case CTGL_SHOW_B:
    return b;
  case CTGL_SHOW_DIFFERENCE:
    return a - b;
  case CTGL_SHOW_ABSOLUTE:
    return fabs(a - b);
  case CTGL_SHOW_RELATIVE:
    return fabs(b) > least ? (a - b) / b : NAN;
  case CTGL_SHOW_SWIPE:
  case CTGL_SHOW_FADE:
  case CTGL_SHOW_CHECKERBOARD:
  case CTGL_SHOW_SIMILARITY:
  case CTGL_MODES:
  default:
    return NAN;
  }
}
