/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that datasets of an HDF5 file really take their values from: the file itself, those that external links and
 * virtual datasets point to, and files of plain samples (external storage). The library reads zeros where one of them
 * is missing or ends early. Called with the lock held. */
#ifndef CT_IO_HDF5_SOURCES_PRIVATE_H
#define CT_IO_HDF5_SOURCES_PRIVATE_H

#include "recon/io/hdf5/hdf5-private.h"

/* Texts, each once, in the order in which they came; all zero is empty. */
typedef struct ct_hdf5_names {
  char **texts;
  size_t count, capacity;
  size_t *slots; /* 1 + the index of a text, by its hash; 0: free */
} ct_hdf5_names;
/* The index of a text, which is added where it is new; SIZE_MAX with an error. */
size_t ct_hdf5_names_add(ct_hdf5_names *names, const char *text, ct_error **error);
void ct_hdf5_names_clear(ct_hdf5_names *names);
/* Whether a group was not met before, by whatever name: links may lead in circles, and by many ways to the same. What
 * is neither there nor a group is not new. */
bool ct_hdf5_is_new_group(const ct_hdf5_file *file, const char *group, ct_hdf5_names *seen);

typedef struct ct_hdf5_source {
  const char *path; /* of `paths` */
  ct_source state;
} ct_hdf5_source;

/* What a trial in a child process found out for the process that opens the same next: digests of virtual datasets, in
 * the order in which they are opened, of what they are made from and the state of those files, each of which was sound
 * and led no further. */
typedef struct ct_hdf5_proof {
  atomic_uint steps; /* ct_trial_step */
  int count;
  uint64_t digests[8];
} ct_hdf5_proof;

/* Each file once; all zero is empty. */
struct ct_hdf5_sources {
  ct_hdf5_source *files;
  size_t count, capacity;
  ct_hdf5_names paths;
  hid_t dataset, creation; /* the virtual dataset that was looked at last, kept open; 0: none */
  hid_t access[2];         /* what files and what is in them are opened with; 0: not made yet */
  atomic_uint *steps;      /* of the trial that this is (ct_trial_step); NULL: it is none */
  ct_hdf5_proof *proof;    /* NULL: none is kept */
  bool proves;             /* it is made here; else it is used */
  int proved;              /* virtual datasets so far */
  bool leads_on;           /* one of the files of the present one leads to others */
  bool anywhere;           /* those that lie outside the folder of the one that leads to them are read too */
  const char *wanted;      /* the name that is looked up, for messages; or NULL */
  bool glances;            /* what is looked up may well not be needed: nothing is refused for good */
  ct_error *refused;       /* the first that was not read for that reason, also where the caller wanted no message, */
  char *refused_path;      /* and its path */
};

/* Whether a file that `container` takes the values of `name` from may be read: a file that somebody sent must not make
 * pictures of other files of this machine unasked; any file can be read as plain samples. CT_ERROR_ELSEWHERE. */
bool ct_hdf5_may_read(ct_hdf5_sources *sources, const char *container, const char *name, const char *path,
                      ct_error **error);
/* "FOLDER/NAME" where that is a file, new text; else NULL. */
char *ct_hdf5_file_in(const char *folder, const char *name);
/* A file that names others, and its folders; by realpath, "": none. */
typedef struct ct_hdf5_container {
  const char *path;
  char *folder, *real_folder;
} ct_hdf5_container;
ct_hdf5_container ct_hdf5_container_of(const char *path);
void ct_hdf5_container_clear(ct_hdf5_container *container);
/* The file that it calls `name`; new text, NULL where there is none. */
char *ct_hdf5_find_beside(const ct_hdf5_container *container, const char *name, const char *prefix_variable);
char *ct_hdf5_find_file(const char *container, const char *name, const char *prefix_variable);
/* As ct_hdf5_may_read. */
bool ct_hdf5_may_read_beside(ct_hdf5_sources *sources, const ct_hdf5_container *container, const char *name,
                             const char *path, ct_error **error);
/* The properties that a dataset was made with (H5Pclose). Opening a virtual one, and telling its properties, the
 * library copies all of its mappings: the last one is kept, until the sources are cleared. */
hid_t ct_hdf5_creation(ct_hdf5_sources *sources, hid_t dataset);
/* The file that an object is in, new text. */
char *ct_hdf5_file_name(hid_t object, ct_error **error);
/* A name of the library's in new text (ct_free); get(plist, i, buffer, size) returns its length. */
char *ct_hdf5_mapping_text(ssize_t (*get)(hid_t, size_t, char *, size_t), hid_t create, size_t i, ct_error **error);
/* "part_%b.h5" and the like count their blocks from 0; new text, NULL where there is no such number. */
char *ct_hdf5_block_name(const char *pattern, int block);
/* One of the files of a reader that has others: as ct_hdf5_open_file, with the reader's sources. */
ct_hdf5_file *ct_hdf5_open_part(const char *path, ct_hdf5_sources *sources, ct_error **error);
void ct_hdf5_close_part(ct_hdf5_file *file);
/* How files are opened for reading, be it by a link: new properties, and those that the sources share. */
hid_t ct_hdf5_reading_access(void);
hid_t ct_hdf5_files_access(ct_hdf5_sources *sources);
/* Access properties by which external links are followed to files that may be read, and to regular ones alone; the
 * library asks before it opens one. Negative where memory is short. The sources must outlive what is opened with it. */
hid_t ct_hdf5_guarded_access(ct_hdf5_sources *sources);
/* Whether the extent of a dataset may be asked for (H5Dget_space): of virtual ones without bounds the library opens the
 * files that they are made from. */
bool ct_hdf5_sources_may_measure(ct_hdf5_sources *sources, hid_t dataset, const char *name, ct_error **error);

enum { CT_HDF5_MOST_BLOCKS = 1000000 };

#define CT_HDF5_HASH 0xcbf29ce484222325u
/* The hash of what was hashed before, at first CT_HDF5_HASH, and of these bytes behind it. */
uint64_t ct_hdf5_hash(uint64_t hash, const void *data, size_t bytes);
void ct_hdf5_sources_clear(ct_hdf5_sources *sources);
/* What was refused so far does not count against what is looked up next. */
void ct_hdf5_sources_forget(ct_hdf5_sources *sources);
/* NULL with an error where it is not what it was; else what it was when it was added, until the next is. */
const ct_source *ct_hdf5_sources_add(ct_hdf5_sources *sources, const char *path, ct_error **error);
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
