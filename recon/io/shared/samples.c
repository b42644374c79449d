/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of any type and byte order to float32, and float32 to scaled 16-bit integers. */
#include "recon/geom/grid.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *id;
  size_t size;
  bool integer;
} types[CT_SAMPLE_TYPES] = {
    [CT_SAMPLE_UINT8] = {"uint8", 1, true},      [CT_SAMPLE_INT8] = {"int8", 1, true},
    [CT_SAMPLE_UINT16] = {"uint16", 2, true},    [CT_SAMPLE_INT16] = {"int16", 2, true},
    [CT_SAMPLE_UINT32] = {"uint32", 4, true},    [CT_SAMPLE_INT32] = {"int32", 4, true},
    [CT_SAMPLE_UINT64] = {"uint64", 8, true},    [CT_SAMPLE_INT64] = {"int64", 8, true},
    [CT_SAMPLE_FLOAT16] = {"float16", 2, false}, [CT_SAMPLE_FLOAT32] = {"float32", 4, false},
    [CT_SAMPLE_FLOAT64] = {"float64", 8, false},
};

size_t ct_sample_size(ct_sample_type type) {
  return types[type].size;
}

const char *ct_sample_id(ct_sample_type type) {
  return types[type].id;
}

bool ct_sample_is_integer(ct_sample_type type) {
  return types[type].integer;
}

bool ct_sample_from_id(const char *id, ct_sample_type *type) {
  for (int i = 0; i < CT_SAMPLE_TYPES; i++)
    if (strcmp(id, types[i].id) == 0) {
      *type = (ct_sample_type)i;
      return true;
    }
  return false;
}

bool ct_machine_is_big_endian(void) {
  return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

/* IEEE 754 binary16. */
static float half_to_float(uint16_t bits) {
  const uint32_t sign = (uint32_t)(bits >> 15) << 31, exponent = bits >> 10 & 31, mantissa = bits & 1023;
  if (exponent == 0) return (float)mantissa * (sign ? -0x1p-24f : 0x1p-24f);
  const uint32_t wide = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | mantissa << 13;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

static void halves_to_float(const unsigned char *bytes, bool swap, size_t count, float *out) {
  for (size_t i = 0; i < count; i++) {
    uint16_t bits;
    memcpy(&bits, bytes + i * sizeof bits, sizeof bits);
    out[i] = half_to_float(swap ? __builtin_bswap16(bits) : bits);
  }
}

/* One loop per type: sample i is read (swapped if need be) before out[i] is written. */
#define CONVERT(type, word, swap_word)                                                                                 \
  for (size_t i = 0; i < count; i++) {                                                                                 \
    word bits;                                                                                                         \
    memcpy(&bits, bytes + i * sizeof bits, sizeof bits);                                                               \
    if (swap) bits = swap_word(bits);                                                                                  \
    type value;                                                                                                        \
    memcpy(&value, &bits, sizeof value);                                                                               \
    out[i] = (float)value;                                                                                             \
  }                                                                                                                    \
  break
#define NO_SWAP(x) (x)

void ct_samples_to_float(const void *in, ct_sample_type type, bool big_endian, size_t count, float *out) {
  const unsigned char *bytes = in;
  const bool swap = big_endian != ct_machine_is_big_endian();
  switch (type) {
  case CT_SAMPLE_UINT8:
    CONVERT(uint8_t, uint8_t, NO_SWAP);
  case CT_SAMPLE_INT8:
    CONVERT(int8_t, uint8_t, NO_SWAP);
  case CT_SAMPLE_UINT16:
    CONVERT(uint16_t, uint16_t, __builtin_bswap16);
  case CT_SAMPLE_INT16:
    CONVERT(int16_t, uint16_t, __builtin_bswap16);
  case CT_SAMPLE_UINT32:
    CONVERT(uint32_t, uint32_t, __builtin_bswap32);
  case CT_SAMPLE_INT32:
    CONVERT(int32_t, uint32_t, __builtin_bswap32);
  case CT_SAMPLE_UINT64:
    CONVERT(uint64_t, uint64_t, __builtin_bswap64);
  case CT_SAMPLE_INT64:
    CONVERT(int64_t, uint64_t, __builtin_bswap64);
  case CT_SAMPLE_FLOAT16:
    halves_to_float(bytes, swap, count, out);
    break;
  case CT_SAMPLE_FLOAT32:
    CONVERT(float, uint32_t, __builtin_bswap32);
  case CT_SAMPLE_FLOAT64:
    CONVERT(double, uint64_t, __builtin_bswap64);
  case CT_SAMPLE_TYPES:
    break;
  }
}

void ct_floats_to_uint16(const float *in, size_t count, double low, double high, uint16_t *out) {
  const double scale = 65535.0 / (high - low);
  for (size_t i = 0; i < count; i++) {
    const double value = ((double)in[i] - low) * scale + 0.5;
    out[i] = value >= 65535.0 ? 65535 : value >= 1.0 ? (uint16_t)value : 0; /* NaN fails both */
  }
}

void ct_volume_sample_range(const ct_volume *volume, double *low, double *high) {
  if (isnan(*low) || isnan(*high)) {
    const float *data = ct_volume_get_data(volume);
    const size_t count = ct_grid_voxels(ct_volume_grid(volume));
    float smallest = INFINITY, largest = -INFINITY;
    for (size_t i = 0; i < count; i++) {
      if (!isfinite(data[i])) continue;
      if (data[i] < smallest) smallest = data[i];
      if (data[i] > largest) largest = data[i];
    }
    if (isnan(*low)) *low = isfinite(smallest) ? smallest : 0;
    if (isnan(*high)) *high = isfinite(largest) ? largest : 1;
  }
  if (!(*low < *high)) *high = *low + (fabs(*low) > 1 ? fabs(*low) * 1e-6 : 1e-6);
}
