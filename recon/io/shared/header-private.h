/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers made of lines, as MetaImage and NRRD have them. */
#ifndef CT_IO_HEADER_PRIVATE_H
#define CT_IO_HEADER_PRIVATE_H

#include "recon/io/shared/io-private.h"

typedef struct ct_header_text {
  const char *path, *title; /* the file and its format, for messages */
  char *text;               /* 0-terminated; cut up by ct_header_next */
  size_t length, at;
  bool whole; /* there is no more of it */
  int number; /* of the line read last, from 1 */
} ct_header_text;

/* Sets *more where the text ends before the header does, never where it is whole: it is then called with a longer text
 * from the beginning. */
typedef bool (*ct_header_parser)(void *state, ct_header_text *text, bool *more, ct_error **error);
bool ct_header_read(const char *path, const char *title, ct_header_parser parse, void *state, ct_error **error);

/* The next line without its end, NULL behind the last whole one. A line with zero bytes is CT_ERROR_FORMAT. */
bool ct_header_next(ct_header_text *text, char **line, ct_error **error);
/* Whether a header names "LIST" in place of a data file: the names are the lines that follow, up to the file's end.
 * They are taken as new text (ct_free), or more is asked for. */
bool ct_header_is_list(const char *data_file);
bool ct_header_take_list(const ct_header_text *text, char **list, bool *more, ct_error **error);

#endif
