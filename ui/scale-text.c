/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three digits of the range, not of the value: an end that is zero but for rounding reads 0. Below 1 an SSIM has as
 * many as its distance from 1 needs. */
#include "ui/scale-text.h"

#include <math.h>

#include "ui/number-text.h"

gboolean gantry_scale_ends(GantryDisplay *display, ctgl_mode mode, double *low, double *high, const char **unit) {
  const ctgl_scale scale = ctgl_mode_get(mode)->scale;
  *unit = gantry_display_get_units(display).value;
  if (scale == CTGL_SCALE_GREY) {
    gantry_display_get_window(display, low, high);
    return *high > *low;
  }
  *high = gantry_display_get_range(display, scale);
  if (scale == CTGL_SCALE_RELATIVE) {
    *high *= 100;
    *unit = "%";
  }
  *low = ctgl_mode_is_symmetric(mode) ? -*high : 0;
  if (scale == CTGL_SCALE_SIMILARITY) {
    *low = 1 - *high;
    *high = 1;
    *unit = "";
  }
  return TRUE;
}

gboolean gantry_scale_told(GantryDisplay *display, ctgl_mode mode, double *low, double *high, const char **unit) {
  const ctgl_scale scale = ctgl_mode_get(mode)->scale;
  if (!gantry_scale_ends(display, mode, low, high, unit)) return FALSE;
  if (scale == CTGL_SCALE_RELATIVE || scale == CTGL_SCALE_SIMILARITY) return TRUE;
  double (*const tell)(GantryDisplay *, double) =
      scale == CTGL_SCALE_GREY ? gantry_display_value : gantry_display_difference;
  const double ends[2] = {tell(display, *low), tell(display, *high)};
  const gboolean turned = ends[1] < ends[0] && scale != CTGL_SCALE_GREY; /* a size has no sign */
  *low = turned ? ends[1] : ends[0];
  *high = turned ? ends[0] : ends[1];
  *unit = gantry_display_value_unit(display);
  return TRUE;
}

char *gantry_scale_end_text(double value, double range, const char *unit) {
  const double grain = pow(10, floor(log10(range)) - 2), rounded = round(value / grain) * grain;
  const int beyond = fabs(rounded) > 0 ? (int)floor(log10(fabs(rounded))) - (int)floor(log10(range)) : 0;
  return gantry_quantity_text(rounded, 3 + CLAMP(beyond, 0, 6), unit);
}

char *gantry_value_text(double value, double range, const char *unit) {
  enum { DIGITS = 4, MOST = 10 };
  const gboolean wide = !(range > 0) || !isfinite(range) || !isfinite(value) || value == 0;
  const int beyond = wide ? 0 : (int)floor(log10(fabs(value))) - (int)floor(log10(range));
  return gantry_quantity_text(value, CLAMP(DIGITS + beyond, DIGITS, MOST), unit);
}

char *gantry_scale_text(GantryDisplay *display, ctgl_mode mode) {
  double low, high;
  const char *unit;
  if (!ctgl_mode_tells_difference(mode) || !gantry_scale_told(display, mode, &low, &high, &unit)) return NULL;
  g_autofree char *first = gantry_scale_end_text(low, high - low, ""),
                  *last = gantry_scale_end_text(high, high - low, unit);
  g_autoptr(GString) text = g_string_new(NULL);
  const gboolean symmetric = ctgl_mode_is_symmetric(mode);
  if (symmetric)
    g_string_printf(text, "±%s", last);
  else
    g_string_printf(text, "%s to %s", first, last);
  if (gantry_display_get_logarithmic(display)) {
    const double range = symmetric ? high : high - low;
    g_autofree char *linear = gantry_quantity_text(range * CTGL_LINEAR_PART, 2, "");
    const char *before = symmetric ? "from ±" : mode == CTGL_SHOW_SIMILARITY ? "below 1 − " : "from ";
    g_string_append_printf(text, ", log %s%s", before, linear);
  }
  if (ctgl_mode_get(mode)->scale == CTGL_SCALE_RELATIVE) {
    g_autofree char *least =
        gantry_quantity_text(gantry_display_get_least(display), 3, gantry_display_get_units(display).value);
    g_string_append_printf(text, ", where |B| > %s", least);
  }
  if (gantry_display_get_locked(display)) g_string_append(text, ", locked");
  return g_string_free(g_steal_pointer(&text), FALSE);
}
