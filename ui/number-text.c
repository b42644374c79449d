/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Typography of numbers. */
#include "ui/number-text.h"

#include "recon/base/units.h"

#include <math.h>
#include <string.h>

/* Digits that stand without gaps. */
#define UNGROUPED 4
/* Keeps the groups of one number together. */
#define GAP "\u202f"

static void append_grouped(GString *text, const char *digits, gsize whole) {
  for (gsize i = 0; i < whole; i++) {
    if (i > 0 && whole > UNGROUPED && (whole - i) % 3 == 0) g_string_append(text, GAP);
    g_string_append_c(text, digits[i]);
  }
}

static void append_power(GString *text, int exponent) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  g_autofree char *written = g_strdup_printf("%d", ABS(exponent));
  g_string_append_printf(text, "10%s", exponent < 0 ? "⁻" : "");
  for (const char *digit = written; *digit; digit++) g_string_append(text, raised[*digit - '0']);
}

char *gantry_proper_number(const char *printed) {
  GString *text = g_string_new(NULL);
  const char *number = *printed == '-' ? printed + 1 : printed;
  const gsize whole = strspn(number, "0123456789"), digits = strspn(number, "0123456789.");
  if (*printed == '-' && digits) g_string_append(text, GANTRY_MINUS);
  append_grouped(text, number, whole);
  g_string_append_len(text, number + whole, (gssize)(digits - whole));
  const char *rest = number + digits;
  if (digits && *rest == 'e') {
    char *end;
    g_string_append(text, "·");
    append_power(text, (int)g_ascii_strtoll(rest + 1, &end, 10));
    rest = end;
  }
  g_string_append(text, rest);
  return g_string_free(text, FALSE);
}

char *gantry_quantity_text(double value, int digits, const char *unit) {
  char text[96];
  return gantry_proper_number(ct_format_quantity(value, digits, unit, text, sizeof text));
}

char *gantry_fixed_text(double value, int decimals) {
  const double unit = pow(10, -decimals), rounded = round(value / unit) * unit;
  return g_strdup_printf("%s%.*f", rounded < 0 ? GANTRY_MINUS : "", decimals, fabs(rounded));
}

char *gantry_power_text(int exponent) {
  GString *text = g_string_new(NULL);
  append_power(text, exponent);
  return g_string_free(text, FALSE);
}

char *gantry_count_text(gint64 count) {
  g_autofree char *printed = g_strdup_printf("%" G_GINT64_FORMAT, count);
  return gantry_proper_number(printed);
}

char *gantry_near_one_text(double value) {
  const double lack = fabs(1 - value);
  if (!(lack > 0) || lack >= 1e-2) return gantry_quantity_text(value, 5, NULL);
  /* Two digits behind the nines or zeros; doubles end at sixteen. */
  return gantry_fixed_text(value, MIN((int)ceil(-log10(lack)) + 1, 16));
}

char *gantry_length_text(double length, int digits, const char *unit) {
  char text[96];
  return gantry_proper_number(ct_format_length(length, digits, unit, text, sizeof text));
}
