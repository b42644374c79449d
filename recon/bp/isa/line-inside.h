/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a voxel line that lies well within the detector, where nothing has to be tested (see line.h); where the
 * line is steep, sample by sample (line-pairs.h). Along the line every condition (w a >= 0, a / w <= width, ...) is
 * affine, so that this part is found once per line; a / w and b / w are monotonous, so that the end of a segment that
 * comes lowest is the same for all segments, and the number of vectors in a window and of detector lines is the same
 * too: no branches inside. */
#ifndef CT_BP_ISA_LINE_INSIDE_H
#define CT_BP_ISA_LINE_INSIDE_H

#include "recon/bp/isa/line-pairs.h"

#include <string.h>

typedef struct inside {
  int first, end;    /* segments */
  int windows, rows; /* vectors in a window, detector lines; rows 0: by pairs */
  int low_a, low_b;  /* the voxel of a segment where a / w, b / w is least: 0 or W - 1 */
} inside;

/* Places that a float still tells apart. */
static const double most_floats = 1 << 23;

/* Cuts [*low, *high] to where value + t * step >= 0. */
CT_INLINE void cut(double value, double step, double *low, double *high) {
  const double root = -value / step;
  if (step > 0)
    *low = root > *low ? root : *low;
  else if (step < 0)
    *high = root < *high ? root : *high;
  else if (value < 0)
    *high = *low - 1;
}

CT_INLINE inside find_inside(const image *im, const voxel_line *l, int count) {
  inside in = {0, 0, 1, 1, 0, 0};
  double low = 0, high = (double)count * W - 1;
  const double last_w = l->w + high * l->dw, least_w = l->w < last_w ? l->w : last_w;
  if (!(least_w > 0.01)) return in;
  /* The derivative of a / w is turn / w^2. */
  const double turn_a = l->da * l->w - l->a * l->dw, turn_b = l->db * l->w - l->b * l->dw;
  const double span_a = fabs(turn_a) / (least_w * least_w) * (W - 1),
               span_b = fabs(turn_b) / (least_w * least_w) * (W - 1);
  const double line = l->b / l->w;
  in.windows = span_a + 1.001 < W - 1 ? 1 : span_a + 1.001 < 2 * W - 1 ? 2 : 4;
  const bool level = span_b < 1e-6, on_line = level && fabs(line - rint(line)) < 1e-9;
  in.rows = on_line ? 1 : level ? 2 : span_b < 1 ? 3 : 4;
  const bool wide = span_a + 1.001 >= 4 * W - 1, steep = wide || span_b >= W / 4;
  if (steep ? !(span_a + (span_b + 1) * (double)im->pitch < most_floats) : span_b >= 2) return in;
  if (steep) in.rows = 0;
  in.low_a = turn_a < 0 ? W - 1 : 0, in.low_b = turn_b < 0 ? W - 1 : 0;
  const double room_a = im->width - (steep ? 1.001 : in.windows * W), room_b = im->lines - (steep ? 1.001 : in.rows);
  cut(l->a, l->da, &low, &high);
  cut(room_a * l->w - l->a, room_a * l->dw - l->da, &low, &high);
  /* Half a line of slack for a line that is met exactly. */
  const double slack = on_line && !steep ? 0.5 : 0;
  cut(l->b + slack * l->w, l->db + slack * l->dw, &low, &high);
  cut((room_b + slack) * l->w - l->b, (room_b + slack) * l->dw - l->db, &low, &high);
  if (high < low) return in;
  in.first = (int)ceil(low / W), in.end = (int)floor((high + 1) / W);
  if (in.end < in.first) in.end = in.first;
  return in;
}

typedef struct inside_places {
  int corner_a[line_segments], corner_b[line_segments];
  float a[line_segments], b[line_segments], w[line_segments], da[line_segments], db[line_segments];
} inside_places;

CT_INLINE void place_inside(bool parallel, int rows, const inside *in, const voxel_line *line, int count,
                            inside_places *out) {
  const double a0 = line->a, b0 = line->b, w0 = line->w, da = line->da, db = line->db, dw = line->dw;
  const double la = in->low_a, lb = in->low_b, up = rows == 1 ? 0.5 : 0;
#pragma omp simd
  for (int g = 0; g < count; g++) {
    const double s = g * W, a = a0 + s * da, b = b0 + s * db, w = w0 + s * dw;
    double p = a + la * da, q = b + lb * db;
    if (!parallel) p = p / (w + la * dw), q = q / (w + lb * dw);
    const double corner_p = floor(p), corner_q = floor(q + up);
    out->corner_a[g] = (int)corner_p, out->corner_b[g] = (int)corner_q;
    out->a[g] = (float)(a - corner_p * w), out->da[g] = (float)(da - corner_p * dw);
    out->b[g] = (float)(b - corner_q * w), out->db[g] = (float)(db - corner_q * dw);
    out->w[g] = (float)w;
  }
}

/* Where W voxels see the detector, from the corner of segment g. */
CT_INLINE sight see_inside(bool parallel, const inside_places *s, int g, vf steps) {
  const vf lane = vlane(), a = vfma(lane, vset(s->da[g]), vset(s->a[g])), b = vfma(lane, vset(s->db[g]), vset(s->b[g]));
  if (parallel) return (sight){a, b, vset(1)};
  const vf inverse = vreciprocal(steps + vset(s->w[g]));
  return (sight){a * inverse, b * inverse, inverse};
}

CT_INLINE vf read_window(int windows, const float *from, vi index, vf fraction) {
  vf table[4];
#pragma GCC unroll 4
  for (int n = 0; n < windows; n++) table[n] = vload(from + n * W);
  const vf low = vlookup(windows, table, index), high = vlookup(windows, table, viadd(index, viset(1)));
  return vfma(fraction, high - low, low);
}

/* The broken line through the values on `rows` detector lines. */
CT_INLINE vf inside_value(bool parallel, int windows, int rows, const image *im, const inside_places *s, int g,
                          vf steps) {
  const sight at = see_inside(parallel, s, g, steps);
  const vi index = vtrunc(at.a);
  const vf fraction = at.a - vfloat(index);
  const float *row = im->data + s->corner_b[g] * im->pitch + s->corner_a[g];
  vf before = read_window(windows, row, index, fraction), sum = before;
#pragma GCC unroll 3
  for (int r = 1; r < rows; r++) {
    const vf value = read_window(windows, row + r * im->pitch, index, fraction);
    vf share = r > 1 ? vmax(at.b - vset((float)(r - 1)), vset(0)) : at.b;
    if (r < rows - 1) share = vmin(share, vset(1));
    sum = vfma(share, value - before, sum);
    before = value;
  }
  return sum * (at.inverse * at.inverse);
}

CT_INLINE void add_pairs(bool parallel, const image *im, const inside_places *s, int first, int count, vf steps,
                         float *sums) {
  pairs p;
  for (int n = 0; n < count; n++) {
    const sight at = see_inside(parallel, s, first + n, steps);
    const vf a = vfloat(vtrunc(at.a)), b = vfloat(vtrunc(at.b));
    const vi places = vtrunc(vfma(b, vset((float)im->pitch), a));
    memcpy(p.at + n * W, &places, sizeof places);
    vstore(p.a + n * W, at.a - a), vstore(p.b + n * W, at.b - b);
    vstore(p.weight + n * W, at.inverse * at.inverse);
  }
  for (int n = 0; n < count; n++) {
    const float *row = im->data + s->corner_b[first + n] * im->pitch + s->corner_a[first + n];
    const vf value = value_of_pairs(row, im->pitch, p.at + n * W, vload(p.a + n * W), vload(p.b + n * W));
    float *at = sums + n * W;
    vstore(at, vfma(value, vload(p.weight + n * W), vload(at)));
  }
}

CT_INLINE void add_inside_as(bool parallel, int windows, int rows, const image *im, const inside *in,
                             const voxel_line *line, float *sums) {
  inside_places s;
  const vf steps = vlane() * vset((float)line->dw);
  for (int first = in->first; first < in->end; first += line_segments) {
    const int count = in->end - first < line_segments ? in->end - first : line_segments;
    const voxel_line part = line_from(line, first * W);
    place_inside(parallel, rows, in, &part, count, &s);
    for (int g = 0; rows == 0 && g < count; g += paired_segments)
      add_pairs(parallel, im, &s, g, count - g < paired_segments ? count - g : paired_segments, steps,
                sums + (first + g) * W);
    for (int g = 0; rows > 0 && g < count; g++) {
      float *at = sums + (first + g) * W;
      vstore(at, vload(at) + inside_value(parallel, windows, rows, im, &s, g, steps));
    }
  }
}

/* Adds a view to `length` voxels; sums has room for whole vectors. */
CT_INLINE void add_line(bool parallel, const image *im, const voxel_line *line, int length, float *sums) {
  const int count = (length + W - 1) / W;
  const inside in = find_inside(im, line, count);
  if (in.first >= in.end) {
    add_anywhere(parallel, im, line, 0, count, length, sums);
    return;
  }
  add_anywhere(parallel, im, line, 0, in.first, length, sums);
#define CASE(w, r)                                                                                                     \
  case 8 * (w) + (r):                                                                                                  \
    add_inside_as(parallel, w, r, im, &in, line, sums);                                                                \
    break
  switch (in.rows ? 8 * in.windows + in.rows : 0) {
    CASE(0, 0);
    CASE(1, 1);
    CASE(1, 2);
    CASE(1, 3);
    CASE(1, 4);
    CASE(2, 1);
    CASE(2, 2);
    CASE(2, 3);
    CASE(2, 4);
    CASE(4, 1);
    CASE(4, 2);
    CASE(4, 3);
    CASE(4, 4);
  }
#undef CASE
  add_anywhere(parallel, im, line, in.end, count, length, sums);
}

#endif
