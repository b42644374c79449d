/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of the plan to and from text. */
#include "ui/plan-number.h"

#include <math.h>
#include <string.h>

#include "recon/base/units.h"

#define MOST_DECIMALS 9

gboolean gantry_number_parse(const ct_param *param, const char *typed, double *value) {
  g_autoptr(GString) text = g_string_new(typed);
  g_string_replace(text, "−", "-", 0);
  if (!strchr(text->str, '.')) g_string_replace(text, ",", ".", 1);
  g_strstrip(text->str);
  if (*param->unit && g_str_has_suffix(text->str, param->unit)) text->str[strlen(text->str) - strlen(param->unit)] = 0;
  g_strstrip(text->str);
  char *end;
  *value = g_ascii_strtod(text->str, &end);
  return end != text->str && !*end && isfinite(*value) && (param->type != CT_PARAM_INT || *value == floor(*value));
}

static char *with_decimals(const ct_param *param, double value, int decimals) {
  char digits[512], format[16];
  g_snprintf(format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd(digits, sizeof digits, format, value);
  if (strchr(digits, '.')) {
    char *end = digits + strlen(digits);
    while (end[-1] == '0') *--end = 0;
    if (end[-1] == '.') end[-1] = 0;
  }
  const char *number = *digits == '-' ? digits + 1 : digits;
  const char *gap = !*param->unit || !strcmp(param->unit, "°") ? "" : " ";
  return g_strdup_printf("%s%s%s%s", *digits == '-' && strcmp(number, "0") != 0 ? "−" : "", number, gap, param->unit);
}

char *gantry_number_text(const ct_param *param, double value, int room) {
  const int least = CLAMP(param->digits, 0, MOST_DECIMALS);
  char *text = with_decimals(param, value, MOST_DECIMALS);
  for (int decimals = MOST_DECIMALS - 1; decimals >= least && g_utf8_strlen(text, -1) > room; decimals--) {
    g_free(text);
    text = with_decimals(param, value, decimals);
  }
  return text;
}

char *gantry_number_range(const ct_param *param) {
  char low[64], high[64];
  const char *gap = !*param->unit || !strcmp(param->unit, "°") ? "" : " ";
  ct_format_number(param->low, 6, low, sizeof low);
  ct_format_number(param->high, 6, high, sizeof high);
  return g_strdup_printf("%s%s to %s%s%s", *low == '-' ? "−" : "", *low == '-' ? low + 1 : low, high, gap, param->unit);
}
