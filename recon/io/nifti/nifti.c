/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NIfTI-1 volumes [z][y][x] in one file. */
#include "recon/io/nifti/nifti-private.h"

#define EXTENSIONS "nii"

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  return is_folder ? 0 : ct_probe_confidence(path, EXTENSIONS, ct_nifti_has_signature(header, header_size));
}

static void *open_slices(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error) {
  (void)options;
  ct_nifti header;
  if (!ct_nifti_read_header(path, &header, error)) return NULL;
  ct_array *array = ct_array_open(&header.layout, error);
  if (array)
    *facts = (ct_volume_facts){.grid = header.grid,
                               .pitch_unknown = !header.has_spacing,
                               .plan = header.plan,
                               .file_bytes = ct_array_file_bytes(array)};
  if (array) header.plan = NULL;
  ct_nifti_clear(&header);
  return array;
}

static const ct_slice_reader reader = CT_ARRAY_READER(open_slices);

static bool read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  (void)dataset;
  ct_nifti header;
  if (!ct_nifti_read_header(path, &header, error)) return false;
  *plan = header.plan;
  header.plan = NULL;
  ct_nifti_clear(&header);
  return true;
}

static const ct_array_form form = {.put_header = ct_nifti_put_header, .packed = CT_ENCODE_PLAIN};

static void *open_writer(const ct_volume_header *header, ct_error **error) {
  return ct_array_writer_open(&form, header, header->path, NULL, error);
}

static const ct_slice_writer writer = {
    .open = open_writer,
    .put = ct_array_writer_put,
    .close = ct_array_writer_close,
};

const ct_format ct_format_nifti = {
    .id = "nifti",
    .title = "NIfTI",
    .extensions = EXTENSIONS,
    .probe = probe,
    .reader = &reader,
    .read_plan = read_plan,
    .writer = &writer,
};
