/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a TIFF page as floats: straight from the file where strips are not compressed, else from the strips or tiles
 * that they touch, of which the last one decoded is kept (bands of a page are mostly read in order). */
#include "recon/base/memory.h"
#include "recon/io/tiff/tiff-private.h"

#include <string.h>

static bool read_plain(ct_tiff *file, int row0, int rows, float *out, ct_error **error) {
  const ct_tiff_page *page = &file->page;
  const size_t width = (size_t)page->facts.width, size = ct_sample_size(page->facts.type), row_bytes = width * size;
  const bool big_endian = TIFFIsBigEndian(file->tiff);
  const int descriptor = TIFFFileno(file->tiff);
  unsigned char *row = NULL;
  if (size > sizeof(float) && !(row = ct_alloc(row_bytes, 1, "a row of samples", error))) return false;
  bool good = true;
  for (int at = row0; good && at < row0 + rows;) {
    const uint32_t strip = (uint32_t)at / page->block_height;
    const int first = (int)(strip * page->block_height);
    const int64_t strip_end = (int64_t)first + page->block_height;
    const int end = strip_end < row0 + rows ? (int)strip_end : row0 + rows;
    const uint64_t offset = TIFFGetStrileOffset(file->tiff, strip) + (uint64_t)(at - first) * row_bytes;
    const uint64_t stored = TIFFGetStrileByteCount(file->tiff, strip);
    if (offset > file->file_bytes || (uint64_t)(end - first) * row_bytes > stored) {
      good = ct_tiff_fail(file, "is damaged or cut off: a strip holds too few bytes", error);
      break;
    }
    /* A strip at once where its samples are no wider than floats (they are widened in place), else row by row. */
    const int step = row ? 1 : end - at;
    const size_t count = (size_t)step * width;
    float *to = out + (size_t)(at - row0) * width;
    unsigned char *from = row ? row : (unsigned char *)to + count * (sizeof(float) - size);
    good = ct_read_exactly(descriptor, file->path, from, count * size, (off_t)offset, error);
    if (good) ct_samples_to_float(from, page->facts.type, big_endian, count, to);
    at += step;
  }
  ct_free(row);
  return good;
}

static bool reserve_band(ct_tiff *file, ct_error **error) {
  if (file->band_capacity >= file->page.band_bytes) return true;
  ct_free(file->band);
  file->band_capacity = 0;
  file->band_index = UINT32_MAX;
  /* Cleared, so that what a decoder leaves out is zero. */
  file->band = ct_alloc_zero(file->page.band_bytes, 1, "a strip or tiles of an image", error);
  if (!file->band) return false;
  file->band_capacity = file->page.band_bytes;
  return true;
}

/* Decodes the strip or the tiles of band `index`, one behind the other; libtiff turns samples into the machine's byte
 * order. */
static bool decode_band(ct_tiff *file, uint32_t index, ct_error **error) {
  const ct_tiff_page *page = &file->page;
  if (!reserve_band(file, error)) return false;
  if (file->band_index == index) return true;
  file->band_index = UINT32_MAX;
  /* The last strip ends with the image; tiles are always whole. */
  const uint64_t below = (uint64_t)page->facts.height - (uint64_t)index * page->block_height;
  size_t bytes = page->block_bytes;
  if (!page->tiled && below < page->block_height)
    bytes = (size_t)below * (size_t)page->facts.width * ct_sample_size(page->facts.type);
  for (uint32_t i = 0; i < page->blocks_across; i++) {
    unsigned char *to = file->band + i * page->block_bytes;
    const uint32_t block = index * page->blocks_across + i;
    if (!ct_tiff_may_call(error)) return false;
    file->failure.message[0] = 0;
    const tmsize_t got = page->tiled ? TIFFReadEncodedTile(file->tiff, block, to, (tmsize_t)bytes)
                                     : TIFFReadEncodedStrip(file->tiff, block, to, (tmsize_t)bytes);
    if (got != (tmsize_t)bytes || file->failure.message[0]) return ct_tiff_fail(file, "is damaged or cut off", error);
  }
  file->band_index = index;
  return true;
}

static bool read_bands(ct_tiff *file, int row0, int rows, float *out, ct_error **error) {
  const ct_tiff_page *page = &file->page;
  const size_t width = (size_t)page->facts.width, size = ct_sample_size(page->facts.type);
  const size_t stride = page->block_width * size;
  for (int row = row0; row < row0 + rows; row++) {
    const uint32_t band = (uint32_t)row / page->block_height;
    if (!decode_band(file, band, error)) return false;
    const unsigned char *from = file->band + (size_t)((uint32_t)row % page->block_height) * stride;
    float *to = out + (size_t)(row - row0) * width;
    for (size_t left = 0; left < width; left += page->block_width, from += page->block_bytes) {
      const size_t columns = left + page->block_width <= width ? page->block_width : width - left;
      ct_samples_to_float(from, page->facts.type, ct_machine_is_big_endian(), columns, to + left);
    }
  }
  return true;
}

/* Tall strips are decoded row by row into the band, which then is one row: never more than that in memory. Rows of a
 * strip come in order, so that going back begins the strip anew, which libtiff does for a row before the present one.
 */
static bool read_scanlines(ct_tiff *file, int row0, int rows, float *out, ct_error **error) {
  const ct_tiff_page *page = &file->page;
  const uint32_t end = (uint32_t)(row0 + rows);
  if (!reserve_band(file, error)) return false;
  uint32_t row = file->next_row;
  const uint32_t strip = (uint32_t)row0 / page->block_height * page->block_height;
  if (row > (uint32_t)row0 || row < strip) row = strip;
  file->next_row = UINT32_MAX;
  if (!ct_tiff_may_call(error)) return false;
  for (; row < end; row++) {
    file->failure.message[0] = 0;
    if (TIFFReadScanline(file->tiff, file->band, row, 0) != 1 || file->failure.message[0])
      return ct_tiff_fail(file, "is damaged or cut off", error);
    if (row >= (uint32_t)row0)
      ct_samples_to_float(file->band, page->facts.type, ct_machine_is_big_endian(), (size_t)page->facts.width,
                          out + (size_t)(row - (uint32_t)row0) * (size_t)page->facts.width);
  }
  file->next_row = end;
  return true;
}

bool ct_tiff_read_rows(ct_tiff *file, int row0, int rows, float *out, ct_error **error) {
  file->failure.message[0] = 0;
  if (file->page.plain) return read_plain(file, row0, rows, out, error);
  return file->page.tall ? read_scanlines(file, row0, rows, out, error) : read_bands(file, row0, rows, out, error);
}
