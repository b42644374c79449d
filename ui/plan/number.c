/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of the plan to and from text. */
#include "ui/plan/number.h"

#include "ui/number-text.h"

#include <math.h>
#include <string.h>

#define MOST_DECIMALS 9
/* Below this a least value only keeps zero out. */
#define LEAST_TOLD 5e-4

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

static const char *gap_before_unit(const ct_param *param) {
  return !*param->unit || !strcmp(param->unit, "°") ? "" : " ";
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
  return g_strdup_printf("%s%s%s%s", *digits == '-' && strcmp(number, "0") != 0 ? "−" : "", number,
                         gap_before_unit(param), param->unit);
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

/* Without an exponent. */
static char *limit_text(double value) {
  char digits[512];
  g_ascii_formatd(digits, sizeof digits, "%.9f", value);
  char *end = digits + strlen(digits);
  while (end[-1] == '0') *--end = 0;
  if (end[-1] == '.') *--end = 0;
  return gantry_proper_number(digits);
}

char *gantry_number_range(const ct_param *param) {
  g_autofree char *low = limit_text(param->low), *high = limit_text(param->high);
  if (param->low > 0 && param->low < LEAST_TOLD)
    return g_strdup_printf("above 0, at most %s%s%s", high, gap_before_unit(param), param->unit);
  return g_strdup_printf("%s to %s%s%s", low, high, gap_before_unit(param), param->unit);
}

/* Limits as far away as that only keep nonsense out. */
#define FAR 1e4

char *gantry_number_bounds(const ct_param *param) {
  if (param->high < FAR) {
    g_autofree char *range = gantry_number_range(param);
    return g_strdup_printf("Range: %s.", range);
  }
  if (param->low <= -FAR) return NULL;
  if (param->low == 0) return g_strdup("Not negative.");
  if (param->low > 0 && param->low < LEAST_TOLD) return g_strdup("Above 0.");
  g_autofree char *low = limit_text(param->low);
  return g_strdup_printf("At least %s%s%s.", low, gap_before_unit(param), param->unit);
}
