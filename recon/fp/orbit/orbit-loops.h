/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orbit matrix's inner loop, once per variant: sums of weighted lines.
 *
 * A line is eight places of `width` interleaved slices each. For every header, steps follow: each adds two neighbouring
 * lines of `in` to each of four sums; the four sums, turned if so wanted, are added to four neighbouring lines of
 * `out`. */
#ifndef CT_FP_ORBIT_LOOPS_H
#define CT_FP_ORBIT_LOOPS_H

#include "recon/simd/compile.h"

#include <stddef.h>
#include <stdint.h>

/* Of the stored weights. */
typedef enum { CT_ORBIT_HALF, CT_ORBIT_FLOAT, CT_ORBIT_PRECISIONS } ct_orbit_precision;
/* Interleaved slices: 1 or CT_ORBIT_WIDE. */
typedef enum { CT_ORBIT_NARROW, CT_ORBIT_INTERLEAVED, CT_ORBIT_WIDTHS } ct_orbit_width;
enum { CT_ORBIT_WIDE = 8 };

/* Indices count quarters of a line: times 8 they are bytes of a line of one slice, which processors multiply for
 * nothing. Memory holds the weights, then the indices; half precision: IEEE binary16, not negative, not subnormal. */
typedef struct ct_orbit_step_half {
  uint16_t weight[8], index[4];
} ct_orbit_step_half;
typedef struct ct_orbit_step_float {
  float weight[8];
  uint16_t index[4];
} ct_orbit_step_float;

/* row group << 15 | h << 12 | steps. */
enum { CT_ORBIT_STEP_BITS = 12, CT_ORBIT_GROUP_SHIFT = 15 };

/* Places of two lines side by side: turns[h][g] = g h, turns[h][8 + g] = 8 + g h. */
enum { CT_ORBIT_TURN = 16 };

typedef struct ct_orbit_run {
  const uint32_t *headers;
  size_t count;
  const void *steps;
  const float *in;
  float *out;
  float scale;
  const int32_t (*turns)[CT_ORBIT_TURN];
} ct_orbit_run;

typedef void ct_orbit_multiply(const ct_orbit_run *run);
/* copy[n][k] = lines[n][turn[k]]. */
typedef void ct_orbit_turn(const float *lines, size_t count, const int32_t *turn, float *copy);

typedef struct ct_orbit_loops {
  ct_orbit_multiply *turned[CT_ORBIT_WIDTHS][CT_ORBIT_PRECISIONS];
  ct_orbit_multiply *straight[CT_ORBIT_WIDTHS][CT_ORBIT_PRECISIONS];
  ct_orbit_turn *turn[CT_ORBIT_WIDTHS]; /* count: a multiple of CT_ORBIT_ROWS */
} ct_orbit_loops;
CT_SIMD_DECLARE(ct_orbit_loops, ct_orbit_loops);

#endif
