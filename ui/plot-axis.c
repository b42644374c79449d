/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks after Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990. */
#include "ui/plot-axis.h"

#include <math.h>

static double nice_step(double rough) {
  const double power = pow(10, floor(log10(rough)));
  const double fraction = rough / power;
  return (fraction <= 1.0000001 ? 1 : fraction <= 2.0000001 ? 2 : fraction <= 5.0000001 ? 5 : 10) * power;
}

static void place_ticks(GantryAxis *axis) {
  axis->first = ceil(axis->low / axis->step - 1e-6) * axis->step;
  axis->count = (int)floor((axis->high - axis->first) / axis->step + 1e-6) + 1;
}

void gantry_axis_fit(GantryAxis *axis, double low, double high, int most, gboolean loose) {
  if (!isfinite(low) || !isfinite(high)) low = 0, high = 1;
  if (high < low) {
    const double swap = low;
    low = high, high = swap;
  }
  const double size = fmax(fabs(low), fabs(high));
  if (high - low <= size * 1e-9 || high - low < 1e-300) {
    const double half = size > 1e-290 ? 0.1 * size : 0.5;
    low -= half, high += half;
  }
  axis->step = nice_step((high - low) / MAX(most - 1, 1));
  if (loose) {
    low = floor(low / axis->step + 1e-6) * axis->step;
    high = ceil(high / axis->step - 1e-6) * axis->step;
  }
  axis->low = low, axis->high = high;
  place_ticks(axis);
  while (axis->count < 2) {
    axis->step = nice_step(axis->step * 0.4);
    place_ticks(axis);
  }
  const int decimals = (int)ceil(-log10(axis->step) - 1e-6);
  axis->decimals = decimals > 6 || axis->step > 5e6 ? -1 : MAX(decimals, 0);
}

double gantry_axis_tick(const GantryAxis *axis, int index) {
  const double value = axis->first + index * axis->step;
  return fabs(value) < 1e-6 * axis->step ? 0 : value;
}

double gantry_axis_place(const GantryAxis *axis, double value) {
  return (value - axis->low) / (axis->high - axis->low);
}

double gantry_axis_value(const GantryAxis *axis, double place) {
  return axis->low + place * (axis->high - axis->low);
}

static char *format(int decimals, double value, char *text, gsize size) {
  const char *minus = signbit(value) && value != 0 ? "−" : "";
  if (decimals < 0)
    g_snprintf(text, size, "%s%.3g", minus, fabs(value));
  else
    g_snprintf(text, size, "%s%.*f", minus, decimals, fabs(value));
  return text;
}

char *gantry_axis_format(const GantryAxis *axis, double value, char *text, gsize size) {
  return format(axis->decimals, value, text, size);
}

char *gantry_axis_format_fine(const GantryAxis *axis, double value, char *text, gsize size) {
  return format(axis->decimals < 0 ? -1 : axis->decimals + 2, value, text, size);
}
