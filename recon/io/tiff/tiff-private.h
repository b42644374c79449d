/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One TIFF file through libtiff, with libtiff's messages in ct_error and never on a stream. */
#ifndef CT_IO_TIFF_PRIVATE_H
#define CT_IO_TIFF_PRIVATE_H

#include "recon/io/shared/series-private.h"

#include <tiffio.h>

#define CT_TIFF_EXTENSIONS "tif tiff"

/* libtiff's first error of a call. */
typedef struct ct_tiff_failure {
  char message[256];
  int number; /* errno when it came */
} ct_tiff_failure;

/* Whether there is memory to spare for what libtiff does with a page (spare.h): where it cannot keep one of its fields
 * it crashes. CT_ERROR_MEMORY. */
bool ct_tiff_may_call(ct_error **error);
/* Options whose handlers write to *failure (which outlives the handle); limit: bytes of one allocation inside libtiff.
 */
TIFFOpenOptions *ct_tiff_options(ct_tiff_failure *failure, uint64_t limit, ct_error **error);

/* A page and how its samples are stored. */
typedef struct ct_tiff_page {
  ct_image_facts facts;
  uint16_t compression;
  bool tiled, plain;                  /* plain: rows can be read straight from the file */
  bool tall;                          /* strips that are decoded row by row */
  uint32_t block_width, block_height; /* of a tile, or of a strip (whole width) */
  uint32_t blocks_across;
  size_t block_bytes; /* decoded */
  size_t band_bytes;  /* of a row of blocks; tall: of a row of samples */
} ct_tiff_page;

typedef struct ct_tiff {
  TIFF *tiff;
  char *path;
  uint64_t file_bytes, decoded_bytes; /* decoded_bytes: of the pages walked over so far */
  ct_tiff_failure failure;
  ct_tiff_page page;
  unsigned char *band; /* one decoded strip, or a row of tiles side by side */
  size_t band_capacity;
  uint32_t band_index; /* which of the page's; UINT32_MAX: none */
  uint32_t next_row;   /* tall: the row that libtiff decodes next; UINT32_MAX: not known */
} ct_tiff;

ct_tiff *ct_tiff_open(const char *path, ct_error **error);
void ct_tiff_close(ct_tiff *file);
/* To the next page that is a full image. */
bool ct_tiff_next(ct_tiff *file, bool *more, ct_error **error);
uint64_t ct_tiff_tell(const ct_tiff *file);
bool ct_tiff_seek(ct_tiff *file, uint64_t page, ct_error **error);
/* The present page's description (ASCII as stored), or NULL. Lives until the page changes. */
const char *ct_tiff_get_description(const ct_tiff *file);
/* Whether it begins with ImageJ's lines. */
bool ct_tiff_is_imagej(const char *description);
bool ct_tiff_read_rows(ct_tiff *file, int row0, int rows, float *out, ct_error **error);
bool ct_tiff_fail(ct_tiff *file, const char *what, ct_error **error);

extern const ct_image_codec ct_tiff_codec;

/* What Gantry (as JSON behind ImageJ's lines) and ImageJ write into ImageDescription. */
typedef struct ct_tiff_meta {
  bool ours; /* spacing, origin and plan are Gantry's */
  double spacing[3], origin[3];
  bool in_pixels; /* the unit of ours */
  bool has_spacing[3];
  int slices;       /* of the whole volume; 0: not told */
  double low, high; /* values of the samples 0 and 65535; both NaN: samples are values */
  char *plan;
} ct_tiff_meta;
bool ct_tiff_parse_meta(const ct_tiff *file, ct_tiff_meta *meta, ct_error **error);
/* The JSON of a slice (k, or -1 for a whole file); ct_free. */
char *ct_tiff_format_meta(const ct_volume_header *header, int slice, ct_error **error);
/* That JSON of the slice behind the lines by which ImageJ knows the slices' distance and what 16-bit samples mean;
 * ct_free. */
char *ct_tiff_format_imagej(const ct_volume_header *header, int slice, const char *json, ct_error **error);

/* OME-XML. Sizes in mm, 0: not told. */
typedef struct ct_ome {
  int slices, channels, times;
  double size[3];
  char *comment; /* JSON, ct_free; or NULL */
} ct_ome;
bool ct_tiff_is_ome(const char *description);
/* False, and one plane of no size, where the text is no OME-XML with pixels. */
bool ct_tiff_parse_ome(const char *description, ct_ome *ome);
/* OME-XML of a whole file, with Gantry's JSON (ct_tiff_format_meta) in a comment; ct_free. */
char *ct_tiff_format_ome(const ct_volume_header *header, const char *json, ct_error **error);

/* The row's entries. */
bool ct_tiff_read_plan(const char *path, const char *dataset, char **plan, ct_error **error);
extern const ct_slice_reader ct_tiff_reader;
extern const ct_slice_writer ct_tiff_writer;

#endif
