/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format HDF5: Data Exchange and NXtomo scans, volumes as NeXus data, and single arrays that are named. */
#include "recon/io/hdf5/hdf5-private.h"
#include "recon/io/shared/io-private.h"

#define EXTENSIONS "h5 hdf5 nx nxs hdf he5"

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder || header_size == 0) return 0;
  if (ct_hdf5_has_signature(header, header_size)) return 95;
  return ct_path_has_extension(path, EXTENSIONS) ? 10 : 0;
}

typedef struct {
  const char *path, *dataset;
} attempt;

static int find_content(void *data) {
  const attempt *a = data;
  ct_hdf5_file *file = ct_hdf5_open_file(a->path, false, NULL);
  if (!file) return CT_CONTENT_SCAN;
  const ct_content found = ct_hdf5_find_content(file, a->path, a->dataset);
  ct_hdf5_close_file(file);
  return found;
}

static ct_content content(const char *path, const char *dataset) {
  attempt a = {path, dataset};
  ct_hdf5_lock();
  const int found = ct_answers(find_content, &a);
  ct_hdf5_unlock();
  return found < 0 ? CT_CONTENT_SCAN : (ct_content)found;
}

static bool reads(const char *path, const ct_open_options *options, const char *file) {
  return ct_hdf5_scan_reads(path, options, file) || ct_hdf5_volume_reads(path, options, file);
}

const ct_format ct_format_hdf5 = {
    .id = "hdf5",
    .title = "HDF5",
    .extensions = EXTENSIONS,
    .notes =
        "Data Exchange, NXtomo, NeXus with a rotation axis, areaDetector, bliss, CIL; FILE::/path/to/dataset chooses "
        "one array",
    .datasets = true,
    .turns = true,
    .probe = probe,
    .content = content,
    .open_scan = ct_hdf5_open_scan,
    .write_scan = ct_hdf5_write_scan,
    .reader = &ct_hdf5_volume_reader,
    .read_plan = ct_hdf5_read_plan,
    .reads = reads,
    .writer = &ct_hdf5_volume_writer,
    .read_angles = ct_hdf5_read_angles,
    .list_datasets = ct_hdf5_list_datasets,
};
