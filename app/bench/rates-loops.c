/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops whose speed is the machine's: fused multiply-adds in registers, vector loads, updates in place. Compiled
 * once per level, with its own vectors. */
#include "app/bench/rates-private.h"

#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX2__)
#define BYTES 32
#else
#define BYTES 16
#endif

typedef float vector __attribute__((vector_size(BYTES)));
enum { WIDTH = BYTES / 4, CHAINS = 12, LANES = 8 };

#define STRING2(x) #x
#define STRING(x) STRING2(x)

/* Twelve independent chains hide the latency of four cycles on two units. Single variables: an array of vectors would
 * live in memory. The numbers stay below 2 and above 0. */
static double multiply_add(size_t rounds, float seed) {
  const vector factor = (vector){0} + 0.5f, term = (vector){0} + seed;
  vector a = term, b = a + term, c = b + term, d = c + term, e = d + term, f = e + term;
  vector g = f + term, h = g + term, i = h + term, j = i + term, k = j + term, l = k + term;
  for (size_t n = 0; n < rounds; n++) {
    a = a * factor + term, b = b * factor + term, c = c * factor + term, d = d * factor + term;
    e = e * factor + term, f = f * factor + term, g = g * factor + term, h = h * factor + term;
    i = i * factor + term, j = j * factor + term, k = k * factor + term, l = l * factor + term;
  }
  const vector sum = a + b + c + d + e + f + g + h + i + j + k + l;
  return sum[0];
}

static double read_all(const float *data, size_t count, size_t rounds) {
  vector a = {0}, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  const size_t vectors = count / WIDTH;
  for (size_t n = 0; n < rounds; n++) {
    const vector *at = (const vector *)(const void *)data;
    for (size_t i = 0; i + LANES <= vectors; i += LANES, at += LANES) {
      a += at[0], b += at[1], c += at[2], d += at[3];
      e += at[4], f += at[5], g += at[6], h += at[7];
    }
    /* The compiler may not assume that the data are still the same. */
    __asm__ volatile("" ::: "memory");
  }
  const vector sum = a + b + c + d + e + f + g + h;
  return sum[0];
}

static void update_all(float *data, size_t count) {
  vector *at = (vector *)(void *)data;
  const size_t vectors = count / WIDTH;
  for (size_t i = 0; i < vectors; i++) at[i] = at[i] * 0.5f + 1.0f;
}

/* memory[i] = register++, which no compiler turns into a memset; from registers enough that none is waited for. */
static void write_all(float *data, size_t count) {
  const vector one = (vector){0} + 1.0f;
  vector a = one, b = a + one, c = b + one, d = c + one, e = d + one, f = e + one, g = f + one, h = g + one;
  const vector step = h;
  const size_t vectors = count / WIDTH;
  vector *at = (vector *)(void *)data;
  for (size_t i = 0; i + LANES <= vectors; i += LANES, at += LANES) {
    at[0] = a, at[1] = b, at[2] = c, at[3] = d, at[4] = e, at[5] = f, at[6] = g, at[7] = h;
    a += step, b += step, c += step, d += step, e += step, f += step, g += step, h += step;
  }
}

const bench_loops CT_SIMD_TABLE(bench_rates) = {
    STRING(BYTES) "-byte vectors", 2.0 * CHAINS *WIDTH, multiply_add, read_all, update_all, write_all};
