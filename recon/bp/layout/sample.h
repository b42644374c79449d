/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples as a layout keeps them: the same loops are compiled for float32 and once more for each storage in 16 bits
 * (meson.build: CT_BP_SAMPLE_FLOAT16, CT_BP_SAMPLE_INT16), widened when they are loaded. A view's numbers are samples
 * times its units (stored.h); what 1 of them is worth goes into the weights. */
#ifndef CT_BP_LAYOUT_SAMPLE_H
#define CT_BP_LAYOUT_SAMPLE_H

#include "recon/bp/layout/half.h"
#include "recon/bp/layout/magnitude.h"
#include "recon/bp/layout/stored.h"

#include <string.h>

#if defined(CT_BP_SAMPLE_FLOAT16)
#define CT_BP_SAMPLED(name) name##_float16
static const ct_precision ct_sample_precision = CT_PRECISION_FLOAT16;
enum { ct_samples_scaled = 1 }; /* whether numbers have a unit */
typedef uint16_t ct_sample;
CT_INLINE vf vsample(const ct_sample *p) {
  return vload_half(p);
}
CT_INLINE void vsample_store(ct_sample *p, vf numbers) {
  vstore_half(p, numbers);
}
static inline float ct_sample_number(ct_sample sample) {
  return ct_half_to_float(sample);
}
#elif defined(CT_BP_SAMPLE_INT16)
#define CT_BP_SAMPLED(name) name##_int16
static const ct_precision ct_sample_precision = CT_PRECISION_INT16;
enum { ct_samples_scaled = 1 }; /* whether numbers have a unit */
typedef int16_t ct_sample;
CT_INLINE vf vsample(const ct_sample *p) {
  return vload_short(p);
}
CT_INLINE void vsample_store(ct_sample *p, vf numbers) {
  vstore_short(p, numbers);
}
static inline float ct_sample_number(ct_sample sample) {
  return (float)sample;
}
#else
#define CT_BP_SAMPLED(name) name
static const ct_precision ct_sample_precision = CT_PRECISION_FLOAT32;
enum { ct_samples_scaled = 0 }; /* whether numbers have a unit */
typedef float ct_sample;
CT_INLINE vf vsample(const ct_sample *p) {
  return vload(p);
}
CT_INLINE void vsample_store(ct_sample *p, vf numbers) {
  vstore(p, numbers);
}
static inline float ct_sample_number(ct_sample sample) {
  return sample;
}
#endif

/* For more than one use. */
CT_INLINE vf vsample_kept(const ct_sample *p) {
  return ct_samples_scaled ? vsample(p) : vload_kept((const float *)p);
}

/* Lanes first <= l < end, the others zero; memory outside is not touched. */
CT_INLINE vf vsample_between(const ct_sample *p, int first, int end) {
  if (!ct_samples_scaled) return vload_between((const float *)p, first, end);
  ct_sample part[W] = {0};
  for (int l = first > 0 ? first : 0; l < (end < W ? end : W); l++) part[l] = p[l];
  return vsample(part);
}

/* Numbers per 1 of a view's samples; negative where integers cannot express them. */
static inline float ct_sample_units(const float *samples, size_t count) {
  if (!ct_samples_scaled) return 1;
  float magnitude = ct_magnitude(samples, count);
  if (!(magnitude < INFINITY)) {
    if (ct_sample_precision == CT_PRECISION_INT16) return -1;
    magnitude = ct_half_magnitude(samples, count);
  }
  return ct_stored_units(ct_sample_precision, magnitude);
}

#endif
