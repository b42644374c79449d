/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of voxels along z, one view, for projection matrices whose depth changes little along z: the inner loop of the
 * kernel for C-arms. W voxels are a segment. About its middle voxel the place (u, v) on the detector is a quotient of
 * affine functions, and 1 / w a polynomial of the second order; ct_segment_limit keeps what is left out below the
 * rounding of float32. The view is transposed, even and odd rows apart (halves.h): the two rows next to v = 2 y are the
 * even one of index round(y) and the odd one of index floor(y), with the weights 1 - t and t, t = 2 |y - round(y)|. So
 * W voxels need two windows in each column, from which one permute each picks the samples, and step up to 1.8 rows with
 * windows of one vector, twice and four times that with two and four. Two columns hold u for most segments; those that
 * cross a column take three, and steeper ones any number, weighted by hats. Loads are the limit: a window costs more of
 * them than what is calculated for it. */
#ifndef CT_BP_WINDOW_LINE_HALVES_H
#define CT_BP_WINDOW_LINE_HALVES_H

#include "recon/bp/layout/halves.h"
#include "recon/bp/window/line-inside.h"
#include "recon/bp/window/matrices-private.h"

#include <limits.h>
#include <stdint.h>

/* Segments of the longest line, and lines that are placed at once: as many as a word has bits. */
enum { most_segments = longest_line / W, most_places = 64, lines_at_once = most_places / most_segments };

/* Of each segment: how many columns it needs, 0 where the view sees nothing of it; the corner of its window; and about
 * its middle the numerators of y and u, relative to that corner, their steps, and 1 / w. */
typedef struct places {
  int columns[most_places], column[most_places], from[most_places];
  float y[most_places], dy[most_places], u[most_places], du[most_places], inverse[most_places];
  float worth; /* of a 1 in the view (layout/stored.h) */
} places;

/* The first `count` segments of a line; a = v numerator as in line.h, b = u's. What is near the corner is found in
 * single precision, what stands relative to it in double. A corner begins a vector where the window allows: fewer loads
 * cross a cache line. */
CT_INLINE void place_halves(int windows, const ct_halves *h, const voxel_line *line, int count, places *out, int to) {
  const double a0 = line->a / 2, b0 = line->b, w0 = line->w, da = line->da / 2, db = line->db, dw = line->dw;
  const float fa = (float)da, fb = (float)db, fw = (float)dw, nu = (float)h->nu, end_y = (float)h->nv / 2;
  const float arm = (W - 1) / 2.0f * (float)(1 + 1.2 * ct_segment_limit), room = (float)(windows * W) - 0.6f;
  const float slack_u = 5e-7f * nu + 1e-5f, slack_y = 5e-7f * end_y + 1e-5f;
  const int column_pitch = (int)(2 * h->half), first = column_pitch * 2 + h->pad;
#pragma omp simd
  for (int g = 0; g < most_segments; g++) {
    const double s = g * W + (W - 1) / 2.0, a = a0 + s * da, b = b0 + s * db, w = w0 + s * dw;
    const float n = 1 / (float)w, y = (float)a * n, u = (float)b * n;
    const float y1 = (fa - y * fw) * n, u1 = (fb - u * fw) * n;
    const float size_y = (y1 < 0 ? -y1 : y1) * arm + slack_y, size_u = (u1 < 0 ? -u1 : u1) * arm + slack_u;
    const float low = y - size_y, high = y + size_y;
    const float whole = floorf(low / W) * W, half = floorf(low / (W / 2)) * (W / 2);
    const int seen = (g < count) & (u + size_u > -1) & (u - size_u < nu) & (high > -0.5f) & (low < end_y);
    /* What is not seen may stand anywhere. */
    const float corner = !seen ? 0 : high - whole < room ? whole : high - half < room ? half : floorf(low);
    const float left = seen ? floorf(u - size_u) : 0;
    out->columns[to + g] = seen ? (int)(u + size_u - left) + 2 : 0;
    out->column[to + g] = (int)left;
    out->from[to + g] = first + (int)corner + (int)left * column_pitch;
    out->y[to + g] = (float)(a - (double)corner * w), out->dy[to + g] = fa - corner * fw;
    out->u[to + g] = (float)(b - (double)left * w), out->du[to + g] = fb - left * fw;
    out->inverse[to + g] = n;
  }
}

/* Bits of the segments that need `least` to `most` columns. */
CT_INLINE uint64_t segments_of(const places *p, int least, int most) {
  uint32_t low = 0, high = 0;
#pragma omp simd reduction(| : low, high)
  for (int g = 0; g < most_places / 2; g++) {
    const int n = p->columns[g], m = p->columns[most_places / 2 + g];
    low |= (uint32_t)((n >= least) & (n <= most)) << g, high |= (uint32_t)((m >= least) & (m <= most)) << g;
  }
  return low | (uint64_t)high << 32;
}

/* Where W voxels look into their windows: t is part. */
typedef struct look {
  vi even, odd;
  vf part, u, weight;
} look;

/* steps: of w. */
CT_INLINE look look_at(const places *p, int g, vf lane, vf steps) {
  const vf shift = vset(CT_ROUNDER);
  const vf middle = vset(p->inverse[g]), bend = steps * middle;
  const vf inverse = vfma(vfma(bend, bend, -bend), middle, middle);
  const vf y = vfma(vset(p->dy[g]), lane, vset(p->y[g])) * inverse;
  const vf u = vfma(vset(p->du[g]), lane, vset(p->u[g])) * inverse;
  const vf shifted = y + shift, half = vabs(y - (shifted - shift));
  vf weight = inverse * inverse;
  if (ct_samples_scaled) weight = weight * vset(p->worth);
  return (look){(vi)shifted, vtrunc(y), half + half, u, weight};
}

CT_INLINE vf read_column(int windows, const ct_sample *even, size_t half, const look *at) {
  vf evens[4], odds[4];
#pragma GCC unroll 4
  for (int n = 0; n < windows; n++) evens[n] = vsample(even + n * W), odds[n] = vsample(even + half + n * W);
  const vf low = vlookup(windows, evens, at->even), high = vlookup(windows, odds, at->odd);
  return vfma(at->part, high - low, low);
}

/* A segment of two or three columns, whose number is a constant. */
CT_INLINE void add_near(int windows, int columns, const ct_halves *h, const ct_sample *view, const places *p, int g,
                        vf lane, vf steps, float *at) {
  const ct_sample *from = view + p->from[g];
  const size_t column = 2 * h->half;
  const look l = look_at(p, g, lane, steps);
  const vf first = read_column(windows, from, h->half, &l), second = read_column(windows, from + column, h->half, &l);
  vf value;
  if (columns == 2) {
    value = vfma(l.u, second - first, first);
  } else {
    const vf third = read_column(windows, from + 2 * column, h->half, &l);
    const vf near = vmin(l.u, vset(1));
    value = vfma(near, second - first, first);
    value = vfma(l.u - near, third - second, value);
  }
  vstore(at, vfma(value, l.weight, vload(at)));
}

/* Any number of columns, of which those beside the detector count as zero. */
CT_INLINE void add_far(int windows, const ct_halves *h, const ct_sample *view, const places *p, int g, vf lane,
                       vf steps, float *at) {
  const look l = look_at(p, g, lane, steps);
  vf sum = vset(0);
  for (int c = p->column[g] < 0 ? -p->column[g] : 0; c < p->columns[g] && p->column[g] + c < h->nu; c++) {
    const vf value = read_column(windows, view + p->from[g] + (size_t)c * 2 * h->half, h->half, &l);
    sum = vfma(vmax(vset(0), vset(1) - vabs(l.u - vset((float)c))), value, sum);
  }
  vstore(at, vfma(sum, l.weight, vload(at)));
}

#define FOR_SEGMENTS(least, most, call)                                                                                \
  for (uint64_t bits = segments_of(p, least, most); bits; bits &= bits - 1) {                                          \
    const int g = __builtin_ctzll(bits);                                                                               \
    float *at = sums + g / most_segments * pitch + g % most_segments * W;                                              \
    call;                                                                                                              \
  }

/* Adds a view to the lines that were placed, whose sums stand `pitch` apart and have room for whole segments. */
CT_INLINE void add_placed(int windows, const ct_halves *h, const ct_sample *view, const places *p, float dw,
                          ptrdiff_t pitch, float *sums) {
  const vf lane = vlane() - vset((W - 1) / 2.0f), steps = lane * vset(dw);
  FOR_SEGMENTS(2, 2, add_near(windows, 2, h, view, p, g, lane, steps, at))
  FOR_SEGMENTS(3, 3, add_near(windows, 3, h, view, p, g, lane, steps, at))
  FOR_SEGMENTS(4, INT_MAX, add_far(windows, h, view, p, g, lane, steps, at))
}
#undef FOR_SEGMENTS

#endif
