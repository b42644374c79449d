/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of interpolation kernels of four taps (taps-private.h), compiled once per variant. */
#include "recon/bp/support-private.h"
#include "recon/bp/taps/taps-private.h"
#include "recon/simd/vector.h"

#include <math.h>

/* Lane l: p[index[l]]. */
CT_INLINE vf gather(const float *p, vi index) {
#if CT_SIMD_PORTABLE || defined(CT_AVX512_EMULATED)
  float out[W];
  int places[W];
  __builtin_memcpy(places, &index, sizeof places);
  for (int l = 0; l < W; l++) out[l] = p[places[l]];
  return vload(out);
#elif W == 16
  return _mm512_i32gather_ps(index, p, 4);
#else
  return _mm256_i32gather_ps(p, index, 4);
#endif
}

/* The pixels below W positions, counted from one of them, and the taps' weights. */
typedef struct taps {
  vi pixel;
  vf weights[tap_count];
} taps;

CT_INLINE taps taps_at(const ct_bp_state *state, int degree, vf position, int corner, int size) {
  /* Truncation of what is positive is the floor; where rounding takes a position to the next pixel, the polynomials go
   * on a little beyond. */
  const float shift = (float)(size + 8);
  const vf held = vclamp(position, vset((float)(-3 - corner)), vset((float)(size + 2 - corner)));
  taps t = {.pixel = viadd(vtrunc(held + vset(shift)), viset(-(size + 8)))};
  const vf x = vset(2) * (held - vfloat(t.pixel)) - vset(1);
  for (int tap = 0; tap < tap_count; tap++) {
    const float *c = state->weights[tap];
    vf sum = vset(c[degree]);
    for (int p = degree - 1; p >= 0; p--) sum = vfma(sum, x, vset(c[p]));
    t.weights[tap] = sum;
  }
  return t;
}

CT_INLINE vf line_of_samples(const float *row, vi index, const vf weights[tap_count]) {
  vf sum = weights[0] * gather(row - 1, index);
  for (int tap = 1; tap < tap_count; tap++) sum = vfma(weights[tap], gather(row - 1 + tap, index), sum);
  return sum;
}

/* The pixel below a position, within reach of the zeros; any where there is none. */
CT_INLINE int corner_of(double a, double w, int size) {
  const double position = w > 0 ? a / w : 0;
  return position > -3 ? position < size + 2 ? (int)floor(position) : size + 2 : -3;
}

/* W voxels from numerators (a, b, w) on, by steps (da, db, dw); w is positive in all. */
CT_INLINE vf add_vector(const ct_bp_state *state, int degree, const float *view, const double at[3],
                        const double step[3], vf worth) {
  const ct_geometry *g = state->request.geometry;
  const int column = corner_of(at[0], at[2], g->nu), row = corner_of(at[1], at[2], g->nv);
  const float a = (float)(at[0] - column * at[2]), da = (float)(step[0] - column * step[2]);
  const float b = (float)(at[1] - row * at[2]), db = (float)(step[1] - row * step[2]);
  const vf lane = vlane(), w = vfma(lane, vset((float)step[2]), vset((float)at[2]));
  const vf inverse = vset(1) / w;
  const taps u = taps_at(state, degree, vfma(lane, vset(da), vset(a)) * inverse, column, g->nu);
  const float *corner = view + (row + tap_pad) * state->pitch + column + tap_pad;
  vf sum = vset(0);
  if (b == 0 && db == 0) {
    for (int tap = 0; tap < tap_count; tap++) {
      const int line = row - 1 + tap;
      /* The polynomials at f = 0, x = -1. */
      float weight = 0;
      for (int p = degree; p >= 0; p--) weight = state->weights[tap][p] - weight;
      if (line < 0 || line >= g->nv || fabsf(weight) < 1e-6f) continue;
      sum = vfma(vset(weight), line_of_samples(corner + (tap - 1) * state->pitch, u.pixel, u.weights), sum);
    }
  } else {
    const taps v = taps_at(state, degree, vfma(lane, vset(db), vset(b)) * inverse, row, g->nv);
    const vi index = (vi)((lanes)v.pixel * (int)state->pitch + (lanes)u.pixel);
    for (int tap = 0; tap < tap_count; tap++)
      sum = vfma(v.weights[tap], line_of_samples(corner + (tap - 1) * state->pitch, index, u.weights), sum);
  }
  return sum * worth * inverse * inverse;
}

/* Near the source, where w changes much from voxel to voxel, or is not positive: each found in double precision. */
CT_INLINE vf add_by_voxel(const ct_bp_state *state, int degree, const float *view, const double at[3],
                          const double step[3], vf worth) {
  static const double still[3] = {0};
  float values[W] = {0};
  for (int l = 0; l < W; l++) {
    const double voxel[3] = {at[0] + l * step[0], at[1] + l * step[1], at[2] + l * step[2]};
    if (voxel[2] > 0) vstore_first(values + l, add_vector(state, degree, view, voxel, still, worth), 1);
  }
  return vload(values);
}

CT_INLINE void add_view(const ct_bp_state *state, int degree, int n, int across, int up, float *sums) {
  const double *m = state->rounded.matrices[n];
  const int *axes = state->axes;
  const float *view = state->projections + n * state->pixels;
  const vf worth = vset((float)state->rounded.worth[n]);
  double first[3], step[3];
  for (int r = 0; r < 3; r++) {
    first[r] = m[4 * r + axes[1]] * across + m[4 * r + axes[2]] * up + m[4 * r + 3];
    step[r] = m[4 * r + axes[0]];
  }
  for (int t = 0; t < state->counts[0]; t += W) {
    const double at[3] = {first[0] + t * step[0], first[1] + t * step[1], first[2] + t * step[2]};
    const double least = fmin(at[2], at[2] + (W - 1) * step[2]);
    vf sum;
    if (least > W * fabs(step[2]))
      sum = add_vector(state, degree, view, at, step, worth);
    else
      sum = add_by_voxel(state, degree, view, at, step, worth);
    vstore(sums + t, vload(sums + t) + sum);
  }
}

static void add_line(const ct_bp_state *state, int views, int across, int up, float *sums) {
  for (int n = 0; n < views; n++) {
    if (state->degree == 3)
      add_view(state, 3, n, across, up, sums);
    else
      add_view(state, most_degree, n, across, up, sums);
  }
}

const ct_taps_loops CT_SIMD_TABLE(ct_taps_loops) = {.line = add_line};
