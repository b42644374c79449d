/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Well-formed UTF-8 as in table 3-7 of the Unicode Standard 15.0. */
#include "recon/base/shown.h"

#include <string.h>

size_t ct_utf8_length(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] < 0x80) return c[0] != 0;
  const size_t length = c[0] >= 0xc2 && c[0] <= 0xdf   ? 2
                        : (c[0] & 0xf0) == 0xe0        ? 3
                        : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4
                                                       : 0;
  for (size_t i = 1; i < length; i++)
    if ((c[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90),
             surrogate = c[0] == 0xed && c[1] > 0x9f, beyond = c[0] == 0xf4 && c[1] > 0x8f;
  return overlong || surrogate || beyond ? 0 : length;
}

/* Also those of Latin-1, U+0080 to U+009F, which some terminals obey. */
static bool is_control(const char *text, size_t length) {
  const unsigned char *c = (const unsigned char *)text;
  return length == 1 ? c[0] < 0x20 || c[0] == 0x7f : length == 2 && c[0] == 0xc2 && c[1] < 0xa0;
}

char *ct_shown(const char *text, char *buffer, size_t size) {
  static const char unknown[] = "\xef\xbf\xbd";
  size_t at = 0;
  while (*text) {
    const size_t length = ct_utf8_length(text);
    const char *put = text;
    size_t bytes = length;
    if (*text == '\n' || *text == '\r' || *text == '\t')
      put = " ";
    else if (!length || is_control(text, length))
      put = unknown, bytes = sizeof unknown - 1;
    if (at + bytes >= size) break;
    memcpy(buffer + at, put, bytes);
    at += bytes;
    text += length ? length : 1;
  }
  buffer[at] = 0;
  return buffer;
}

bool ct_error_names(const ct_error *error, const char *path) {
  char shown[CT_SHOWN];
  return error && strstr(error->message, ct_shown(path, shown, sizeof shown));
}
