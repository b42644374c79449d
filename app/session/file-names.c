/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/session/file-names.h"

char *gantry_file_part(const char *name) {
  GString *part = g_string_new(NULL);
  for (const char *p = name; *p; p = g_utf8_next_char(p)) {
    const gunichar letter = g_utf8_get_char(p);
    if (g_unichar_isalnum(letter) || letter == '.')
      g_string_append_unichar(part, letter);
    else if (part->len && part->str[part->len - 1] != '-')
      g_string_append_c(part, '-');
  }
  while (part->len && part->str[part->len - 1] == '-') g_string_truncate(part, part->len - 1);
  return g_string_free(part, FALSE);
}

char *gantry_file_stem(const char *name) {
  const char *dot = g_strrstr(name, ".");
  return dot && dot > name ? g_strndup(name, (gsize)(dot - name)) : g_strdup(name);
}
