/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of the table of formats: what one file format is called, recognised by, and can do. A format that reads scans
 * and volumes also tells which of them a file holds. Unused entries are NULL or false. */
#ifndef CT_IO_FORMAT_H
#define CT_IO_FORMAT_H

#include "recon/base/units.h"
#include "recon/base/value-scale.h"
#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/scan.h"
#include "recon/data/volume.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the file of a volume begins with. A writer borrows it until it is closed. */
typedef struct ct_volume_header {
  const char *path;
  ct_grid grid;
  const char *plan; /* JSON, or NULL */
  ct_units units;
  bool integers; /* 16-bit samples, 0 and 65535 standing for low and high; else float32 */
  double low, high;
  bool compress;
  bool header_only; /* the samples come by another way: no room is asked for */
} ct_volume_header;

/* How a format writes volumes: a file is opened, takes all slices in order, and is closed. */
typedef struct ct_slice_writer {
  void *(*open)(const ct_volume_header *header, ct_error **error);
  /* Slice k, [ny][nx] of uint16_t or float in the machine's byte order. */
  bool (*put)(void *state, int k, const void *samples, ct_error **error);
  /* keep: the file is complete, is synchronised with the disk (fsync) and gets its name. Without, or on failure, what
   * was written is removed and false returned. Frees the state. */
  bool (*close)(void *state, bool keep, ct_error **error);
  /* Behind a header alone (header_only) samples that are not compressed may follow, slice after slice as `put` takes
   * them, as the last bytes of the file; of a path whose extension has a companion, they are all of the file beside the
   * header. */
  bool plain;
} ct_slice_writer;

/* What the file of a volume tells before its samples are read. */
typedef struct ct_volume_facts {
  ct_grid grid;
  bool pitch_unknown;   /* the file tells nothing of the voxel size, so that the grid has voxels of 1 */
  char *plan;           /* JSON, or NULL; ct_free */
  uint64_t file_bytes;  /* of the files that hold the samples */
  uint64_t unit_bytes;  /* that have to be unpacked at once, at least; 0: a row */
  ct_named_scale scale; /* of its values; where there is a plan, that tells it */
} ct_volume_facts;

typedef struct ct_open_options {
  const char *dataset; /* the array or group inside the file; NULL: the reader finds it */
  bool ignore_angles;  /* they come from elsewhere: errors in the file's angles do not matter */
  ct_layout layout;    /* what the user says that a picture is; readers without `turns` are not asked */
  bool anywhere;       /* files outside its folder are read too, where the file leads there */
} ct_open_options;

/* How a format reads volumes: files are opened, give rows in rising order, and are closed, so that no reader needs
 * memory for a whole volume. */
typedef struct ct_slice_reader {
  /* NULL on failure. The path stays until the state is closed; of the options, dataset and anywhere count. The facts
   * are all zero when it is called; the caller frees the plan, also on failure. */
  void *(*open)(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error);
  /* Rows [row0, row0 + rows) of slice k to out[rows][nx]. Never one before those that were read already: compressed
   * samples are unpacked once, and those in between are passed over. */
  bool (*read)(void *state, int k, int row0, int rows, float *out, ct_error **error);
  /* After the last row that is wanted: whether the files are what they were, and where the last of all was read,
   * whether they end there. */
  bool (*check)(void *state, ct_error **error);
  void (*close)(void *state);
} ct_slice_reader;

/* Two extensions: a volume written to NAME.extension has samples or a header in NAME.beside too. */
typedef struct ct_companion {
  const char *extension, *beside;
} ct_companion;
/* NAME.beside of NAME.extension, new text (ct_free). */
char *ct_companion_path(const ct_companion *companion, const char *path, ct_error **error);

/* An array inside a file. */
typedef struct ct_dataset {
  char *path; /* "/entry/data/data" */
  int rank;
  uint64_t dims[8]; /* the slowest first */
  char type[16];    /* "uint16" */
  char *trouble;    /* why it cannot be read, or NULL */
  bool elsewhere;   /* nobody has allowed the file that it is in to be read: its rank may be 0, for not known */
} ct_dataset;
typedef struct ct_dataset_list {
  ct_dataset *items;
  size_t count;
  bool more; /* than are listed */
} ct_dataset_list;
void ct_dataset_list_clear(ct_dataset_list *list);

/* What a file holds, as its own contents and the files beside it tell. EITHER: it can be read as both, and nothing
 * tells which it is. */
typedef enum { CT_CONTENT_SCAN, CT_CONTENT_VOLUME, CT_CONTENT_EITHER } ct_content;

typedef struct ct_format {
  const char *id;           /* "metaimage": in plans */
  const char *title;        /* "MetaImage": in messages, dialogs and lists */
  const char *extensions;   /* space-separated, the first is the default: "mha mhd" */
  const char *notes;        /* which variants are read, for lists: "folder or numbered pattern"; may be NULL */
  const char *also_written; /* what is written beside scans and volumes, for lists: "slices"; may be NULL */
  /* What one image is called ("TIFF"): scans are folders and numbered series of images. NULL: a scan is one file. */
  const char *images;
  bool datasets;                  /* FILE::DATASET names an array inside a file */
  bool turns;                     /* open_scan itself reads sinograms where options->layout says so */
  bool writes_folder;             /* a volume's path without extension becomes a folder of this format */
  const ct_companion *companions; /* ends with {NULL, NULL} */

  /* Confidence 0 (no) .. 100 from the path (a file or folder) and its first bytes. */
  int (*probe)(const char *path, const unsigned char *header, size_t header_size, bool is_folder);
  /* Goes with open_scan and `reader` together. When the file is damaged or unreadable: CT_CONTENT_SCAN, if a scan's
   * reader says best what is wrong. */
  ct_content (*content)(const char *path, const char *dataset);

  ct_scan *(*open_scan)(const char *path, const ct_open_options *options, ct_error **error);
  /* Whether open_scan or `reader` also reads `file`, a file that is there and not `path` itself. NULL: they read no
   * other. */
  bool (*reads)(const char *path, const ct_open_options *options, const char *file);
  bool (*write_scan)(const char *path, ct_scan *scan, ct_job *job, ct_error **error);

  const ct_slice_reader *reader; /* of volumes */
  /* The plan that a volume's file carries (ct_free), NULL where it carries none; goes with `reader`. */
  bool (*read_plan)(const char *path, const char *dataset, char **plan, ct_error **error);
  const ct_slice_writer *writer;

  /* Goes with `datasets`. All numbers of an array of one dimension, in degrees where it carries a unit of angles
   * (ct_free). anywhere: as of ct_open_options. */
  bool (*read_angles)(const char *path, const char *dataset, bool anywhere, double **degrees, size_t *count,
                      ct_error **error);
  /* The arrays of numbers inside a file, to choose from; cleared with ct_dataset_list_clear. anywhere: as above. */
  bool (*list_datasets)(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error);
} ct_format;

#endif
