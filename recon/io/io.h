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
  double low, high; /* CT_SAMPLES_UINT16: the values that become 0 and 65535, stated in the file; NaN: the volume's own */
  bool compress;
} ct_write_options;

typedef struct ct_format {
  const char *id;         /* "metaimage" */
  const char *title;      /* "MetaImage" */
  const char *extensions; /* space-separated, first is the default: "mha mhd" */
  /* Confidence 0 (no) .. 100 from the path (a file or folder) and its first bytes. */
  int (*probe)(const char *path, const unsigned char *head, size_t head_size, bool is_folder);
  ct_scan *(*open_scan)(const char *path, ct_error **error);
  ct_volume *(*read_volume)(const char *path, ct_job *job, ct_error **error);
  bool (*write_volume)(const char *path, const ct_volume *volume, const ct_write_options *options, ct_job *job, ct_error **error);
} ct_format;

const ct_format *const *ct_formats(size_t *count);
const ct_format *ct_format_find(const char *id);
/* By extension (of a path to be written): NULL with an error that lists what can be written. */
const ct_format *ct_format_for_writing(const char *path, ct_error **error);

/* Opens a scan of any readable format, then applies a JSON description if one lies beside it: FOLDER/scan.json, or the
 * path with its extension replaced by ".scan.json" (bell.h5 -> bell.scan.json), or `description` when not NULL (a file, or
 * JSON text that begins with '{', with paths relative to the scan's folder). A path that is itself a description (.json
 * with "files") is opened through it. Also a pattern of numbered files ("proj/p_*.tif"), and FILE.h5::DATASET for one of
 * several scans in an HDF5 file. Errors name the file and the fault. */
ct_scan *ct_scan_open(const char *path, const char *description, ct_error **error);

/* The keys of a description are in docs/scan-description.md: files, flats, darks, dataset, beam, sod_mm, sdd_mm, pixel_mm
 * ([u, v] or one number), centre_u, centre_v, tilt_deg, angles_deg (a list, or {"first", "step"} or {"file"}), matrices (list
 * of 12 numbers per view, or {"file"}), values ("counts", "line integrals", "transmission"), flip_rows, flip_columns,
 * comment. Unknown keys are errors. */

/* FILE.h5::DATASET picks one array of an HDF5 file. */
ct_volume *ct_volume_read(const char *path, ct_job *job, ct_error **error);
bool ct_volume_write(const char *path, const ct_volume *volume, const ct_write_options *options, ct_job *job, ct_error **error);

/* Writes a scan (frames as float32, flats and darks too) with its whole geometry: Data Exchange HDF5 for .h5 (geometry in
 * /gantry/geometry as JSON, read back by the reader) . */
bool ct_scan_write(const char *path, ct_scan *scan, ct_job *job, ct_error **error);

/* One plane as a grey PNG, 8 or 16 bit, values low..high to black..white (NaN: 0.1 % and 99.9 % percentiles), vertical
 * axis upwards. The pixel size goes into pHYs, plan and range into tEXt chunks. */
bool ct_png_write_plane(const char *path, const float *plane, int width, int height, double pixel_x, double pixel_y,
                        int bits, double low, double high, const char *plan, ct_error **error);

#endif
