/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bitmaps for the tests: pixel (column, row from the bottom) of a view is 40 view + 10 row + column, by which 16 bits
 * hold no more than 31. */
#ifndef CT_TESTS_IO_BMP_H
#define CT_TESTS_IO_BMP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int width, height, bits;
  bool top_down;
} bmp_file;

static inline int bmp_value(int view, int row, int column, int bits) {
  return (40 * view + 10 * row + column) % (bits == 16 ? 32 : 256);
}

/* An 8-bit palette runs from white to black: indices are turned over. */
static inline size_t make_bmp_bytes(unsigned char *out, const bmp_file *f, int view) {
  const int palette = f->bits == 8 ? 1024 : 0, row_bytes = (f->width * f->bits + 31) / 32 * 4;
  const uint32_t size = (uint32_t)(54 + palette + row_bytes * f->height);
  const uint32_t words[] = {size,
                            0,
                            (uint32_t)(54 + palette),
                            40,
                            (uint32_t)f->width,
                            (uint32_t)(f->top_down ? -f->height : f->height),
                            1u | (uint32_t)f->bits << 16,
                            0,
                            0,
                            2835,
                            2835,
                            f->bits == 8 ? 256 : 0,
                            0};
  memset(out, 0, size);
  memcpy(out, "BM", 2);
  memcpy(out + 2, words, sizeof words);
  for (int i = 0; i < 256 && palette; i++) memset(out + 54 + 4 * i, 255 - i, 3);
  for (int row = 0; row < f->height; row++)
    for (int column = 0; column < f->width; column++) {
      const int value = bmp_value(view, row, column, f->bits), stored = f->top_down ? f->height - 1 - row : row;
      unsigned char *at = out + 54 + palette + stored * row_bytes + column * f->bits / 8;
      if (f->bits == 8) {
        *at = (unsigned char)(255 - value);
      } else if (f->bits == 16) {
        const uint16_t all = (uint16_t)(value | value << 5 | value << 10);
        memcpy(at, &all, 2);
      } else {
        memset(at, value, 3);
      }
    }
  return size;
}

static inline void write_bmp(const char *path, const bmp_file *f, int view) {
  unsigned char bytes[8192];
  FILE *file = fopen(path, "wb");
  const size_t size = make_bmp_bytes(bytes, f, view);
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

#endif
