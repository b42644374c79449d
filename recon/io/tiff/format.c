/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format TIFF: scans as stacks of images, volumes as stacks of slices. */
#include "recon/io/tiff/tiff-private.h"

#include <string.h>

/* Classic and BigTIFF, either byte order. */
static bool has_magic(const unsigned char *header, size_t size) {
  return size >= 4 && (memcmp(header, "II*\0", 4) == 0 || memcmp(header, "MM\0*", 4) == 0 ||
                       memcmp(header, "II+\0", 4) == 0 || memcmp(header, "MM\0+", 4) == 0);
}

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return ct_series_probe_folder(path, CT_TIFF_EXTENSIONS);
  return ct_probe_confidence(path, CT_TIFF_EXTENSIONS, has_magic(header, header_size));
}

static ct_content content(const char *path, const char *dataset) {
  (void)dataset;
  return ct_image_stack_is_volume(&ct_tiff_codec, path) ? CT_CONTENT_VOLUME : CT_CONTENT_SCAN;
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  return ct_image_scan_open(&ct_tiff_codec, path, options, error);
}

static bool reads(const char *path, const ct_open_options *options, const char *file) {
  (void)options;
  return ct_image_scan_reads(&ct_tiff_codec, path, file);
}

const ct_format ct_format_tiff = {
    .id = "tiff",
    .title = "TIFF stack",
    .extensions = CT_TIFF_EXTENSIONS,
    .notes = "folder, numbered pattern, multipage; 8, 16 bit, float",
    .images = "TIFF",
    .writes_folder = true,
    .probe = probe,
    .content = content,
    .open_scan = open_scan,
    .reads = reads,
    .reader = &ct_tiff_reader,
    .read_plan = ct_tiff_read_plan,
    .writer = &ct_tiff_writer,
};
