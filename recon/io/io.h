/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files in and out, behind one table of formats (shared/format.h says what a row holds). Writers write to a temporary
 * name in the same folder and rename; on failure or cancel nothing of theirs stays and an old file of that name is
 * untouched. */
#ifndef CT_IO_IO_H
#define CT_IO_IO_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/samples.h"
#include "recon/data/scan.h"
#include "recon/data/volume.h"
#include "recon/geom/box.h"
#include "recon/io/png/plane.h"
#include "recon/io/shared/format.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_write_options {
  ct_samples samples;
  double low,
      high; /* CT_SAMPLES_UINT16: the values that become 0 and 65535, stated in the file; NaN: the volume's own */
  bool compress;
} ct_write_options;

/* What a format can be used for. */
typedef enum {
  CT_FORMAT_OPEN_SCAN,
  CT_FORMAT_WRITE_SCAN,
  CT_FORMAT_READ_VOLUME,
  CT_FORMAT_WRITE_VOLUME,
} ct_format_use;

const ct_format *const *ct_formats(size_t *count);
const ct_format *ct_format_find(const char *id);
bool ct_format_can(const ct_format *format, ct_format_use use);
/* The formats of a use, written into `text`, which is returned: "MetaImage (.mha), NRRD (.nrrd)"; and their extensions,
 * for the filters of dialogs: "mha mhd nrrd nhdr" (of scans also that of descriptions). */
const char *ct_formats_list(ct_format_use use, char *text, size_t size);
const char *ct_formats_extensions(ct_format_use use, char *text, size_t size);
/* What a format can write: "scans, volumes", "" for nothing. */
const char *ct_format_list_written(const ct_format *format, char *text, size_t size);
/* By extension of a path of a volume, and of a scan, to be written: NULL with an error that lists what can be. */
const ct_format *ct_format_for_writing(const char *path, ct_error **error);
const ct_format *ct_format_for_writing_scan(const char *path, ct_error **error);

/* Opens a scan of any readable format, then applies a JSON description if one lies beside it: FOLDER/scan.json, or the
 * path with its extension replaced by ".scan.json" (bell.h5 -> bell.scan.json), or `description` when not NULL (a file,
 * or JSON text that begins with '{', with paths relative to the scan's folder). A path that is itself a description
 * (.json with "files") is opened through it. Also a pattern of numbered files ("proj/p_*.tif"), and FILE.h5::DATASET
 * for one of several scans in an HDF5 file. Errors name the file and the fault. */
ct_scan *ct_scan_open(const char *path, const char *description, ct_error **error);
/* The same, which a cancelled job ends before it and between the frames that the meaning of values is seen by
 * (CT_ERROR_CANCELLED). */
ct_scan *ct_scan_open_job(const char *path, const char *description, ct_job *job, ct_error **error);

/* The arrays inside a file that can hold several (ct_dataset_list_clear); CT_ERROR_UNSUPPORTED for one that cannot.
 * anywhere: those too that lie in other folders (CT_ERROR_ELSEWHERE). */
bool ct_file_list_datasets(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error);

/* What a user says of a scan beside its description; NULL: nothing. dataset, and "FILE::DATASET" for the others, may
 * begin with "::" for the scan's own file. */
typedef struct ct_scan_told {
  const char *layout; /* "projections", "sinograms" */
  const char *links;  /* "folder", "anywhere": where files may lie that the scan's own leads to */
  const char *dataset;
  const char *flats, *darks; /* what a description's "flats" may name: a file, a folder, a pattern, FILE::DATASET */
  const char *angles;        /* a text file, or FILE::DATASET */
  /* Further keys of a description and what they tell; members and places of lists are parted by points ("sod_mm",
   * "files.dims.0"), the latter in their order. */
  const struct ct_told_key {
    const char *key, *value; /* the value as text */
    bool number;
  } * keys;
  size_t key_count;
  bool raw; /* the file holds raw samples: its name goes to "files.raw" */
} ct_scan_told;
/* A description for ct_scan_open, new text (ct_free), in which `told` goes before what the description says that counts
 * for the path (given, or beside it). Relative paths are those of the working directory. */
char *ct_scan_tell(const char *path, const char *description, const ct_scan_told *told, ct_error **error);

/* The description, new text (ct_free), with which a path can be opened that ct_scan_open refused with
 * CT_ERROR_ELSEWHERE. To be used when somebody was asked. Opens nothing. NULL where the description cannot be read. */
char *ct_scan_allow_links(const char *path, const char *description);

/* Whether a path that ct_scan_open refused is a file of several arrays of which none is known to be the scan, so that
 * somebody has to say which is. They are listed then (ct_dataset_list_clear). */
bool ct_scan_is_unclear(const char *path, ct_dataset_list *list);

/* Whether a file is of no known format, and called like those that hold raw samples (.raw, .bin, .dat, .vol, .img,
 * .seq): what they are has to be told. A header or description beside it tells. */
bool ct_scan_is_raw(const char *path);
/* The same of a file that may be called anything, also of one whose header tells how its samples can be described. */
bool ct_scan_could_be_raw(const char *path);

/* Whether there is anything at a path that ct_scan_open takes: a file, a folder, FILE::DATASET, a pattern that files
 * fit. */
bool ct_scan_is_there(const char *path);
/* The scans of a folder in natural order: the folder itself where it is one (images, or a scan.json that names files),
 * else the files and folders in it that can be opened by themselves. Volumes, what could be one, hidden files, and what
 * one of the scans is read from are left out. *paths and each of them is new (ct_free); none is CT_ERROR_FORMAT. */
bool ct_folder_list_scans(const char *folder, char ***paths, size_t *count, ct_error **error);
/* Whether a path is to be opened as a scan or read as a volume, where the user does not say. What the file and the
 * files beside it tell decides, not which reader succeeds: a scan with an error in it stays a scan. A description,
 * given or beside, makes a scan of what could be either. CT_CONTENT_SCAN also where nothing can be read: opening tells
 * why. */
ct_content ct_path_content(const char *path, const char *description);
/* Whether writing the file `target` (of a volume: and what its format writes beside it) would destroy what
 * ct_scan_open(path, description) or ct_volume_read(path) reads, by whatever name or link: the file itself; of a
 * folder, a pattern or numbered images one of these, and what tells of a folder's; the samples' files of a header; what
 * external links and virtual datasets of HDF5 point to; the description, and every file that it names: projections,
 * flats, darks, angles and matrices, wherever they are. */
bool ct_scan_is_destroyed(const char *path, const char *description, const char *target);

/* Whether two outputs would write the same file, each with what its format writes beside it (NAME.mhd: NAME.raw). */
bool ct_outputs_meet(const char *a, const char *b);
/* Whether an output, or something beside it that it would be written with, is there already. */
bool ct_output_is_there(const char *path);

/* The keys of a description are in docs/scan-description.md: files, flats, darks, dataset, beam, sod_mm, sdd_mm,
 * pixel_mm
 * ([u, v] or one number), centre_u, centre_v, tilt_deg, angles_deg (a list, or {"first", "step"} or {"file"}), matrices
 * (list of 12 numbers per view, or {"file"}), values ("counts", "line integrals", "transmission"), flip_rows,
 * flip_columns, comment. Unknown keys are errors. */

/* FILE.h5::DATASET picks one array of an HDF5 file. */
ct_volume *ct_volume_read(const char *path, ct_job *job, ct_error **error);
/* The same; anywhere: also where the file takes its values from files of other folders, which is CT_ERROR_ELSEWHERE
 * without, and to be used when somebody was asked. */
ct_volume *ct_volume_read_allowed(const char *path, bool anywhere, ct_job *job, ct_error **error);
ct_volume *ct_volume_read_as(const ct_format *format, const char *path, ct_job *job, ct_error **error);

/* A volume whose file is read piece by piece, in memory for what is asked for, a few rows and what the format has to
 * unpack at once (facts: unit_bytes). anywhere: as above. */
typedef struct ct_volume_reader ct_volume_reader;
ct_volume_reader *ct_volume_reader_open(const char *path, bool anywhere, ct_error **error);
void ct_volume_reader_free(ct_volume_reader *reader);
const ct_volume_facts *ct_volume_reader_facts(const ct_volume_reader *reader);
/* As ct_volume_get_units. */
ct_units ct_volume_reader_units(const ct_volume_reader *reader);
/* As ct_volume_get_scale. */
ct_named_scale ct_volume_reader_scale(const ct_volume_reader *reader);
/* A part of it as a volume of its own, with the plan. Once for each reader; what lies behind the box in the file is not
 * looked at. The data of a box that is one slice are that plane ([height][width], as ct_volume_copy_plane). */
ct_volume *ct_volume_reader_box(ct_volume_reader *reader, const ct_box *box, ct_job *job, ct_error **error);
/* A plane whose picture's horizontal lies in z = const, to out[height][width], trilinear, 0 outside (as
 * ct_volume_copy_oblique), from two slices at a time. Once for each reader. CT_ERROR_ARGUMENT: another plane. */
bool ct_volume_reader_oblique(ct_volume_reader *reader, const ct_oblique *oblique, float *out, ct_job *job,
                              ct_error **error);
/* All values in their order, a few rows at a time, to `take`. Once for each reader. */
bool ct_volume_reader_each(ct_volume_reader *reader, void (*take)(void *data, const float *values, size_t count),
                           void *data, ct_job *job, ct_error **error);

/* The plan that such a volume carries alone, new text (ct_free), NULL where it carries none. Reads headers, no voxels,
 * so that it takes no time and no memory however large the volume is, and nothing of other folders. */
bool ct_volume_read_plan(const char *path, char **plan, ct_error **error);
/* In the format of the path's extension; options may be NULL: float32, not compressed. */
bool ct_volume_write(const char *path, const ct_volume *volume, const ct_write_options *options, ct_job *job,
                     ct_error **error);
bool ct_volume_write_as(const ct_format *format, const char *path, const ct_volume *volume,
                        const ct_write_options *options, ct_job *job, ct_error **error);

/* A volume that is written in slabs of whole slices, from slice 0 up, and need never be in memory as a whole: byte
 * for byte the file that ct_volume_write makes. Every format can, compressed too. Only the values that 16 bits stand
 * for must be told: the volume's own are not known before its last slice (CT_ERROR_ARGUMENT). */
typedef struct ct_volume_writer ct_volume_writer;
/* Opens a temporary file beside `path` and checks the space on its disk (not for compressed samples, whose size is
 * not known). plan: JSON, or NULL; copied. */
ct_volume_writer *ct_volume_writer_open(const ct_format *format, const char *path, const ct_grid *grid,
                                        const char *plan, const ct_write_options *options, ct_error **error);
/* The next `count` slices, [count][ny][nx]. The job can cancel and pause this; its progress is the caller's. After a
 * failure the file can only be abandoned. */
bool ct_volume_writer_append(ct_volume_writer *writer, const float *slices, int count, ct_job *job, ct_error **error);
/* All slices are there: brings them to the disk and renames. Frees the writer, also on failure, when nothing of it
 * stays. */
bool ct_volume_writer_finish(ct_volume_writer *writer, ct_error **error);
/* Removes what was written; frees. NULL allowed. */
void ct_volume_writer_abandon(ct_volume_writer *writer);
/* Whether such a file could be begun now: folder, permissions, space, values of 16 bits. Leaves nothing behind. */
bool ct_volume_writer_check(const ct_format *format, const char *path, const ct_grid *grid,
                            const ct_write_options *options, ct_error **error);

/* Where the samples of a volume lie that is written piece by piece, by several processes: float32, not compressed.
 * Whether a format has them as one plain array: in the file of the volume, behind a header, or where *apart in a file
 * of their own, *samples (ct_free). False without an error where it has not. */
bool ct_volume_is_plain(const ct_format *format, const char *path, bool *apart, char **samples, ct_error **error);
/* What stands before the samples in a file that holds both: new bytes (ct_free). room > 0: made so long by blanks
 * behind the plan; NULL without an error where that cannot be. beside: a path in whose place a file can be made for a
 * moment. */
char *ct_volume_header_bytes_of(const ct_format *format, const char *beside, const ct_grid *grid, const char *plan,
                                size_t room, size_t *size, ct_error **error);
/* Gives the samples in the file `part` the name that they have apart, and writes their header. */
bool ct_volume_finish_apart(const ct_format *format, const char *path, const ct_grid *grid, const char *plan,
                            const char *part, ct_error **error);

/* Writes a scan (frames as float32, flats and darks too) with its whole geometry, in the format of the path's
 * extension: Data Exchange HDF5, geometry in /gantry/geometry as JSON, read back by the reader. */
bool ct_scan_write(const char *path, ct_scan *scan, ct_job *job, ct_error **error);

#endif
