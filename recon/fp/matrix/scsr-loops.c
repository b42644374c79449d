/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of the symmetric matrix's entries with an image (scsr-loops.h): by gathers and scatters of AVX-512, else in
 * plain C. */
#include "recon/fp/matrix/scsr-loops.h"

#if CT_SIMD_WIDTH == 16
#include "recon/simd/x86.h"

typedef struct {
  __m512i offset, across, down;
} pixels;

static inline pixels pixels_of(const ct_symmetry_pixels *map) {
  return (pixels){_mm512_set1_epi32((int)map->offset), _mm512_set1_epi32((int)map->across),
                  _mm512_set1_epi32((int)map->down)};
}

static inline __m512i places(const pixels *map, __m512i packed) {
  const __m512i i = _mm512_and_si512(packed, _mm512_set1_epi32(0xffff)), j = _mm512_srli_epi32(packed, 16);
  return _mm512_add_epi32(map->offset,
                          _mm512_add_epi32(_mm512_mullo_epi32(i, map->across), _mm512_mullo_epi32(j, map->down)));
}

static inline __mmask16 tail(size_t count) {
  return (__mmask16)((1u << count) - 1);
}

static void gather(const uint32_t *columns, const float *values, size_t count, const ct_symmetry_pixels *map,
                   const float *image, float sums[16]) {
  const pixels m = pixels_of(map);
  __m512 a = _mm512_loadu_ps(sums), b = _mm512_setzero_ps();
  size_t e = 0;
  for (; e + 32 <= count; e += 32) {
    const __m512i p = places(&m, _mm512_loadu_si512(columns + e)), q = places(&m, _mm512_loadu_si512(columns + e + 16));
    a = _mm512_fmadd_ps(_mm512_loadu_ps(values + e), _mm512_i32gather_ps(p, image, 4), a);
    b = _mm512_fmadd_ps(_mm512_loadu_ps(values + e + 16), _mm512_i32gather_ps(q, image, 4), b);
  }
  for (; e < count; e += 16) {
    const __mmask16 k = count - e < 16 ? tail(count - e) : 0xffff;
    const __m512i p = places(&m, _mm512_maskz_loadu_epi32(k, columns + e));
    const __m512 x = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), k, p, image, 4);
    a = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(k, values + e), x, a);
  }
  _mm512_storeu_ps(sums, _mm512_add_ps(a, b));
}

static void scatter(const uint32_t *columns, const float *values, size_t count, const ct_symmetry_pixels *map,
                    const float y[16], unsigned mask, float *image) {
  const pixels m = pixels_of(map);
  const __m512 factor = _mm512_loadu_ps(y);
  for (size_t e = 0; e < count; e += 16) {
    const __mmask16 all = count - e < 16 ? tail(count - e) : 0xffff, k = (__mmask16)(all & mask);
    const __m512i p = places(&m, _mm512_maskz_loadu_epi32(k, columns + e));
    const __m512 x = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), k, p, image, 4);
    _mm512_mask_i32scatter_ps(image, k, p, _mm512_fmadd_ps(_mm512_maskz_loadu_ps(k, values + e), factor, x), 4);
  }
}

#else

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

#endif

const ct_scsr_loops CT_SIMD_TABLE(ct_scsr_loops) = {gather, scatter};
