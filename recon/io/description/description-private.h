/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan descriptions: JSON that tells what files lack, or which raw, flat and dark files make a scan. The keys are in
 * docs/scan-description.md. */
#ifndef CT_IO_DESCRIPTION_PRIVATE_H
#define CT_IO_DESCRIPTION_PRIVATE_H

#include "recon/base/error.h"
#include "recon/data/scan.h"
#include "recon/io/shared/format.h"
#include "recon/io/shared/json-private.h"

#include <stdbool.h>

#define CT_DESCRIPTION_EXTENSION "json"

typedef struct ct_description {
  json_t *root; /* an object */
  char *path;   /* for messages */
  char *folder; /* relative paths start here */
  bool based;   /* made of another one's keys, and these changed */
} ct_description;

/* From a file; or, when `source` begins with '{', from that text with paths relative to `folder`. Checks the JSON and
 * the keys, not the values. NULL with an error. */
ct_description *ct_description_new(const char *source, const char *folder, ct_error **error);
void ct_description_free(ct_description *description);

/* The description that lies beside a scan (FOLDER/scan.json, NAME.scan.json), new text (ct_free), or NULL when there is
 * none. in_series: a file that is one image of a series has the description of its folder too. */
char *ct_description_find(const char *path, bool is_folder, bool in_series);

/* The other way round: what a description file without "files" is about, FOLDER or FOLDER/NAME.EXTENSION; new text.
 * NULL with an error where nothing lies there, or where its name says nothing. */
char *ct_description_find_images(const ct_description *description, ct_error **error);

/* Whether it has "files", and whether these are a raw layout rather than paths. */
bool ct_description_names_files(const ct_description *description);
bool ct_description_has_raw_layout(const ct_description *description);
/* One that a user named may lead anywhere ("links"); what lies beside a scan, or is the base of another, may come from
 * whoever sent both, and gives no such permission. */
void ct_description_distrust(ct_description *description);
bool ct_description_leads_anywhere(const ct_description *description);
/* Takes what another one tells of how files are opened: its options go before these. */
bool ct_description_take_options(ct_description *description, const ct_description *other, ct_error **error);
/* What it changes about opening the files that it is about; borrows from it. */
ct_open_options ct_description_get_options(const ct_description *description);

/* Reads angles that "angles_deg" takes from a dataset inside a file ("FILE::DATASET") into the description; others are
 * left to ct_description_apply_facts. */
typedef bool (*ct_angles_reader)(const char *path, bool anywhere, double **degrees, size_t *count, ct_error **error);
bool ct_description_fetch_angles(ct_description *description, ct_angles_reader read, ct_error **error);
/* "geometry": a file that tells it, new text (ct_free) or NULL; or false: what lies beside the images is not read. */
bool ct_description_get_geometry(const ct_description *description, char **file, bool *none, ct_error **error);

/* Opens the files of the room's formats: recon/io/open.c gives it. */
typedef ct_scan *(*ct_scan_opener)(const char *path, const ct_open_options *options, ct_error **error);
/* The scan that the description's "files" (or raw layout over `path`, when "files" names no file) make. */
ct_scan *ct_description_open_files(const ct_description *description, const char *path, ct_scan_opener open,
                                   ct_error **error);
/* Adds the description's flats, darks and facts to a scan, which it takes (also on failure). `path` is what the user
 * opened. */
ct_scan *ct_description_apply(const ct_description *description, const char *path, ct_scan *scan, ct_scan_opener open,
                              ct_error **error);
/* The part of it that needs no files: geometry, angles, values, flips. */
bool ct_description_apply_facts(const ct_description *description, ct_scan_facts *facts, ct_error **error);

/* Whether a scan with this description reads `file`: the description itself, or what it names. projections: "files" are
 * the scan's. reads: whether opening a path reads the file, where it may lead anywhere or not. */
bool ct_description_reads(const ct_description *description, bool projections, const char *file,
                          bool (*reads)(const char *path, bool anywhere, const char *file));

#endif
