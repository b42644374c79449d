/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIFF files as stacks of grey images: row 0 is the top unless the file's orientation says otherwise. A TIFF file tells
 * no scan geometry; angles come from a text file beside it. */
#include "recon/base/memory.h"
#include "recon/io/tiff/tiff-private.h"

static void *codec_open(const char *path, ct_image_facts *facts, ct_error **error) {
  ct_tiff *file = ct_tiff_open(path, error);
  ct_ome ome;
  if (!file) return NULL;
  *facts = file->page.facts;
  if (ct_tiff_parse_ome(ct_tiff_get_description(file), &ome)) {
    if (ome.size[0] > 0 && ome.size[1] > 0) {
      facts->pitch_x = ome.size[0];
      facts->pitch_y = ome.size[1];
    }
    ct_free(ome.comment);
  }
  if (ome.channels > 1) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is an OME-TIFF of %d channels; save one of them.", path,
                 ome.channels);
    ct_tiff_close(file);
    return NULL;
  }
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
    .extensions = CT_TIFF_EXTENSIONS,
    .open = codec_open,
    .close = codec_close,
    .next = codec_next,
    .tell = codec_tell,
    .seek = codec_seek,
    .is_slice = codec_is_slice,
    .read = codec_read,
};
