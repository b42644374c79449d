/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks after Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990; on logarithmic axes at 1, 2 and 5, at 1
 * and 3 or at 1 in each decade, or in every n-th one. */
#include "ui/plot/axis.h"

#include <math.h>
#include <string.h>

static double nice_step(double rough) {
  const double power = pow(10, floor(log10(rough)));
  const double fraction = rough / power;
  return (fraction <= 1.0000001 ? 1 : fraction <= 2.0000001 ? 2 : fraction <= 5.0000001 ? 5 : 10) * power;
}

static void place_ticks(GantryAxis *axis) {
  axis->first = ceil(axis->low / axis->step - 1e-6) * axis->step;
  axis->count = (int)floor((axis->high - axis->first) / axis->step + 1e-6) + 1;
}

static void find_decimals(GantryAxis *axis) {
  const int decimals = (int)ceil(-log10(axis->step) - 1e-6);
  axis->decimals = decimals > 6 || axis->step > 5e6 ? -1 : MAX(decimals, 0);
}

void gantry_axis_fit(GantryAxis *axis, double low, double high, int most, gboolean loose) {
  *axis = (GantryAxis){.scale = GANTRY_SCALE_LINEAR};
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
  find_decimals(axis);
}

static void fit_whole(GantryAxis *axis, double low, double high, int most) {
  if (!isfinite(low) || !isfinite(high) || high < low) low = 0, high = 1;
  low = floor(low), high = fmax(ceil(high), low + 1);
  gantry_axis_fit(axis, low, high, most, FALSE);
  axis->scale = GANTRY_SCALE_WHOLE;
  if (axis->step >= 1) return;
  axis->step = 1;
  place_ticks(axis);
  find_decimals(axis);
}

/* Value of a tick by its number: `per_decade` numbers to a decade, the one at 1 being 0. */
static double log_tick(const GantryAxis *axis, double number) {
  static const double mantissas[4][3] = {{1, 1, 1}, {1, 1, 1}, {1, 3, 3}, {1, 2, 5}};
  const double decade = floor(number / axis->per_decade);
  const int place = (int)(number - decade * axis->per_decade);
  return mantissas[axis->per_decade][place] * pow(10, decade);
}

static void place_log_ticks(GantryAxis *axis) {
  double number = floor(log10(axis->low) * axis->per_decade / axis->step - 1) * axis->step;
  while (log_tick(axis, number) < axis->low * (1 - 1e-9)) number += axis->step;
  axis->first = number;
  axis->count = 0;
  while (log_tick(axis, number + axis->count * axis->step) <= axis->high * (1 + 1e-9)) axis->count++;
}

static void fit_log(GantryAxis *axis, double low, double high, int most) {
  if (!(low > 1e-300) || !(high >= low) || !isfinite(high)) low = 0.1, high = 1;
  if (high < 1.02 * low) low /= 1.1, high *= 1.1;
  *axis = (GantryAxis){.scale = GANTRY_SCALE_LOG, .low = low, .high = high, .step = 1};
  for (axis->per_decade = 3; axis->per_decade > 1; axis->per_decade--) {
    place_log_ticks(axis);
    if (axis->count <= most) break;
  }
  place_log_ticks(axis);
  while (axis->per_decade == 1 && axis->count > MAX(most, 2)) {
    axis->step++;
    place_log_ticks(axis);
    if (axis->count >= 2) continue;
    axis->step--;
    place_log_ticks(axis);
    break;
  }
  if (axis->count >= 2) return;
  /* Less than a decade without two of its ticks. */
  GantryAxis narrow;
  gantry_axis_fit(&narrow, low, high, MAX(most, 3), FALSE);
  narrow.scale = GANTRY_SCALE_LOG;
  *axis = narrow;
}

void gantry_axis_fit_scale(GantryAxis *axis, GantryScale scale, double low, double high, int most) {
  if (scale == GANTRY_SCALE_LOG)
    fit_log(axis, low, high, most);
  else if (scale == GANTRY_SCALE_WHOLE)
    fit_whole(axis, low, high, most);
  else
    gantry_axis_fit(axis, low, high, most, FALSE);
}

double gantry_axis_tick(const GantryAxis *axis, int index) {
  if (axis->per_decade) return log_tick(axis, axis->first + index * axis->step);
  const double value = axis->first + index * axis->step;
  return fabs(value) < 1e-6 * axis->step ? 0 : value;
}

double gantry_axis_place(const GantryAxis *axis, double value) {
  if (axis->scale == GANTRY_SCALE_LOG) return value > 0 ? log(value / axis->low) / log(axis->high / axis->low) : NAN;
  return (value - axis->low) / (axis->high - axis->low);
}

double gantry_axis_value(const GantryAxis *axis, double place) {
  if (axis->scale == GANTRY_SCALE_LOG) return axis->low * pow(axis->high / axis->low, place);
  return axis->low + place * (axis->high - axis->low);
}

static char *format(int decimals, double value, char *text, gsize size) {
  const char *minus = signbit(value) && value != 0 ? "−" : "";
  g_snprintf(text, size, "%s%.*f", minus, decimals, fabs(value));
  return text;
}

/* "0.02", "500", "2·10⁻⁵", "10⁶": `digits` of them count. */
static char *format_power(int digits, double value, char *text, gsize size) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (!(fabs(value) > 0)) return format(0, value, text, size);
  const int exponent = (int)floor(log10(fabs(value)) + 1e-9);
  if (exponent > -5 && exponent < 6) return format(MAX(digits - 1 - exponent, 0), value, text, size);
  char power[32] = "", mantissa[32], written[8];
  g_snprintf(written, sizeof written, "%d", abs(exponent));
  for (const char *digit = written; *digit; digit++) g_strlcat(power, raised[*digit - '0'], sizeof power);
  format(digits - 1, value / pow(10, exponent), mantissa, sizeof mantissa);
  const gboolean bare = !strcmp(mantissa, "1");
  g_snprintf(text, size, "%s%s10%s%s", bare ? "" : mantissa, bare ? "" : "·", exponent < 0 ? "⁻" : "", power);
  return text;
}

/* Digits of a value of a linear axis by which it differs from its neighbours a step away. */
static int digits_of(const GantryAxis *axis, double value) {
  if (!(fabs(value) > 0)) return 1;
  return CLAMP((int)(floor(log10(fabs(value)) + 1e-9) - floor(log10(axis->step) + 1e-9)) + 1, 1, 12);
}

char *gantry_axis_format(const GantryAxis *axis, double value, char *text, gsize size) {
  if (axis->per_decade) return format_power(1, value, text, size);
  return axis->decimals < 0 ? format_power(digits_of(axis, value), value, text, size)
                            : format(axis->decimals, value, text, size);
}

char *gantry_axis_format_fine(const GantryAxis *axis, double value, char *text, gsize size) {
  if (axis->scale == GANTRY_SCALE_LOG) return format_power(3, value, text, size);
  if (axis->scale == GANTRY_SCALE_WHOLE && value == round(value)) return format(0, value, text, size);
  return axis->decimals < 0 ? format_power(digits_of(axis, value) + 2, value, text, size)
                            : format(axis->decimals + 2, value, text, size);
}
