/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of voxels along z, one view, for free matrices whose depth changes little along z: the inner loop of the
 * kernel for C-arms. W voxels are a segment. About its middle voxel the place (u, v) on the detector is a polynomial in
 * the voxel: u to the second, v to the third order, 1 / w^2 to the first; segment_limit keeps what is left out below
 * the rounding of float32. The view is turned, even and odd rows apart (halves.h): the two rows next to v = 2 y are the
 * even one of index round(y) and the odd one of index floor(y), with the weights 1 - t and t, t = 2 |y - round(y)|.
 * So W voxels need two windows in each column, from which one permute each picks the samples, and step up to 1.8 rows
 * with windows of one vector, twice and four times that with two and four. Two columns hold u for most segments; those
 * that cross a column take three, and steeper ones any number, weighted by hats. */
#ifndef CT_BP_ISA_LINE_HALVES_H
#define CT_BP_ISA_LINE_HALVES_H

#include "recon/bp/isa/halves.h"
#include "recon/bp/isa/line-inside.h"

#include <stdint.h>

/* Greatest relative change of w from the middle of a segment to its ends. Segments are placed in pairs, by the same
 * polynomials to the third order about the middle of the pair. */
static const double segment_limit = 1.6e-3;

/* Rows per voxel up to which windows of `windows` vectors hold both rows of W voxels. */
CT_INLINE double window_reach(int windows) {
  return 2 * (windows * W - 2.6) / (W - 1);
}

/* Of each segment of a part of a line: window, polynomials relative to its corner, and which loop takes it. Pairs of
 * segments lie `most_pairs` apart: those at 0 are the lower ones. */
enum { most_pairs = 16 };

typedef struct places {
  int column[2 * most_pairs], row[2 * most_pairs], columns[2 * most_pairs];
  float u0[2 * most_pairs], u1[2 * most_pairs], u2[2 * most_pairs];
  float y0[2 * most_pairs], y1[2 * most_pairs], y2[2 * most_pairs], y3[2 * most_pairs];
  float weight0[2 * most_pairs], weight1[2 * most_pairs];
} places;

/* The middle of a pair: whole row pair and column, what is left of them, and 1 / w. */
typedef struct middles {
  int row[most_pairs], column[most_pairs];
  float y[most_pairs], u[most_pairs], row_now[most_pairs], column_now[most_pairs], inverse[most_pairs];
} middles;

/* In double precision: what single precision could not hold. */
CT_INLINE void find_middles(const voxel_line *line, middles *out) {
  const double a0 = line->a / 2, b0 = line->b, w0 = line->w, da = line->da / 2, db = line->db, dw = line->dw;
#pragma omp simd
  for (int g = 0; g < most_pairs; g++) {
    const double s = (2 * g + 1) * W - 0.5, inverse = 1 / (w0 + s * dw), y = (a0 + s * da) * inverse,
                 u = (b0 + s * db) * inverse, row = floor(y), column = floor(u);
    out->row[g] = (int)row, out->column[g] = (int)column;
    out->y[g] = (float)(y - row), out->u[g] = (float)(u - column);
    out->row_now[g] = (float)y, out->column_now[g] = (float)u, out->inverse[g] = (float)inverse;
  }
}

/* columns: 0 where the view sees nothing of a segment. line: a = v numerator as in line.h, b = u's. */
CT_INLINE void place_halves(const ct_halves *h, const voxel_line *line, places *out) {
  middles m;
  find_middles(line, &m);
  const float fa = (float)(line->da / 2), fb = (float)line->db, fw = (float)line->dw;
  const float arm = (W - 1) / 2.0f, arm2 = arm * arm, nu = (float)h->nu, end_y = (float)h->nv / 2;
  for (int side = 0; side < 2; side++) {
    const float t = side ? W / 2 : -(W / 2);
    const int to = side * most_pairs;
#pragma omp simd
    for (int g = 0; g < most_pairs; g++) {
      const float n = m.inverse[g], c = fw * n, from = 1 - t * c; /* from: 1 / w over that at the pair's middle */
      const float b1 = (fa - m.row_now[g] * fw) * n, b2 = -b1 * c, b3 = -b2 * c;
      const float a1 = (fb - m.column_now[g] * fw) * n, a2 = -a1 * c;
      const float y = m.y[g] + t * (b1 + t * (b2 + t * b3)), u = m.u[g] + t * (a1 + t * (a2 - t * a2 * c));
      const float y1 = b1 + t * (2 * b2 + 3 * t * b3), y2 = b2 + 3 * t * b3;
      const float u1 = a1 + t * (2 * a2 - 3 * t * a2 * c), u2 = a2 - 3 * t * a2 * c;
      const float size_y = (y1 < 0 ? -y1 : y1) * arm + (y2 < 0 ? -y2 : y2) * arm2 + 1e-4f;
      const float size_u = (u1 < 0 ? -u1 : u1) * arm + (u2 < 0 ? -u2 : u2) * arm2 + 1e-4f;
      const float corner_y = floorf(y - size_y), corner_u = floorf(u - size_u);
      const float place_y = m.row_now[g] + (y - m.y[g]), place_u = m.column_now[g] + (u - m.u[g]);
      const float reach = u - corner_u + size_u;
      /* A thousandth of a pixel is more than the rounding of places; beside the detector all samples are zero. */
      const int seen = (place_u + size_u > -1.001f) & (place_u - size_u < nu + 0.001f) &
                       (place_y + size_y > -0.501f) & (place_y - size_y < end_y + 0.001f);
      const int needed = reach < 1 ? 2 : reach < 2 ? 3 : 4;
      out->columns[to + g] = seen ? needed : 0;
      out->column[to + g] = m.column[g] + (int)corner_u, out->row[to + g] = m.row[g] + (int)corner_y;
      out->u0[to + g] = u - corner_u, out->u1[to + g] = u1, out->u2[to + g] = u2;
      out->y0[to + g] = y - corner_y, out->y1[to + g] = y1, out->y2[to + g] = y2, out->y3[to + g] = b3;
      const float inverse = n * (from + t * t * c * c), weight = inverse * inverse;
      out->weight0[to + g] = weight, out->weight1[to + g] = -2 * c * from * weight;
    }
  }
}

/* Bits of the first `count` segments, in their order along the line, that need so many columns. */
CT_INLINE uint32_t segments_of(const places *p, int columns, int count) {
  uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
  for (int g = 0; g < 2 * most_pairs; g++) bits |= (uint32_t)(p->columns[g] == columns) << g;
  const int lower = (count + 1) / 2, upper = count / 2;
  return bits & (((1u << lower) - 1) | ((1u << upper) - 1) << most_pairs);
}

/* Where W voxels look into their windows. */
typedef struct look {
  vi even, odd;
  vf part; /* t */
} look;

CT_INLINE look look_at(const places *p, int g, vf lane) {
  const vf shift = vset(12582912); /* 1.5 * 2^23: the sum ends in the rounded number, in the low bits too */
  const vf y = vfma(vfma(vfma(vset(p->y3[g]), lane, vset(p->y2[g])), lane, vset(p->y1[g])), lane, vset(p->y0[g]));
  const vf shifted = y + shift, half = vabs(y - (shifted - shift));
  return (look){(vi)shifted, vtrunc(y), half + half};
}

CT_INLINE vf read_column(int windows, const float *even, size_t half, const look *at) {
  vf evens[4], odds[4];
#pragma GCC unroll 4
  for (int n = 0; n < windows; n++) evens[n] = vload(even + n * W), odds[n] = vload(even + half + n * W);
  const vf low = vlookup(windows, evens, at->even), high = vlookup(windows, odds, at->odd);
  return vfma(at->part, high - low, low);
}

CT_INLINE const float *corner_of(const ct_halves *h, const float *view, const places *p, int g) {
  return view + (ptrdiff_t)(p->column[g] + 2) * (ptrdiff_t)(2 * h->half) + h->pad + p->row[g];
}

/* A segment of two or three columns, whose number is a constant. */
CT_INLINE void add_near(int windows, int columns, const ct_halves *h, const float *view, const places *p, int g, vf lane,
                        float *at) {
  const float *from = corner_of(h, view, p, g);
  const size_t column = 2 * h->half;
  const look l = look_at(p, g, lane);
  const vf u = vfma(vfma(vset(p->u2[g]), lane, vset(p->u1[g])), lane, vset(p->u0[g]));
  const vf weight = vfma(vset(p->weight1[g]), lane, vset(p->weight0[g]));
  const vf first = read_column(windows, from, h->half, &l), second = read_column(windows, from + column, h->half, &l);
  vf value;
  if (columns == 2) {
    value = vfma(u, second - first, first);
  } else {
    const vf third = read_column(windows, from + 2 * column, h->half, &l);
    const vf near = vmin(u, vset(1));
    value = vfma(near, second - first, first);
    value = vfma(u - near, third - second, value);
  }
  vstore(at, vfma(value, weight, vload(at)));
}

/* Any number of columns, of which those beside the detector count as zero. */
CT_INLINE void add_far(int windows, const ct_halves *h, const float *view, const places *p, int g, vf lane, float *at) {
  const look l = look_at(p, g, lane);
  const vf u = vfma(vfma(vset(p->u2[g]), lane, vset(p->u1[g])), lane, vset(p->u0[g]));
  const vf weight = vfma(vset(p->weight1[g]), lane, vset(p->weight0[g]));
  const float size = fabsf(p->u1[g]) * (W - 1) / 2 + fabsf(p->u2[g]) * ((W - 1) * (W - 1) / 4.0f) + 1e-4f;
  const int last = (int)(p->u0[g] + size) + 1;
  vf sum = vset(0);
  for (int c = p->column[g] < 0 ? -p->column[g] : 0; c <= last && p->column[g] + c < h->nu; c++) {
    const vf value = read_column(windows, corner_of(h, view, p, g) + (size_t)c * 2 * h->half, h->half, &l);
    sum = vfma(vmax(vset(0), vset(1) - vabs(u - vset((float)c))), value, sum);
  }
  vstore(at, vfma(sum, weight, vload(at)));
}

/* The segments of a line between whose ends v passes over the detector. */
CT_INLINE void clip_segments(const ct_halves *h, const voxel_line *line, int *first, int *end) {
  double low = 0, high = (double)*end * W;
  cut(line->a + line->w, line->da + line->dw, &low, &high);
  cut(h->nv * line->w - line->a, h->nv * line->dw - line->da, &low, &high);
  *first = (int)(low / W);
  *end = low < high && high < *end * W ? (int)(high / W) + 1 : low < high ? *end : *first;
}

#define FOR_SEGMENTS(columns, call)                                                                                    \
  for (uint32_t bits = segments_of(&p, columns, count); bits; bits &= bits - 1) {                                      \
    const int g = __builtin_ctz(bits), at = (2 * (g % most_pairs) + g / most_pairs) * W;                               \
    call;                                                                                                              \
  }

/* Adds a view to a line; sums has room for whole segments. */
CT_INLINE void add_line_halves(int windows, const ct_halves *h, const float *view, const voxel_line *line, int length,
                               float *sums) {
  int first = 0, end = (length + W - 1) / W;
  const vf lane = vlane() - vset((W - 1) / 2.0f);
  clip_segments(h, line, &first, &end);
  for (; first < end; first += 2 * most_pairs) {
    const int count = end - first < 2 * most_pairs ? end - first : 2 * most_pairs;
    const voxel_line part = line_from(line, first * W);
    float *out = sums + first * W;
    places p;
    place_halves(h, &part, &p);
    FOR_SEGMENTS(2, add_near(windows, 2, h, view, &p, g, lane, out + at))
    FOR_SEGMENTS(3, add_near(windows, 3, h, view, &p, g, lane, out + at))
    FOR_SEGMENTS(4, add_far(windows, h, view, &p, g, lane, out + at))
  }
}
#undef FOR_SEGMENTS

#endif
