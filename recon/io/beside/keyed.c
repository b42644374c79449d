/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scanners' settings as text: "[section]" and "key = value" lines. What is neither is passed over. */
#include "recon/io/beside/beside-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { TEXT_LIMIT = 1 << 22, MOST_LINES = 1 << 16 };

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Without blanks at its ends, in place. */
static char *trim(char *text) {
  while (is_blank(*text)) text++;
  size_t length = strlen(text);
  while (length && is_blank(text[length - 1])) text[--length] = 0;
  return text;
}

static void take_line(ct_keyed *keyed, char *line, const char **section) {
  line = trim(line);
  if (*line == '[') {
    char *end = strchr(line, ']');
    if (end) *end = 0;
    *section = trim(line + 1);
    return;
  }
  char *equals = strchr(line, '=');
  if (!equals || *line == ';' || *line == '#' || keyed->count == MOST_LINES) return;
  *equals = 0;
  keyed->lines[keyed->count++] = (struct ct_keyed_line){*section, trim(line), trim(equals + 1)};
}

bool ct_keyed_read(ct_keyed *keyed, const char *path, ct_error **error) {
  *keyed = (ct_keyed){0};
  size_t length, ends = 1;
  if (!(keyed->path = ct_strdup(path, error)) || !(keyed->text = ct_read_text(path, TEXT_LIMIT, &length, error))) {
    ct_keyed_clear(keyed);
    return false;
  }
  for (const char *c = keyed->text; *c; c++) ends += *c == '\n';
  keyed->lines = ct_alloc(ends < MOST_LINES ? ends : MOST_LINES, sizeof *keyed->lines, "a settings file", error);
  if (!keyed->lines) {
    ct_keyed_clear(keyed);
    return false;
  }
  const char *section = "";
  char *line = keyed->text;
  while (line) {
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    take_line(keyed, line, &section);
    line = end ? end + 1 : NULL;
  }
  return true;
}

void ct_keyed_clear(ct_keyed *keyed) {
  ct_free(keyed->path);
  ct_free(keyed->text);
  ct_free(keyed->lines);
  *keyed = (ct_keyed){0};
}

const char *ct_keyed_text(const ct_keyed *keyed, const char *section, const char *key) {
  for (int i = 0; i < keyed->count; i++)
    if (strcasecmp(keyed->lines[i].key, key) == 0 && (!section || strcasecmp(keyed->lines[i].section, section) == 0))
      return keyed->lines[i].value;
  return NULL;
}

bool ct_keyed_number(const ct_keyed *keyed, const char *key, double above, double *number, ct_error **error) {
  const char *text = ct_keyed_text(keyed, NULL, key);
  char *end;
  if (!text || !*text) return true;
  const double value = ct_text_to_double(text, &end);
  if (end == text || !isfinite(value) || fabs(value) > 1e12)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s must be a number, not \"%.60s\".", keyed->path, key, text);
  if (!(value > above))
    return ct_error_set(error, CT_ERROR_DATA, "%s: %s must be greater than %g, not %.60s.", keyed->path, key, above,
                        text);
  *number = value;
  return true;
}

bool ct_keyed_count(const ct_keyed *keyed, const char *key, int *number, ct_error **error) {
  double value = 0;
  *number = 0;
  if (!ct_keyed_number(keyed, key, -1e13, &value, error)) return false;
  if (value < 0 || value > 1e6 || value != floor(value))
    return ct_error_set(error, CT_ERROR_DATA, "%s: %s must be a whole number up to a million, not %g.", keyed->path,
                        key, value);
  *number = (int)value;
  return true;
}
