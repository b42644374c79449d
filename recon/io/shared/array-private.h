/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays [nz][ny][nx] of one sample type that lie in one or several files, plain or deflated, as the headers of
 * MetaImage and NRRD describe them. Plain arrays are read row by row from the file; deflated ones as one stream. */
#ifndef CT_IO_ARRAY_PRIVATE_H
#define CT_IO_ARRAY_PRIVATE_H

#include "recon/io/shared/io-private.h"
#include "recon/io/shared/source-private.h"

#include <stdio.h>

/* A file that holds `planes` planes from `offset` on. offset < 0 (plain only): the samples are the file's last bytes.
 */
typedef struct ct_array_part {
  char *path;
  int64_t offset;
  uint64_t limit; /* deflated: bytes of the stream as the header states them; 0: up to the end of the file */
  ct_source source;
  int planes;
} ct_array_part;

typedef struct ct_array_layout {
  char *path; /* the header's file, for messages */
  int nx, ny, nz;
  ct_sample_type type;
  bool big_endian;
  bool deflated; /* zlib or gzip; or nothing about the stream (`bare`), of which `skipped` bytes come first */
  bool bare;
  size_t skipped;
  uint32_t crc; /* of the bare stream's contents */
  bool z_first; /* Fortran order: samples lie as [x][y][z]; such an array is read into memory as a whole */
  bool scaled;  /* value = slope * sample + intercept */
  double slope, intercept;
  ct_array_part *parts;
  size_t part_count;
} ct_array_layout;

/* Appends a part, whose file must be there; takes nothing (the path is copied). */
bool ct_array_layout_add(ct_array_layout *layout, const char *path, int64_t offset, uint64_t limit, int planes,
                         ct_error **error);
void ct_array_layout_clear(ct_array_layout *layout);
/* Whether one of the parts is in `file`. */
bool ct_array_layout_holds(const ct_array_layout *layout, const char *file);
/* The files that a header names, relative to its folder: one by its name; or several, the planes shared out evenly, one
 * name per line of `list` (which is cut up), or "slice%03d.raw 1 100 1", a name with one number, its first and last
 * value and step. list: NULL, or it counts and not the name. limit: of a single file. */
bool ct_array_layout_add_named(ct_array_layout *layout, const char *name, char *list, int64_t offset, uint64_t limit,
                               ct_error **error);
/* nx, ny, nz out of a header's counts: at most three axes of more than one sample. */
bool ct_array_layout_set_counts(ct_array_layout *layout, const int64_t *counts, int axes, ct_error **error);

typedef struct ct_array ct_array;

/* Takes the layout's contents, also on failure. Checks counts and that every file is long enough for what it is said to
 * hold (for deflate: for what it can hold at most), before anything big is allocated. */
ct_array *ct_array_open(ct_array_layout *layout, ct_error **error);
void ct_array_free(ct_array *array);
const ct_array_layout *ct_array_get_layout(const ct_array *array);
uint64_t ct_array_file_bytes(const ct_array *array);
/* What has to be in memory for one row of a volume besides it. */
uint64_t ct_array_unit_bytes(const ct_array *array);

/* Brings a deflated array, or one in Fortran order, into memory, in its own sample type, so that frames can be read in
 * any order. */
bool ct_array_unpack(ct_array *array, ct_error **error);
/* Rows for a format's ct_slice_reader, whose state is an array: a deflated one is unpacked row by row. */
bool ct_array_read_slices(void *state, int k, int row0, int rows, float *out, ct_error **error);
bool ct_array_check_slices(void *state, ct_error **error);
void ct_array_close_slices(void *state);
#define CT_ARRAY_READER(opener)                                                                                        \
  { opener, ct_array_read_slices, ct_array_check_slices, ct_array_close_slices }

/* A scan whose frames are the array's planes. Takes the array; facts->geometry's counts are the array's. */
ct_scan *ct_array_scan(ct_array *array, const ct_scan_facts *facts, ct_error **error);

/* A scan of the whole array; takes the layout's contents, also on failure. told: what the header tells (format, values,
 * flips, the pitch with CT_KNOWN_PITCH); angles come from a text file beside it. */
ct_scan *ct_array_scan_of_layout(ct_array_layout *layout, const ct_scan_facts *told, const ct_open_options *options,
                                 ct_error **error);

typedef enum { CT_ENCODE_PLAIN, CT_ENCODE_ZLIB, CT_ENCODE_GZIP } ct_encoding;

/* How a format's header is written, and where the samples (the machine's byte order) go. */
typedef struct ct_array_form {
  /* data_file: the name of the samples' file, NULL when they follow. *size_place may be set to where put_size has to
   * write. */
  bool (*put_header)(FILE *file, const char *path, const ct_volume_header *header, const char *data_file,
                     long *size_place, ct_error **error);
  /* NULL, or called at the end with the bytes that compressed samples took. */
  bool (*put_size)(FILE *file, const char *path, long size_place, uint64_t bytes, ct_error **error);
  /* NULL, or what stands behind the samples. */
  bool (*put_trailer)(FILE *file, const char *path, const ct_volume_header *header, ct_error **error);
  ct_encoding packed; /* of compressed samples; CT_ENCODE_PLAIN: they are never compressed */
} ct_array_form;

/* The parts of a ct_slice_writer. header_path: of the header; data_path: of the samples, NULL: behind the header. Both
 * are copied. When there are two files both are complete before either takes its name. */
void *ct_array_writer_open(const ct_array_form *form, const ct_volume_header *header, const char *header_path,
                           const char *data_path, ct_error **error);
/* For a header of one of two extensions: `apart` puts the samples in a file of their own, of extension `plain` or
 * `packed`. */
void *ct_array_writer_open_beside(const ct_array_form *form, const ct_volume_header *header, const char *apart,
                                  const char *plain, const char *packed, ct_error **error);
bool ct_array_writer_put(void *state, int k, const void *samples, ct_error **error);
bool ct_array_writer_close(void *state, bool keep, ct_error **error);
/* fprintf whose failure is CT_ERROR_IO naming `path`. */
bool ct_put_text(FILE *file, const char *path, ct_error **error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Header texts. */
/* Up to `capacity` numbers separated by blanks (or commas); the count found, -1 when something else stands there. */
int ct_text_numbers(const char *text, double *values, int capacity);
int ct_text_integers(const char *text, int64_t *values, int capacity);
/* Millimetres of a unit of length ("um"), `length` bytes of text; 0 when it is none. */
double ct_unit_to_mm(const char *unit, size_t length);

#endif
