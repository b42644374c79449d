/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of the symmetric matrix's entries with an image, in plain C: lanes.h. */
#include "recon/fp/matrix/isa/lanes.h"

static inline ptrdiff_t place(const ct_symmetry_pixels *map, uint32_t packed) {
  return map->offset + (ptrdiff_t)(packed & 0xffff) * map->across + (ptrdiff_t)(packed >> 16) * map->down;
}

static void gather(const uint32_t *columns, const float *values, size_t count, const ct_symmetry_pixels *map,
                   const float *image, float sums[16]) {
  const ct_symmetry_pixels m = *map;
  size_t e = 0;
  for (; e + 16 <= count; e += 16)
    for (size_t l = 0; l < 16; l++) sums[l] += values[e + l] * image[place(&m, columns[e + l])];
  for (size_t l = 0; e + l < count; l++) sums[l] += values[e + l] * image[place(&m, columns[e + l])];
}

static void scatter(const uint32_t *columns, const float *values, size_t count, const ct_symmetry_pixels *map,
                    const float y[16], unsigned mask, float *image) {
  const ct_symmetry_pixels m = *map;
  for (size_t e = 0; e < count; e++)
    if (mask >> (e & 15) & 1) image[place(&m, columns[e])] += values[e] * y[e & 15];
}

const ct_scsr_lanes ct_scsr_lanes_portable = {gather, scatter};
