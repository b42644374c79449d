/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw samples with a described layout: where they lie, what they are, how many. */
#ifndef CT_IO_RAW_PRIVATE_H
#define CT_IO_RAW_PRIVATE_H

#include "recon/base/error.h"
#include "recon/data/scan.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/shared/json-private.h"
#include "recon/io/shared/source-private.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ct_raw_layout {
  ct_file_list files; /* frames one file after the other */
  ct_source *sources; /* of the files */
  ct_sample_type type;
  bool big_endian;
  int nx, ny;            /* of one frame or slice */
  int frames;            /* in all */
  int frames_per_file;   /* only the last file may hold fewer */
  uint64_t header_bytes; /* before the first frame of each file */
  uint64_t frame_header_bytes;
  uint64_t file_bytes;  /* of all files */
  uint64_t spare_bytes; /* behind the last frame of the last file */
  double scale, offset; /* value = stored * scale + offset */
} ct_raw_layout;

/* Keys of a layout; a volume's header has more. `where` names the JSON in messages; relative paths start at `folder`;
 * `path` is the raw file when the layout names none (may be NULL). Checks the sizes of the files against the counts. */
extern const char *const ct_raw_layout_keys[];
bool ct_raw_layout_parse(ct_raw_layout *layout, const json_t *object, const char *where, const char *folder,
                         const char *path, ct_error **error);
void ct_raw_layout_clear(ct_raw_layout *layout);

/* Reads rows of frames, one open file at a time. */
typedef struct ct_raw_reader {
  ct_raw_layout layout;
  int open_file; /* index, -1: none */
  int descriptor;
} ct_raw_reader;
/* Takes the layout. */
void ct_raw_reader_init(ct_raw_reader *reader, ct_raw_layout *layout);
void ct_raw_reader_clear(ct_raw_reader *reader);
bool ct_raw_reader_read(ct_raw_reader *reader, int frame, int row0, int rows, float *out, ct_error **error);
/* Whether the files are what they were when the layout was parsed. */
bool ct_raw_reader_check(const ct_raw_reader *reader, ct_error **error);

/* Adds warnings where samples seem to be stored in another way than the layout says. */
void ct_raw_find_doubts(ct_raw_reader *reader, ct_remarks *remarks);

/* A scan of the frames; takes the layout, also on failure. */
ct_scan *ct_raw_scan_new(ct_raw_layout *layout, const char *path, ct_error **error);

#endif
