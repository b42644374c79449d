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

/* Greatest relative change of w from the middle of a segment to its ends. */
static const double segment_limit = 1.6e-3;

/* Rows per voxel up to which windows of `windows` vectors hold both rows of W voxels. */
CT_INLINE double window_reach(int windows) {
  return 2 * (windows * W - 2.6) / (W - 1);
}

/* Of each segment of a part of a line: window, polynomials relative to its corner, and which loop takes it. */
typedef struct places {
  int column[line_segments], row[line_segments], columns[line_segments];
  float u0[line_segments], u1[line_segments], u2[line_segments];
  float y0[line_segments], y1[line_segments], y2[line_segments], y3[line_segments];
  float weight0[line_segments], weight1[line_segments];
} places;

/* columns: 0 where the view sees nothing of a segment. line: a = v numerator as in line.h, b = u's. */
CT_INLINE void place_halves(const ct_halves *h, const voxel_line *line, int count, places *out) {
  const double nu = h->nu, end_y = h->nv / 2.0, middle = (W - 1) / 2.0;
  const double a0 = line->a / 2, b0 = line->b, w0 = line->w, da = line->da / 2, db = line->db, dw = line->dw;
  const float fa = (float)da, fb = (float)db, fw = (float)dw;
  const float arm = (float)middle, arm2 = arm * arm;
#pragma omp simd
  for (int g = 0; g < count; g++) {
    const double s = g * W + middle, inverse = 1 / (w0 + s * dw), y = (a0 + s * da) * inverse,
                 u = (b0 + s * db) * inverse;
    const float n = (float)inverse, c = fw * n;
    const float y1 = (fa - (float)y * fw) * n, u1 = (fb - (float)u * fw) * n, y2 = -y1 * c, u2 = -u1 * c;
    const float size_y = (y1 < 0 ? -y1 : y1) * arm + (y2 < 0 ? -y2 : y2) * arm2 + 1e-4f;
    const float size_u = (u1 < 0 ? -u1 : u1) * arm + (u2 < 0 ? -u2 : u2) * arm2 + 1e-4f;
    const double corner_y = floor(y - (double)size_y), corner_u = floor(u - (double)size_u);
    const float from_y = (float)(y - corner_y), from_u = (float)(u - corner_u), reach = from_u + size_u;
    const bool seen = u + (double)size_u > -1 && u - (double)size_u < nu && y + (double)size_y > -0.5 &&
                      y - (double)size_y < end_y;
    out->columns[g] = !seen ? 0 : reach < 1 ? 2 : reach < 2 ? 3 : 4;
    out->column[g] = seen ? (int)corner_u : 0, out->row[g] = seen ? (int)corner_y : 0;
    out->u0[g] = from_u, out->u1[g] = u1, out->u2[g] = u2;
    out->y0[g] = from_y, out->y1[g] = y1, out->y2[g] = y2, out->y3[g] = -y2 * c;
    out->weight0[g] = n * n, out->weight1[g] = -2 * c * n * n;
  }
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

/* Adds a view to a line; sums has room for whole segments. */
CT_INLINE void add_line_halves(int windows, const ct_halves *h, const float *view, const voxel_line *line, int length,
                               float *sums) {
  int first = 0, end = (length + W - 1) / W;
  const vf lane = vlane() - vset((W - 1) / 2.0f);
  clip_segments(h, line, &first, &end);
  for (; first < end; first += line_segments) {
    const int count = end - first < line_segments ? end - first : line_segments;
    const voxel_line part = line_from(line, first * W);
    float *at = sums + first * W;
    places p;
    int two[line_segments], three[line_segments], more[line_segments], twos = 0, threes = 0, mores = 0;
    place_halves(h, &part, count, &p);
    for (int g = 0; g < count; g++) {
      two[twos] = three[threes] = more[mores] = g;
      twos += p.columns[g] == 2, threes += p.columns[g] == 3, mores += p.columns[g] == 4;
    }
    for (int n = 0; n < twos; n++) add_near(windows, 2, h, view, &p, two[n], lane, at + two[n] * W);
    for (int n = 0; n < threes; n++) add_near(windows, 3, h, view, &p, three[n], lane, at + three[n] * W);
    for (int n = 0; n < mores; n++) add_far(windows, h, view, &p, more[n], lane, at + more[n] * W);
  }
}

#endif
