/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of voxels, any direction, one view: the building block of the kernels for thin grids and for projection
 * matrices. Along the line the projection (a + t da, b + t db, w + t dw) is a quotient of affine functions. W voxels at
 * a time, the samples that the contiguous coordinate a / w needs lie in one, two or four vectors of each detector line
 * that the other coordinate b / w touches; each voxel picks its two by register permutes, and the lines are weighted by
 * the hat max(0, 1 - |b / w - line|). Everything is relative to the window's corner, which is found in double
 * precision. */
#ifndef CT_BP_WINDOW_LINE_H
#define CT_BP_WINDOW_LINE_H

#include "recon/bp/layout/sample.h"
#include "recon/bp/nearest-vector.h"

#include <math.h>
#include <stdbool.h>

typedef struct image {
  const ct_sample *data; /* [lines][width], pitch samples apart */
  int width, lines;
  ptrdiff_t pitch;
  int steps;   /* positions are rounded to 1/steps of a sample (bp/nearest.h); 0: they are not */
  float step;  /* 1 / steps; 0 */
  float worth; /* of a 1 in data (layout/stored.h) */
} image;

/* Numerators and denominator at the first voxel, and their steps. */
typedef struct voxel_line {
  double a, b, w, da, db, dw;
} voxel_line;

CT_INLINE voxel_line line_from(const voxel_line *line, int t) {
  return (voxel_line){
      line->a + t * line->da, line->b + t * line->db, line->w + t * line->dw, line->da, line->db, line->dw};
}

/* Voxels that stand aside of the line, each by at most `most` voxels of (a, b, w): a line through a grid that does not
 * run along an axis of it (bp/skew-private.h). NULL in place of it: all on the line. */
typedef struct sidestep {
  const float *voxels; /* [length, in whole vectors] */
  double most, a, b, w;
} sidestep;

CT_INLINE sidestep sidestep_from(const sidestep *aside, int t) {
  return (sidestep){aside->voxels + t, aside->most, aside->a, aside->b, aside->w};
}

/* Bounds on how far a / w and b / w move aside between two places of a line, and the least w there; most is 0 without
 * sidesteps. The derivative of (a + x da) / (w + x dw) is (da w - a dw) / (w + x dw)^2, and its numerator is affine
 * along the line. */
typedef struct sideways {
  double a, b, least_w, most_w;
} sideways;

CT_INLINE sideways sideways_between(const sidestep *aside, double a, double b, double w, double last_a, double last_b,
                                    double last_w) {
  const double low = w < last_w ? w : last_w, high = w < last_w ? last_w : w;
  if (!aside) return (sideways){0, 0, low, high};
  const double reach = aside->most * fabs(aside->w), least = low - reach, scale = aside->most / (least * least);
  const double turn_a = fabs(aside->a * w - a * aside->w), last_turn_a = fabs(aside->a * last_w - last_a * aside->w);
  const double turn_b = fabs(aside->b * w - b * aside->w), last_turn_b = fabs(aside->b * last_w - last_b * aside->w);
  return (sideways){(turn_a > last_turn_a ? turn_a : last_turn_a) * scale,
                    (turn_b > last_turn_b ? turn_b : last_turn_b) * scale, least, high + reach};
}

enum { line_segments = 32, most_lines = 12 };

typedef enum { SEGMENT_UNSEEN, SEGMENT_1, SEGMENT_2, SEGMENT_4, SEGMENT_BY_VOXEL } segment_kind;

typedef struct segments {
  int kind[line_segments];
  int corner_a[line_segments], corner_b[line_segments]; /* first sample of the window, first detector line */
  int end_b[line_segments];                             /* behind the last detector line */
  float a[line_segments], b[line_segments], w[line_segments], da[line_segments], db[line_segments];
  float aside_a[line_segments], aside_b[line_segments]; /* where there are sidesteps */
} segments;

/* Segments are placed by whole vectors of double precision. */
CT_INLINE int in_eights(int count) {
  return (count + 7) / 8 * 8;
}

/* One or two segments, a line's ends, are not worth a vector. */
CT_INLINE int ends_or_eights(int count) {
  return count < 3 ? count : in_eights(count);
}

CT_INLINE void place_segments(const image *im, const voxel_line *line, const sidestep *aside, int count,
                              segments *out) {
  const double width = im->width, lines = im->lines, far = 1e8;
  const double a0 = line->a, b0 = line->b, w0 = line->w, da = line->da, db = line->db, dw = line->dw;
#pragma omp simd
  for (int g = 0; g < ends_or_eights(count); g++) {
    const double s = g * W, a = a0 + s * da, b = b0 + s * db, w = w0 + s * dw;
    const double last_a = a + (W - 1) * da, last_b = b + (W - 1) * db, last_w = w + (W - 1) * dw;
    const sideways m = sideways_between(aside, a, b, w, last_a, last_b, last_w);
    const double inverse = 1 / w, last_inverse = 1 / last_w;
    const double p = a * inverse, q = b * inverse, last_p = last_a * last_inverse, last_q = last_b * last_inverse;
    const double low_p = (p < last_p ? p : last_p) - m.a, high_p = (p < last_p ? last_p : p) + m.a;
    const double low_q = (q < last_q ? q : last_q) - m.b, high_q = (q < last_q ? last_q : q) + m.b;
    const bool front = m.least_w > 0, back = m.most_w <= 0;
    const bool unseen = back || (front && (high_p <= -1 || low_p >= width || high_q <= -1 || low_q >= lines));
    const double corner_p = floor(low_p > -far ? low_p : -far), corner_q = floor(low_q > -far ? low_q : -far);
    const double span = high_p - corner_p + 1e-4, reach = high_q - corner_q;
    const bool close = front && reach < most_lines - 1 && span < 4 * W - 1;
    const int near = span < W - 1 ? SEGMENT_1 : span < 2 * W - 1 ? SEGMENT_2 : SEGMENT_4;
    out->kind[g] = unseen ? SEGMENT_UNSEEN : close ? near : SEGMENT_BY_VOXEL;
    const double in_p = close ? corner_p : 0, in_q = close ? corner_q : 0, in_reach = close ? reach : 0;
    const double first = in_q > 0 ? in_q : 0, end = floor(in_q + in_reach) + 2;
    out->corner_a[g] = (int)(in_p < far ? in_p : far);
    out->corner_b[g] = (int)(first < lines ? first : lines);
    out->end_b[g] = (int)(end < lines ? end : lines);
    /* Relative to the first detector line that exists, so that the hats count from 0. */
    const double from = first < lines ? first : lines;
    out->a[g] = (float)(a - in_p * w), out->da[g] = (float)(da - in_p * dw);
    out->b[g] = (float)(b - from * w), out->db[g] = (float)(db - from * dw);
    out->w[g] = (float)w;
    if (aside) {
      out->aside_a[g] = (float)(aside->a - in_p * aside->w);
      out->aside_b[g] = (float)(aside->b - from * aside->w);
    }
  }
}

/* Where W voxels see the window: a from its first sample, b from its first line, and 1 / w. Parallel: w is 1. */
typedef struct sight {
  vf a, b, inverse;
} sight;

/* a, b and w of W voxels on the line; aside of it, where voxels of segment g are, by aside_a and aside_b. */
CT_INLINE sight see(bool parallel, vf a, vf b, vf w, const sidestep *aside, int g, float aside_a, float aside_b) {
  if (aside) {
    const vf across = vload(aside->voxels + g * W);
    a = vfma(across, vset(aside_a), a), b = vfma(across, vset(aside_b), b);
    if (!parallel) w = vfma(across, vset((float)aside->w), w);
  }
  if (parallel) return (sight){a, b, vset(1)};
  const vf inverse = vreciprocal(w);
  return (sight){a * inverse, b * inverse, inverse};
}

/* Where they are taken to look, by the image's interpolation. */
CT_INLINE sight round_sight(const image *im, sight at) {
  return (sight){ct_vnearest(im->step, at.a), ct_vnearest(im->step, at.b), at.inverse};
}

/* What counts of a sample there. */
CT_INLINE vf weight_at(const image *im, sight at) {
  return at.inverse * at.inverse * vset(im->worth);
}

CT_INLINE sight see_segment(bool parallel, const segments *s, const sidestep *aside, int g, float dw) {
  const vf lane = vlane();
  const vf a = vfma(lane, vset(s->da[g]), vset(s->a[g])), b = vfma(lane, vset(s->db[g]), vset(s->b[g]));
  return see(parallel, a, b, vfma(lane, vset(dw), vset(s->w[g])), aside, g, aside ? s->aside_a[g] : 0,
             aside ? s->aside_b[g] : 0);
}

CT_INLINE vf load_window(const image *im, const ct_sample *row, int corner, bool inside) {
  return inside ? vsample(row + corner) : vsample_between(row + corner, -corner, im->width - corner);
}

CT_INLINE vf read_line(int windows, const image *im, const ct_sample *row, int corner, bool inside, vi index,
                       vf fraction) {
  vf table[4];
#pragma GCC unroll 4
  for (int n = 0; n < windows; n++) table[n] = load_window(im, row, corner + n * W, inside);
  const vf low = vlookup(windows, table, index), high = vlookup(windows, table, viadd(index, viset(1)));
  return vfma(fraction, high - low, low);
}

/* W voxels of segment g, with 1 / w^2: any number of lines, at the border too. */
CT_INLINE vf segment_value(int windows, bool parallel, const image *im, const segments *s, const sidestep *aside, int g,
                           float dw) {
  const sight at = see_segment(parallel, s, aside, g, dw);
  const sight near = round_sight(im, at);
  const vi index = vtrunc(at.a);
  const vf fraction = near.a - vfloat(index);
  const int corner = s->corner_a[g], first = s->corner_b[g], end = s->end_b[g];
  const bool inside = corner >= 0 && corner + windows * W <= im->width;
  vf sum = vset(0), offset = near.b;
  for (int line = first; line < end; line++) {
    const vf value = read_line(windows, im, im->data + line * im->pitch, corner, inside, index, fraction);
    sum = vfma(vmax(vset(0), vset(1) - vabs(offset)), value, sum);
    offset = offset - vset(1);
  }
  return sum * weight_at(im, at);
}

static inline float line_sample(const image *im, int a, int b) {
  return a >= 0 && a < im->width && b >= 0 && b < im->lines ? ct_sample_number(im->data[b * im->pitch + a]) : 0;
}

/* Where a window does not serve: w changes its sign, or the step is too wide. */
static void add_by_voxel(const image *im, const voxel_line *line, const sidestep *aside, int first, int end,
                         float *sums) {
  for (int t = first; t < end; t++) {
    const double x = aside ? aside->voxels[t] : 0, w = line->w + t * line->dw + (aside ? x * aside->w : 0);
    const double p = (line->a + t * line->da + (aside ? x * aside->a : 0)) / w,
                 q = (line->b + t * line->db + (aside ? x * aside->b : 0)) / w;
    if (!(w > 0 && p > -1 && p < im->width && q > -1 && q < im->lines)) continue;
    const int a = (int)(p + 1) - 1, b = (int)(q + 1) - 1;
    const float fa = (float)(ct_bp_nearest(p, im->steps) - a), fb = (float)(ct_bp_nearest(q, im->steps) - b);
    const float low = line_sample(im, a, b) + fa * (line_sample(im, a + 1, b) - line_sample(im, a, b));
    const float high = line_sample(im, a, b + 1) + fa * (line_sample(im, a + 1, b + 1) - line_sample(im, a, b + 1));
    sums[t] += (low + fb * (high - low)) * (float)(im->worth / (w * w));
  }
}

/* Adds a view to segments first .. end - 1, wherever they lie. */
CT_INLINE void add_anywhere(bool parallel, const image *im, const voxel_line *line, const sidestep *aside, int first,
                            int end, int length, float *sums) {
  segments s;
  const float dw = (float)line->dw;
  for (; first < end; first += line_segments) {
    const int count = end - first < line_segments ? end - first : line_segments, start = first * W,
              left = length - start;
    const voxel_line part = line_from(line, start);
    sidestep steps;
    if (aside) steps = sidestep_from(aside, start);
    const sidestep *beside = aside ? &steps : NULL;
    place_segments(im, &part, beside, count, &s);
    for (int g = 0; g < count; g++) {
      float *at = sums + start + g * W;
      if (s.kind[g] == SEGMENT_1)
        vstore(at, vload(at) + segment_value(1, parallel, im, &s, beside, g, dw));
      else if (s.kind[g] == SEGMENT_2)
        vstore(at, vload(at) + segment_value(2, parallel, im, &s, beside, g, dw));
      else if (s.kind[g] == SEGMENT_4)
        vstore(at, vload(at) + segment_value(4, parallel, im, &s, beside, g, dw));
      else if (s.kind[g] == SEGMENT_BY_VOXEL)
        add_by_voxel(im, &part, beside, g * W, left < (g + 1) * W ? left : (g + 1) * W, sums + start);
    }
  }
}

#endif
