/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transpose in a fan beam, as a gather: a pixel gets max(0, 1 - |t - c| w reach(t)) y(t) of the two rays t next to
 * its ray coordinate c, or of the four next to it where rays are as close as that. */
#include "recon/fp/isa/joseph-2d.h"

#include <math.h>

enum { tile_rows = CT_J2D_TILE };

/* W pixels of each row of a tile: lane l is at (c + l cl) / (w + l wl) in its window. */
typedef struct seen {
  int start[tile_rows];
  float c[tile_rows], cl[tile_rows], w[tile_rows];
  float wl;
  int rays; /* near a pixel: 2 or 4; 0: none, -1: not for windows */
} seen;

/* The least distance of adjacent rays from `first` to `last` along a row where w is at least `nearest`. */
CT_INLINE double closest(const ct_j2d_source *source, double first, double last, double nearest) {
  const int low = (int)fmin(fmax(floor(first), 0), source->count - 1),
            high = (int)fmin(fmax(ceil(last), 0), source->count - 1);
  return nearest * fmin((double)source->reach[low], (double)source->reach[high]);
}

CT_INLINE void find_run(const ct_j2d_source *source, int column, int row, int rows, seen *out) {
  const double c0 = source->c0 + source->cl * column, w0 = source->w0 + source->wl * column;
  const double cl = source->cl, wl = source->wl, cr = source->cr, wr = source->wr;
  const double low = -2 * W, high = source->count;
  double widest = 0, least = high, most = low;
#pragma omp simd reduction(max : widest, most) reduction(min : least)
  for (int n = 0; n < tile_rows; n++) {
    const int r = row + (n < rows ? n : rows - 1);
    const double c = c0 + cr * r, w = w0 + wr * r, first = c / w, last = (c + cl * (W - 1)) / (w + wl * (W - 1));
    const double below = first < last ? first : last, beyond = first < last ? last : first;
    /* one ray to spare where four are looked at */
    const double above = below - 1 > low ? below - 1 : low, start = floor(above < high ? above : high);
    widest = beyond - below > widest ? beyond - below : widest;
    least = below < least ? below : least;
    most = beyond > most ? beyond : most;
    out->start[n] = (int)start;
    out->c[n] = (float)(c - start * w);
    out->cl[n] = (float)(cl - start * wl);
    out->w[n] = (float)w;
  }
  out->wl = (float)wl;
  const double w1 = w0 + wr * row, w2 = w1 + wr * (rows - 1), side = fmin(0, wl * (W - 1));
  const double distance = closest(source, least, most, fmin(w1, w2) + side);
  out->rays = distance >= 1 - 1e-6 ? 2 : 4;
  if (distance < 0.5 || !(widest < 2 * W - 5.01) || source->plain) out->rays = -1;
  if (!(most > -2 && least < high + 1) && !source->plain) out->rays = 0;
}

CT_INLINE vf gather(int rays, const ct_j2d_source *source, const seen *run, int n) {
  const vf lane = vlane(), w = vfma(lane, vset(run->wl), vset(run->w[n]));
  vf fraction, y[2], reach[2], sum = vset(0);
  vi index = vsplit(vfma(lane, vset(run->cl[n]), vset(run->c[n])) * vreciprocal(w), &fraction);
  vload_window(source->straight[0] + run->start[n], y);
  vload_window(source->reach + run->start[n], reach);
  index = viadd(index, viset(1 - rays / 2));
#pragma GCC unroll 4
  for (int r = 1 - rays / 2; r <= rays / 2; r++) {
    const vf away = r > 0 ? vset((float)r) - fraction : fraction - vset((float)r);
    const vf weight = vset(1) - away * w * vlookup2(reach, index);
    sum = vfma(vmax(weight, vset(0)), vlookup2(y, index), sum);
    index = viadd(index, viset(1));
  }
  return sum;
}

CT_INLINE void add_plainly(const ct_j2d_source *source, int lane, int row, int rows, const ct_j2d_target *target) {
  ct_j2d_target part = {
      .column = target->column + lane, .row = target->row + row, .stride = target->stride, .rows = rows, .lanes = W};
  part.straight[0] = target->straight[0] + row * target->stride + lane;
  ct_j2d_plain_fan(source, 1, &part);
}

CT_INLINE void add_rays(int rays, const ct_j2d_source *source, const seen *run, int rows, ptrdiff_t stride,
                        float *pixels) {
  for (int n = 0; n < rows; n++, pixels += stride) vstore(pixels, vload(pixels) + gather(rays, source, run, n));
}

void CT_ISA_SYMBOL(ct_j2d_fan)(const ct_j2d_source *sources, int count, const ct_j2d_target *target) {
  seen run;
  for (int lane = 0; lane < CT_J2D_LANES; lane += W)
    for (int row = 0; row < target->rows; row += tile_rows) {
      const int rows = target->rows - row < tile_rows ? target->rows - row : tile_rows;
      float *pixels = target->straight[0] + row * target->stride + lane;
      if (target->begin)
        for (int n = 0; n < rows; n++) vstore(pixels + n * target->stride, vset(0));
      for (int s = 0; s < count; s++) {
        find_run(sources + s, target->column + lane, target->row + row, rows, &run);
        if (run.rays == 2)
          add_rays(2, sources + s, &run, rows, target->stride, pixels);
        else if (run.rays == 4)
          add_rays(4, sources + s, &run, rows, target->stride, pixels);
        else if (run.rays < 0)
          add_plainly(sources + s, lane, row, rows, target);
      }
    }
}
