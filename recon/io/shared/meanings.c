/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What words about an array tell of its values: its unit states it, its name may hint at decadic logarithms. */
#include "recon/io/shared/meanings.h"

#include <ctype.h>
#include <string.h>

ct_values ct_values_of_unit(const char *unit) {
  static const struct {
    const char *word;
    ct_values values;
  } words[] = {
      {"filtered line integral", CT_VALUES_FILTERED}, {"log10", CT_VALUES_OPTICAL_DENSITY},
      {"decadic", CT_VALUES_OPTICAL_DENSITY},         {"line integral", CT_VALUES_LINE_INTEGRALS},
      {"optical density", CT_VALUES_OPTICAL_DENSITY}, {"optical densities", CT_VALUES_OPTICAL_DENSITY},
      {"attenuation", CT_VALUES_LINE_INTEGRALS},      {"absorption", CT_VALUES_LINE_INTEGRALS},
      {"transmission", CT_VALUES_TRANSMISSION},       {"count", CT_VALUES_COUNTS},
  };
  if (strcmp(unit, "OD") == 0) return CT_VALUES_OPTICAL_DENSITY;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(unit, words[i].word)) return words[i].values;
  return CT_VALUES_UNKNOWN;
}

/* "OD" as a word of its own. */
static bool has_od(const char *name) {
  for (const char *at = name; (at = strstr(at, "OD")); at += 2)
    if ((at == name || !isalpha((unsigned char)at[-1])) && !isalpha((unsigned char)at[2])) return true;
  return false;
}

bool ct_name_hints_at_density(const char *name) {
  static const char *const words[] = {"log10",           "log_10",          "optical_density", "opticaldensity",
                                      "optical-density", "optical density", "absorbance",      "extinction"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(name, words[i])) return true;
  return has_od(name);
}

ct_values ct_values_told(const char *text, const char *what, const char *file, ct_remarks *remarks) {
  const ct_values told = ct_values_of_unit(text);
  if (told != CT_VALUES_UNKNOWN || !ct_name_hints_at_density(text)) return told;
  ct_remarks_add(
      remarks, CT_REMARK_DOUBT, file,
      "%s is \"%.40s\": the values are taken for -log10(I / I0). Where they are -ln(I / I0), every number in "
      "the volume is wrong: set scan.values=line-integrals",
      what, text);
  return CT_VALUES_OPTICAL_DENSITY;
}
