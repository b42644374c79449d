/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File names and other foreign text as people see them: a name on Linux is any bytes, a terminal obeys control
 * characters, and labels take UTF-8 alone. */
#ifndef CT_BASE_SHOWN_H
#define CT_BASE_SHOWN_H

#include "recon/base/error.h"

#include <stddef.h>

/* Room for a path as it is shown. */
enum { CT_SHOWN = 4200 };

/* Bytes of the character of UTF-8 that begins here: 1 to 4; 0 where none does (a stray byte, an overlong form, half of
 * a surrogate pair, the end). */
size_t ct_utf8_length(const char *text);
/* One line of UTF-8 in buffer[size], cut behind a whole character: line breaks and tabs become blanks, other control
 * characters and stray bytes U+FFFD. Returns buffer. */
char *ct_shown(const char *text, char *buffer, size_t size);
/* Whether the error's message holds a path, as it is shown. */
bool ct_error_names(const ct_error *error, const char *path);

#endif
