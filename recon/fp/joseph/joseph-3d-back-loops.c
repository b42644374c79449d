/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x = A^T y along z, the exact transpose. Detector columns are first weighted by the length between planes, with zeros
 * (and what lies beyond the mirror) about them. Then each thread owns tiles of 16 x 16 voxel columns and passes all
 * rays that meet them: for every plane a slice k collects the rows r whose place |shift + r slope - k| < 1, weighted by
 * what is left to 1. These are `taps` neighbours, of which the first is read through windows as in the projection; the
 * sum goes to both voxel columns beside the line. */
#include "recon/fp/joseph/joseph-3d-strips.h"

#include <string.h>

/* Taps as many as rows can lie within two slices. Where there are two or three, their weights need no absolute values.
 */
enum { any_taps = 0 };

typedef struct tile {
  int i, j, i_end, j_end;
} tile;

/* A detector column times the way from plane to plane, into a strip. */
static void fill_strip(const ct_joseph *joseph, const ct_joseph_ray *ray, const float *y, float *strip) {
  const double dz = joseph->request.grid.dz;
  ct_joseph_fill_strip(joseph, (float)ray->flat, (float)(ray->shift_step * dz), (float)(ray->slope_step * dz), y,
                       strip);
}

/* A ray's passage through a tile. */
typedef struct pass {
  const ct_joseph *joseph;
  const float *strip;
  float *x;
  int from, to; /* vectors of slices */
  meets at;
  double rows_per_slice[tile_side];
} pass;

/* One plane: adds W slices at a time to the voxel columns. */
CT_INLINE void add_slices(int taps, int halves, int windows, const pass *p, int n, int count) {
  const ct_joseph *joseph = p->joseph;
  const meets *at = &p->at;
  const size_t half = ct_joseph_strip_half(&joseph->rows), stride = (size_t)joseph->slices.stride;
  const double rows_per_slice = p->rows_per_slice[n], begin = 1 - (1 + at->shift[n]) * rows_per_slice;
  const float slope = (float)at->slope[n];
  const float *strip = p->strip + CT_JOSEPH_PAD;
  const vf ramp = vset((float)rows_per_slice) * vlane(), step = vset(slope), two = vset(2);
  const vf weight0 = vset(at->weight0[n]), weight1 = vset(at->weight1[n]);
  const vf rest2 = vset(2 - 2 * slope), rest3 = vset(2 - 3 * slope), rest1 = vset(2 - slope);
  float *column0 = p->x + at->column0[n], *column1 = p->x + at->column1[n];
  for (int first = p->from; first < p->to; first += block) {
    const int groups = p->to - first < block ? p->to - first : block;
    places at_row;
    find_places(begin + first * W * rows_per_slice, rows_per_slice, -CT_JOSEPH_PAD, joseph->rows.stride, &at_row);
    for (int g = 0; g < groups; g++) {
      const vf position = ramp + vset(at_row.fraction[g]);
      const vi index = vtrunc(position);
      const vf fraction = position - vfloat(index);
      /* The first row lies `above` over slice k - 1, the next ones `slope` each beyond it. */
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
      const float *from = strip + at_row.start[g];
#pragma GCC unroll 2
      for (int h = 0; h < halves; h++) {
        vf table[4];
        load_window(windows, from + (size_t)h * half, table);
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

#if W == 8
/* One plane from split strips. Rows lie slope apart, so that those within a slice are the nearest even and the nearest
 * odd one, where slope > 1, and else the two of each that are next to the slice (slope > 0.64). */
CT_INLINE void add_slices_split(bool four, int halves, const pass *p, int n) {
  const ct_joseph *joseph = p->joseph;
  const meets *at = &p->at;
  const size_t half = ct_joseph_strip_half(&joseph->rows), stride = (size_t)joseph->slices.stride;
  const double step = 0.5 * p->rows_per_slice[n], begin = -at->shift[n] * step;
  const vf ramp = vset((float)step) * vlane(), weight0 = vset(at->weight0[n]), weight1 = vset(at->weight1[n]);
  const vf slope = vset((float)at->slope[n]), twice = slope + slope, one = vset(1), zero = vset(0);
  const vf rest = one - slope, rest2 = one - twice;
  float *column0 = p->x + at->column0[n], *column1 = p->x + at->column1[n];
  for (int first = p->from; first < p->to; first += block) {
    const int groups = p->to - first < block ? p->to - first : block;
    places pairs;
    find_places(begin + first * W * step, step, -split_pad, joseph->rows.stride / 2, &pairs);
    for (int g = 0; g < groups; g++) {
      const vf pair = ramp + vset(pairs.fraction[g]);
      const vi q = vtrunc(pair), m = vtrunc(pair + vset(0.5f));
      const vf behind = pair - vfloat(q);
      const float *from = p->strip + split_pad + pairs.start[g];
      vf weight[4];
      if (four) {
        const vf behind_odd = pair + vset(0.5f) - vfloat(m);
        weight[0] = vmax(zero, one - twice * behind), weight[1] = vmax(zero, vfma(twice, behind, rest2));
        weight[2] = vmax(zero, one - twice * behind_odd), weight[3] = vmax(zero, vfma(twice, behind_odd, rest2));
      } else {
        const vf away = vabs(vfma(vset(2), behind, vset(-1)));
        weight[0] = vmax(zero, vfma(slope, away, rest)), weight[2] = vmax(zero, one - slope * away);
      }
#pragma GCC unroll 2
      for (int h = 0; h < halves; h++) {
        const float *half_from = from + (size_t)h * half;
        const vf even = vload(half_from), odd = vload(half_from + half / 2 - (four ? 1 : 0));
        vf sum;
        if (four) {
          sum = weight[0] * vlookup1(&even, q);
          sum = vfma(weight[1], vlookup1(&even, viadd(q, viset(1))), sum);
          sum = vfma(weight[2], vlookup1(&odd, m), sum);
          sum = vfma(weight[3], vlookup1(&odd, viadd(m, viset(1))), sum);
        } else {
          sum = vfma(weight[2], vlookup1(&odd, q), weight[0] * vlookup1(&even, m));
        }
        float *to0 = column0 + (size_t)h * stride + (first + g) * W,
              *to1 = column1 + (size_t)h * stride + (first + g) * W;
        vstore(to0, vfma(weight0, sum, vload(to0)));
        vstore(to1, vfma(weight1, sum, vload(to1)));
      }
    }
  }
}
#endif

/* A row of half h, or beyond the mirror. */
static float strip_row(const ct_joseph *joseph, const float *strip, int h, int row) {
  const size_t half = ct_joseph_strip_half(&joseph->rows);
  if (row < 0 && joseph->rows.halves == 2) h = 1 - h, row = -row - 1 + joseph->rows.centred;
  return row < 0 || row >= joseph->rows.stride ? 0 : strip[(size_t)h * half + CT_JOSEPH_PAD + (size_t)row];
}

/* Where rows per slice are beyond all windows: row by row. */
static void add_slice_plainly(const ct_joseph *joseph, const float *strip, const meets *at, int n, float *x) {
  const double slope = at->slope[n], shift = at->shift[n], rows = joseph->rows.longest;
  for (int k = 0; k < joseph->slices.longest; k++) {
    const double low = greater((k - 1 - shift) / slope, -rows), high = lesser((k + 1 - shift) / slope, rows);
    float sum[2] = {0, 0};
    for (int row = (int)ceil(low); row <= (int)floor(high); row++) {
      const float weight = (float)(1 - fabs(shift + row * slope - k));
      for (int h = 0; weight > 0 && h < joseph->slices.halves; h++) sum[h] += weight * strip_row(joseph, strip, h, row);
    }
    for (int h = 0; h < joseph->slices.halves; h++) {
      const ptrdiff_t to = h * joseph->slices.stride + k;
      x[at->column0[n] + to] += at->weight0[n] * sum[h];
      x[at->column1[n] + to] += at->weight1[n] * sum[h];
    }
  }
}

/* Slices that any row reaches, in vectors, over the planes first .. last; false: none. Rows that pass less than a slice
 * above the last one reach it, too. */
CT_INLINE bool find_slices(const ct_joseph *joseph, const meets *at, int first, int last, int *from, int *to) {
  const double rows = joseph->rows.longest - 1, slices = joseph->slices.longest - 1;
  const double low = greater(lesser(at->shift[first], at->shift[last]), 0);
  const double a = at->shift[first] + at->slope[first] * rows, b = at->shift[last] + at->slope[last] * rows;
  const double high = lesser(greater(a, b) + 1, slices);
  *from = (int)(low / W), *to = (int)(high / W) + 1;
  return high >= 0 && low < joseph->slices.longest;
}

/* One plane, by the loop that its slope asks for. */
CT_INLINE void add_plane(int halves, const pass *p, int n) {
  const double slope = p->at.slope[n], inverse = p->rows_per_slice[n];
#if W == 8
  if (p->joseph->split_rows) {
    if (slope > 1)
      add_slices_split(false, halves, p, n);
    else
      add_slices_split(true, halves, p, n);
    return;
  }
#endif
  if (slope > 1 && slope < 2) {
    if ((W - 1) * inverse + 1.001 < W - 1)
      add_slices(2, halves, 1, p, n, 2);
    else
      add_slices(2, halves, 2, p, n, 2);
  } else if (slope <= 1 && slope > 2.0 / 3) {
    add_slices(3, halves, 2, p, n, 3);
  } else {
    const int count = inverse < W ? (int)(2 * inverse) + 1 : 0, windows = count ? windows_for(inverse, count - 1) : 0;
    if (slope >= 2 || windows == 0)
      add_slice_plainly(p->joseph, p->strip, &p->at, n, p->x);
    else if (windows == 4)
      add_slices(any_taps, halves, 4, p, n, count);
    else
      add_slices(any_taps, halves, 2, p, n, count);
  }
}

static void add_planes_halves(const pass *p, int first, int end) {
  for (int n = first; n < end; n++) add_plane(2, p, n);
}

static void add_planes_whole(const pass *p, int first, int end) {
  for (int n = first; n < end; n++) add_plane(1, p, n);
}

static void add_ray(const ct_joseph *joseph, const ct_joseph_ray *ray, const float *strip, const tile *t, float *x) {
  const int plane = ray->axis ? t->j : t->i, planes_end = ray->axis ? t->j_end : t->i_end;
  const int low = ray->axis ? t->i : t->j, high = ray->axis ? t->i_end : t->j_end;
  int first = ray->first > plane ? ray->first - plane : 0,
      end = (ray->end < planes_end ? ray->end : planes_end) - plane;
  if (first >= end) return;
  pass p = {.joseph = joseph, .strip = strip, .x = x};
  find_meets(joseph, ray, plane, low, high, &p.at);
  while (first < end && p.at.weight0[first] == 0 && p.at.weight1[first] == 0) first++;
  while (first < end && p.at.weight0[end - 1] == 0 && p.at.weight1[end - 1] == 0) end--;
  if (first >= end || !find_slices(joseph, &p.at, first, end - 1, &p.from, &p.to)) return;
#pragma omp simd
  for (int n = 0; n < tile_side; n++) p.rows_per_slice[n] = 1 / p.at.slope[n];
  if (joseph->slices.halves == 2)
    add_planes_halves(&p, first, end);
  else
    add_planes_whole(&p, first, end);
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

/* Adds views to a tile. */
static void do_tile(const ct_joseph *joseph, const filled_views *filled, int i, int j, float *x) {
  const ct_grid *grid = &joseph->request.grid;
  const size_t view_strips = (size_t)joseph->request.geometry->nu * ct_joseph_strip(&joseph->rows);
  const tile t = {i, j, i + tile_side < grid->nx ? i + tile_side : grid->nx,
                  j + tile_side < grid->ny ? j + tile_side : grid->ny};
  /* The last tile of a row has the padding behind it. */
  const size_t width =
      t.i_end == grid->nx ? joseph->image_row - (size_t)i * joseph->column : (size_t)(t.i_end - i) * joseph->column;
  if (filled->begin)
    for (int y = j; y < t.j_end; y++)
      memset(x + (size_t)y * joseph->image_row + (size_t)i * joseph->column, 0, width * sizeof *x);
  for (int n = 0; n < filled->count; n++)
    add_view(joseph, filled->views[n], filled->strips + (size_t)n * view_strips, &t, x);
  if (filled->end)
    for (int y = j; y < t.j_end; y++)
      for (int column = i; column < t.i_end; column++)
        ct_joseph_clear_padding(&joseph->slices, x + (size_t)y * joseph->image_row + (size_t)column * joseph->column);
}

static void back(const ct_joseph *joseph, const int *views, int count, const float *y, float *x) {
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
    const filled_views ready = {views + from, now, strips, from == 0, from + now >= count};
#pragma omp for collapse(2) schedule(dynamic, 1)
    for (int j = 0; j < grid->ny; j += tile_side)
      for (int i = 0; i < grid->nx; i += tile_side) do_tile(joseph, &ready, i, j, x);
  }
}

const ct_joseph_product CT_SIMD_TABLE(ct_joseph_back) = {.run = back};
