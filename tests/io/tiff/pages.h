/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIFF files of every layout that a page may have, with samples that tell where they stand. */
#ifndef CT_TESTS_IO_TIFF_PAGES_H
#define CT_TESTS_IO_TIFF_PAGES_H

#include "tests/io/io-test.h"

#include <math.h>
#include <tiffio.h>

typedef struct layout {
  const char *mode; /* libtiff's: "w" little-endian classic, "wb" big-endian, "w8" BigTIFF */
  int width, height, bits, format, compression, predictor, rows_per_strip, tile, pages, orientation;
} layout;

static inline double sample(int page, int row, int column) {
  return (page * 31 + row * 7 + column * 3) % 120 + 1;
}

/* IEEE 754 binary16 of a whole number from 1 to 1023. */
static inline uint16_t half_of(double value) {
  const int exponent = (int)floor(log2(value));
  return (uint16_t)((exponent + 15) << 10 | (int)((value / exp2(exponent) - 1) * 1024));
}

static inline void store(unsigned char *to, const layout *l, double value) {
  const uint8_t u8 = (uint8_t)value;
  const uint16_t u16 = (uint16_t)(value * 500);
  const uint32_t u32 = (uint32_t)(value * 65536);
  const float f32 = (float)(value / 7);
  const double f64 = (double)f32;
  const uint64_t u64 = (uint64_t)(value * 65536);
  const uint16_t f16 = half_of(value > 0 ? value : 1);
  const bool is_float = l->format == SAMPLEFORMAT_IEEEFP;
  const void *from = l->bits == 8    ? (const void *)&u8
                     : l->bits == 16 ? (is_float ? (const void *)&f16 : (const void *)&u16)
                     : l->bits == 64 ? (is_float ? (const void *)&f64 : (const void *)&u64)
                     : is_float      ? (const void *)&f32
                                     : (const void *)&u32;
  memcpy(to, from, (size_t)l->bits / 8);
}

static inline double stored(const layout *l, double value) {
  return l->bits == 8                       ? value
         : l->bits == 16                    ? (l->format == SAMPLEFORMAT_IEEEFP ? value : value * 500)
         : l->format == SAMPLEFORMAT_IEEEFP ? (double)(float)(value / 7)
                                            : value * 65536;
}

static inline void write_page(TIFF *tiff, const layout *l, int page) {
  const size_t size = (size_t)l->bits / 8;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, l->width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, l->height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, l->bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  if (l->format) TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, l->format);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, l->compression ? l->compression : COMPRESSION_NONE);
  if (l->predictor) TIFFSetField(tiff, TIFFTAG_PREDICTOR, l->predictor);
  if (l->orientation) TIFFSetField(tiff, TIFFTAG_ORIENTATION, l->orientation);
  if (l->tile) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, l->tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, l->tile);
    unsigned char *tile = calloc((size_t)(l->tile * l->tile), size);
    for (int y = 0; y < l->height; y += l->tile)
      for (int x = 0; x < l->width; x += l->tile) {
        for (int j = 0; j < l->tile; j++)
          for (int i = 0; i < l->tile; i++)
            store(tile + (size_t)(j * l->tile + i) * size, l,
                  y + j < l->height && x + i < l->width ? sample(page, y + j, x + i) : 0);
        if (TIFFWriteTile(tiff, tile, (uint32_t)x, (uint32_t)y, 0, 0) < 0) abort();
      }
    free(tile);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, l->rows_per_strip ? l->rows_per_strip : l->height);
    unsigned char *row = calloc((size_t)l->width, size);
    for (int y = 0; y < l->height; y++) {
      for (int x = 0; x < l->width; x++) store(row + (size_t)x * size, l, sample(page, y, x));
      if (TIFFWriteScanline(tiff, row, (uint32_t)y, 0) < 0) abort();
    }
    free(row);
  }
  if (!TIFFWriteDirectory(tiff)) abort();
}

/* `first`: the number of the first page, so that single files of a stack differ. */
static inline const char *write_tiff(const char *name, const layout *l, int first) {
  const char *path = scratch_path(name);
  TIFF *tiff = TIFFOpen(path, l->mode ? l->mode : "w");
  if (!tiff) abort();
  for (int page = 0; page < (l->pages ? l->pages : 1); page++) write_page(tiff, l, first + page);
  TIFFClose(tiff);
  return path;
}

/* All frames of a scan against the pattern, whole and in odd bands read backwards; rows as stored. */
static inline bool agrees(ct_scan *scan, const layout *l, int first, ct_error **error) {
  const ct_geometry *g = &ct_scan_get_facts(scan)->geometry;
  if (g->nu != l->width || g->nv != l->height) return ct_error_set(error, CT_ERROR_DATA, "%d x %d", g->nu, g->nv);
  float *frame = malloc((size_t)(g->nu * g->nv) * sizeof *frame);
  bool good = frame;
  for (int view = g->views - 1; good && view >= 0; view--)
    for (int bands = 0; good && bands < 2; bands++) {
      const int step = bands ? 5 : g->nv;
      for (int row = (g->nv - 1) / step * step; good && row >= 0; row -= step)
        good = ct_scan_read_flipped(scan,
                                    &(ct_frame_rows){.kind = CT_FRAME_PROJECTION,
                                                     .index = view,
                                                     .row0 = row,
                                                     .rows = row + step > g->nv ? g->nv - row : step},
                                    frame + (size_t)row * (size_t)g->nu, error);
      for (int i = 0; good && i < g->nu * g->nv; i++) {
        const double wanted = stored(l, sample(first + view, i / g->nu, i % g->nu));
        if ((double)frame[i] != wanted)
          good = ct_error_set(error, CT_ERROR_DATA, "view %d, pixel %d: %g, not %g", view, i, (double)frame[i], wanted);
      }
    }
  free(frame);
  return good;
}

#endif
