/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many slices at once, 16 side by side: a sample is a whole vector, and what 16 rays read from rows of the image, or 16
 * pixels from views, needs no permutes. Places and weights are made for the 16 side by side, and serve several vectors
 * of slices. */
#include "recon/fp/joseph/joseph-2d-loops.h"

#include <math.h>

enum { side = CT_J2D_LANES, pieces = CT_J2D_LANES / W };

typedef struct places {
  int offset[CT_J2D_STEPS][side]; /* floats from the step's beginning */
  float low[CT_J2D_STEPS][side], high[CT_J2D_STEPS][side];
} places;

CT_INLINE void find_places(const ct_j2d_walk *walk, int *offset, float *low, float *high) {
  const double least = walk->slope < 0 ? walk->slope * (side - 1) : 0, start = floor(walk->at + least);
  const vf slope = vset((float)walk->slope), first = vset((float)(walk->at - start));
  const vf scale = vset(walk->scale), reach = vset(walk->scale * walk->reach), rest = scale - reach;
  const int base = start < -1e9 ? (int)-1e9 : start > 1e9 ? (int)1e9 : (int)start;
  for (int lane = 0; lane < side; lane += W) {
    vf fraction;
    const lanes at = (lanes)vsplit(vfma(vlane() + vset((float)lane), slope, first), &fraction) + base;
    const vf covered = reach * fraction;
    const lanes before = at < -1, behind = at >= walk->count, in = ~(before | behind);
    const lanes place = before | (at & in);
    const vf near = vmax(scale - covered, vset(0)), far = vmax(covered + rest, vset(0));
    *(lanes_anywhere *)(offset + lane) = place * (int)walk->stride;
    vstore(low + lane, (vf)((lanes)near & in));
    vstore(high + lane, (vf)((lanes)far & in));
  }
}

CT_INLINE void add_lanes(int bundles, const ct_j2d_walk *walks, int steps, const places *at, const ct_j2d_lanes *to) {
  const ptrdiff_t from_bundle = to->from_bundle, out_bundle = to->out_bundle, out_lane = to->out_lane;
  const int count = to->count;
  float *out = to->out;
  for (int lane = 0; lane < count; lane++, out += out_lane) {
    vf sum[2][2 * pieces];
#pragma GCC unroll 4
    for (int n = 0; n < bundles * pieces; n++) {
      sum[0][n] = vload(out + n / pieces * out_bundle + n % pieces * W);
      sum[1][n] = vset(0);
    }
    for (int s = 0; s < steps; s++) {
      const float *from = walks[s].from + at->offset[s][lane], *next = from + walks[s].stride;
      const vf low = vset(at->low[s][lane]), high = vset(at->high[s][lane]);
#pragma GCC unroll 4
      for (int n = 0; n < bundles * pieces; n++) {
        const ptrdiff_t place = n / pieces * from_bundle + n % pieces * W;
        sum[0][n] = vfma(low, vload(from + place), sum[0][n]);
        sum[1][n] = vfma(high, vload(next + place), sum[1][n]);
      }
    }
#pragma GCC unroll 4
    for (int n = 0; n < bundles * pieces; n++)
      vstore(out + n / pieces * out_bundle + n % pieces * W, sum[0][n] + sum[1][n]);
  }
}

static void add_walks(const ct_j2d_walk *walks, int steps, const ct_j2d_lanes *to) {
  places at;
  for (int s = 0; s < steps; s++) find_places(walks + s, at.offset[s], at.low[s], at.high[s]);
  if (to->bundles == 2)
    add_lanes(2, walks, steps, &at, to);
  else
    add_lanes(1, walks, steps, &at, to);
}

const ct_j2d_slices_loops CT_SIMD_TABLE(ct_j2d_slices_loops) = {.add = add_walks};
