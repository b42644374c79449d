/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 behind one lock: the library is not thread-safe as Debian builds it. Everything here but ct_hdf5_lock itself is
 * called with the lock held, which also turns the library's own error printing off. */
#ifndef CT_IO_HDF5_PRIVATE_H
#define CT_IO_HDF5_PRIVATE_H

#include "recon/base/error.h"
#include "recon/data/scan.h"
#include "recon/data/volume.h"
#include "recon/io/shared/format.h"
#include "recon/io/shared/source-private.h"
#include "recon/io/shared/trial-private.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

/* Where Gantry writes volumes: its datasets "data" and "plan". */
#define CT_HDF5_VOLUME_GROUP "/entry/volume"

enum { CT_HDF5_MAX_RANK = 8, CT_HDF5_TEXT = 256 };

void ct_hdf5_lock(void);
void ct_hdf5_unlock(void);

/* Whether a file begins like an HDF5 file, maybe behind a user block. */
bool ct_hdf5_has_signature(const unsigned char *header, size_t size);
/* The same of a file at a path. */
bool ct_hdf5_is_file(const char *path);
/* sources-private.h */
typedef struct ct_hdf5_sources ct_hdf5_sources;
/* A file that is open for reading. No name in it is followed into a file that may not be read, nor is such a file
 * opened: the first is kept in its sources. */
typedef struct ct_hdf5_file {
  hid_t id;
  hid_t access;             /* for every look-up of a name, and for opening datasets */
  ct_hdf5_sources *sources; /* the files that its values are in, the first is this one */
} ct_hdf5_file;
/* NULL with an error that tells an empty, foreign, cut-off or damaged file apart. anywhere: files outside its folder
 * are read too, where it leads there. */
ct_hdf5_file *ct_hdf5_open_file(const char *path, bool anywhere, ct_error **error);
void ct_hdf5_close_file(ct_hdf5_file *file); /* after its datasets; NULL allowed */
/* Where the system could not read something since the lock was taken: true, and that is the error (CT_ERROR_IO), for
 * what cannot be read seems not to be there. */
bool ct_hdf5_was_unreadable(const ct_hdf5_file *file, ct_error **error);
/* The same where something was not read because it lies outside the folder, too: no other fault that follows from it
 * matters. */
bool ct_hdf5_was_refused(const ct_hdf5_file *file, ct_error **error);

/* Whether every part of the path exists; external and dangling links do not. */
bool ct_hdf5_exists(const ct_hdf5_file *file, const char *name);
bool ct_hdf5_is_dataset(const ct_hdf5_file *file, const char *name);
/* The names of a group's links in their order, `most` at most: listed at once, since the library looks for the i-th one
 * from the beginning. Those that are too long are "". */
typedef struct ct_hdf5_children {
  char *names; /* one behind the other */
  size_t bytes, room, at;
  int left;
} ct_hdf5_children;
ct_hdf5_children ct_hdf5_children_of(const ct_hdf5_file *file, const char *group, int most);
bool ct_hdf5_next_child(ct_hdf5_children *children, char name[CT_HDF5_TEXT]);
void ct_hdf5_children_clear(ct_hdf5_children *children);
/* "GROUP/NAME" into a path buffer; false when it does not fit. */
bool ct_hdf5_join(char path[4 * CT_HDF5_TEXT], const char *group, const char *name);

/* Text of an attribute ("" when missing or of another kind), cut to the buffer. */
void ct_hdf5_text_attribute(hid_t object, const char *attribute, char text[CT_HDF5_TEXT]);
/* The same of an attribute that is a list of texts, "" behind its end. */
void ct_hdf5_listed_attribute(hid_t object, const char *attribute, size_t index, char text[CT_HDF5_TEXT]);
/* A finite number of an attribute; false, and *value as it was, where there is none. */
bool ct_hdf5_number_attribute(hid_t object, const char *attribute, double *value);
/* The text of a whole dataset of one string (ct_free); NULL with an error. Files as ct_hdf5_read_numbers. */
char *ct_hdf5_read_text(const ct_hdf5_file *file, const char *name, ct_error **error);

/* An array of numbers. */
typedef struct ct_hdf5_array {
  hid_t id; /* negative: none */
  int rank;
  hsize_t dims[CT_HDF5_MAX_RANK];
  bool integers;
} ct_hdf5_array;
/* Fails unless it is a dataset of integers or reals with up to CT_HDF5_MAX_RANK dimensions, none of them 0, that its
 * storage can hold.
 */
bool ct_hdf5_array_open(ct_hdf5_array *array, const ct_hdf5_file *file, const char *path, const char *name,
                        ct_error **error);
/* Whether the library can read this element type of integers or reals, and this storage, safely. */
bool ct_hdf5_sound_type(hid_t type);
bool ct_hdf5_sound_storage(const ct_hdf5_array *array, hid_t type, hid_t space, hid_t create);
/* Whether its compressed chunks are no larger than a reader can be expected to unpack; *chunk_bytes: how large. */
bool ct_hdf5_chunks_fit(const ct_hdf5_array *array, hid_t type, hid_t create, uint64_t *chunk_bytes);
void ct_hdf5_array_close(ct_hdf5_array *array);
/* All numbers of a dataset (ct_free), with its units attribute. Adds its files to the sources; one that is refused is
 * kept there also where the caller wants no message. */
bool ct_hdf5_read_numbers(const ct_hdf5_file *file, const char *name, double **values, size_t *count,
                          char units[CT_HDF5_TEXT], ct_error **error);
/* A single length in mm; false without an error when it is missing, has an unknown unit or is not finite. */
bool ct_hdf5_read_length(const ct_hdf5_file *file, const char *name, double *mm);
/* mm in a unit by its name, metres without one; false where it is none of length. */
bool ct_hdf5_length_unit(const char *unit, double *mm);

/* Where a scan lies in a file. */
typedef enum { CT_HDF5_EXCHANGE, CT_HDF5_NXTOMO, CT_HDF5_PLAIN, CT_HDF5_CIL } ct_hdf5_kind;
/* PLAIN: an array with what its surroundings tell. */
typedef struct ct_hdf5_place {
  ct_hdf5_kind kind;
  char data[4 * CT_HDF5_TEXT];  /* the projections */
  char group[4 * CT_HDF5_TEXT]; /* the group that holds them: /exchange, ENTRY/instrument/detector */
  char entry[4 * CT_HDF5_TEXT]; /* the group above the others: "" or ENTRY */
  int others;                   /* further scans in the file */
  /* PLAIN: */
  const char *title;             /* "NeXus HDF5", NULL: "HDF5" */
  char angles[4 * CT_HDF5_TEXT]; /* the dataset of the angles, "": none was found */
  int frame_axis;                /* 1 + the axis that the angles belong to, 0: not told */
  int by_vectors;                /* ASTRA's vectors tell that axis, 2: and fit the second as well as the first */
  bool matlab;                   /* MATLAB wrote it: its indices stand in reverse, and `parameters` has distances */
  char parameters[4 * CT_HDF5_TEXT];
  hsize_t frames;
  char references[2][4 * CT_HDF5_TEXT]; /* datasets of flats and darks */
} ct_hdf5_place;
/* nexus.c */
/* Rank and extents of a dataset of integers or reals, whether or not its values can be read. */
bool ct_hdf5_shape(const ct_hdf5_file *file, const char *name, int *rank, hsize_t dims[CT_HDF5_MAX_RANK]);
/* A scan below an entry that is no NXtomo. */
bool ct_hdf5_find_nexus(const ct_hdf5_file *file, const char *entry, ct_hdf5_place *place);
/* The rotation axis of one of an entry's NXdata groups, of as many angles as frames or views. */
bool ct_hdf5_find_angles(const ct_hdf5_file *file, const char *entry, size_t frames, size_t views,
                         char angles[4 * CT_HDF5_TEXT]);
/* MATLAB's: the path of a field; of a cell of one entry that of its content. False when it does not fit. */
bool ct_hdf5_matlab_member(const ct_hdf5_file *file, const char *group, const char *name, char path[4 * CT_HDF5_TEXT]);
/* MATLAB 7.3: a group with a sinogram or projections, known by the names of its fields. */
bool ct_hdf5_find_matlab(const ct_hdf5_file *file, ct_hdf5_place *place);
/* cil.c: what CIL's writer made, CT_CONTENT_EITHER where it is no such file, and its scan. */
ct_content ct_hdf5_cil_content(const ct_hdf5_file *file);
bool ct_hdf5_find_cil(const ct_hdf5_file *file, ct_hdf5_place *place);
/* Grid and scale of a volume of CIL's, an array of three dimensions. */
bool ct_hdf5_cil_grid(const ct_hdf5_array *array, const char *path, ct_grid *grid, double *scale, double *offset,
                      ct_error **error);
/* arrays.c: every array of numbers behind hard links, whether or not it can be read; links of other kinds, where the
 * visitor wants them. */
typedef struct ct_hdf5_visitor {
  void *data;
  void (*array)(void *data, const char *path, int rank, const hsize_t *dims);
  void (*link)(void *data, const char *path);
} ct_hdf5_visitor;
void ct_hdf5_visit(const ct_hdf5_file *file, const ct_hdf5_visitor *visitor);
/* Whether an array is a table of ASTRA's vectors, by its name and shape. */
bool ct_hdf5_is_vectors(const char *path, int rank, const hsize_t *dims);
/* The only array, or the one named if it is it, with an axis for the views of ASTRA's vectors in the file. */
bool ct_hdf5_find_by_vectors(const ct_hdf5_file *file, const char *dataset, ct_hdf5_place *place);
/* Angles beside a dataset that was named. */
void ct_hdf5_find_surroundings(const ct_hdf5_file *file, ct_hdf5_place *place);
/* Whether another scan of the file holds flats or darks; those are then the place's, unless it has some. */
bool ct_hdf5_take_reference(const ct_hdf5_file *file, const ct_hdf5_place *other, ct_hdf5_place *place);
bool ct_hdf5_find_scan(const ct_hdf5_file *file, const char *path, const char *dataset, ct_hdf5_place *place,
                       ct_error **error);
/* What a file holds: a scan if it has the groups of one, be they damaged; else a volume if Gantry wrote one, or either.
 * A named dataset is a scan but for Gantry's volume. */
ct_content ct_hdf5_find_content(const ct_hdf5_file *file, const char *path, const char *dataset);
/* The arrays of 3 dimensions in a file, for messages: "/a/b (10 x 20 x 30), ..."; returns how many there are, and the
 * first. -1 with an error where there is none, and a link points to what is not there. */
int ct_hdf5_list_arrays(const ct_hdf5_file *file, const char *path, char *list, size_t size,
                        char first[4 * CT_HDF5_TEXT], ct_error **error);

/* Frames inside an array. */
typedef struct ct_hdf5_frames {
  ct_hdf5_array array;
  int frame_axis; /* -1: the array is one frame */
  int row_axis;   /* -1: frames of one row */
  int column_axis;
  int count, nu, nv;
  int together;         /* frames that share a chunk; 1: none do */
  uint64_t chunk_bytes; /* of the chunks that hold a frame; 0: the array has none */
} ct_hdf5_frames;
/* Opens the array anew with room for the chunks of a frame, where frames share them, or by_rows: where a frame is read
 * in several pieces. A chunk that has no room is unpacked for each read of it. */
bool ct_hdf5_frames_cache(ct_hdf5_frames *frames, const ct_hdf5_file *file, const char *name, bool by_rows);
/* Tells the axes from the "axes" attribute, the rank, and what is known besides; axes of one entry beyond three are
 * passed over. The array is taken and closed by the caller. */
typedef struct ct_hdf5_order {
  size_t views_hint; /* number of angles, 0: unknown */
  ct_layout layout;  /* as the user says */
  int frame_axis;    /* 1 + the axis of the views, as the file says; 0: it does not */
  bool turned;       /* rows are the fastest axis, columns the one before: MATLAB's listing of rows and columns */
} ct_hdf5_order;
/* *layout (may be NULL): what the pictures of the file are found to be, CT_LAYOUT_UNKNOWN for a single one. */
bool ct_hdf5_frames_init(ct_hdf5_frames *frames, const ct_hdf5_file *file, const char *name, const ct_hdf5_order *order,
                         ct_layout *layout, ct_error **error);
bool ct_hdf5_frames_read(const ct_hdf5_frames *frames, const char *path, int index, int row0, int rows, float *out,
                         ct_error **error);

/* What a scan under construction knows. */
typedef struct ct_hdf5_scan {
  char *path;
  ct_hdf5_file *file;
  ct_hdf5_frames arrays[3]; /* by ct_frame_kind; NXtomo has the first only */
  int *indices[3];          /* frame in arrays[0]; NULL: arrays[kind] is used as it is */
  ct_hdf5_place place;
  ct_scan_facts facts;
  double *positions[2];       /* of flats, darks */
  double scale[3], offset[3]; /* by ct_frame_kind: value = stored scale + offset */
  ct_remarks remarks;
  char note[512];
} ct_hdf5_scan;
void ct_hdf5_add_note(ct_hdf5_scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ct_hdf5_fill_exchange(ct_hdf5_scan *scan, const ct_hdf5_place *place, const ct_open_options *options,
                           ct_error **error);
bool ct_hdf5_fill_nxtomo(ct_hdf5_scan *scan, const ct_hdf5_place *place, const ct_open_options *options,
                         ct_error **error);
bool ct_hdf5_fill_cil(ct_hdf5_scan *scan, const ct_hdf5_place *place, ct_error **error);
/* Angles in the file's unit into the geometry, in radians, modulo whole turns; all zero or none at all are assumed
 * instead. */
bool ct_hdf5_take_angles(ct_hdf5_scan *scan, const double *angles, const char *units, const char *name,
                         ct_error **error);
/* Whether `count` angles go with so many frames; one too many is passed over where the steps are equal, and told.
 * CT_ERROR_DATA else. */
bool ct_hdf5_fit_angles(ct_hdf5_scan *scan, const double *angles, size_t count, int frames, const char *name,
                        ct_error **error);
/* How the values of a kind of frames are packed, as attributes of its array `name` tell. */
bool ct_hdf5_take_packing(ct_hdf5_scan *scan, ct_frame_kind kind, const char *name, ct_error **error);
/* Pixel sizes, where `group` has them. */
void ct_hdf5_take_pitch(ct_hdf5_scan *scan, const char *group);

/* Writing. A write error of the disk is kept here and hidden from the library. The writer must stay where it is while
 * it is open. */
typedef struct ct_hdf5_writer {
  hid_t file, driver;
  const char *path; /* for messages */
  int fault;        /* errno of the first failed write, 0: none */
} ct_hdf5_writer;
bool ct_hdf5_writer_open(ct_hdf5_writer *writer, const char *temporary, const char *path, ct_error **error);
/* CT_ERROR_IO when `good` is false or a write has failed so far. */
bool ct_hdf5_writer_check(const ct_hdf5_writer *writer, bool good, ct_error **error);
/* Closes; returns `good` and that everything reached the file. */
bool ct_hdf5_writer_close(ct_hdf5_writer *writer, bool good, ct_error **error);
bool ct_hdf5_put_text_attribute(hid_t object, const char *name, const char *text);
bool ct_hdf5_put_number_attribute(hid_t object, const char *name, const double *values, size_t count);
bool ct_hdf5_put_text(hid_t file, const char *name, const char *text);
/* One-dimensional doubles with units. */
bool ct_hdf5_put_numbers(hid_t file, const char *name, const double *values, size_t count, const char *units);
/* A new array [frames][rows][columns], chunked by frame and deflated on demand; negative on failure. */
hid_t ct_hdf5_put_array(hid_t file, const char *name, hid_t type, const int dims[3], bool compress);
bool ct_hdf5_put_frame(hid_t array, hid_t type, int frame, int rows, int columns, const void *data);

/* The row's entries. These take the lock themselves. */
ct_scan *ct_hdf5_open_scan(const char *path, const ct_open_options *options, ct_error **error);
bool ct_hdf5_write_scan(const char *path, ct_scan *scan, ct_job *job, ct_error **error);
bool ct_hdf5_read_plan(const char *path, const char *dataset, char **plan, ct_error **error);
/* Whether opening this as a scan, or as a volume, reads `file`. */
bool ct_hdf5_scan_reads(const char *path, const ct_open_options *options, const char *file);
bool ct_hdf5_volume_reads(const char *path, const ct_open_options *options, const char *file);
bool ct_hdf5_read_angles(const char *path, const char *dataset, bool anywhere, double **degrees, size_t *count,
                         ct_error **error);
bool ct_hdf5_list_datasets(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error);
/* Those that are wanted, however many others there are; NULL wants all. */
bool ct_hdf5_list_wanted(const char *path, bool (*wants)(const char *name), ct_dataset_list *list);
/* The numbers of options->dataset, which has two dimensions, row after row (ct_free), *count of them in all; NULL with
 * an error. */
double *ct_hdf5_read_table(const char *path, const ct_open_options *options, size_t *count, int *columns,
                           ct_error **error);
extern const ct_slice_reader ct_hdf5_volume_reader;
extern const ct_slice_writer ct_hdf5_volume_writer;

/* A geometry, and what else a scan knows, as JSON that reads back exactly (ct_free). */
char *ct_geometry_to_json(const ct_scan_facts *facts, ct_error **error);
/* Into facts with a geometry of the same counts; position lists with ct_free. */
bool ct_geometry_from_json(const char *text, const char *where, ct_scan_facts *facts, double *positions[2],
                           ct_error **error);

#endif
