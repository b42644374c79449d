/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIFF: scans as stacks of grey images (row 0 is the top unless the file's orientation says otherwise), volumes as
 * stacks of slices. A TIFF file tells no scan geometry; angles come from a text file beside it. */
#include "recon/base/memory.h"
#include "recon/io/tiff/tiff-private.h"

#include <string.h>

#define EXTENSIONS "tif tiff"

/* Classic and BigTIFF, either byte order. */
static bool has_magic(const unsigned char *head, size_t size) {
  return size >= 4 && (memcmp(head, "II*\0", 4) == 0 || memcmp(head, "MM\0*", 4) == 0 ||
                       memcmp(head, "II+\0", 4) == 0 || memcmp(head, "MM\0+", 4) == 0);
}

static int probe(const char *path, const unsigned char *head, size_t head_size, bool is_folder) {
  if (is_folder) return ct_series_probe_folder(path, EXTENSIONS);
  const bool named = ct_path_has_extension(path, EXTENSIONS);
  if (has_magic(head, head_size)) return named ? 95 : 80;
  return named ? 50 : 0;
}

static void *codec_open(const char *path, ct_image_facts *facts, ct_error **error) {
  ct_tiff *file = ct_tiff_open(path, error);
  if (file) *facts = file->page.facts;
  return file;
}

static void codec_close(void *image) {
  ct_tiff_close(image);
}

static bool codec_next(void *image, bool *more, ct_image_facts *facts, ct_error **error) {
  ct_tiff *file = image;
  if (!ct_tiff_next(file, more, error)) return false;
  *facts = file->page.facts;
  return true;
}

static uint64_t codec_tell(const void *image) {
  return ct_tiff_tell(image);
}

static bool codec_seek(void *image, uint64_t page, ct_image_facts *facts, ct_error **error) {
  ct_tiff *file = image;
  if (!ct_tiff_seek(file, page, error)) return false;
  *facts = file->page.facts;
  return true;
}

static bool codec_is_slice(const void *image) {
  ct_tiff_meta meta;
  const bool ours = ct_tiff_parse_meta(image, &meta, NULL) && meta.ours;
  ct_free(meta.plan);
  return ours;
}

static bool codec_read(void *image, int row0, int rows, float *out, ct_error **error) {
  return ct_tiff_read_rows(image, row0, rows, out, error);
}

const ct_image_codec ct_tiff_codec = {
    .title = "TIFF",
    .extensions = EXTENSIONS,
    .open = codec_open,
    .close = codec_close,
    .next = codec_next,
    .tell = codec_tell,
    .seek = codec_seek,
    .is_slice = codec_is_slice,
    .read = codec_read,
};

static ct_scan *open_scan(const char *path, ct_error **error) {
  return ct_image_scan_open(&ct_tiff_codec, path, error);
}

const ct_format ct_format_tiff = {
    .id = "tiff",
    .title = "TIFF stack",
    .extensions = EXTENSIONS,
    .probe = probe,
    .open_scan = open_scan,
    .read_volume = ct_tiff_read_volume,
    .read_plan = ct_tiff_read_plan,
    .writer = &ct_tiff_writer,
};
