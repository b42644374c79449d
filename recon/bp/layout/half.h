/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Half-precision numbers (IEEE 754 binary16) as storage: conversion in integer arithmetic, exact from half to single,
 * to the nearest and ties to even from single to half. */
#ifndef CT_BP_LAYOUT_HALF_H
#define CT_BP_LAYOUT_HALF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t ct_half_from_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00);  /* not a number */
  if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00); /* rounds to 65536: infinite */
  if (magnitude < 0x38800000) {
    /* Below 2^-14 a half's step is 2^-24, which is what float32 rounds to between 1/2 and 1. */
    float shifted, positive;
    memcpy(&positive, &magnitude, sizeof positive);
    shifted = positive + 0.5f;
    memcpy(&bits, &shifted, sizeof bits);
    return (uint16_t)(sign | (bits - 0x3f000000));
  }
  return (uint16_t)(sign | (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13);
}

static inline float ct_half_to_float(uint16_t half) {
  const uint32_t shifted = (uint32_t)(half & 0x7fff) << 13, sign = (uint32_t)(half & 0x8000) << 16;
  float value;
  uint32_t bits;
  memcpy(&value, &shifted, sizeof value);
  value *= 0x1p112f; /* the difference of the exponents' biases; right for subnormal halves too */
  memcpy(&bits, &value, sizeof bits);
  bits |= sign | (shifted >= 0x0f800000 ? 0x7f800000 : 0);
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The largest finite magnitude of count values; 0: there is none. */
float ct_half_magnitude(const float *values, size_t count);
/* 2^n that brings a magnitude to [2^13, 2^14), so that small numbers keep their digits, and differences of two are in
 * the range of a half. */
float ct_half_scale(float magnitude);
/* scale * values, to the nearest half. */
void ct_halves_from_floats(const float *values, size_t count, float scale, uint16_t *out);

#endif
