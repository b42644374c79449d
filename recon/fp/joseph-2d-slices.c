/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stack of slices that share the rays of a parallel beam, 16 side by side: image [bundle][y][x][16] and rays
 * [view][bundle][u][16] between zeros, one pixel and as many rays as the finest view has phases. Threads own views in
 * the projection, where a band of rows serves neighbouring views and two bundles while it lies in the first cache, and
 * tiles of pixels in the transpose. Each of a pixel's views (phases), and each of a ray's rows, is one step of the same
 * kernel. */
#include "recon/fp/joseph-2d-private.h"

#include <string.h>

enum { lanes = CT_J2D_LANES, band = 16, together = 24, tile_width = 32, tile_height = 32 };

static size_t pixel_place(const ct_j2d *j, int column, int row) {
  return ((size_t)(row + 1) * j->pitch + (size_t)(column + 1)) * lanes;
}

/* At least so many samples, and a pitch of cache lines that puts neighbouring rows into different sets. */
static size_t spread(size_t samples, size_t pitch) {
  const size_t sets = 64;
  return samples < sets ? samples : samples + (pitch + sets - samples % sets) % sets;
}

void ct_j2d_bundle_layouts(ct_j2d *j) {
  j->bundles = (j->slices + lanes - 1) / lanes;
  j->border = 1;
  for (int n = 0; n < j->count; n++)
    if (j->pencils[n].phases > j->border) j->border = j->pencils[n].phases;
  j->pitch = spread((size_t)j->nx + 1, 27);
  j->slice_image = pixel_place(j, 0, j->ny + 1);
  j->slice_rays = spread((size_t)j->nu + 2 * (size_t)j->border, 35) * lanes;
  j->view_rays = j->slice_rays * (size_t)j->bundles;
}

/* Rows of samples: (view, u) or (y, x). */
static float *row_of(const ct_j2d *j, float *own, int bundle, int row, bool rays) {
  return rays ? own + (size_t)row * j->view_rays + (size_t)bundle * j->slice_rays + (size_t)j->border * lanes
              : own + (size_t)bundle * j->slice_image + pixel_place(j, 0, row);
}

static size_t natural_place(const ct_j2d *j, int slice, int row, bool rays) {
  return rays ? ((size_t)row * (size_t)j->slices + (size_t)slice) * (size_t)j->nu
              : ((size_t)slice * (size_t)j->ny + (size_t)row) * (size_t)j->nx;
}

void ct_j2d_bundles_in(const ct_j2d *j, const float *natural, float *own, bool rays) {
  const int rows = rays ? j->views : j->ny, count = rays ? j->nu : j->nx;
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int row = 0; row < rows; row++)
    for (int slice = 0; slice < j->slices; slice++) {
      const float *from = natural + natural_place(j, slice, row, rays);
      float *to = row_of(j, own, slice / lanes, row, rays) + slice % lanes;
      for (int n = 0; n < count; n++) to[n * lanes] = from[n];
    }
}

void ct_j2d_bundles_out(const ct_j2d *j, const float *own, float *natural, bool rays) {
  const int rows = rays ? j->views : j->ny, count = rays ? j->nu : j->nx;
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int row = 0; row < rows; row++)
    for (int slice = 0; slice < j->slices; slice++) {
      const float *from = row_of(j, (float *)own, slice / lanes, row, rays) + slice % lanes;
      float *to = natural + natural_place(j, slice, row, rays);
      for (int n = 0; n < count; n++) to[n] = from[n * lanes];
    }
}

/* Rays t .. t + 15 of one view through rows [row, end) of the pencil. */
static void project_rays(const ct_j2d *j, const ct_j2d_pencil *p, int t, int row, int end, int bundle, int bundles,
                         const float *x, float *y) {
  const ptrdiff_t pixel = lanes, line = (ptrdiff_t)j->pitch * lanes;
  const ptrdiff_t along = p->transposed ? line : pixel, across = p->transposed ? pixel : line;
  const int count = p->count - t < lanes ? p->count - t : lanes;
  const float *from = x + (size_t)bundle * j->slice_image + pixel_place(j, 0, 0);
  ct_j2d_walk walks[CT_J2D_STEPS];
  int steps = 0;
  for (; row < end; row++) {
    const double at = p->p0 + p->pt * t + p->pj * row;
    if (at + p->pt * (count - 1) <= -1 || at >= p->along) continue;
    walks[steps++] = (ct_j2d_walk){from + row * across, along, at, p->pt, p->along, (float)p->length, 1};
  }
  if (!steps) return;
  float *rays = y + (size_t)p->view * j->view_rays + (size_t)bundle * j->slice_rays + (size_t)j->border * lanes +
                (ptrdiff_t)(p->first + p->step * t) * lanes;
  j->kernels->slices(walks, steps, bundles, (ptrdiff_t)j->slice_image, count, rays, p->step * lanes,
                     (ptrdiff_t)j->slice_rays);
}

/* `list`: views, NULL: all. */
static void project_views(const ct_j2d *j, const int *list, int first, int end, const float *x, float *y) {
  int rows = 0;
  for (int n = first; n < end; n++) {
    const ct_j2d_pencil *p = j->pencils + (list ? list[n] : n);
    memset(y + (size_t)p->view * j->view_rays, 0, j->view_rays * sizeof *y);
    rows = p->rows > rows ? p->rows : rows;
  }
  for (int bundle = 0; bundle < j->bundles; bundle += 2)
    for (int row = 0; row < rows; row += band)
      for (int t = 0; t < j->nu; t += lanes)
        for (int n = first; n < end; n++) {
          const ct_j2d_pencil *p = j->pencils + (list ? list[n] : n);
          const int last = row + band < p->rows ? row + band : p->rows;
          project_rays(j, p, t, row, last, bundle, j->bundles - bundle > 1 ? 2 : 1, x, y);
        }
}

void ct_j2d_project_bundles(ct_j2d *j, const int *blocks, int count, const float *x, float *y) {
  if (!blocks) count = j->views;
  /* views that are taken together, but work for every thread */
  const int share = (count + j->threads - 1) / j->threads, chunk = share < together ? share : together;
  const int chunks = chunk ? (count + chunk - 1) / chunk : 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads)
  for (int n = 0; n < chunks; n++)
    project_views(j, blocks, n * chunk, (n + 1) * chunk < count ? (n + 1) * chunk : count, x, y);
}

/* A view, or one of its phases, from 16 pixels of a row. */
static ct_j2d_walk look(const ct_j2d *j, const ct_j2d_pencil *p, int phase, int column, int row, int bundle,
                        const float *y) {
  const double per = 1.0 / p->phases;
  const float *rays = y + (size_t)p->view * j->view_rays + (size_t)bundle * j->slice_rays + (size_t)j->border * lanes;
  return (ct_j2d_walk){.from = rays + (ptrdiff_t)(p->first + p->step * phase) * lanes,
                       .stride = (ptrdiff_t)p->step * p->phases * lanes,
                       .at = (p->c0 - phase + p->ci * column + p->cj * row) * per,
                       .slope = p->ci * per,
                       .count = (p->count - phase + p->phases - 1) / p->phases,
                       .scale = (float)p->length,
                       .reach = (float)(p->pt * p->phases)};
}

static bool sees(const ct_j2d_walk *walk) {
  const double first = walk->at, last = first + walk->slope * (lanes - 1);
  return (first > -1 || last > -1) && (first < walk->count || last < walk->count);
}

/* Adds pencils [first, end) to a row of up to 16 pixels. */
static void back_row(const ct_j2d *j, int first, int end, int column, int row, int count, int bundle, const float *y,
                     float *x) {
  const int bundles = j->bundles - bundle > 1 ? 2 : 1;
  float *pixels = x + (size_t)bundle * j->slice_image + pixel_place(j, column, row);
  ct_j2d_walk walks[CT_J2D_STEPS];
  int steps = 0;
  for (int n = first; n < end; n++) {
    const ct_j2d_pencil *p = j->pencils + n;
    for (int phase = 0; j->wanted[p->view] && phase < p->phases; phase++) {
      walks[steps] = look(j, p, phase, column, row, bundle, y);
      steps += sees(walks + steps);
      if (steps < CT_J2D_STEPS) continue;
      j->kernels->slices(walks, steps, bundles, (ptrdiff_t)j->slice_rays, count, pixels, lanes,
                         (ptrdiff_t)j->slice_image);
      steps = 0;
    }
  }
  if (steps)
    j->kernels->slices(walks, steps, bundles, (ptrdiff_t)j->slice_rays, count, pixels, lanes,
                       (ptrdiff_t)j->slice_image);
}

/* A few views at a time, for all of the tile. */
static void back_tile(const ct_j2d *j, int column, int row, int bundle, const float *y, float *x) {
  const int right = column + tile_width < j->nx ? column + tile_width : j->nx;
  const int bottom = row + tile_height < j->ny ? row + tile_height : j->ny;
  for (int n = row; n < bottom; n++)
    for (int b = bundle; b < bundle + 2 && b < j->bundles; b++)
      memset(x + (size_t)b * j->slice_image + pixel_place(j, column, n), 0,
             (size_t)(right - column) * lanes * sizeof *x);
  for (int first = 0, end; first < j->count; first = end) {
    int looks = 0;
    for (end = first; end < j->count && looks < CT_J2D_STEPS; end++) looks += j->wanted[j->pencils[end].view];
    for (int n = row; n < bottom; n++)
      for (int i = column; i < right; i += lanes)
        back_row(j, first, end, i, n, right - i < lanes ? right - i : lanes, bundle, y, x);
  }
}

/* The zeros around the image: solvers may hand over any memory. */
static void clear_border(const ct_j2d *j, float *bundle) {
  const size_t line = j->pitch * lanes, image = (size_t)j->nx * lanes;
  memset(bundle, 0, (line + lanes) * sizeof *bundle);
  for (int row = 0; row < j->ny; row++) memset(bundle + pixel_place(j, j->nx, row), 0, (line - image) * sizeof *bundle);
  memset(bundle + pixel_place(j, 0, j->ny), 0, line * sizeof *bundle);
}

void ct_j2d_back_project_bundles(ct_j2d *j, const int *blocks, int count, const float *y, float *x) {
  const int across = (j->nx + tile_width - 1) / tile_width, down = (j->ny + tile_height - 1) / tile_height;
  const int pairs = (j->bundles + 1) / 2, tiles = across * down;
  if (blocks)
    ct_j2d_want(j, blocks, count);
  else
    for (int view = 0; view < j->views; view++) j->wanted[view] = true;
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads)
  for (int n = 0; n < tiles * pairs; n++)
    back_tile(j, n % tiles % across * tile_width, n % tiles / across * tile_height, n / tiles * 2, y, x);
  for (int bundle = 0; bundle < j->bundles; bundle++) clear_border(j, x + (size_t)bundle * j->slice_image);
}
