/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the parts of recon/io open each other's files. */
#ifndef CT_IO_OPEN_H
#define CT_IO_OPEN_H

#include "recon/base/error.h"
#include "recon/data/scan.h"
#include "recon/io/io.h"

#include <stdbool.h>

/* What a description changes about opening. */
typedef struct ct_open_options {
  const char *dataset; /* inside an HDF5 file: a group or dataset; NULL: found by itself */
  bool ignore_angles;  /* told elsewhere: faults in the file's angles do not matter */
} ct_open_options;

/* A scan of any format as its file tells it, no description applied. `path` may be a file, a folder, a pattern of
 * numbered files or FILE::DATASET. */
ct_scan *ct_open_plain(const char *path, const ct_open_options *options, ct_error **error);

/* The format that ct_open_plain takes a path for, NULL where it is none. Not for FILE::DATASET. */
const ct_format *ct_probe_scan(const char *path);

/* FILE::DATASET in two new texts (ct_free); false, and both NULL, when the path is no such thing or memory is short. */
bool ct_path_split_dataset(const char *path, char **file, char **dataset);

ct_scan *ct_hdf5_open_scan(const char *path, const ct_open_options *options, ct_error **error);
#endif
