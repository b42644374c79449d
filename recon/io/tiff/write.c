/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes as TIFF slices: a folder of one file per slice, or one file of many pages for a path that ends in .tif or
 * .tiff (BigTIFF where its samples come near 4 GB). Rows are stored from the lowest y up, as the array has them, with
 * the orientation tag that says so. */
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/base/output.h"
#include "recon/io/tiff/tiff-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { STRIP_BYTES = 256 << 10 };

/* Room for the directories and the descriptions beside the samples of a classic TIFF. */
#define CLASSIC_LIMIT ((uint64_t)0xf0000000)

typedef struct writing {
  const ct_volume_header *header;
  bool big;
  int digits; /* of the slice's number in the name of its file */
  ct_output *output;
  TIFF *tiff; /* of all pages; NULL: a file for each slice */
  ct_tiff_failure failure;
  uint32_t strip_rows;
  void *strip;
} writing;

static bool fail(writing *w, ct_error **error) {
  const int number = w->failure.message[0] ? w->failure.number : errno;
  if (number)
    ct_error_set_errno(error, number, "Cannot write %s", w->header->path);
  else
    ct_error_set(error, CT_ERROR_IO, "Cannot write %s (%s)", w->header->path,
                 w->failure.message[0] ? w->failure.message : "unknown error");
  return false;
}

static TIFF *open_tiff(writing *w, const char *path, ct_error **error) {
  w->failure = (ct_tiff_failure){0};
  if (!ct_tiff_may_call(error)) return NULL;
  const int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    ct_error_set_errno(error, errno, "Cannot write %s", w->header->path);
    return NULL;
  }
  TIFFOpenOptions *options = ct_tiff_options(&w->failure, 0, error);
  TIFF *tiff = NULL;
  errno = 0;
  if (options && !(tiff = TIFFFdOpenExt(descriptor, path, w->big ? "w8" : "w", options))) fail(w, error);
  if (options) TIFFOpenOptionsFree(options);
  if (!tiff) close(descriptor);
  return tiff;
}

static bool set_tags(const writing *w, TIFF *tiff, const char *description) {
  const ct_volume_header *header = w->header;
  const ct_grid *grid = &header->grid;
  const bool scaled = !ct_units_are_pixels(header->units);
  const bool good =
      TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)grid->nx) &&
      TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)grid->ny) &&
      TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, header->integers ? 16 : 32) &&
      TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, header->integers ? SAMPLEFORMAT_UINT : SAMPLEFORMAT_IEEEFP) &&
      TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) &&
      TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
      TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
      TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_BOTLEFT) &&
      TIFFSetField(tiff, TIFFTAG_COMPRESSION, header->compress ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE) &&
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, w->strip_rows) &&
      TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, scaled ? RESUNIT_CENTIMETER : RESUNIT_NONE) &&
      TIFFSetField(tiff, TIFFTAG_XRESOLUTION, (scaled ? 10 : 1) / grid->dx) &&
      TIFFSetField(tiff, TIFFTAG_YRESOLUTION, (scaled ? 10 : 1) / grid->dy) &&
      TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Gantry " GANTRY_VERSION);
  if (!good || !header->compress)
    return good && (!description || TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description));
  /* ImageJ 1.53t inflates samples and takes no notice of a predictor: it would show the differences. */
  return TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_NONE) && TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1) &&
         (!description || TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description));
}

/* One slice as the next page. */
static bool write_page(writing *w, TIFF *tiff, const void *samples, const char *description, ct_error **error) {
  const ct_grid *grid = &w->header->grid;
  const size_t row_bytes = (size_t)grid->nx * (w->header->integers ? sizeof(uint16_t) : sizeof(float));
  if (!ct_tiff_may_call(error)) return false;
  errno = 0;
  if (!set_tags(w, tiff, description)) return fail(w, error);
  for (int row = 0, strip = 0; row < grid->ny; strip++) {
    const int rows = grid->ny - row < (int)w->strip_rows ? grid->ny - row : (int)w->strip_rows;
    const size_t bytes = (size_t)rows * row_bytes;
    /* libtiff may swap bytes in the buffer that it is given. */
    memcpy(w->strip, (const char *)samples + (size_t)row * row_bytes, bytes);
    errno = 0;
    if (TIFFWriteEncodedStrip(tiff, (uint32_t)strip, w->strip, (tmsize_t)bytes) != (tmsize_t)bytes)
      return fail(w, error);
    row += rows;
  }
  errno = 0;
  return (TIFFWriteDirectory(tiff) && !w->failure.message[0]) || fail(w, error);
}

/* NAME.ome.tif, as OME-TIFF asks. */
static bool is_ome(const char *path) {
  const char *name = ct_path_name(path), *dot = strrchr(name, '.');
  return dot && dot - name >= 4 && strncasecmp(dot - 4, ".ome", 4) == 0;
}

/* What the first page tells of the whole file (slice: -1), or the file of a slice of itself; ct_free. */
static char *describe(const ct_volume_header *header, int slice, ct_error **error) {
  char *json = ct_tiff_format_meta(header, slice, error), *text = NULL;
  if (json && slice < 0 && is_ome(header->path))
    text = ct_tiff_format_ome(header, json, error);
  else if (json)
    text = ct_tiff_format_imagej(header, slice, json, error);
  ct_free(json);
  return text;
}

static bool put_page(writing *w, int k, const void *samples, ct_error **error) {
  char *text = k > 0 ? NULL : describe(w->header, -1, error);
  const bool good = (text || k > 0) && write_page(w, w->tiff, samples, text, error);
  ct_free(text);
  return good;
}

static bool put_file(writing *w, int k, const void *samples, ct_error **error) {
  char *path = ct_strprintf("%s/slice_%0*d.tif", ct_output_get_path(w->output), w->digits, k);
  char *text = describe(w->header, k, error);
  TIFF *tiff = path && text ? open_tiff(w, path, error) : NULL;
  bool good = tiff && write_page(w, tiff, samples, text, error);
  if (tiff) TIFFClose(tiff);
  if (good && w->failure.message[0]) good = fail(w, error);
  ct_free(text);
  ct_free(path);
  return good || ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to write %s", w->header->path);
}

static bool put_slice(void *state, int k, const void *samples, ct_error **error) {
  writing *w = state;
  return w->tiff ? put_page(w, k, samples, error) : put_file(w, k, samples, error);
}

static bool close_writer(void *state, bool keep, ct_error **error) {
  writing *w = state;
  bool good = keep;
  if (w->tiff) TIFFClose(w->tiff);
  if (good && w->failure.message[0]) good = fail(w, error);
  if (good)
    good = ct_output_commit(w->output, error);
  else
    ct_output_abandon(w->output);
  ct_free(w->strip);
  ct_free(w);
  return good;
}

static void *open_writer(const ct_volume_header *header, ct_error **error) {
  const ct_grid *grid = &header->grid;
  writing *w = ct_alloc_zero(1, sizeof *w, "a writer", error);
  if (!w) return NULL;
  w->header = header;
  w->digits = 4;
  for (int n = 10000; w->digits < 9 && grid->nz > n; n *= 10) w->digits++;
  const uint64_t row_bytes = (uint64_t)grid->nx * (header->integers ? 2 : 4);
  const uint64_t rows = STRIP_BYTES / row_bytes;
  w->strip_rows = rows < 1 ? 1 : rows > (uint64_t)grid->ny ? (uint32_t)grid->ny : (uint32_t)rows;
  const bool single = ct_path_has_extension(header->path, "tif tiff");
  const uint64_t slices = single ? (uint64_t)grid->nz : 1;
  w->big = row_bytes * (uint64_t)grid->ny * slices > CLASSIC_LIMIT;
  bool good = (w->strip = ct_alloc(w->strip_rows, (size_t)row_bytes, "a strip of an image", error)) &&
              (w->output = ct_output_begin(header->path, !single, error)) &&
              ct_volume_header_check_space(header, w->output, error);
  if (good && single) good = (w->tiff = open_tiff(w, ct_output_get_path(w->output), error)) != NULL;
  if (good) return w;
  close_writer(w, false, NULL);
  return NULL;
}

const ct_slice_writer ct_tiff_writer = {
    .open = open_writer,
    .put = put_slice,
    .close = close_writer,
};
