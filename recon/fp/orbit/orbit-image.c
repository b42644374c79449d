/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orbits of pixels, numbered tile by tile. Pixel (n/2 + a, n/2 + b), 0 <= b <= a, begins an orbit; tiles are squares of
 * the (a, b) plane, b contiguous, so that the pixels which a ray meets one after another lie side by side as often as
 * not. */
#include "recon/fp/orbit/orbit-private.h"

#include "recon/base/memory.h"

#include <string.h>

/* Orbits along a tile's side: its lines of one slice stay in the first-level cache, those of interleaved ones in the
 * second with the rays. */
enum { SIDE = 32, WIDE_SIDE = 24 };

typedef struct tiling {
  int half, across, side;
} tiling;

static tiling tile_up(int n, int side) {
  const int half = (n + 1) / 2, across = (half + side - 1) / side;
  return (tiling){half, across, (half + across - 1) / across};
}

static uint32_t tile_orbits(const tiling *t, int ta, int tb) {
  uint32_t count = 0;
  for (int a = ta * t->side; a < (ta + 1) * t->side && a < t->half; a++) {
    const int end = (tb + 1) * t->side < a + 1 ? (tb + 1) * t->side : a + 1;
    if (end > tb * t->side) count += (uint32_t)(end - tb * t->side);
  }
  return count;
}

static void place_orbit(ct_orbit_image *image, const ct_symmetry_pixels maps[8], int a, int b, uint32_t tile,
                        uint32_t local) {
  const size_t orbit = image->first[tile] + local;
  uint32_t *pixel = image->pixel + 8 * orbit;
  uint8_t real = 0;
  for (unsigned k = 0; k < 8; k++) {
    pixel[k] = (uint32_t)ct_symmetry_pixel(maps + k, image->n / 2 + a, image->n / 2 + b);
    bool first = true;
    for (unsigned j = 0; j < k; j++) first = first && pixel[j] != pixel[k];
    if (!first) continue;
    real |= (uint8_t)(1u << k);
    image->place[pixel[k]] = tile << CT_ORBIT_PLACE_BITS | local << CT_ORBIT_H_BITS | k;
  }
  image->real[orbit] = real;
}

static void number(ct_orbit_image *image, const tiling *t) {
  ct_symmetry_pixels maps[8];
  for (int k = 0; k < 8; k++) maps[k] = ct_symmetry_pixels_of(image->n, image->n, k);
#pragma omp parallel for schedule(dynamic)
  for (int ta = 0; ta < t->across; ta++)
    for (int tb = 0; tb <= ta; tb++) {
      const uint32_t tile = (uint32_t)(ta * (ta + 1) / 2 + tb);
      uint32_t local = 0;
      for (int a = ta * t->side; a < (ta + 1) * t->side && a < t->half; a++)
        for (int b = tb * t->side; b < (tb + 1) * t->side && b <= a; b++) place_orbit(image, maps, a, b, tile, local++);
      for (size_t o = image->first[tile] + local; o < image->first[tile + 1]; o++) {
        memset(image->pixel + 8 * o, 0, 8 * sizeof *image->pixel);
        image->real[o] = 0;
      }
    }
}

bool ct_orbit_image_init(ct_orbit_image *image, int n, bool wide, ct_error **error) {
  const tiling t = tile_up(n, wide ? WIDE_SIDE : SIDE);
  *image = (ct_orbit_image){.n = n, .tiles = t.across * (t.across + 1) / 2};
  image->first = ct_alloc((size_t)image->tiles + 1, sizeof *image->first, "the tiles", error);
  if (!image->first) return false;
  uint32_t orbits = 0;
  for (int ta = 0, tile = 0; ta < t.across; ta++)
    for (int tb = 0; tb <= ta; tb++) {
      image->first[tile++] = orbits;
      orbits += (tile_orbits(&t, ta, tb) + CT_ORBIT_ROWS - 1) / CT_ORBIT_ROWS * CT_ORBIT_ROWS;
    }
  /* A pair that begins with the last orbit reads a line more. */
  image->orbits = orbits + CT_ORBIT_ROWS;
  image->first[image->tiles] = orbits;
  const size_t pixels = (size_t)n * (size_t)n;
  image->pixel = ct_alloc_zero(image->orbits, 8 * sizeof *image->pixel, "the orbits of pixels", error);
  image->real = ct_alloc_zero(image->orbits, sizeof *image->real, "the orbits of pixels", error);
  image->place = ct_alloc(pixels, sizeof *image->place, "the orbits of pixels", error);
  if (!image->pixel || !image->real || !image->place) {
    ct_orbit_image_clear(image);
    return false;
  }
  number(image, &t);
  return true;
}

void ct_orbit_image_clear(ct_orbit_image *image) {
  ct_free(image->first);
  ct_free(image->pixel);
  ct_free(image->real);
  ct_free(image->place);
  *image = (ct_orbit_image){0};
}
