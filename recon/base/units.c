/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities for people. */
#include "recon/base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *ct_format_number(double value, int digits, char *text, size_t size) {
  if (isnan(value)) {
    snprintf(text, size, "no value");
    return text;
  }
  if (isinf(value)) {
    snprintf(text, size, value > 0 ? "infinite" : "minus infinite");
    return text;
  }
  const double magnitude = fabs(value);
  if (magnitude != 0 && (magnitude < 1e-5 || magnitude >= 1e7)) {
    snprintf(text, size, "%.*g", digits, value);
    return text;
  }
  int decimals = magnitude > 0 ? digits - 1 - (int)floor(log10(magnitude)) : 0;
  if (decimals < 0) decimals = 0;
  snprintf(text, size, "%.*f", decimals, value);
  if (strchr(text, '.')) {
    size_t end = strlen(text);
    while (text[end - 1] == '0') end--;
    if (text[end - 1] == '.') end--;
    text[end] = 0;
  }
  if (strcmp(text, "-0") == 0) snprintf(text, size, "0");
  return text;
}

char *ct_format_quantity(double value, int digits, const char *unit, char *text, size_t size) {
  ct_format_number(value, digits, text, size);
  if (!isnan(value) && unit && *unit) {
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", strcmp(unit, "°") == 0 ? "" : " ", unit);
  }
  return text;
}

double ct_length_factor(double length, const char *unit, const char **shown) {
  static const struct {
    double below, factor;
    const char *unit;
  } units[] = {{1e-4, 1e6, "nm"}, {0.01, 1e3, "µm"}, {1e4, 1, "mm"}, {INFINITY, 1e-3, "m"}};
  const double magnitude = fabs(length);
  *shown = unit;
  if (!unit || strcmp(unit, "mm") != 0 || !(magnitude > 0) || isinf(magnitude)) return 1;
  size_t i = 0;
  while (magnitude >= units[i].below) i++;
  *shown = units[i].unit;
  return units[i].factor;
}

char *ct_format_length(double length, int digits, const char *unit, char *text, size_t size) {
  const char *shown;
  const double factor = ct_length_factor(length, unit, &shown);
  return ct_format_quantity(length * factor, digits, shown, text, size);
}

char *ct_format_bytes(double bytes, char *text, size_t size) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
    bytes /= 1000;
    unit++;
  }
  snprintf(text, size, "%.*f %s", unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2, bytes, units[unit]);
  return text;
}

char *ct_format_duration(double seconds, char *text, size_t size) {
  if (!(seconds >= 0))
    snprintf(text, size, "unknown");
  else if (seconds < 0.9995)
    snprintf(text, size, "%.0f ms", seconds * 1e3);
  else if (seconds < 59.95)
    snprintf(text, size, "%.1f s", seconds);
  else {
    const long long s = llround(seconds);
    if (s < 3600)
      snprintf(text, size, "%lld:%02lld", s / 60, s % 60);
    else
      snprintf(text, size, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
  }
  return text;
}

ct_units ct_units_of(bool in_pixels) {
  return in_pixels ? (ct_units){"px", "1/px"} : (ct_units){"mm", "1/mm"};
}

ct_units ct_units_of_header(const char *json) {
  static const char key[] = "\"" CT_UNITS_KEY "\"";
  const char *found = json ? strstr(json, key) : NULL;
  if (found) found += sizeof key - 1;
  if (found) found += strspn(found, ": \t\r\n");
  return ct_units_of(found && strncmp(found, "\"px\"", 4) == 0);
}

bool ct_units_are_pixels(ct_units units) {
  return units.length[0] == 'p';
}
