/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stack of slices that share the rays of a parallel beam, 16 side by side: image [bundle][y][x][16] and rays
 * [view][bundle][u][16] between zeros, one pixel and as many rays as the finest view has phases. Threads own views in
 * the projection, where a band of rows serves neighbouring views and two bundles while it lies in the first-level
 * cache, and tiles of pixels in the transpose. Each of a pixel's views (phases), and each of a ray's rows, is one step
 * of the same kernel. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include <string.h>

enum { lanes = CT_J2D_LANES, band = 16, together = 24, tile_width = 32, tile_height = 32 };

static int lesser(int a, int b) {
  return a < b ? a : b;
}

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

/* A share of the projection: views list[first] .. list[end - 1] (NULL: those numbers) of one or two bundles, and their
 * rays from .. to - 1. */
typedef struct share {
  const int *list;
  int first, end, bundle, bundles, from, to;
} share;

/* Rays t .. t + 15 of one view through rows [row, end) of the pencil, of the share's bundles. */
static void project_rays(const ct_j2d *j, const ct_j2d_pencil *p, int t, int row, int end, const share *s,
                         const float *x, float *y) {
  const ptrdiff_t pixel = lanes, line = (ptrdiff_t)j->pitch * lanes;
  const ptrdiff_t along = p->transposed ? line : pixel, across = p->transposed ? pixel : line;
  const int count = p->count - t < lanes ? p->count - t : lanes;
  const float *from = x + (size_t)s->bundle * j->slice_image + pixel_place(j, 0, 0);
  ct_j2d_walk walks[CT_J2D_STEPS];
  int steps = 0;
  for (; row < end; row++) {
    const double at = p->p0 + p->pt * t + p->pj * row;
    if (at + p->pt * (count - 1) <= -1 || at >= p->along) continue;
    walks[steps++] = (ct_j2d_walk){from + row * across, along, at, p->pt, p->along, (float)p->length, 1};
  }
  if (!steps) return;
  float *rays = y + (size_t)p->view * j->view_rays + (size_t)s->bundle * j->slice_rays + (size_t)j->border * lanes +
                (ptrdiff_t)(p->first + p->step * t) * lanes;
  const ct_j2d_lanes to = {.count = count,
                           .bundles = s->bundles,
                           .from_bundle = (ptrdiff_t)j->slice_image,
                           .out = rays,
                           .out_lane = p->step * lanes,
                           .out_bundle = (ptrdiff_t)j->slice_rays};
  j->loops->slices->add(walks, steps, &to);
}

static const ct_j2d_pencil *pencil_of(const ct_j2d *j, const int *list, int n) {
  return j->pencils + (list ? list[n] : n);
}

static void project_share(const ct_j2d *j, const share *s, const float *x, float *y) {
  int rows = 0;
  for (int n = s->first; n < s->end; n++) {
    const ct_j2d_pencil *p = pencil_of(j, s->list, n);
    rows = p->rows > rows ? p->rows : rows;
  }
  for (int row = 0; row < rows; row += band)
    for (int t = s->from; t < s->to; t += lanes)
      for (int n = s->first; n < s->end; n++) {
        const ct_j2d_pencil *p = pencil_of(j, s->list, n);
        const int last = row + band < p->rows ? row + band : p->rows;
        project_rays(j, p, t, row, last, s, x, y);
      }
}

void ct_j2d_project_bundles(ct_j2d *j, int bundle, const int *blocks, int count, const float *x, float *y) {
  if (!blocks) count = j->views;
  /* views that are taken together, but work for every thread; few of them are shared ray by ray */
  const int fair = (count + j->threads - 1) / j->threads, chunk = fair < together ? fair : together;
  const int chunks = chunk ? (count + chunk - 1) / chunk : 0;
  const int first = bundle < 0 ? 0 : bundle, here = bundle < 0 ? j->bundles : 1, pairs = (here + 1) / 2;
  const int groups = (j->nu + lanes - 1) / lanes, wanted = 2 * j->threads;
  const int pieces = chunks * pairs >= wanted || !chunks ? 1 : (wanted + chunks * pairs - 1) / (chunks * pairs);
#pragma omp parallel num_threads(j->threads)
  {
#pragma omp for collapse(2) schedule(static)
    for (int n = 0; n < count; n++)
      for (int b = 0; b < here; b++)
        memset(y + (size_t)pencil_of(j, blocks, n)->view * j->view_rays + (size_t)(first + b) * j->slice_rays, 0,
               j->slice_rays * sizeof *y);
#pragma omp for collapse(3) schedule(dynamic, 1)
    for (int n = 0; n < chunks; n++)
      for (int pair = 0; pair < pairs; pair++)
        for (int piece = 0; piece < pieces; piece++) {
          const share s = {.list = blocks,
                           .first = n * chunk,
                           .end = (n + 1) * chunk < count ? (n + 1) * chunk : count,
                           .bundle = first + 2 * pair,
                           .bundles = here - 2 * pair > 1 ? 2 : 1,
                           .from = groups * piece / pieces * lanes,
                           .to = piece + 1 < pieces ? groups * (piece + 1) / pieces * lanes : j->nu};
          project_share(j, &s, x, y);
        }
  }
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

/* Where a tile of pixels from (column, row) on is added to. */
typedef struct place_of {
  int column, row, bundle, bundles;
  float *to;
  size_t line, apart; /* floats from row to row, from bundle to bundle */
} place_of;

/* Adds listed pencils [first, end) to a row of up to 16 pixels. */
static void back_row(const ct_j2d *j, int first, int end, int column, int row, int count, const float *y,
                     const place_of *out) {
  const ct_j2d_lanes to = {.count = count,
                           .bundles = out->bundles,
                           .from_bundle = (ptrdiff_t)j->slice_rays,
                           .out =
                               out->to + (size_t)(row - out->row) * out->line + (size_t)(column - out->column) * lanes,
                           .out_lane = lanes,
                           .out_bundle = (ptrdiff_t)out->apart};
  ct_j2d_walk walks[CT_J2D_STEPS];
  int steps = 0;
  for (int n = first; n < end; n++) {
    const ct_j2d_pencil *p = j->pencils + j->listed[n];
    for (int phase = 0; phase < p->phases; phase++) {
      walks[steps] = look(j, p, phase, column, row, out->bundle, y);
      steps += sees(walks + steps);
      if (steps < CT_J2D_STEPS) continue;
      j->loops->slices->add(walks, steps, &to);
      steps = 0;
    }
  }
  if (steps) j->loops->slices->add(walks, steps, &to);
}

/* A few views at a time, for all of the tile, which ends at (right, bottom). */
static void back_tile(const ct_j2d *j, int right, int bottom, const float *y, const place_of *out) {
  for (int n = out->row; n < bottom; n++)
    for (int b = 0; b < out->bundles; b++)
      memset(out->to + (size_t)b * out->apart + (size_t)(n - out->row) * out->line, 0,
             (size_t)(right - out->column) * lanes * sizeof *y);
  for (int first = 0, end; first < j->listed_count; first = end) {
    end = lesser(first + CT_J2D_STEPS, j->listed_count);
    for (int n = out->row; n < bottom; n++)
      for (int i = out->column; i < right; i += lanes)
        back_row(j, first, end, i, n, right - i < lanes ? right - i : lanes, y, out);
  }
}

/* The zeros around the image: solvers may hand over any memory. */
static void clear_border(const ct_j2d *j, float *bundle) {
  const size_t line = j->pitch * lanes, image = (size_t)j->nx * lanes;
  memset(bundle, 0, (line + lanes) * sizeof *bundle);
  for (int row = 0; row < j->ny; row++) memset(bundle + pixel_place(j, j->nx, row), 0, (line - image) * sizeof *bundle);
  memset(bundle + pixel_place(j, 0, j->ny), 0, line * sizeof *bundle);
}

static void list_views(ct_j2d *j, const int *blocks, int count) {
  if (blocks) ct_j2d_want(j, blocks, count);
  j->listed_count = 0;
  for (int n = 0; n < j->count; n++)
    if (!blocks || j->wanted[j->pencils[n].view]) j->listed[j->listed_count++] = n;
}

void ct_j2d_back_project_bundles(ct_j2d *j, const int *blocks, int count, const float *y, float *x) {
  const int across = (j->nx + tile_width - 1) / tile_width, down = (j->ny + tile_height - 1) / tile_height;
  const int pairs = (j->bundles + 1) / 2, tiles = across * down;
  list_views(j, blocks, count);
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads)
  for (int n = 0; n < tiles * pairs; n++) {
    const int column = n % tiles % across * tile_width, row = n % tiles / across * tile_height, bundle = n / tiles * 2;
    const place_of out = {.column = column,
                          .row = row,
                          .bundle = bundle,
                          .bundles = lesser(j->bundles - bundle, 2),
                          .to = x + (size_t)bundle * j->slice_image + pixel_place(j, column, row),
                          .line = j->pitch * lanes,
                          .apart = j->slice_image};
    back_tile(j, lesser(column + tile_width, j->nx), lesser(row + tile_height, j->ny), y, &out);
  }
  for (int bundle = 0; bundle < j->bundles; bundle++) clear_border(j, x + (size_t)bundle * j->slice_image);
}

/* Row by row, so that what the caller has of the same pixels is read in order. */
void ct_j2d_hand_bundle(ct_j2d *j, int bundle, const int *blocks, int count, const float *y, ct_projector_take *take,
                        void *user) {
  enum { width = 128 };
  list_views(j, blocks, count);
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int row = 0; row < j->ny; row++)
    for (int column = 0; column < j->nx; column += width) {
      float pixels[width * lanes] __attribute__((aligned(64)));
      const int right = lesser(column + width, j->nx);
      const place_of out = {.column = column, .row = row, .bundle = bundle, .bundles = 1, .to = pixels};
      back_tile(j, right, row + 1, y, &out);
      take(user, (size_t)bundle * j->slice_image + pixel_place(j, column, row), (size_t)(right - column) * lanes,
           pixels);
    }
}
