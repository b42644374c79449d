/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/interpolation/sum.h"

#include <math.h>

#include "ui/number-text.h"

const char *gantry_interpolation_sign(double weight, gboolean first) {
  if (weight < 0) return first ? GANTRY_MINUS : GANTRY_MINUS " ";
  return first ? "" : "+ ";
}

char *gantry_interpolation_cost_words(ct_interp interp, int rows) {
  const ct_interp_cost cost = ct_interp_get_cost(interp, rows == 1 ? 1 : 2);
  return g_strdup_printf("%d value%s and %d operation%s", cost.values, cost.values == 1 ? "" : "s", cost.operations,
                         cost.operations == 1 ? "" : "s");
}

int gantry_interpolation_add_sum(GString *text, const double *weights, const double *values, int taps) {
  int used = 0;
  for (int tap = 0; tap < taps; tap++) {
    if (weights[tap] == 0) continue;
    g_autofree char *weight = gantry_fixed_text(fabs(weights[tap]), 3),
                    *value = gantry_quantity_text(values[tap], 3, NULL);
    g_string_append_printf(text, "%s%s%s × %s", used ? " " : "", gantry_interpolation_sign(weights[tap], !used), weight,
                           value);
    used++;
  }
  return used;
}
