/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward projection of 16 adjacent rays through rows of a slice: y(t) = sum over j of (1 - f) x(j, k) + f x(j, k + 1),
 * k + f = position of ray t in row j. One, two or four images share k and f, and where the detector's halves are
 * mirror images each row is read twice, from its end for the mirrored rays. */
#include "recon/fp/joseph/joseph-2d-loops.h"

#include <math.h>

enum { block = 32 };

/* Rows first .. first + block - 1 of W rays. */
typedef struct places {
  int start[block];
  float fraction[block]; /* of lane 0 in its window */
  float height[block];   /* positions grow by this times `steps`; 1 in a parallel beam */
} places;

/* Of W rays, the group's lane `lane` on. */
typedef struct bundle {
  double a, b, h0, h1;
  vf steps;
  int mask; /* of windows' starts */
} bundle;

/* False where windows do not hold the positions. */
CT_INLINE bool find_rays(bool divergent, const ct_j2d_group *group, int lane, int first, int end, bundle *out) {
  double step = lane * group->d, d = group->d, span = (W - 1) * group->d;
  out->steps = vlane() * vset((float)d);
  if (divergent) {
    const double before = 1 + lane * group->g;
    const double h = fmax(fabs(group->h0 + group->h1 * first), fabs(group->h0 + group->h1 * (end - 1)));
    step = step / before, d = d / before;
    span = h * fabs((W - 1) * d / (before + (W - 1) * group->g));
    out->steps = vlane() * vset((float)(d / before)) / vfma(vlane(), vset((float)(group->g / before)), vset(1));
  }
  out->a = group->a + group->h0 * step, out->b = group->b + group->h1 * step;
  out->h0 = group->h0, out->h1 = group->h1;
  out->mask = span < 1.5 * W - 1.01 ? -(W / 2) : -1;
  return span < 2 * W - 2.01;
}

CT_INLINE void find_places(bool divergent, const bundle *rays, int first, int count, places *out) {
  const double a = rays->a, b = rays->b, h0 = rays->h0, h1 = rays->h1;
  const int mask = rays->mask;
  for (int part = 0; part < count; part += block / 2)
#pragma omp simd
    for (int n = part; n < part + block / 2; n++) {
      const double row = first + n, at = a + b * row;
      const int start = (int)floor(at) & mask;
      out->start[n] = start;
      out->fraction[n] = (float)(at - start);
      if (divergent) out->height[n] = (float)(h0 + h1 * row);
    }
}

/* Sums of low and high neighbours are kept apart where there are registers for it. */
CT_INLINE void add_rows(bool divergent, int members, bool paired, const bundle *rays, int first, int end, int ray,
                        const ct_j2d_sheet *sheet) {
  enum { most = 4 };
  const int apart = members < 4;
  const int mirror = sheet->along - 2 * W;
  const float *row[most], *behind = paired && members == 1 ? sheet->behind - first * sheet->stride[0] : NULL;
  vf straight[2][most], mirrored[2][most];
#pragma GCC unroll 4
  for (int m = 0; m < members; m++) {
    row[m] = sheet->from[m] + first * sheet->stride[m];
    straight[0][m] = vload(sheet->straight[m] + ray);
    straight[1][m] = vset(0);
    if (paired) mirrored[0][m] = vload(sheet->mirrored[m] + ray);
    mirrored[1][m] = vset(0);
  }
  for (; first < end; first += block) {
    places at;
    const int count = end - first < block ? end - first : block;
    find_places(divergent, rays, first, count, &at);
    for (int n = 0; n < count; n++) {
      vf high, window[2];
      const vf height = divergent ? vset(at.height[n]) : vset(1);
      const vi index = vsplit(vfma(rays->steps, height, vset(at.fraction[n])), &high);
      const vi next = viadd(index, viset(1)), index_back = vfrom_end(index), next_back = vfrom_end(next);
      const vf low = vset(1) - high;
      const ptrdiff_t start = at.start[n], start_back = mirror - start;
#pragma GCC unroll 4
      for (int m = 0; m < members; m++) {
        vload_window(row[m] + start, window);
        straight[0][m] = vfma(low, vlookup2(window, index), straight[0][m]);
        straight[apart][m] = vfma(high, vlookup2(window, next), straight[apart][m]);
        if (paired) {
          vload_window((members == 1 ? behind : row[m]) + start_back, window);
          mirrored[0][m] = vfma(low, vlookup2(window, index_back), mirrored[0][m]);
          mirrored[apart][m] = vfma(high, vlookup2(window, next_back), mirrored[apart][m]);
        }
        row[m] += sheet->stride[m];
      }
      if (paired && members == 1) behind -= sheet->stride[0];
    }
  }
#pragma GCC unroll 4
  for (int m = 0; m < members; m++) {
    vstore(sheet->straight[m] + ray, straight[0][m] + straight[1][m]);
    if (paired) vstore(sheet->mirrored[m] + ray, mirrored[0][m] + mirrored[1][m]);
  }
}

CT_INLINE void add_group(bool divergent, int members, bool paired, const ct_j2d_group *group, int first, int end,
                         const ct_j2d_sheet *sheet) {
  if (first < group->first) first = group->first;
  if (end > group->end) end = group->end;
  if (first >= end) return;
  bundle rays[CT_J2D_LANES / W];
  bool fits = !group->plain;
  for (int lane = 0; lane < CT_J2D_LANES && fits; lane += W)
    fits = find_rays(divergent, group, lane, first, end, rays + lane / W);
  if (!fits) {
    ct_j2d_plain_forward(group, first, end, sheet);
    return;
  }
  for (int lane = 0; lane < CT_J2D_LANES; lane += W)
    add_rows(divergent, members, paired, rays + lane / W, first, end, group->ray + lane, sheet);
}

static void forward_one(const ct_j2d_group *group, int first, int end, const ct_j2d_sheet *sheet) {
  if (group->divergent)
    add_group(true, 1, false, group, first, end, sheet);
  else
    add_group(false, 1, false, group, first, end, sheet);
}
static void forward_pair(const ct_j2d_group *group, int first, int end, const ct_j2d_sheet *sheet) {
  add_group(false, 1, true, group, first, end, sheet);
}
static void forward_pairs2(const ct_j2d_group *group, int first, int end, const ct_j2d_sheet *sheet) {
  add_group(false, 2, true, group, first, end, sheet);
}
static void forward_pairs4(const ct_j2d_group *group, int first, int end, const ct_j2d_sheet *sheet) {
  add_group(false, 4, true, group, first, end, sheet);
}

const ct_j2d_forward_loops CT_SIMD_TABLE(ct_j2d_forward_loops) = {
    .one = forward_one, .pair = forward_pair, .pairs2 = forward_pairs2, .pairs4 = forward_pairs4};
