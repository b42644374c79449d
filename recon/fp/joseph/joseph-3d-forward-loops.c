/* SPDX-License-Identifier: GPL-3.0-or-later */
/* y = A x along z: of four planes at a time both voxel columns beside a line are blended into a strip that stays in the
 * first-level cache; then every W rays of the detector column read their slices in it through windows. The length
 * between planes, one factor per ray, comes last. Tiles of 16 x 16 voxel columns are passed by several views each, so
 * that the image is read from memory once for all of them. */
#include "recon/fp/joseph/joseph-3d-strips.h"

#include <omp.h>
#include <string.h>

/* most: views that pass a tile together. */
enum { sources = CT_JOSEPH_SOURCES, most = 8 };

typedef struct task {
  const ct_joseph *joseph;
  const int *views;
  int count;
  int first, end; /* columns u */
  const float *x;
  float *y;
  float *strips; /* [sources], this thread's */
} task;

typedef struct reach {
  int first, end;           /* groups of W rays that meet the volume */
  int slice_from, slice_to; /* vectors of slices that they touch */
} reach;

/* Of planes first and last, between which everything is monotonous. */
CT_INLINE reach find_reach(const ct_joseph *joseph, const meets *at, int first, int last) {
  const double slices = joseph->slices.longest, rows = joseph->rows.longest;
  const double a = (-1 - at->shift[first]) / at->slope[first], b = (-1 - at->shift[last]) / at->slope[last];
  const double c = (slices - at->shift[first]) / at->slope[first], d = (slices - at->shift[last]) / at->slope[last];
  const double low = greater(lesser(a, b), 0), high = lesser(greater(c, d), rows - 1);
  reach r = {0};
  if (!(low <= high)) return r;
  r.first = (int)(low / W), r.end = (int)(high / W) + 1;
  const double from = lesser(at->shift[first], at->shift[last]);
  const double to = greater(at->shift[first] + at->slope[first] * rows, at->shift[last] + at->slope[last] * rows) + 1;
  r.slice_from = from > 0 ? (int)(from / W) : 0;
  r.slice_to = to < slices ? (int)(to / W) + 1 : ((int)slices + W - 1) / W;
  return r;
}

/* One plane's two voxel columns into a strip, with what the other half contributes beyond the mirror. */
CT_INLINE void blend(int halves, const ct_joseph *joseph, const float *x, const meets *at, int n, const reach *r,
                     float *strip) {
  const size_t stride = (size_t)joseph->slices.stride, half = ct_joseph_strip_half(&joseph->slices);
  const float *near = x + at->column0[n], *far = x + at->column1[n];
  const vf weight0 = vset(at->weight0[n]), weight1 = vset(at->weight1[n]);
  for (int h = 0; h < halves; h++) {
    float *out = strip + CT_JOSEPH_PAD + (size_t)h * half;
    const float *from0 = near + (size_t)h * stride, *from1 = far + (size_t)h * stride;
    for (int l = r->slice_from; l < r->slice_to; l++)
      vstore(out + l * W, vfma(weight1, vload(from1 + l * W), weight0 * vload(from0 + l * W)));
  }
  if (halves == 1 || r->slice_from > 0) return;
  float *upper = strip + CT_JOSEPH_PAD, *lower = upper + half;
  const vf first0 = weight0 * vload(near), first1 = weight0 * vload(near + stride);
  const float top = vfma(weight1, vload(far), first0)[0], bottom = vfma(weight1, vload(far + stride), first1)[0];
  if (joseph->slices.centred)
    lower[0] = top;
  else
    vstore(upper - W, vset(bottom)), vstore(lower - W, vset(top));
}

#if W == 8
/* The same into a split strip. */
CT_INLINE void blend_split(int halves, const ct_joseph *joseph, const float *x, const meets *at, int n, const reach *r,
                           float *strip) {
  const size_t stride = (size_t)joseph->slices.stride, half = ct_joseph_strip_half(&joseph->slices);
  const float *near = x + at->column0[n], *far = x + at->column1[n];
  const vf weight0 = vset(at->weight0[n]), weight1 = vset(at->weight1[n]);
  for (int h = 0; h < halves; h++) {
    float *even = strip + split_pad + (size_t)h * half, *odd = even + half / 2;
    const float *from0 = near + (size_t)h * stride, *from1 = far + (size_t)h * stride;
    for (int l = r->slice_from & ~1; l < r->slice_to; l += 2) {
      const vf a = vfma(weight1, vload(from1 + l * W), weight0 * vload(from0 + l * W));
      const vf b = vfma(weight1, vload(from1 + (l + 1) * W), weight0 * vload(from0 + (l + 1) * W));
      vf evens, odds;
      split_pair(a, b, &evens, &odds);
      vstore(even + l * (W / 2), evens);
      vstore(odd + l * (W / 2), odds);
    }
  }
  if (halves == 1 || r->slice_from > 1) return;
  float *upper = strip + split_pad, *lower = upper + half;
  if (joseph->slices.centred)
    lower[0] = upper[0];
  else
    vstore(upper + half / 2 - W, vset(lower[0])), vstore(lower + half / 2 - W, vset(upper[0]));
}
#endif

/* Where slices per row are beyond all windows: ray by ray. */
static void read_strip_plainly(const ct_joseph *joseph, const float *strip, const meets *at, int n, const reach *r,
                               float *y) {
  const size_t half = ct_joseph_strip_half(&joseph->slices);
  for (int row = r->first * W; row < r->end * W && row < joseph->rows.longest; row++) {
    const double slice = at->shift[n] + row * at->slope[n];
    if (!(slice > -1 && slice < joseph->slices.longest)) continue;
    const int whole = (int)(slice + 1) - 1;
    const float fraction = (float)(slice - whole);
    for (int h = 0; h < joseph->slices.halves; h++) {
      const float *from = strip + (size_t)h * half + CT_JOSEPH_PAD + whole;
      y[row + h * joseph->rows.stride] += from[0] + fraction * (from[1] - from[0]);
    }
  }
}

/* What is known of all planes of a tile that a ray meets. */
typedef struct passing {
  meets at;
  reach r;
  int first, end; /* planes */
  int windows;
  float *y; /* the detector column */
} passing;

/* Adds `count` planes from n on to a detector column, and fetches what the next ray reads anew in them. */
CT_INLINE void add_planes(int count, int halves, const task *t, const passing *p, const passing *next, int n) {
  const ct_joseph *joseph = t->joseph;
  const meets *at = &p->at;
  const size_t half = ct_joseph_strip_half(&joseph->slices), strip = ct_joseph_strip(&joseph->slices);
  const size_t stride = (size_t)joseph->slices.stride;
  const float *fetch[sources];
  for (int s = 0; s < count; s++) {
    const ptrdiff_t near = next->at.column0[n + s], far = next->at.column1[n + s];
    fetch[s] = t->x + (near == at->column1[n + s] ? far : near);
#if W == 8
    if (joseph->split_slices) {
      blend_split(halves, joseph, t->x, at, n + s, &p->r, t->strips + (size_t)s * strip);
      continue;
    }
#endif
    blend(halves, joseph, t->x, at, n + s, &p->r, t->strips + (size_t)s * strip);
  }
  const reading r = {.strips = t->strips,
                     .strip = strip,
                     .half = half,
                     .first = at->shift + n,
                     .step = at->slope + n,
                     .high = joseph->slices.stride,
                     .from = p->r.first,
                     .to = p->r.end,
                     .out = p->y,
                     .half_out = (size_t)joseph->rows.stride,
                     .fetch = fetch,
                     .half_fetch = stride};
#if W == 8
  if (joseph->split_slices) {
    read_split(count, halves, &r);
    return;
  }
#endif
  if (p->windows == 1)
    read_strips(count, halves, 1, &r);
  else if (p->windows == 2)
    read_strips(count, halves, 2, &r);
  else if (p->windows == 4)
    read_strips(count, halves, 4, &r);
  else
    for (int s = 0; s < count; s++) read_strip_plainly(joseph, t->strips + (size_t)s * strip, at, n + s, &p->r, p->y);
}

static void add_halves(const task *t, const passing *p, const passing *next) {
  int n = p->first;
  for (; n + sources <= p->end; n += sources) add_planes(sources, 2, t, p, next, n);
  for (; n < p->end; n++) add_planes(1, 2, t, p, next, n);
}

static void add_whole(const task *t, const passing *p, const passing *next) {
  int n = p->first;
  for (; n + sources <= p->end; n += sources) add_planes(sources, 1, t, p, next, n);
  for (; n < p->end; n++) add_planes(1, 1, t, p, next, n);
}

static void add_passing(const task *t, const passing *p, const passing *next) {
  if (t->joseph->slices.halves == 2)
    add_halves(t, p, next);
  else
    add_whole(t, p, next);
}

static bool find_passing(const ct_joseph *joseph, const ct_joseph_ray *ray, int plane, int planes, int across,
                         passing *p) {
  const int last = plane + tile_side < planes ? plane + tile_side : planes;
  p->first = ray->first > plane ? ray->first - plane : 0;
  p->end = (ray->end < last ? ray->end : last) - plane;
  if (p->first >= p->end) return false;
  find_meets(joseph, ray, plane, 0, across, &p->at);
  p->r = find_reach(joseph, &p->at, p->first, p->end - 1);
  p->windows = windows_for(greater(p->at.slope[p->first], p->at.slope[p->end - 1]), 1);
  return p->r.first < p->r.end;
}

/* The rays of a view that are nearer to one axis and pass the tile's middle plane within it. */
static void add_view(const task *t, int view, int axis, int plane, int minor) {
  const ct_joseph *joseph = t->joseph;
  const ct_grid *grid = &joseph->request.grid;
  const int planes = axis ? grid->ny : grid->nx, across = axis ? grid->nx : grid->ny;
  const double *m = joseph->matrices[view], middle = plane + (tile_side - 1) / 2.0;
  /* Beyond the grid's border, rays that enter the slab beside its middle. */
  const double low = minor == 0 ? -1 - tile_side : minor,
               high = minor + tile_side >= across ? across + tile_side : minor + tile_side;
  double least = INFINITY, greatest = -INFINITY;
  between(m, axis ? low : middle, axis ? middle : low, &least, &greatest);
  between(m, axis ? high : middle, axis ? middle : high, &least, &greatest);
  int first = t->first, end = t->end;
  clip_columns(least, greatest, &first, &end);
  const size_t nu = (size_t)joseph->request.geometry->nu;
  /* A ray is passed when the next one is known, whose voxel columns can then be fetched meanwhile. */
  passing two[2];
  int known = 0, now = 0;
  for (int u = first; u < end; u++) {
    const ct_joseph_ray *ray = &joseph->table[(size_t)view * nu + (size_t)u];
    const double at = ray->minor + middle * ray->minor_step;
    if (ray->axis != axis || !(at >= low && at < high)) continue;
    passing *p = &two[now ^ known];
    if (!find_passing(joseph, ray, plane, planes, across, p)) continue;
    p->y = t->y + ((size_t)view * nu + (size_t)u) * joseph->ray;
    if (known) add_passing(t, &two[now], p), now ^= 1;
    known = 1;
  }
  if (known) add_passing(t, &two[now], &two[now]);
}

/* Times the way from plane to plane. */
static void finish_ray(const ct_joseph *joseph, const ct_joseph_ray *ray, float *y) {
  const float dz = (float)joseph->request.grid.dz, flat = (float)ray->flat, slope = (float)ray->slope_step * dz,
              shift = (float)ray->shift_step * dz;
  for (int h = 0; h < joseph->rows.halves; h++)
#pragma omp simd
    for (int n = 0; n < joseph->rows.stride; n++) {
      const float rise = shift + (float)n * slope;
      y[h * joseph->rows.stride + n] *= sqrtf(flat + rise * rise);
    }
  ct_joseph_clear_padding(&joseph->rows, y);
}

static void project(const task *t) {
  const ct_joseph *joseph = t->joseph;
  const ct_grid *grid = &joseph->request.grid;
  const size_t nu = (size_t)joseph->request.geometry->nu;
  for (int n = 0; n < t->count; n++)
    memset(t->y + ((size_t)t->views[n] * nu + (size_t)t->first) * joseph->ray, 0,
           (size_t)(t->end - t->first) * joseph->ray * sizeof(float));
  for (int y = 0; y < grid->ny; y += tile_side)
    for (int x = 0; x < grid->nx; x += tile_side)
      for (int n = 0; n < t->count; n++) {
        add_view(t, t->views[n], 0, x, y);
        add_view(t, t->views[n], 1, y, x);
      }
  for (int n = 0; n < t->count; n++)
    for (int u = t->first; u < t->end; u++) {
      const size_t at = (size_t)t->views[n] * nu + (size_t)u;
      finish_ray(joseph, &joseph->table[at], t->y + at * joseph->ray);
    }
}

static void forward(const ct_joseph *joseph, const int *views, int count, const float *x, float *y) {
  const int threads = joseph->request.threads, nu = joseph->request.geometry->nu;
  if (!views) views = joseph->views, count = joseph->request.geometry->views;
  /* Some tasks for each thread, of many views rather than of many columns. */
  const int wanted = 4 * threads, fair = count / wanted, together = fair < 1 ? 1 : fair < most ? fair : most;
  const int sets = (count + together - 1) / together, pieces = sets >= wanted ? 1 : (wanted + sets - 1) / sets;
  const int columns = (nu + pieces - 1) / pieces;
  const size_t strip = ct_joseph_strip(&joseph->slices) * sources;
#pragma omp parallel for collapse(2) schedule(dynamic, 1) num_threads(threads)
  for (int set = 0; set < sets; set++)
    for (int piece = 0; piece < pieces; piece++) {
      const int from = set * together, first = piece * columns;
      if (first >= nu) continue;
      const task t = {.joseph = joseph,
                      .views = views + from,
                      .count = count - from < together ? count - from : together,
                      .first = first,
                      .end = first + columns < nu ? first + columns : nu,
                      .x = x,
                      .y = y,
                      .strips = joseph->strips + (size_t)omp_get_thread_num() * strip};
      project(&t);
    }
}

const ct_joseph_product CT_SIMD_TABLE(ct_joseph_forward) = {.run = forward};
