/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops whose speed is the machine's: fused multiply-adds in registers, vector loads, updates in place. Built once
 * per instruction set, as BENCH_RATES names it, with vectors of BENCH_VECTOR bytes. */
#include "app/cli/bench-rates.h"

typedef float vector __attribute__((vector_size(BENCH_VECTOR)));
enum { WIDTH = BENCH_VECTOR / 4, CHAINS = 12 };

#define STRING2(x) #x
#define STRING(x) STRING2(x)

/* Twelve independent chains hide the latency of four cycles on two units. The numbers stay within 0 and 2. */
static double multiply_add(size_t rounds, float seed) {
  vector a[CHAINS], factor, term;
  for (int i = 0; i < WIDTH; i++) factor[i] = 0.5f, term[i] = seed;
  for (int c = 0; c < CHAINS; c++) a[c] = term * (float)c;
  for (size_t n = 0; n < rounds; n++) {
    for (int c = 0; c < CHAINS; c++) a[c] = a[c] * factor + term;
    /* Keeps the chains in registers and the loop from being folded. */
    __asm__ volatile("" ::: "memory");
  }
  double sum = 0;
  for (int c = 0; c < CHAINS; c++) sum += (double)a[c][0] + (double)a[c][WIDTH - 1];
  return sum;
}

static double read_all(const float *data, size_t count, size_t rounds) {
  enum { LANES = 8 };
  vector a[LANES] = {{0}};
  const vector *at = (const vector *)(const void *)data;
  const size_t vectors = count / WIDTH;
  for (size_t n = 0; n < rounds; n++) {
    for (size_t i = 0; i + LANES <= vectors; i += LANES)
      for (int c = 0; c < LANES; c++) a[c] += at[i + (size_t)c];
    __asm__ volatile("" ::: "memory");
  }
  double sum = 0;
  for (int c = 0; c < LANES; c++) sum += (double)a[c][0];
  return sum;
}

static void update_all(float *data, size_t count) {
  vector *at = (vector *)(void *)data;
  const size_t vectors = count / WIDTH;
  for (size_t i = 0; i < vectors; i++) at[i] = at[i] * 0.5f + 1.0f;
}

const bench_loops BENCH_RATES = {STRING(BENCH_VECTOR) "-byte vectors", 2.0 * CHAINS *WIDTH, multiply_add, read_all,
                                 update_all};
