/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which limits there are is the mode's. */
#include "ui/colour-limits.h"

#include "ui/scale-text.h"

#include <math.h>

static ctgl_scale scale_of(GantryDisplay *display) {
  return ctgl_mode_get(gantry_display_get_mode(display))->scale;
}

void gantry_limits_get(GantryDisplay *display, double limit[2], const char **unit) {
  gantry_scale_ends(display, gantry_display_get_mode(display), &limit[0], &limit[1], unit);
}

gboolean gantry_limits_can_move(GantryDisplay *display, int which) {
  const ctgl_scale scale = scale_of(display);
  return which ? scale != CTGL_SCALE_SIMILARITY : scale != CTGL_SCALE_ABSOLUTE;
}

void gantry_limits_move(GantryDisplay *display, int which, double value, double gap) {
  const ctgl_scale scale = scale_of(display);
  const char *unit;
  double limit[2];
  if (!isfinite(value) || !gantry_limits_can_move(display, which)) return;
  gantry_limits_get(display, limit, &unit);
  if (scale == CTGL_SCALE_GREY) {
    limit[which] = which ? fmax(value, limit[0] + gap) : fmin(value, limit[1] - gap);
    gantry_display_set_window(display, limit[0], limit[1]);
    return;
  }
  const double part = scale == CTGL_SCALE_RELATIVE ? 0.01 : 1;
  const double range = scale == CTGL_SCALE_SIMILARITY ? 1 - value : which ? value : -value;
  gantry_display_set_locked(display, TRUE);
  gantry_display_set_range(display, scale, fmax(range, gap) * part);
}
