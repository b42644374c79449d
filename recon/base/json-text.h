/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole JSON or none. Jansson's objects and arrays leave out what they get no memory for, and say so in return values
 * that no caller looks at: a plan or a result would lack some of its values, and nobody would know. */
#ifndef CT_BASE_JSON_TEXT_H
#define CT_BASE_JSON_TEXT_H

#include "recon/base/error.h"

#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>

/* As json_dumps (free), but NULL also where jansson got no memory in this thread since the last call. */
char *ct_json_text(const json_t *root, size_t flags);
/* As json_loads, which ends the program where memory is short. That alone is an error here: what is wrong with the text
 * stands in *fault (may be NULL), without a word of the text itself, and is the caller's to tell. */
json_t *ct_json_read(const char *text, size_t flags, json_error_t *fault, ct_error **error);
/* The same of a text that may be none of JSON: *root is NULL then. False where memory is short alone. */
bool ct_json_try(const char *text, size_t flags, json_t **root, ct_error **error);

#endif
