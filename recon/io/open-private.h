/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats asked by what can be done with a path. */
#ifndef CT_IO_OPEN_PRIVATE_H
#define CT_IO_OPEN_PRIVATE_H

#include "recon/io/io.h"

/* The format that recognises a path best and serves the use; NULL with an error when another one recognises it better,
 * or none does. A path may be a file, a folder or a pattern of numbered files. */
const ct_format *ct_probe(const char *path, ct_format_use use, ct_error **error);
/* The format that recognises a path best, whatever it can do; NULL when none does. */
const ct_format *ct_probe_any(const char *path);
/* As ct_probe, for FILE::DATASET too: *file and *dataset are new texts (ct_free), *file NULL on failure and *dataset
 * NULL where none is named. */
const ct_format *ct_probe_dataset(const char *path, ct_format_use use, char **file, char **dataset, ct_error **error);

/* A scan of any format as its file tells it, no description applied: a file, a folder, a pattern of numbered files or
 * FILE::DATASET, which comes before the options' dataset. */
ct_scan *ct_open_plain(const char *path, const ct_open_options *options, ct_error **error);

/* The scan of a curved detector on the flat one that sees the same rays (curved.c): takes the scan, also on failure. */
ct_scan *ct_scan_flatten(ct_scan *scan, ct_error **error);

/* All numbers of FILE::DATASET in degrees, new (ct_free). */
bool ct_read_angles(const char *path, bool anywhere, double **degrees, size_t *count, ct_error **error);

/* Whether one file of this name stands for the series of images that it belongs to, by its extension. */
bool ct_path_is_image(const char *path);

/* What the first bytes of a file say that it is, of kinds that cannot be read, or not under its name, and the way out:
 * "a DICOM file: dcm2niix ...". False: they say nothing. */
bool ct_known_file(const unsigned char *header, size_t size, char *text, size_t room);
/* The same of a file by its name. */
bool ct_known_file_at(const char *path, char *text, size_t room);
/* How a file of which nothing is known is described as raw samples, with its size. */
void ct_raw_advice(const char *path, char *text, size_t room);

/* Whether a file of a folder has one of the extensions and can be opened by itself: of the JSON files only descriptions
 * that name files. *lone (may be NULL) is set where one is the folder's own and names none. */
bool ct_file_opens_alone(const char *path, const char *extensions, bool *lone);
/* What lies in a folder: "It holds a.txt, b.txt, c.txt and 9 more files, and the folder x: open ...". Files with one of
 * the extensions are named as those that can be opened by themselves (JSON: where it names files); where there are
 * none, the first is told by its true name. No full stop at the end. */
bool ct_folder_describe(const char *folder, const char *extensions, char *text, size_t size, ct_error **error);

/* Geometry files beside images (beside/): which belongs to which. */

/* Characters that two names begin with alike, case apart. */
int ct_beside_likeness(const char *a, const char *b);

/* Whether the file of a folder, a pattern or an image tells of its geometry, or could: no output may overwrite it. */
bool ct_beside_could_read(const char *path, const char *file);

/* The images that a geometry file belongs to, new text (ct_free). */
char *ct_beside_images(const char *path, bool anywhere, ct_error **error);
/* The file of projections that a folder means which holds one of several views beside a geometry that fits it, or
 * beside a description that tells one (d: the folder's, which names no files, or NULL), new text (ct_free). NULL where
 * there is none, or images in the folder are meant; with an error where there are several, or none that fits. */
struct ct_description;
char *ct_beside_stack(const char *path, const struct ct_description *d, ct_error **error);
/* The same of a folder or description as ct_scan_open opens it, NULL where there is none. */
char *ct_scan_stack(const char *path, const char *description);
/* Puts what lies beside a scan to it, which `path` was opened for: `file`, or where that is NULL what is found. A file
 * that is found and cannot be used is a warning among the scan's remarks, one that was named is an error, and so is
 * one that leads out of its folder where that is not allowed (anywhere; CT_ERROR_ELSEWHERE). */
bool ct_beside_apply(ct_scan *scan, const char *path, const char *file, bool anywhere, ct_error **error);
/* Whether a geometry file beside `path` belongs to the scan that it would be. */
bool ct_beside_belongs(const char *path);

/* Adds doubts where the angles that a scan tells are hardly in degrees, and where its pictures may be sinograms. False
 * where they are none (ct_geometry_check_angles). */
bool ct_scan_find_doubts(ct_scan *scan, ct_error **error);
/* Adds one where values look like line integrals and a name hints at decadic logarithms. */
void ct_scan_doubt_base(ct_scan *scan);

#endif
