/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Philox4x32-10 and Poisson draws: below a mean of 10 by multiplying uniform numbers (Knuth), above by transformed
 * rejection (PTRS: Hoermann 1993, "The transformed rejection method for generating Poisson random variables"), both
 * exact; from 1e9 on, where log-gamma runs out of digits, by the normal law, whose relative error there is below 1e-9.
 */
#include "recon/phantom/random-private.h"

#include <math.h>
#include <string.h>

#define PTRS_LEAST_MEAN 10.0
#define PTRS_LARGEST_MEAN 1e9

void ct_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t x[4], k0 = key[0], k1 = key[1];
  memcpy(x, counter, sizeof x);
  for (int round = 0; round < 10; round++) {
    const uint64_t a = (uint64_t)0xD2511F53u * x[0], b = (uint64_t)0xCD9E8D57u * x[2];
    const uint32_t y[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k0, (uint32_t)b, (uint32_t)(a >> 32) ^ x[3] ^ k1, (uint32_t)a};
    memcpy(x, y, sizeof x);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  memcpy(out, x, sizeof x);
}

/* The stream of one (seed, index): pairs of numbers uniform in the open interval (0, 1). */
typedef struct stream {
  uint32_t key[2], counter[4];
} stream;

static stream stream_of(uint64_t seed, uint64_t index) {
  const stream s = {{(uint32_t)seed, (uint32_t)(seed >> 32)}, {(uint32_t)index, (uint32_t)(index >> 32), 0, 0}};
  return s;
}

static double uniform_from(uint32_t high, uint32_t low) {
  return ((double)((((uint64_t)high << 32) | low) >> 11) + 0.5) * 0x1p-53;
}

static void next_pair(stream *s, double *a, double *b) {
  uint32_t bits[4];
  ct_philox(s->counter, s->key, bits);
  s->counter[2]++;
  *a = uniform_from(bits[0], bits[1]);
  *b = uniform_from(bits[2], bits[3]);
}

/* Box and Muller 1958. */
static double next_gauss(stream *s) {
  double u, v;
  next_pair(s, &u, &v);
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static double poisson_by_products(double mean, stream *s) {
  const double limit = exp(-mean);
  double product = 1, spare = 0;
  for (int k = 0;; k++) {
    double u = spare;
    if (k % 2 == 0) next_pair(s, &u, &spare);
    product *= u;
    if (product <= limit) return k;
  }
}

static double poisson_by_rejection(double mean, stream *s) {
  const double log_mean = log(mean), b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    double u, v;
    int sign;
    next_pair(s, &u, &v);
    u -= 0.5;
    const double us = 0.5 - fabs(u), k = floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <= -mean + k * log_mean - lgamma_r(k + 1, &sign)) return k;
  }
}

double ct_poisson(double mean, uint64_t seed, uint64_t index) {
  stream s = stream_of(seed, index);
  if (!(mean > 0)) return 0;
  if (mean < PTRS_LEAST_MEAN) return poisson_by_products(mean, &s);
  if (mean <= PTRS_LARGEST_MEAN) return poisson_by_rejection(mean, &s);
  return floor(mean + sqrt(mean) * next_gauss(&s) + 0.5);
}

void ct_uniform_pair(uint64_t seed, uint64_t index, double *a, double *b) {
  stream s = stream_of(seed, index);
  next_pair(&s, a, b);
}

double ct_gauss(uint64_t seed, uint64_t index) {
  stream s = stream_of(seed, index);
  return next_gauss(&s);
}
