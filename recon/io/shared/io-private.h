/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the formats of recon/io share: their rows, lists of numbered files, samples of any type, headers of volumes, and
 * what readers say of scans. */
#ifndef CT_IO_PRIVATE_H
#define CT_IO_PRIVATE_H

#include "recon/base/output.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/shared/format.h"
#include "recon/io/shared/rows-private.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
/* Whether `file`, which is there, is one of them, be it by another name. */
bool ct_file_list_holds(const ct_file_list *list, const char *file);

/* FILE::DATASET in two new texts (ct_free); false, and both NULL, when the path is no such thing or memory is short. */
bool ct_path_split_dataset(const char *path, char **file, char **dataset);
/* A path without slashes at its end, new text (ct_free). */
char *ct_path_trimmed(const char *path, ct_error **error);

/* That writing a volume replaces nothing beside it that is not of this volume, nor the samples of another one. */
bool ct_volume_check_beside(const ct_format *format, const char *path, ct_error **error);

/* The usual confidence of a probe. recognised: the first bytes are the format's. */
int ct_probe_confidence(const char *path, const char *extensions, bool recognised);

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
  CT_SAMPLE_FLOAT16,
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
/* Limits that are NaN become the volume's least and largest finite value; low < high in the end. */
void ct_volume_sample_range(const ct_volume *volume, double *low, double *high);

/* Bytes of a file's samples, not compressed; and CT_ERROR_IO when the disk has no room for them (not
 * checked for compressed ones, whose size is not known). */
uint64_t ct_volume_header_bytes(const ct_volume_header *header);
bool ct_volume_header_check_space(const ct_volume_header *header, const ct_output *output, ct_error **error);

/* False with an error: a reader of scans found the mark that Gantry leaves in its volumes. */
bool ct_refuse_volume(const char *path, ct_error **error);

/* The same file with each picture taken as a sinogram: picture k is detector row k, its rows are the views. Takes the
 * scan, also on failure. Flats and darks that came with it are left out, and said so. Angles: of a text file beside it
 * (is_stack: as ct_series_angles), else assumed. */
ct_scan *ct_scan_of_sinograms(ct_scan *pictures, const ct_open_options *options, bool is_stack, ct_error **error);

/* Takes the item's texts where it succeeds. */
bool ct_dataset_list_add(ct_dataset_list *list, const ct_dataset *item, ct_error **error);

/* Equal steps over half a turn (parallel) or a whole turn (divergent), for files that tell no angles. Returns the
 * note for the user; CT_KNOWN_ANGLES stays unset. */
const char *ct_assume_angles(ct_geometry *geometry);

#endif
