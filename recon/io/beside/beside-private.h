/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry that lies beside the images in a file of its own: a scanner's settings, another program's geometry. One row
 * of a table for each kind of file; what a row tells is put to the images in one place (apply.c), so that a new kind is
 * one file and one row (rows-private.h). */
#ifndef CT_IO_BESIDE_PRIVATE_H
#define CT_IO_BESIDE_PRIVATE_H

#include "recon/base/error.h"
#include "recon/data/remarks.h"
#include "recon/data/scan.h"
#include "recon/io/shared/told-private.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_geometry_reader {
  const char *id, *title; /* "nikon", "Nikon (X-Tek) settings" */
  const char *extensions;
  bool common; /* its extension is that of many other files: files of it are not offered by their names */
  /* Confidence 0..100 from the name and the first bytes (0-terminated text, without bytes of 0 but for the end). */
  int (*probe)(const char *path, const char *head);
  /* `told` is all zero but for the places that are NAN, and `anywhere`. On failure what was told so far is cleared by
   * the caller. */
  bool (*read)(const char *path, ct_told *told, ct_error **error);
  /* What `read` is given for the geometry that lies inside a file of projections, new text (ct_free): NULL where there
   * is none. NULL: such files hold none. */
  char *(*inside)(const char *path);
} ct_geometry_reader;

const ct_geometry_reader *const *ct_geometry_readers(size_t *count);

/* The reader that recognises a file by its name and first bytes, or NULL. */
const ct_geometry_reader *ct_beside_recognise(const char *path);
/* The geometry inside a file of projections ("scan.h5::/cone_vec"), new text (ct_free), and who reads it; NULL: none.
 */
char *ct_beside_inside(const char *path, const ct_geometry_reader **reader);
/* Adds the words of those extensions that name nothing else: "xtekct pca xml". */
void ct_beside_extensions(char *text, size_t size);
/* Does it fit the images? Says why not. */
bool ct_told_fits(const ct_told *told, const ct_scan_facts *facts, char *why, size_t size);
/* Puts it into the facts; `name`: of the file. */
bool ct_told_apply(const ct_told *told, const char *name, ct_scan_facts *facts, ct_remarks *remarks, ct_error **error);
/* Files of a folder that a reader recognises, so many at most; false: there is none. */
enum { CT_BESIDE_MOST_FILES = 64 };
struct ct_file_list;
bool ct_beside_list(const char *folder, struct ct_file_list *list);
/* Whether a file beside a geometry can be projections: neither a geometry, nor a description, nor surely a volume. */
bool ct_beside_may_be_projections(const char *path);
/* Characters that the names of the geometry and of another scan in the folder of `path` begin with alike, where that
 * one fits it as well as `path` and they are no fewer than those of `path`: of several the most, else fewer. *name: its
 * file, new text (ct_free), or NULL. */
int ct_beside_rival(const ct_told *told, const char *geometry, const char *path, const ct_scan_facts *facts,
                    char **name);
/* The numbers of a table in NumPy's .npy, row after row (ct_free); *count: all of them. NULL with an error. */
double *ct_beside_read_npy(const char *path, size_t *count, int *columns, ct_error **error);

/* The members of a TIGRE geometry in a MAT file as its JSON, with pairs in Python's order; *holds_scan: an array in the
 * file could be projections. told: who asks, NULL: it is only looked whether there is one, and members in files of
 * other folders are left out. NULL with an error. */
struct json_t *ct_beside_read_mat(const char *path, const ct_told *told, bool *holds_scan, ct_error **error);

/* Text files of "key = value" with sections in brackets; ';' and '#' begin comments. Keys compare without case. */
typedef struct ct_keyed {
  char *path, *text;
  struct ct_keyed_line {
    const char *section, *key, *value;
  } * lines;
  int count;
} ct_keyed;
bool ct_keyed_read(ct_keyed *keyed, const char *path, ct_error **error);
/* The same of XML: elements that hold text are keys, the section is the element about them. attributes: those are keys,
 * too, the section is the element that has them. */
bool ct_keyed_read_xml(ct_keyed *keyed, const char *path, bool attributes, ct_error **error);
void ct_keyed_clear(ct_keyed *keyed);
/* section NULL: any. NULL where there is none. The first counts. */
const char *ct_keyed_text(const ct_keyed *keyed, const char *section, const char *key);
/* A number, which units may follow; *number is left as it is where the key is missing. False with an error where it is
 * no finite number, or not greater than `above`. */
bool ct_keyed_number(const ct_keyed *keyed, const char *key, double above, double *number, ct_error **error);
/* A whole number of 1 to 1e6, or 0 where the key is missing. */
bool ct_keyed_count(const ct_keyed *keyed, const char *key, int *number, ct_error **error);

#endif
