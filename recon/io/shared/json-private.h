/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON with strict keys and numbers. `where` names the text in messages. */
#ifndef CT_IO_JSON_PRIVATE_H
#define CT_IO_JSON_PRIVATE_H

#include "recon/base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Parses text; the error gives line and column. */
json_t *ct_json_parse(const char *text, const char *where, ct_error **error);
/* Every key of the object is one of `keys`, which ends with NULL. */
bool ct_json_check_keys(const json_t *object, const char *where, const char *const *keys, ct_error **error);
/* A finite number, or a list of `count` of them. Errors name the key. */
/* Whether the "unit" of a volume's values is 1/px. */
bool ct_json_is_in_pixels(const json_t *root);
bool ct_json_number(const json_t *value, const char *where, const char *key, double *number, ct_error **error);
bool ct_json_numbers(const json_t *value, const char *where, const char *key, size_t count, double *numbers,
                     ct_error **error);

#endif
