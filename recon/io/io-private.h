/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the format files of recon/io share: the table's entries, lists of numbered files, small text files, numbers in
 * text that do not depend on the locale, and samples of any type. */
#ifndef CT_IO_PRIVATE_H
#define CT_IO_PRIVATE_H

#include "recon/io/io.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

extern const ct_format ct_format_hdf5;
extern const ct_format ct_format_tiff;
extern const ct_format ct_format_png;
extern const ct_format ct_format_metaimage;
extern const ct_format ct_format_nrrd;
extern const ct_format ct_format_raw;

/* Paths. The extension is what follows the last '.' of the last part ("" when there is none); compared without case. */
const char *ct_path_name(const char *path);
const char *ct_path_extension(const char *path);
bool ct_path_has_extension(const char *path, const char *extensions); /* space-separated, no dots: "tif tiff" */
/* New text (ct_free): FOLDER/NAME, or NAME alone when it is absolute. */
char *ct_path_join(const char *folder, const char *name, ct_error **error);
/* New text (ct_free): the path's folder, "." when it names none. */
char *ct_path_folder(const char *path, ct_error **error);

/* Files in natural order: runs of digits compare as numbers (proj2 < proj10; proj02 next to proj2). */
typedef struct ct_file_list {
  char **paths;
  size_t count;
} ct_file_list;
int ct_natural_compare(const char *a, const char *b);
/* Regular files of a folder with one of the extensions; hidden files are passed over. An empty list is CT_ERROR_FORMAT.
 */
bool ct_file_list_folder(ct_file_list *list, const char *folder, const char *extensions, ct_error **error);
/* Regular files whose name fits a pattern in its last part: '*' any text, '?' one character, '#' one digit
 * ("proj_####.tif"), one %d or %0Nd a number. Nothing found is CT_ERROR_IO. */
bool ct_file_list_pattern(ct_file_list *list, const char *pattern, ct_error **error);
bool ct_path_is_pattern(const char *path);
void ct_file_list_clear(ct_file_list *list);

/* A whole text file, 0-terminated, at most `limit` bytes (ct_free). length may be NULL. A file with 0 bytes inside is
 * CT_ERROR_FORMAT. */
char *ct_read_text(const char *path, size_t limit, size_t *length, ct_error **error);
/* strtod with '.' whatever the locale; *end == text when there is no number. */
double ct_text_to_double(const char *text, char **end);
/* The shortest decimal text that reads back as the same double, with '.' whatever the locale. Returns text. */
char *ct_double_to_text(double value, char text[32]);
/* Numbers of a text file, one per line or separated by commas, semicolons or blanks; lines that begin with '#' are
 * passed over. *values with ct_free. Anything else is CT_ERROR_FORMAT naming the line. */
bool ct_read_numbers(const char *path, double **values, size_t *count, ct_error **error);

/* Samples as files hold them. */
typedef enum {
  CT_SAMPLE_UINT8,
  CT_SAMPLE_INT8,
  CT_SAMPLE_UINT16,
  CT_SAMPLE_INT16,
  CT_SAMPLE_UINT32,
  CT_SAMPLE_INT32,
  CT_SAMPLE_UINT64,
  CT_SAMPLE_INT64,
  CT_SAMPLE_FLOAT32,
  CT_SAMPLE_FLOAT64,
  CT_SAMPLE_TYPES
} ct_sample_type;
size_t ct_sample_size(ct_sample_type type);
const char *ct_sample_id(ct_sample_type type); /* "uint16" */
bool ct_sample_from_id(const char *id, ct_sample_type *type);
bool ct_sample_is_integer(ct_sample_type type);
bool ct_machine_is_big_endian(void);
/* in may be unaligned and may be the same block as out when the type is no wider than 4 bytes and in lies at the
 * block's end, or is float32 in place; big_endian tells the byte order of in. */
void ct_samples_to_float(const void *in, ct_sample_type type, bool big_endian, size_t count, float *out);
/* low..high to 0..65535, rounded, clamped; NaN becomes 0. */
void ct_floats_to_uint16(const float *in, size_t count, double low, double high, uint16_t *out);
/* The values that become 0 and 65535: the options', or the volume's finite extremes where those are NaN. low < high
 * always. */
void ct_write_range(const ct_volume *volume, const ct_write_options *options, double *low, double *high);

/* Equal steps over half a turn (parallel) or a whole turn (divergent), for files that tell no angles. Returns the
 * sentence that the user must read; CT_KNOWN_ANGLES stays unset. */
const char *ct_assume_angles(ct_geometry *geometry);

/* Exactly `bytes` at `offset`; a short file is CT_ERROR_FORMAT "PATH ends early", other faults CT_ERROR_IO. */
bool ct_read_exactly(int descriptor, const char *path, void *data, size_t bytes, off_t offset, ct_error **error);
/* Size of a regular file; CT_ERROR_IO otherwise. */
bool ct_file_size(const char *path, uint64_t *bytes, ct_error **error);

#endif
