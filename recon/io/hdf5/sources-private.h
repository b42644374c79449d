/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that datasets of an HDF5 file really take their values from: the file itself, those that external links and
 * virtual datasets point to, and files of plain samples (external storage). The library reads zeros where one of them
 * is missing or ends early. Called with the lock held. */
#ifndef CT_IO_HDF5_SOURCES_PRIVATE_H
#define CT_IO_HDF5_SOURCES_PRIVATE_H

#include "recon/io/hdf5/hdf5-private.h"

typedef struct ct_hdf5_source {
  char *path;
  ct_source state;
} ct_hdf5_source;

/* Each file once; all zero is empty. */
struct ct_hdf5_sources {
  ct_hdf5_source *files;
  size_t count, capacity;
  bool anywhere;     /* those that lie outside the folder of the one that leads to them are read too */
  bool volume;       /* for messages: a volume's, which nobody can allow that */
  ct_error *refused; /* the first that was not read for that reason, also where the caller wanted no message */
};

void ct_hdf5_sources_clear(ct_hdf5_sources *sources);
bool ct_hdf5_sources_add(ct_hdf5_sources *sources, const char *path, ct_error **error);
/* The files of a dataset, and of the datasets that it is made of; `name` is for messages. CT_ERROR_IO naming the file
 * that is not there, CT_ERROR_FORMAT for one that is too short or lacks the dataset, CT_ERROR_ELSEWHERE for one
 * outside the folder of the file that leads to it; the first file here leads to the dataset. */
bool ct_hdf5_sources_add_dataset(ct_hdf5_sources *sources, hid_t dataset, const char *name, ct_error **error);
bool ct_hdf5_sources_hold(const ct_hdf5_sources *sources, const char *file);
/* Whether they are what they were when they were added; thorough: all of them, where there are many. */
bool ct_hdf5_sources_check(const ct_hdf5_sources *sources, bool thorough, ct_error **error);

/* Fails when `name`, or a group above it, is a link to what is not there; the error names what. True also where there
 * is no such link at all. */
bool ct_hdf5_check_link(hid_t file, const char *path, const char *name, ct_error **error);

#endif
