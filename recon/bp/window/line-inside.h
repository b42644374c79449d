/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a voxel line that lies well within the detector, where nothing has to be tested (see line.h); where the
 * line is steep, sample by sample (line-pairs.h). Along the line every condition (w a >= 0, a / w <= width, ...) is
 * affine, so that this part is found once per line; a / w and b / w are monotonous, so that the end of a segment that
 * comes lowest is the same for all segments, and the number of vectors in a window and of detector lines is the same
 * too: no branches inside. */
#ifndef CT_BP_WINDOW_LINE_INSIDE_H
#define CT_BP_WINDOW_LINE_INSIDE_H

#include "recon/bp/window/line-pairs.h"

#include <string.h>

/* Whole numbers, but for the margins; of one type, so that the search is vectorized. */
typedef struct inside {
  double first, end;         /* segments */
  double windows, rows;      /* vectors in a window, detector lines; rows 0: by pairs */
  double low_a, low_b;       /* the voxel of a segment where a / w, b / w is least: 0 or W - 1 */
  double margin_a, margin_b; /* how far voxels aside of the line may see below that */
} inside;

/* Places that a float still tells apart. */
static const double most_floats = 1 << 23;

/* Cuts [*low, *high] to where value + t * step >= 0. */
CT_INLINE void cut(double value, double step, double *low, double *high) {
  const double root = -value / step;
  *low = (step > 0) & (root > *low) ? root : *low;
  *high = (step < 0) & (root < *high) ? root : (step == 0) & (value < 0) ? -1 : *high;
}

/* Without branches, so that a loop over lines is vectorized. */
CT_INLINE inside find_inside(const image *im, voxel_line l, const sidestep *aside, int count) {
  double low = 0, high = (double)count * W - 1;
  const sideways m = sideways_between(aside, l.a, l.b, l.w, l.a + high * l.da, l.b + high * l.db, l.w + high * l.dw);
  const double least_w = m.least_w;
  /* The derivative of a / w is turn / w^2. */
  const double turn_a = l.da * l.w - l.a * l.dw, turn_b = l.db * l.w - l.b * l.dw;
  const double span_a = fabs(turn_a) / (least_w * least_w) * (W - 1) + 2 * m.a,
               span_b = fabs(turn_b) / (least_w * least_w) * (W - 1) + 2 * m.b;
  const double line = l.b / l.w;
  const double windows = span_a + 1.001 < W - 1 ? 1 : span_a + 1.001 < 2 * W - 1 ? 2 : 4;
  const bool level = span_b < 1e-6, on_line = level & (fabs(line - rint(line)) < 1e-9);
  const bool steep = (span_a + 1.001 >= 4 * W - 1) | (span_b >= W / 4);
  const double rows = steep ? 0 : on_line ? 1 : level ? 2 : span_b < 1 ? 3 : 4;
  const double reach = steep ? span_a + (span_b + 1) * (double)im->pitch : span_b, most = steep ? most_floats : 2;
  const double room_a = im->width - (steep ? 1.001 : windows * W) - m.a,
               room_b = im->lines - (steep ? 1.001 : rows) - m.b;
  cut(l.a - m.a * l.w, l.da - m.a * l.dw, &low, &high);
  cut(room_a * l.w - l.a, room_a * l.dw - l.da, &low, &high);
  /* Half a line of slack for a line that is met exactly. */
  const double slack = on_line & !steep ? 0.5 : 0;
  cut(l.b + (slack - m.b) * l.w, l.db + (slack - m.b) * l.dw, &low, &high);
  cut((room_b + slack) * l.w - l.b, (room_b + slack) * l.dw - l.db, &low, &high);
  const bool any = (least_w > 0.01) & (reach < most) & (high >= low);
  const double first = any ? ceil(low / W) : 0, end = any ? floor((high + 1) / W) : 0;
  return (inside){first, end < first ? first : end, windows, rows, turn_a < 0 ? W - 1 : 0, turn_b < 0 ? W - 1 : 0, m.a,
                  m.b};
}

typedef struct inside_places {
  int corner_a[line_segments], corner_b[line_segments];
  float a[line_segments], b[line_segments], w[line_segments], da[line_segments], db[line_segments];
  float aside_a[line_segments], aside_b[line_segments]; /* where there are sidesteps */
} inside_places;

CT_INLINE void place_inside(bool parallel, int rows, const inside *in, const voxel_line *line, const sidestep *aside,
                            int count, inside_places *out) {
  const double a0 = line->a, b0 = line->b, w0 = line->w, da = line->da, db = line->db, dw = line->dw;
  const double la = in->low_a, lb = in->low_b, up = rows == 1 ? 0.5 : 0;
#pragma omp simd
  for (int g = 0; g < in_eights(count); g++) {
    const double s = (g < count ? g : count - 1) * W, a = a0 + s * da, b = b0 + s * db, w = w0 + s * dw;
    double p = a + la * da, q = b + lb * db;
    if (!parallel) p = p / (w + la * dw), q = q / (w + lb * dw);
    if (aside) p -= in->margin_a, q -= in->margin_b;
    /* Rounded differently than in find_inside, a place that is exactly 0 may come out below. */
    const double floor_p = floor(p), floor_q = floor(q + up);
    const double corner_p = floor_p > 0 ? floor_p : 0, corner_q = floor_q > 0 ? floor_q : 0;
    out->corner_a[g] = (int)corner_p, out->corner_b[g] = (int)corner_q;
    out->a[g] = (float)(a - corner_p * w), out->da[g] = (float)(da - corner_p * dw);
    out->b[g] = (float)(b - corner_q * w), out->db[g] = (float)(db - corner_q * dw);
    out->w[g] = (float)w;
    if (aside) {
      out->aside_a[g] = (float)(aside->a - corner_p * aside->w);
      out->aside_b[g] = (float)(aside->b - corner_q * aside->w);
    }
  }
}

/* Where W voxels see the detector, from the corner of segment g. */
CT_INLINE sight see_inside(bool parallel, const inside_places *s, const sidestep *aside, int g, vf steps) {
  const vf lane = vlane(), a = vfma(lane, vset(s->da[g]), vset(s->a[g])), b = vfma(lane, vset(s->db[g]), vset(s->b[g]));
  return see(parallel, a, b, steps + vset(s->w[g]), aside, g, aside ? s->aside_a[g] : 0, aside ? s->aside_b[g] : 0);
}

CT_INLINE vf read_window(int windows, const ct_sample *from, vi index, vf fraction) {
  vf table[4];
#pragma GCC unroll 4
  for (int n = 0; n < windows; n++) table[n] = vsample_kept(from + n * W);
  const vf low = vlookup(windows, table, index), high = vlookup(windows, table, viadd(index, viset(1)));
  return vfma(fraction, high - low, low);
}

/* The broken line through the values on `rows` detector lines. */
CT_INLINE vf inside_value(bool parallel, int windows, int rows, const image *im, const inside_places *s,
                          const sidestep *aside, int g, vf steps) {
  const sight at = see_inside(parallel, s, aside, g, steps);
  const sight near = round_sight(im, at);
  const vi index = vtrunc(at.a);
  const vf fraction = near.a - vfloat(index);
  const ct_sample *row = im->data + s->corner_b[g] * im->pitch + s->corner_a[g];
  vf before = read_window(windows, row, index, fraction), sum = before;
#pragma GCC unroll 3
  for (int r = 1; r < rows; r++) {
    const vf value = read_window(windows, row + r * im->pitch, index, fraction);
    vf share = r > 1 ? vmax(near.b - vset((float)(r - 1)), vset(0)) : near.b;
    if (r < rows - 1) share = vmin(share, vset(1));
    sum = vfma(share, value - before, sum);
    before = value;
  }
  return sum * weight_at(im, at);
}

CT_INLINE void add_pairs(bool parallel, const image *im, const inside_places *s, const sidestep *aside, int first,
                         int count, vf steps, float *sums) {
  pairs p;
  for (int n = 0; n < count; n++) {
    const sight at = see_inside(parallel, s, aside, first + n, steps);
    const vf a = vfloat(vtrunc(at.a)), b = vfloat(vtrunc(at.b));
    const vi places = vtrunc(vfma(b, vset((float)im->pitch), a));
    memcpy(p.at + n * W, &places, sizeof places);
    const sight near = round_sight(im, at);
    vstore(p.a + n * W, near.a - a), vstore(p.b + n * W, near.b - b);
    vstore(p.weight + n * W, weight_at(im, at));
  }
  for (int n = 0; n < count; n++) {
    const ct_sample *row = im->data + s->corner_b[first + n] * im->pitch + s->corner_a[first + n];
    const vf value = value_of_pairs(row, im->pitch, p.at + n * W, vload(p.a + n * W), vload(p.b + n * W));
    float *at = sums + n * W;
    vstore(at, vfma(value, vload(p.weight + n * W), vload(at)));
  }
}

CT_INLINE void add_inside_as(bool parallel, int windows, int rows, const image *im, const inside *in,
                             const voxel_line *line, const sidestep *aside, float *sums) {
  inside_places s;
  const vf steps = vlane() * vset((float)line->dw);
  const int end = (int)in->end;
  for (int first = (int)in->first; first < end; first += line_segments) {
    const int count = end - first < line_segments ? end - first : line_segments;
    const voxel_line part = line_from(line, first * W);
    sidestep steps_aside;
    if (aside) steps_aside = sidestep_from(aside, first * W);
    const sidestep *beside = aside ? &steps_aside : NULL;
    place_inside(parallel, rows, in, &part, beside, count, &s);
    for (int g = 0; rows == 0 && g < count; g += paired_segments)
      add_pairs(parallel, im, &s, beside, g, count - g < paired_segments ? count - g : paired_segments, steps,
                sums + (first + g) * W);
    for (int g = 0; rows > 0 && g < count; g++) {
      float *at = sums + (first + g) * W;
      vstore(at, vload(at) + inside_value(parallel, windows, rows, im, &s, beside, g, steps));
    }
  }
}

/* Compilers take too long over one function with all cases: each is one of its own, made where it is used. */
#define OUTLINED static __attribute__((noinline, unused)) void

#define INSIDE_CASE(parallel, beside, w, r)                                                                            \
  OUTLINED add_inside_##parallel##beside##_##w##_##r(const image *im, const inside *in, const voxel_line *line,        \
                                                     const sidestep *aside, float *sums) {                             \
    add_inside_as(parallel, w, r, im, in, line, beside ? aside : NULL, sums);                                          \
  }
#define INSIDE_ROWS(parallel, beside, w)                                                                               \
  INSIDE_CASE(parallel, beside, w, 1)                                                                                  \
  INSIDE_CASE(parallel, beside, w, 2)                                                                                  \
  INSIDE_CASE(parallel, beside, w, 3)                                                                                  \
  INSIDE_CASE(parallel, beside, w, 4)
/* All windows and rows, and what lies outside: for rays side by side or not, for voxels aside of the line or not. */
#define INSIDE_CASES(parallel, beside)                                                                                 \
  INSIDE_CASE(parallel, beside, 0, 0)                                                                                  \
  INSIDE_ROWS(parallel, beside, 1)                                                                                     \
  INSIDE_ROWS(parallel, beside, 2)                                                                                     \
  INSIDE_ROWS(parallel, beside, 4)                                                                                     \
  OUTLINED add_anywhere_##parallel##beside(const image *im, const voxel_line *line, const sidestep *aside, int first,  \
                                           int end, int length, float *sums) {                                         \
    add_anywhere(parallel, im, line, beside ? aside : NULL, first, end, length, sums);                                 \
  }
INSIDE_CASES(0, 0)
INSIDE_CASES(0, 1)
INSIDE_CASES(1, 0)
INSIDE_CASES(1, 1)
#undef INSIDE_CASES
#undef INSIDE_ROWS
#undef INSIDE_CASE
#undef OUTLINED

/* The function of that name for the two constants. */
#define CALL(name, parallel, aside, ...)                                                                               \
  (parallel ? aside ? name(11, __VA_ARGS__) : name(10, __VA_ARGS__)                                                    \
   : aside ? name(01, __VA_ARGS__)                                                                                     \
            : name(00, __VA_ARGS__))

/* Adds a view to `length` voxels, of which `in` are well within the detector. */
CT_INLINE void add_line_within(bool parallel, const image *im, const voxel_line *line, const sidestep *aside,
                               const inside *in, int length, float *sums) {
  const int count = (length + W - 1) / W, first = (int)in->first, end = (int)in->end;
#define ANYWHERE(kind, from, to) add_anywhere_##kind(im, line, aside, from, to, length, sums)
  if (first >= end) {
    CALL(ANYWHERE, parallel, aside, 0, count);
    return;
  }
  if (first > 0) CALL(ANYWHERE, parallel, aside, 0, first);
#define INSIDE(kind, w, r) add_inside_##kind##_##w##_##r(im, in, line, aside, sums)
#define CASE(w, r)                                                                                                     \
  case 8 * (w) + (r):                                                                                                  \
    CALL(INSIDE, parallel, aside, w, r);                                                                               \
    break
  switch (in->rows > 0 ? 8 * (int)in->windows + (int)in->rows : 0) {
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
#undef INSIDE
  if (end < count) CALL(ANYWHERE, parallel, aside, end, count);
#undef ANYWHERE
}
#undef CALL

/* Adds a view to `length` voxels; sums has room for whole vectors. aside: NULL where all are on the line. */
CT_INLINE void add_line(bool parallel, const image *im, const voxel_line *line, const sidestep *aside, int length,
                        float *sums) {
  const inside in = find_inside(im, *line, aside, (length + W - 1) / W);
  add_line_within(parallel, im, line, aside, &in, length, sums);
}

#endif
