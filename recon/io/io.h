/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files in and out, behind one table of formats. A format probes (looks at the name and the first bytes), opens scans,
 * reads volumes, writes volumes; unused entries are NULL. Writers write to a temporary name in the same folder and
 * rename; on failure or cancel nothing of theirs stays and an old file of that name is untouched. */
#ifndef CT_IO_IO_H
#define CT_IO_IO_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/scan.h"
#include "recon/data/volume.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum { CT_SAMPLES_FLOAT32, CT_SAMPLES_UINT16 } ct_samples;

typedef struct ct_write_options {
  ct_samples samples;
  double low,
      high; /* CT_SAMPLES_UINT16: the values that become 0 and 65535, stated in the file; NaN: the volume's own */
  bool compress;
} ct_write_options;

/* What the file of a volume begins with. A writer borrows it until it is closed. */
typedef struct ct_volume_head {
  const char *path;
  ct_grid grid;
  const char *plan; /* JSON, or NULL */
  bool integers;    /* 16-bit samples, 0 and 65535 standing for low and high; else float32 */
  double low, high;
  bool compress;
} ct_volume_head;

/* How a format writes: a file is opened, takes all z levels in order, and is closed. */
typedef struct ct_level_writer {
  void *(*open)(const ct_volume_head *head, ct_error **error);
  /* Level k, [ny][nx] of uint16_t or float in the machine's byte order. */
  bool (*put)(void *state, int k, const void *samples, ct_error **error);
  /* keep: the file is complete, is brought to the disk (fsync) and takes its name. Without, or on failure, what was
   * written is removed and false returned. Frees the state. */
  bool (*close)(void *state, bool keep, ct_error **error);
} ct_level_writer;

typedef struct ct_format {
  const char *id;         /* "metaimage" */
  const char *title;      /* "MetaImage" */
  const char *extensions; /* space-separated, first is the default: "mha mhd" */
  /* Confidence 0 (no) .. 100 from the path (a file or folder) and its first bytes. */
  int (*probe)(const char *path, const unsigned char *head, size_t head_size, bool is_folder);
  ct_scan *(*open_scan)(const char *path, ct_error **error);
  ct_volume *(*read_volume)(const char *path, ct_job *job, ct_error **error);
  /* ct_volume_read_plan; goes with read_volume. */
  bool (*read_plan)(const char *path, char **plan, ct_error **error);
  const ct_level_writer *writer; /* of volumes */
} ct_format;

const ct_format *const *ct_formats(size_t *count);
const ct_format *ct_format_find(const char *id);
/* By extension (of a path to be written): NULL with an error that lists what can be written. */
const ct_format *ct_format_for_writing(const char *path, ct_error **error);

/* Opens a scan of any readable format, then applies a JSON description if one lies beside it: FOLDER/scan.json, or the
 * path with its extension replaced by ".scan.json" (bell.h5 -> bell.scan.json), or `description` when not NULL (a file,
 * or JSON text that begins with '{', with paths relative to the scan's folder). A path that is itself a description
 * (.json with "files") is opened through it. Also a pattern of numbered files ("proj/p_*.tif"), and FILE.h5::DATASET
 * for one of several scans in an HDF5 file. Errors name the file and the fault. */
ct_scan *ct_scan_open(const char *path, const char *description, ct_error **error);

/* Whether there is anything at a path that ct_scan_open takes: a file, a folder, FILE::DATASET, a pattern that files
 * fit. */
bool ct_scan_is_there(const char *path);
/* Whether writing the file `target` (of a volume: and what its format writes beside it) would destroy what
 * ct_scan_open(path, description) reads: the file itself; of a folder, a pattern or numbered images one of these, and
 * what tells of a folder's; the samples' files of a header; the description, and every file that it names: projections,
 * flats, darks, angles and matrices, wherever they are. */
bool ct_scan_is_destroyed(const char *path, const char *description, const char *target);

/* The keys of a description are in docs/scan-description.md: files, flats, darks, dataset, beam, sod_mm, sdd_mm,
 * pixel_mm
 * ([u, v] or one number), centre_u, centre_v, tilt_deg, angles_deg (a list, or {"first", "step"} or {"file"}), matrices
 * (list of 12 numbers per view, or {"file"}), values ("counts", "line integrals", "transmission"), flip_rows,
 * flip_columns, comment. Unknown keys are errors. */

/* FILE.h5::DATASET picks one array of an HDF5 file. */
ct_volume *ct_volume_read(const char *path, ct_job *job, ct_error **error);
/* The plan that such a volume carries alone, new text (ct_free), NULL where it carries none. Reads headers, no voxels,
 * so that it takes no time and no memory however large the volume is. */
bool ct_volume_read_plan(const char *path, char **plan, ct_error **error);
/* In the format of the path's extension; options may be NULL: float32, not compressed. */
bool ct_volume_write(const char *path, const ct_volume *volume, const ct_write_options *options, ct_job *job,
                     ct_error **error);
bool ct_volume_write_as(const ct_format *format, const char *path, const ct_volume *volume,
                        const ct_write_options *options, ct_job *job, ct_error **error);

/* A volume that is written in slabs of whole z levels, from level 0 up, and need never be in memory as a whole: byte
 * for byte the file that ct_volume_write makes. Every format can, compressed too. Only the values that 16 bits stand
 * for must be told: the volume's own are not known before its last level (CT_ERROR_ARGUMENT). */
typedef struct ct_volume_writer ct_volume_writer;
/* Opens a temporary file beside `path` and checks the space on its disk (not for compressed samples, whose size nobody
 * knows). plan: JSON, or NULL; copied. */
ct_volume_writer *ct_volume_writer_open(const ct_format *format, const char *path, const ct_grid *grid,
                                        const char *plan, const ct_write_options *options, ct_error **error);
/* The next `count` levels, [count][ny][nx]. The job can cancel and pause this; its progress is the caller's. After a
 * failure the file can only be abandoned. */
bool ct_volume_writer_append(ct_volume_writer *writer, const float *levels, int count, ct_job *job, ct_error **error);
/* All levels are there: brings them to the disk and renames. Frees the writer, also on failure, when nothing of it
 * stays. */
bool ct_volume_writer_finish(ct_volume_writer *writer, ct_error **error);
/* Removes what was written; frees. NULL allowed. */
void ct_volume_writer_abandon(ct_volume_writer *writer);
/* Whether such a file could be begun now: folder, permissions, space, values of 16 bits. Leaves nothing behind. */
bool ct_volume_writer_check(const ct_format *format, const char *path, const ct_grid *grid,
                            const ct_write_options *options, ct_error **error);

/* Writes a scan (frames as float32, flats and darks too) with its whole geometry: Data Exchange HDF5 for .h5 (geometry
 * in /gantry/geometry as JSON, read back by the reader) . */
bool ct_scan_write(const char *path, ct_scan *scan, ct_job *job, ct_error **error);

/* One plane as a grey PNG, 8 or 16 bit, values low..high to black..white (NaN: 0.1 % and 99.9 % percentiles), vertical
 * axis upwards. The pixel size goes into pHYs, plan and range into tEXt chunks. */
bool ct_png_write_plane(const char *path, const float *plane, int width, int height, double pixel_x, double pixel_y,
                        int bits, double low, double high, const char *plan, ct_error **error);

#endif
