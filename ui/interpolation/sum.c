/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/interpolation/sum.h"

#include <math.h>
#include <string.h>

#include "recon/bp/choices.h"
#include "ui/number-text.h"

char *gantry_interpolation_cost_words(ct_interp interp, int rows) {
  const ct_interp_cost cost = ct_interp_get_cost(interp, rows == 1 ? 1 : 2);
  return g_strdup_printf("%d value%s and %d operation%s", cost.values, cost.values == 1 ? "" : "s", cost.operations,
                         cost.operations == 1 ? "" : "s");
}

char *gantry_interpolation_short_title(ct_interp interp) {
  char *title = g_strdup(ct_choice_id(ct_interp_choices, (int)interp));
  *title = g_ascii_toupper(*title);
  return title;
}

GantrySumUnit gantry_interpolation_unit(const double *values, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
  const int exponent = largest > 0 && isfinite(largest) ? (int)floor(log10(largest)) : 0;
  if (exponent < -1 || exponent > 3) return (GantrySumUnit){.power = exponent, .decimals = 3};
  return (GantrySumUnit){.decimals = 3 - exponent};
}

char *gantry_interpolation_in_unit(GantrySumUnit unit, double value) {
  return gantry_fixed_text(value / pow(10, unit.power), unit.decimals);
}

char *gantry_interpolation_unit_words(GantrySumUnit unit) {
  if (!unit.power) return g_strdup("");
  g_autofree char *power = gantry_power_text(unit.power);
  return g_strdup_printf(", in %s", power);
}

void gantry_interpolation_pad(GString *text, const char *word, int width) {
  const int room = ABS(width) - (int)g_utf8_strlen(word, -1);
  g_string_append_printf(text, "%*s%s%*s", width > 0 ? MAX(room, 0) : 0, "", word, width < 0 ? MAX(room, 0) : 0, "");
}

char *gantry_interpolation_weight_words(double weight) {
  g_autofree char *size = gantry_fixed_text(fabs(weight), 3);
  return g_strdup_printf("%s %s", weight < 0 ? GANTRY_MINUS : "+", size);
}

char *gantry_interpolation_sum_words(const double *weights, const double *values, int taps) {
  const GantrySumUnit unit = gantry_interpolation_unit(values, taps);
  GString *text = g_string_new("Weight × value");
  double sum = 0;
  g_autofree char *in = gantry_interpolation_unit_words(unit), *power = gantry_power_text(unit.power);
  if (unit.power) g_string_append_printf(text, "\n(values%s)", in + strlen(","));
  for (int tap = 0; tap < taps; tap++) {
    if (weights[tap] == 0) continue;
    g_autofree char *weight = gantry_interpolation_weight_words(weights[tap]),
                    *value = gantry_interpolation_in_unit(unit, values[tap]);
    g_string_append_printf(text, "\n%s × ", weight);
    gantry_interpolation_pad(text, value, 6);
    sum += weights[tap] * values[tap];
  }
  g_autofree char *result = gantry_interpolation_in_unit(unit, sum);
  g_string_append_printf(text, "\n= %s%s%s", result, unit.power ? "·" : "", unit.power ? power : "");
  return g_string_free(text, FALSE);
}
