/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x = A^T y along z, the exact transpose. Detector columns are first weighted by the length between planes, with zeros
 * (and what lies beyond the mirror) about them. Then each thread owns tiles of 16 x 16 voxel columns and passes all
 * rays that meet them: for every plane a level k collects the rows r whose place |shift + r slope - k| < 1, weighted by
 * what is left to 1. These are `taps` neighbours, of which the first is read through windows as in the projection; the
 * sum goes to both voxel columns beside the line. */
#include "recon/fp/isa/joseph-3d-windows.h"
#include "recon/fp/isa/joseph-3d.h"

#include <string.h>

/* Taps as many as rows can lie within two levels. Where there are two or three, their weights need no absolute values.
 */
enum { any_taps = 0 };

typedef struct tile {
  int i, j, i_end, j_end;
} tile;

/* A detector column times the way from plane to plane, into a strip. */
static void fill_strip(const ct_joseph *joseph, const ct_joseph_ray *ray, const float *y, float *strip) {
  const ct_joseph_fold *rows = &joseph->rows;
  const size_t half = ct_joseph_strip_half(rows);
  const float dz = (float)joseph->request.grid.dz, flat = (float)ray->flat, slope = (float)ray->slope_step * dz,
              shift = (float)ray->shift_step * dz;
  float *upper = strip + CT_JOSEPH_PAD, *lower = upper + half;
  for (int h = 0; h < rows->halves; h++)
#pragma omp simd
    for (int n = 0; n < rows->stride; n++) {
      const float rise = shift + (float)n * slope;
      strip[CT_JOSEPH_PAD + (size_t)h * half + (size_t)n] = y[h * rows->stride + n] * sqrtf(flat + rise * rise);
    }
  if (rows->halves == 1) return;
  if (rows->centred) lower[0] = upper[0];
  for (int n = 1; n <= CT_JOSEPH_PAD && n <= rows->stride; n++) {
    upper[-n] = lower[n - 1 + rows->centred];
    lower[-n] = upper[n - 1 + rows->centred];
  }
}

/* One plane: adds W levels at a time to the voxel columns. */
CT_INLINE void add_levels(int taps, int halves, int windows, const ct_joseph *joseph, const float *strip,
                          const meets *at, int n, int first_level, int end_level, int count, float *x) {
  const size_t half = ct_joseph_strip_half(&joseph->rows), stride = (size_t)joseph->levels.stride;
  const double rows_per_level = 1 / at->slope[n];
  const float slope = (float)at->slope[n];
  const vf ramp = vset((float)rows_per_level) * vlane(), step = vset(slope), two = vset(2);
  const vf weight0 = vset(at->weight0[n]), weight1 = vset(at->weight1[n]);
  const vf rest2 = vset(2 - 2 * slope), rest3 = vset(2 - 3 * slope), rest1 = vset(2 - slope);
  float *column0 = x + at->column0[n], *column1 = x + at->column1[n];
  for (int first = first_level; first < end_level; first += block) {
    const int groups = end_level - first < block ? end_level - first : block;
    places p;
    find_places(1 + (first * W - 1 - at->shift[n]) * rows_per_level, rows_per_level, joseph->rows.stride, &p);
    for (int g = 0; g < groups; g++) {
      const vf position = ramp + vset(p.fraction[g]);
      const vi index = vtrunc(position);
      const vf fraction = position - vfloat(index);
      /* The first row lies `above` over level k - 1, the next ones `slope` each beyond it. */
      vf weight[3] = {vset(0), vset(0), vset(0)};
      const vf above = step - step * fraction;
      if (taps == 2) {
        weight[0] = vmin(above, vfma(step, fraction, rest1));
        weight[1] = vmax(vset(0), vfma(step, fraction, rest2));
      } else if (taps == 3) {
        weight[0] = above;
        weight[1] = vmin(above + step, vfma(step, fraction, rest2));
        weight[2] = vmax(vset(0), vfma(step, fraction, rest3));
      }
      const float *from = strip + CT_JOSEPH_PAD + p.start[g];
#pragma GCC unroll 2
      for (int h = 0; h < halves; h++) {
        vf table[4];
#pragma GCC unroll 4
        for (int w = 0; w < windows; w++) table[w] = vload(from + (size_t)h * half + w * W);
        vf sum = vset(0);
        if (taps) {
          sum = weight[0] * vlookup(windows, table, index);
#pragma GCC unroll 3
          for (int m = 1; m < taps; m++) sum = vfma(weight[m], vlookup(windows, table, viadd(index, viset(m))), sum);
        } else {
          for (int m = 0; m < count; m++) {
            const vf place = vfma(vset((float)m), step, above);
            const vf one = vmax(vset(0), vmin(place, two - place));
            sum = vfma(one, vlookup(windows, table, viadd(index, viset(m))), sum);
          }
        }
        float *to0 = column0 + (size_t)h * stride + (first + g) * W,
              *to1 = column1 + (size_t)h * stride + (first + g) * W;
        vstore(to0, vfma(weight0, sum, vload(to0)));
        vstore(to1, vfma(weight1, sum, vload(to1)));
      }
    }
  }
}

/* A row of half h, or beyond the mirror. */
static float strip_row(const ct_joseph *joseph, const float *strip, int h, int row) {
  const size_t half = ct_joseph_strip_half(&joseph->rows);
  if (row < 0 && joseph->rows.halves == 2) h = 1 - h, row = -row - 1 + joseph->rows.centred;
  return row < 0 || row >= joseph->rows.stride ? 0 : strip[(size_t)h * half + CT_JOSEPH_PAD + (size_t)row];
}

/* Where rows per level are beyond all windows: row by row. */
static void add_level_plainly(const ct_joseph *joseph, const float *strip, const meets *at, int n, float *x) {
  const double slope = at->slope[n], shift = at->shift[n], rows = joseph->rows.longest;
  for (int k = 0; k < joseph->levels.longest; k++) {
    const double low = fmax((k - 1 - shift) / slope, -rows), high = fmin((k + 1 - shift) / slope, rows);
    float sum[2] = {0, 0};
    for (int row = (int)ceil(low); row <= (int)floor(high); row++) {
      const float weight = (float)(1 - fabs(shift + row * slope - k));
      for (int h = 0; weight > 0 && h < joseph->levels.halves; h++) sum[h] += weight * strip_row(joseph, strip, h, row);
    }
    for (int h = 0; h < joseph->levels.halves; h++) {
      const ptrdiff_t to = h * joseph->levels.stride + k;
      x[at->column0[n] + to] += at->weight0[n] * sum[h];
      x[at->column1[n] + to] += at->weight1[n] * sum[h];
    }
  }
}

CT_INLINE void add_plane(int halves, const ct_joseph *joseph, const float *strip, const meets *at, int n, float *x) {
  const double slope = at->slope[n], shift = at->shift[n];
  const double low = fmax(shift, 0),
               high = fmin(shift + slope * (joseph->rows.longest - 1) + 1, joseph->levels.longest - 1);
  if (!(low <= high)) return;
  const int first = (int)(low / W), end = (int)(high / W) + 1, count = (int)(2 / slope) + 1;
#define CASE(t, w) add_levels(t, halves, w, joseph, strip, at, n, first, end, count, x)
  const int windows = slope < 0.1 ? 0 : windows_for(1 / slope, count - 1);
  if (windows == 0 || slope > 2)
    add_level_plainly(joseph, strip, at, n, x);
  else if (windows == 4)
    CASE(any_taps, 4);
  else if (count > 3)
    CASE(any_taps, 2);
  else if (count == 3)
    CASE(3, 2);
  else if (windows == 2)
    CASE(2, 2);
  else
    CASE(2, 1);
#undef CASE
}

static void add_plane_halves(const ct_joseph *joseph, const float *strip, const meets *at, int n, float *x) {
  add_plane(2, joseph, strip, at, n, x);
}
static void add_plane_whole(const ct_joseph *joseph, const float *strip, const meets *at, int n, float *x) {
  add_plane(1, joseph, strip, at, n, x);
}

static void add_ray(const ct_joseph *joseph, const ct_joseph_ray *ray, const float *strip, const tile *t, float *x) {
  const int plane = ray->axis ? t->j : t->i, planes_end = ray->axis ? t->j_end : t->i_end;
  const int low = ray->axis ? t->i : t->j, high = ray->axis ? t->i_end : t->j_end;
  const int first = ray->first > plane ? ray->first : plane, end = ray->end < planes_end ? ray->end : planes_end;
  if (first >= end) return;
  meets met;
  find_meets(joseph, ray, plane, low, high, &met);
  for (int n = first - plane; n < end - plane; n++) {
    if (met.weight0[n] == 0 && met.weight1[n] == 0) continue;
    if (joseph->levels.halves == 2)
      add_plane_halves(joseph, strip, &met, n, x);
    else
      add_plane_whole(joseph, strip, &met, n, x);
  }
}

/* All rays of a view that pass a tile, whose columns' strips begin at `strips`. */
static void add_view(const ct_joseph *joseph, int view, const float *strips, const tile *t, float *x) {
  const double *m = joseph->matrices[view];
  const size_t nu = (size_t)joseph->request.geometry->nu, strip = ct_joseph_strip(&joseph->rows);
  double least = INFINITY, greatest = -INFINITY;
  for (int corner = 0; corner < 4; corner++)
    between(m, corner & 1 ? t->i_end : t->i - 1, corner & 2 ? t->j_end : t->j - 1, &least, &greatest);
  int first = 0, end = (int)nu;
  clip_columns(least, greatest, &first, &end);
  for (int u = first; u < end; u++)
    add_ray(joseph, &joseph->table[(size_t)view * nu + (size_t)u], strips + (size_t)u * strip, t, x);
}

/* Adds views, whose strips are filled, to a tile. */
static void do_tile(const ct_joseph *joseph, const int *views, int count, const float *strips, bool begin, bool end,
                    int i, int j, float *x) {
  const ct_grid *grid = &joseph->request.grid;
  const size_t view_strips = (size_t)joseph->request.geometry->nu * ct_joseph_strip(&joseph->rows);
  const tile t = {i, j, i + tile_side < grid->nx ? i + tile_side : grid->nx,
                  j + tile_side < grid->ny ? j + tile_side : grid->ny};
  /* The last tile of a row has the padding behind it. */
  const size_t width =
      t.i_end == grid->nx ? joseph->image_row - (size_t)i * joseph->column : (size_t)(t.i_end - i) * joseph->column;
  if (begin)
    for (int y = j; y < t.j_end; y++)
      memset(x + (size_t)y * joseph->image_row + (size_t)i * joseph->column, 0, width * sizeof *x);
  for (int n = 0; n < count; n++) add_view(joseph, views[n], strips + (size_t)n * view_strips, &t, x);
  if (end)
    for (int y = j; y < t.j_end; y++)
      for (int column = i; column < t.i_end; column++)
        ct_joseph_clear_padding(&joseph->levels, x + (size_t)y * joseph->image_row + (size_t)column * joseph->column);
}

void ct_joseph_back(const ct_joseph *joseph, const int *views, int count, const float *y, float *x) {
  const ct_grid *grid = &joseph->request.grid;
  const int nu = joseph->request.geometry->nu;
  const size_t strip = ct_joseph_strip(&joseph->rows);
  float *strips = joseph->strips + ct_joseph_forward_strips(joseph);
  if (!views) views = joseph->views, count = joseph->request.geometry->views;
#pragma omp parallel num_threads(joseph->request.threads)
  for (int from = 0; from == 0 || from < count; from += joseph->chunk) {
    const int now = count - from < joseph->chunk ? count - from : joseph->chunk;
#pragma omp for collapse(2) schedule(static)
    for (int n = 0; n < now; n++)
      for (int u = 0; u < nu; u++) {
        const size_t at = (size_t)views[from + n] * (size_t)nu + (size_t)u;
        fill_strip(joseph, &joseph->table[at], y + at * joseph->ray,
                   strips + ((size_t)n * (size_t)nu + (size_t)u) * strip);
      }
#pragma omp for collapse(2) schedule(dynamic, 1)
    for (int j = 0; j < grid->ny; j += tile_side)
      for (int i = 0; i < grid->nx; i += tile_side)
        do_tile(joseph, views + from, now, strips, from == 0, from + now >= count, i, j, x);
  }
}
