/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of recon and render. Functions that can fail return bool or a pointer and take a ct_error ** as their
 * last argument; NULL is allowed there and means that the caller wants no message. The message is one
 * sentence for the person in front of the program: what was wrong, where, and what to do if that is known. */
#ifndef CT_BASE_ERROR_H
#define CT_BASE_ERROR_H

#include <stdbool.h>

typedef enum {
  CT_ERROR_ARGUMENT,    /* a parameter is out of its range or contradicts another */
  CT_ERROR_MEMORY,      /* an allocation failed, or a size overflowed */
  CT_ERROR_IO,          /* the operating system refused: missing, read-only, full, ... */
  CT_ERROR_FORMAT,      /* the file is not what it should be: magic, truncated, inconsistent */
  CT_ERROR_UNSUPPORTED, /* valid, but this program or this kernel cannot do it */
  CT_ERROR_DATA,        /* the numbers are unusable: constant flats, no angles, ... */
  CT_ERROR_CANCELLED,   /* the job was cancelled by its owner */
  CT_ERROR_ELSEWHERE,   /* a file leads to others outside its folder, which nobody has allowed to be read */
} ct_error_code;

typedef struct ct_error {
  ct_error_code code;
  const char *message; /* UTF-8, one line, never NULL */
} ct_error;

/* Sets *error to a new error. Does nothing if error is NULL; keeps the first error if *error is already set.
 * When memory is too short for the message, a static error is set instead. Always returns false. */
bool ct_error_set(ct_error **error, ct_error_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* As ct_error_set, with ": " and the text of errno after the message (CT_ERROR_IO; ENOMEM gives CT_ERROR_MEMORY). EIO
 * and ENOMEM count as untold (untold.h), also where nobody wants the message. */
bool ct_error_set_errno(ct_error **error, int errnum, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " before the message of *error, if there is one. */
void ct_error_prefix(ct_error **error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees *error and sets it to NULL; both may be NULL. */
void ct_error_clear(ct_error **error);

#endif
