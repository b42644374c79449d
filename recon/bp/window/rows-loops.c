/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of rows of voxels along x (rows-private.h), compiled once per variant. */
#include "recon/bp/support-private.h"
#include "recon/bp/nearest.h"
#include "recon/bp/window/rows-private.h"
#include "recon/simd/vector.h"

#include <math.h>
#include <string.h>

/* The detector line at row position v, zero outside. */
static void extract_line(const ct_bp_state *state, const float *projection, double v, float *out) {
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  v = ct_bp_nearest(v, state->request.interp == CT_INTERP_NEAREST);
  if (!(v > -1 && v < nv)) {
    memset(out, 0, (size_t)nu * sizeof *out);
    return;
  }
  const int row = ct_bp_row_below(v, nv);
  const float fraction = (float)(v - row), weight0 = row >= 0 ? 1 - fraction : 0, weight1 = row + 1 < nv ? fraction : 0;
  if (fraction == 0) {
    memcpy(out, projection + (ptrdiff_t)row * nu, (size_t)nu * sizeof *out);
    return;
  }
  const float *low = projection + (ptrdiff_t)(row >= 0 ? row : 0) * nu,
              *high = weight1 != 0 ? projection + (ptrdiff_t)(row + 1) * nu : low;
  for (int u = 0; u < nu; u++) out[u] = weight0 * low[u] + weight1 * high[u];
}

/* Lines up to which `windows` vectors hold both samples of W voxels. */
static double reach(int windows) {
  return (windows * W - 2.0) / (W - 1);
}

typedef struct groups {
  int start[most_groups];      /* window of W voxels: its first sample */
  float fraction[most_groups]; /* of the voxel that lies lowest */
} groups;

CT_INLINE void find_groups(double first, double step, int nu, int count, groups *out) {
  /* A group that lies outside reads zeros, wherever in the border its window is put. */
  const double low = -64, high = nu, stride = step * W;
#pragma omp simd
  for (int g = 0; g < count; g++) {
    const double u = first + g * stride, whole = floor(u), above = whole > low ? whole : low;
    out->fraction[g] = (float)(u - whole);
    out->start[g] = (int)(above < high ? above : high);
  }
}

/* Adds `views` views to `count` vectors of one voxel row; lines: theirs; u: of its first voxel, per view. */
CT_INLINE void add_part(bool nearest, int views, int windows, const ct_bp_state *state, int slot, const float *lines,
                        const double *u, int count, float *sums) {
  groups g[pass];
  vf ramp[pass];
  const float *line[pass];
#pragma GCC unroll 8
  for (int s = 0; s < views; s++) {
    const double step = state->matrices[slot + s][0], back = step < 0 ? (W - 1) * step : 0;
    find_groups(u[s] + back, step, state->request.geometry->nu, count, &g[s]);
    ramp[s] = vfma(vlane(), vset((float)step), vset((float)-back));
    line[s] = lines + (size_t)s * state->line + pad;
  }
  for (int t = 0; t < count; t++) {
    vf sum = vload(sums + t * W);
#pragma GCC unroll 8
    for (int s = 0; s < views; s++) {
      const float *from = line[s] + g[s].start[t];
      const vf position = ramp[s] + vset(g[s].fraction[t]);
      const vi index = vtrunc(position);
      vf table[4];
#pragma GCC unroll 4
      for (int n = 0; n < windows; n++) table[n] = vload(from + n * W);
      const vf low = vlookup(windows, table, index);
      if (nearest) {
        sum = sum + low;
        continue;
      }
      const vf high = vlookup(windows, table, viadd(index, viset(1)));
      sum = vfma(position - vfloat(index), high - low, sum + low);
    }
    vstore(sums + t * W, sum);
  }
}

/* Where samples per voxel are beyond all windows. */
static void add_plainly(const ct_bp_state *state, int slot, const float *padded, double u, int length, float *sums) {
  const double step = state->matrices[slot][0];
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  const float *line = padded + pad;
  for (int i = 0; i < length; i++) {
    const double at = u + i * step;
    if (!(at > -1 && at < state->request.geometry->nu)) continue;
    const int bin = (int)(at + 1) - 1;
    sums[i] += nearest ? line[bin] : line[bin] + (float)(at - bin) * (line[bin + 1] - line[bin]);
  }
}

CT_INLINE void add_windows(bool nearest, int views, double step, const ct_bp_state *state, int slot, const float *lines,
                           const double *u, int count, float *sums) {
  if (step <= reach(1))
    add_part(nearest, views, 1, state, slot, lines, u, count, sums);
  else if (step <= reach(2))
    add_part(nearest, views, 2, state, slot, lines, u, count, sums);
  else
    add_part(nearest, views, 4, state, slot, lines, u, count, sums);
}

/* Adds a pass of 1 or 8 views to voxels i .. i + length - 1 of row j. */
static void add_pass(const ct_bp_state *state, int slot, const float *lines, int views, int i, int length, int j,
                     float *sums) {
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  double u[pass] = {0}, step = 0;
  for (int s = 0; s < views; s++) {
    const double *m = state->matrices[slot + s];
    u[s] = m[0] * i + m[1] * j + m[3] + (nearest ? 0.5 + CT_BP_TIE : 0);
    step = fmax(step, fabs(m[0]));
  }
  const int count = (length + W - 1) / W;
  if (step > reach(4))
    for (int s = 0; s < views; s++) add_plainly(state, slot + s, lines + (size_t)s * state->line, u[s], length, sums);
  else if (views == pass && nearest)
    add_windows(true, pass, step, state, slot, lines, u, count, sums);
  else if (views == pass)
    add_windows(false, pass, step, state, slot, lines, u, count, sums);
  else
    add_windows(nearest, 1, step, state, slot, lines, u, count, sums);
}

static void add_rows(const ct_bp_state *state, int slot, const float *lines, int views, int j0, int j1, float *sums) {
  const int nx = state->request.grid.nx;
  for (int j = j0; j < j1; j++)
    for (int i = 0; i < nx; i += most_groups * W)
      add_pass(state, slot, lines, views, i, nx - i < most_groups * W ? nx - i : most_groups * W, j,
               sums + (size_t)(j - j0) * state->room + i);
}

static void add_to_volume(const ct_bp_state *state, const float *sums, int rows, float *out) {
  const size_t nx = (size_t)state->request.grid.nx;
  for (int j = 0; j < rows; j++)
    for (size_t i = 0; i < nx; i++) out[(size_t)j * nx + i] += sums[(size_t)j * state->room + i];
}

static void line(const ct_bp_state *state, const float *projection, int n, int k, float *padded) {
  const double *m = state->matrices[n];
  extract_line(state, projection, m[6] * k + m[7], padded + pad);
}

const ct_rows_loops CT_SIMD_TABLE(ct_rows_loops) = {.line = line, .add = add_rows, .store = add_to_volume};
