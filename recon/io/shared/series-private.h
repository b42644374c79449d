/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks of images in numbered or multipage files: which files belong to one, that they agree, and frames read from
 * them. A codec (TIFF, PNG) knows one file. */
#ifndef CT_IO_SERIES_PRIVATE_H
#define CT_IO_SERIES_PRIVATE_H

#include "recon/io/shared/io-private.h"
#include "recon/io/shared/source-private.h"

/* The files of a stack in natural order, told apart by their names. */
typedef struct ct_series {
  ct_file_list files[3]; /* by ct_frame_kind */
  ct_file_list left_out; /* files of the folder with the right extension that are no part of it */
  char *inner;           /* the folder of the projections inside the one that was opened; or NULL */
  bool beside[3];        /* flats or darks come from folders of their own */
  size_t after[3];       /* of these the last so many were taken after the projections */
  bool alone;            /* one file of a series whose images differ */
  char dropped[2][200];  /* why flats, darks of folders of their own are not used, or "" */
  char opposite[128];    /* a folder of images at 180 degrees, which are not read; "": none */
  char passed_over[128]; /* a folder beside that is called after flats or darks, among other words; "": none */
} ct_series;

/* A folder: its files with one of the extensions. Names are compared with their digits taken out: the largest group of
 * two or more names is the scan, or all files where no two names are alike; groups called flat, white, bright or dark
 * are those. A pattern: the files that fit it. A file: those that differ from it in one number alone. */
bool ct_series_find(ct_series *series, const char *path, const char *extensions, ct_error **error);
/* The same without the flats and darks of other folders, where nothing is looked for. */
bool ct_series_find_images(ct_series *series, const char *path, const char *extensions, ct_error **error);
/* The folder of projections in one that holds no images itself but folders of them, of which others hold flats or
 * darks, or one is called by what it holds ("proj", "Tomo"); new text (ct_free) or NULL. */
char *ct_series_inner_folder(const char *folder, const char *extensions);
/* Adds flats and darks, where the series has none, from folders in `folder` and beside it that are called so. */
bool ct_series_add_fields(ct_series *series, const char *folder, const char *extensions, ct_error **error);
/* Whether flat or dark `index` was taken after the projections, by the name of its folder or its own. */
bool ct_series_is_after(const ct_series *series, ct_frame_kind kind, size_t index);
/* Adds remarks: fields of other folders, images that are missing (ct_series_numbers), files that are left out. */
void ct_series_tell(const ct_series *series, ct_scan_facts *facts, size_t missing, size_t before);
/* Angles from a file beside the images, else those of their headers (degrees, or NULL), else from their names, else
 * assumed. */
bool ct_series_take_angles(const ct_series *series, const double *headers, bool ignore, ct_scan_facts *facts,
                           ct_error **error);
void ct_series_clear(ct_series *series);

/* The places of images in the run by the one number in which their names differ, [files->count] (ct_free): 0, 1, 3
 * where the third of four is missing. *missing: how many are; *before: the index of the first image behind a gap. NULL
 * where none is missing, or the names do not count. */
int *ct_series_numbers(const ct_file_list *files, size_t *missing, size_t *before);
/* Degrees in the names, [files->count] (ct_free): decimal numbers ("L_111.2461_001.tif") and such as are said to be
 * angles
 * ("ang_030", "30deg"), which all names have and which differ. NULL: there are none. */
double *ct_series_name_angles(const ct_file_list *files);

/* Sets the angles (and CT_KNOWN_ANGLES) from a text file beside a scan: NAME.ang (or .tlt, .rawtlt), then angles.txt,
 * then the only *.ang of the folder, then the only text of a folder of images that is called after angles; without one,
 * or where it holds another number of them, half a turn is assumed and facts->note says so; facts->remarks, where there
 * is a list, says which file it was. One that holds no numbers is an error. */
bool ct_series_angles(const char *path, bool is_stack, ct_scan_facts *facts, ct_error **error);
/* Half a turn, said to be assumed. */
void ct_series_assume_angles(ct_scan_facts *facts);
/* The second numbers of lines that have two, the first of them numbered 0 or 1: "12:\t30.5" as in Nikon's .ang, or a
 * table with a head. New memory (ct_free); NULL where the file holds none. */
double *ct_angle_table_read(const char *path, size_t *count);
/* Whether `file` is that text file. */
bool ct_series_angles_are_in(const char *path, bool is_stack, const char *file);
/* That text file, new text (ct_free), or NULL. is_stack: the folder's only *.ang counts. */
char *ct_series_angles_file(const char *path, bool is_stack);

/* One page of an image file. */
typedef struct ct_image_facts {
  int width, height;
  ct_sample_type type;
  bool flip_rows, flip_columns; /* as in ct_scan_facts */
  double pitch_x, pitch_y;      /* mm; 0 where the file does not tell */
  bool has_angle;
  double angle;  /* of the rotation, degrees */
  bool rounded;  /* by JPEG: grey levels are about what was measured */
  char unit[80]; /* of the samples, as the header has it; "": it does not tell */
} ct_image_facts;

typedef struct ct_image_codec {
  const char *title, *extensions;
  /* The first page; its facts are checked against the file's size. */
  void *(*open)(const char *path, ct_image_facts *facts, ct_error **error);
  void (*close)(void *image);
  /* The page after the present one, *more = false when there is none. NULL: one page per file. */
  bool (*next)(void *image, bool *more, ct_image_facts *facts, ct_error **error);
  /* Where the present page is, and back to it. NULL with `next`. */
  uint64_t (*tell)(const void *image);
  bool (*seek)(void *image, uint64_t page, ct_image_facts *facts, ct_error **error);
  /* Whether the page is a slice of a volume that Gantry wrote. NULL: it writes none in such files. */
  bool (*is_slice)(const void *image);
  /* Rows [row0, row0 + rows) of the present page as stored. */
  bool (*read)(void *image, int row0, int rows, float *out, ct_error **error);
} ct_image_codec;

typedef struct ct_image_stack ct_image_stack;

/* Opens every file once and compares; the error names the first that differs. */
ct_image_stack *ct_image_stack_open(const ct_image_codec *codec, const char *path, ct_error **error);
void ct_image_stack_free(ct_image_stack *stack);
const ct_image_facts *ct_image_stack_get_facts(const ct_image_stack *stack);
int ct_image_stack_count(const ct_image_stack *stack, ct_frame_kind kind);
/* The file that holds a projection. */
const char *ct_image_stack_get_path(const ct_image_stack *stack, int index);
bool ct_image_stack_read(ct_image_stack *stack, ct_frame_kind kind, int index, int row0, int rows, float *out,
                         ct_error **error);
/* Of all files. */
uint64_t ct_image_stack_bytes(const ct_image_stack *stack);
/* Whether the files are what they were when the stack was opened. */
bool ct_image_stack_check(const ct_image_stack *stack, ct_error **error);

/* A scan of a folder, a numbered series or one file; what rows have as open_scan and reads. */
ct_scan *ct_image_scan_open(const ct_image_codec *codec, const char *path, const ct_open_options *options,
                            ct_error **error);
bool ct_image_scan_reads(const ct_image_codec *codec, const char *path, const char *file);
/* Whether the first image is a slice of a volume that Gantry wrote; false also where it cannot be read. */
bool ct_image_stack_is_volume(const ct_image_codec *codec, const char *path);
/* Confidence for a folder: the more files with one of the extensions, the higher. */
int ct_series_probe_folder(const char *folder, const char *extensions);

#endif
