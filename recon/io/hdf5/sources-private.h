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
  bool anywhere;      /* those that lie outside the folder of the one that leads to them are read too */
  const char *wanted; /* the name that is looked up, for messages; or NULL */
  bool glances;       /* what is looked up may well not be needed: nothing is refused for good */
  ct_error *refused;  /* the first that was not read for that reason, also where the caller wanted no message, */
  char *refused_path; /* and its path */
};

/* Whether a file that `container` takes the values of `name` from may be read: a file that somebody sent must not make
 * pictures of other files of this machine unasked; any file can be read as plain samples. CT_ERROR_ELSEWHERE. */
bool ct_hdf5_may_read(ct_hdf5_sources *sources, const char *container, const char *name, const char *path,
                      ct_error **error);
/* "FOLDER/NAME" where that is a file, new text; else NULL. */
char *ct_hdf5_file_in(const char *folder, const char *name);
/* The file that `container` calls `name`; new text, NULL where there is none. */
char *ct_hdf5_find_file(const char *container, const char *name, const char *prefix_variable);
/* The file that an object is in, new text. */
char *ct_hdf5_file_name(hid_t object, ct_error **error);
/* A name of the library's in new text (ct_free); get(plist, i, buffer, size) returns its length. */
char *ct_hdf5_mapping_text(ssize_t (*get)(hid_t, size_t, char *, size_t), hid_t create, size_t i, ct_error **error);
/* "part_%b.h5" and the like count their blocks from 0; new text, NULL where there is no such number. */
char *ct_hdf5_block_name(const char *pattern, int block);
/* One of the files of a reader that has others: as ct_hdf5_open_file, with the reader's sources. */
ct_hdf5_file *ct_hdf5_open_part(const char *path, ct_hdf5_sources *sources, ct_error **error);
void ct_hdf5_close_part(ct_hdf5_file *file);
/* How files are opened for reading, be it by a link. */
hid_t ct_hdf5_reading_access(void);
/* Access properties by which external links are followed to files that may be read, and to regular ones alone; the
 * library asks before it opens one. Negative where memory is short. The sources must outlive what is opened with it. */
hid_t ct_hdf5_guarded_access(ct_hdf5_sources *sources);
/* Whether the extent of a dataset may be asked for (H5Dget_space): of virtual ones without bounds the library opens the
 * files that they are made from. */
bool ct_hdf5_sources_may_measure(ct_hdf5_sources *sources, hid_t dataset, const char *name, ct_error **error);

enum { CT_HDF5_MOST_BLOCKS = 1000000 };

void ct_hdf5_sources_clear(ct_hdf5_sources *sources);
/* What was refused so far does not count against what is looked up next. */
void ct_hdf5_sources_forget(ct_hdf5_sources *sources);
bool ct_hdf5_sources_add(ct_hdf5_sources *sources, const char *path, ct_error **error);
/* The files of a dataset, and of the datasets that it is made of; `name` is for messages. CT_ERROR_IO naming the file
 * that is not there, CT_ERROR_FORMAT for one that is too short or lacks the dataset, CT_ERROR_ELSEWHERE for one
 * outside the folder of the file that leads to it; the first file here leads to the dataset. */
bool ct_hdf5_sources_add_dataset(ct_hdf5_sources *sources, hid_t dataset, const char *name, ct_error **error);
/* Also the one that was refused. */
bool ct_hdf5_sources_hold(const ct_hdf5_sources *sources, const char *file);
/* Whether they are what they were when they were added; thorough: all of them, where there are many. */
bool ct_hdf5_sources_check(const ct_hdf5_sources *sources, bool thorough, ct_error **error);

/* Whether an object of a path is missing; `part` is the path up to it, *link: a link of that name is there, that leads
 * nowhere or may not be followed. */
bool ct_hdf5_find_missing(const ct_hdf5_file *file, const char *name, char part[4 * CT_HDF5_TEXT], bool *link);
/* Fails when `name`, or a group above it, is a link to what is not there; the error names what. True also where there
 * is no such link at all. */
bool ct_hdf5_check_link(const ct_hdf5_file *file, const char *path, const char *name, ct_error **error);

#endif
