/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: one heap block each, struct and message together; a static one where memory lacks for that. */
#include "recon/base/error.h"

#include "recon/base/shown.h"
#include "recon/base/untold.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ct_error out_of_memory = {CT_ERROR_MEMORY, "Memory ran out while another error was being described."};

static ct_error *error_new(ct_error_code code, const char *message) {
  const size_t room = 3 * strlen(message) + 1; /* a stray byte becomes a character of three */
  ct_error *error = malloc(sizeof *error + room);
  if (!error) return (ct_error *)&out_of_memory;
  char *text = ct_shown(message, (char *)(error + 1), room);
  *error = (ct_error){code, text};
  return error;
}

bool ct_error_set(ct_error **error, ct_error_code code, const char *format, ...) {
  if (!error || *error) return false;
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  *error = error_new(code, text);
  return false;
}

bool ct_error_set_errno(ct_error **error, int errnum, const char *format, ...) {
  const bool wanted = error && !*error, failed = errnum == EIO || errnum == ENOMEM;
  if (!wanted && !failed) return false;
  char message[1024], reason[256], text[CT_UNTOLD];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (failed) {
    snprintf(text, sizeof text, "%.200s: %s", message, strerror_r(errnum, reason, sizeof reason));
    ct_untold_note(text);
  }
  return ct_error_set(error, errnum == ENOMEM ? CT_ERROR_MEMORY : CT_ERROR_IO, "%s: %s", message,
                      strerror_r(errnum, reason, sizeof reason));
}

void ct_error_prefix(ct_error **error, const char *format, ...) {
  if (!error || !*error || *error == &out_of_memory) return;
  char prefix[1024], text[3200];
  va_list args;
  va_start(args, format);
  vsnprintf(prefix, sizeof prefix, format, args);
  va_end(args);
  snprintf(text, sizeof text, "%s: %s", prefix, (*error)->message);
  ct_error *longer = error_new((*error)->code, text);
  ct_error_clear(error);
  *error = longer;
}

void ct_error_clear(ct_error **error) {
  if (!error) return;
  if (*error != &out_of_memory) free(*error);
  *error = NULL;
}
