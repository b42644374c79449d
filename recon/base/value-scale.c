/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear scales of values. */
#include "recon/base/value-scale.h"

#include "recon/base/text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *skip(const char *at, const char *what) {
  return at ? at + strspn(at, what) : NULL;
}

/* The number at `at`, and what follows it and a comma; NULL where there is none. */
static const char *take_number(const char *at, double *number) {
  char *end = NULL;
  if (at) *number = ct_text_to_double(at, &end);
  return at && end != at && isfinite(*number) ? skip(end, ", \t\r\n") : NULL;
}

ct_named_scale ct_named_scale_of_header(const char *json) {
  static const char key[] = "\"" CT_VALUE_SCALE_KEY "\"";
  ct_named_scale told = {{1, 0}, ""};
  const char *at = json ? strstr(json, key) : NULL;
  at = skip(at ? at + sizeof key - 1 : NULL, ": \t\r\n[");
  at = take_number(take_number(at, &told.scale.factor), &told.scale.offset);
  const size_t length = at && *at == '"' ? strcspn(at + 1, "\"") : 0;
  if (length && length < sizeof told.unit && told.scale.factor != 0) memcpy(told.unit, at + 1, length);
  return told;
}

uint16_t ct_hounsfield_of(float f, ct_value_scale scale) {
  if (!(f > 0)) return 0;
  const double hu = floor(scale.factor * f + scale.offset + 0.5);
  return hu <= 0 ? 0 : hu >= CT_HOUNSFIELD_PEAK ? CT_HOUNSFIELD_PEAK : (uint16_t)hu;
}
