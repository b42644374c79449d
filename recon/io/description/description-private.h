/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan descriptions: JSON that tells what files lack, or which raw, flat and dark files make a scan. The keys are in
 * docs/scan-description.md. */
#ifndef CT_IO_DESCRIPTION_PRIVATE_H
#define CT_IO_DESCRIPTION_PRIVATE_H

#include "recon/base/error.h"
#include "recon/data/scan.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct ct_description {
  json_t *root; /* an object */
  char *path;   /* for messages */
  char *folder; /* relative paths start here */
} ct_description;

/* From a file; or, when `source` begins with '{', from that text with paths relative to `folder`. Checks the JSON and
 * the keys, not the values. NULL with an error. */
ct_description *ct_description_new(const char *source, const char *folder, ct_error **error);
void ct_description_free(ct_description *description);

/* The description that lies beside a scan (FOLDER/scan.json, NAME.scan.json), new text (ct_free), or NULL when there is
 * none. */
char *ct_description_find(const char *path, bool is_folder);

bool ct_description_tells_angles(const ct_description *description);
/* The place inside a container file, or NULL. */
const char *ct_description_get_dataset(const ct_description *description);

/* The scan that the description's "files" (or raw layout over `path`, when "files" names no file) make. */
ct_scan *ct_description_open_files(const ct_description *description, const char *path, ct_error **error);
/* Adds the description's flats, darks and facts to a scan, which it takes (also on failure). `path` is what the user
 * opened. */
ct_scan *ct_description_apply(const ct_description *description, const char *path, ct_scan *scan, ct_error **error);

/* The part of it that needs no files: geometry, angles, values, flips. */
bool ct_description_apply_facts(const ct_description *description, ct_scan_facts *facts, ct_error **error);

/* A finite number or a list of `count` of them. Errors name the description and the key. */
bool ct_json_number(const json_t *value, const char *where, const char *key, double *number, ct_error **error);
bool ct_json_numbers(const json_t *value, const char *where, const char *key, size_t count, double *numbers,
                     ct_error **error);
/* Every key of the object is one of `keys`, which ends with NULL. */
bool ct_json_check_keys(const json_t *object, const char *where, const char *const *keys, ct_error **error);
/* Parses text; the error gives line and column. */
json_t *ct_json_parse(const char *text, const char *where, ct_error **error);

#endif
