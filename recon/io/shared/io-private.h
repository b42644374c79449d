/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the format files of recon/io share: the table's entries, lists of numbered files, and samples of any type. */
#ifndef CT_IO_PRIVATE_H
#define CT_IO_PRIVATE_H

#include "recon/base/output.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
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
extern const ct_format ct_format_rabbitct;
extern const ct_format ct_format_raw;

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
/* What lies in a folder: "It holds a.txt, b.txt, c.txt and 9 more files, and the folder x: open ...". Files with one of
 * the extensions are named as those that can be opened by themselves (JSON: where it names files). No full stop at the
 * end. */
bool ct_folder_in_words(const char *folder, const char *extensions, char *text, size_t size, ct_error **error);
void ct_file_list_clear(ct_file_list *list);

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
/* Bytes of a file's samples, not compressed; and CT_ERROR_IO when the disk has no room for them (compressed ones take
 * less, nobody knows how much). */
uint64_t ct_volume_head_bytes(const ct_volume_head *head);
bool ct_volume_head_check_space(const ct_volume_head *head, const ct_output *output, ct_error **error);

/* The values that become 0 and 65535: the options', or the volume's finite extremes where those are NaN. low < high
 * always. */
void ct_write_range(const ct_volume *volume, const ct_write_options *options, double *low, double *high);

/* False with words: a reader of scans found the mark that Gantry leaves in its volumes. */
bool ct_refuse_volume(const char *path, ct_error **error);

/* Equal steps over half a turn (parallel) or a whole turn (divergent), for files that tell no angles. Returns the
 * sentence that the user must read; CT_KNOWN_ANGLES stays unset. */
const char *ct_assume_angles(ct_geometry *geometry);

#endif
