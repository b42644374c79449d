/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole JSON or none. Jansson's objects and arrays leave out what they get no memory for, and say so in return values
 * that no caller looks at: a plan or a result would lack some of its values, and nobody would know. */
#ifndef CT_BASE_JSON_TEXT_H
#define CT_BASE_JSON_TEXT_H

#include <jansson.h>

#include <stddef.h>

/* As json_dumps (free), but NULL also where jansson got no memory in this thread since the last call. */
char *ct_json_text(const json_t *root, size_t flags);

#endif
