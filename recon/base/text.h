/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small text files, numbers in text that do not depend on the locale, and reads of an exact size. */
#ifndef CT_BASE_TEXT_H
#define CT_BASE_TEXT_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* A whole text file, 0-terminated, at most `limit` bytes (ct_free), without the mark of UTF-8 that may stand before it.
 * length may be NULL. A file with 0 bytes inside, or in UTF-16, is CT_ERROR_FORMAT. */
char *ct_read_text(const char *path, size_t limit, size_t *length, ct_error **error);
/* The same of a small file with whatever bytes; length is not NULL. */
char *ct_read_whole(const char *path, size_t limit, size_t *length, ct_error **error);
/* strtod with '.' whatever the locale; *end == text when there is no number. */
double ct_text_to_double(const char *text, char **end);
/* The shortest decimal text that reads back as the same double, with '.' whatever the locale. Returns text. */
char *ct_double_to_text(double value, char text[32]);
/* Numbers of a text file, one per line or separated by commas, semicolons or blanks; lines that begin with '#' are
 * passed over. *values with ct_free. Anything else is CT_ERROR_FORMAT naming the line. */
bool ct_read_numbers(const char *path, double **values, size_t *count, ct_error **error);

/* Exactly `bytes` at `offset`; a short file is CT_ERROR_FORMAT "PATH ends early", other faults CT_ERROR_IO. */
bool ct_read_exactly(int descriptor, const char *path, void *data, size_t bytes, off_t offset, ct_error **error);
/* Size of a regular file; CT_ERROR_IO otherwise. */
bool ct_file_size(const char *path, uint64_t *bytes, ct_error **error);
/* Opens a regular file to be read, and waits for nobody: FIFOs, devices and folders are CT_ERROR_IO. A descriptor, -1
 * with an error; a stream, NULL with an error. */
int ct_open_to_read(const char *path, ct_error **error);
FILE *ct_stream_to_read(const char *path, ct_error **error);

/* The first bytes of a regular file, `room` at most; their number. 0 with an error where it cannot be opened. */
size_t ct_read_beginning(const char *path, void *bytes, size_t room, ct_error **error);

#endif
