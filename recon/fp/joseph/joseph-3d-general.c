/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joseph's projector in three dimensions for any detector: ray by ray, bilinear in every plane of voxels that it meets,
 * and the exact transpose. Images are [z][y][x] with a border of zeros one voxel wide, so that no sample needs a test;
 * rays natural. In the transpose each thread owns slabs of slices, and every voxel sums its rays in their order. */
#include "recon/fp/projectors-private.h"
#include "recon/fp/joseph/view-rays.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ct_projector_state {
  ct_projector_request request;
  ct_view_rays *table; /* [views] */
  int *views;          /* [views] 0, 1, 2, ... */
  size_t row, plane, image, rays;
  double seconds;
};

/* One ray: at plane n (x = n for axis 0, y = n for axis 1) it passes (minor, slice) + n (minor_step, slice_step). */
typedef struct line {
  int axis, first, end;
  double minor, minor_step, slice, slice_step;
  float length; /* mm from plane to plane */
} line;

/* Narrows [*low, *high] to where from + n step lies within least .. most. */
static void clip(double from, double step, double least, double most, double *low, double *high) {
  if (step == 0) {
    if (!(from > least && from < most)) *high = *low - 1;
    return;
  }
  const double a = (least - from) / step, b = (most - from) / step;
  *low = fmax(*low, fmin(a, b)), *high = fmin(*high, fmax(a, b));
}

static bool within(const line *l, int n, int across, double least, double most) {
  const double minor = l->minor + n * l->minor_step, slice = l->slice + n * l->slice_step;
  return minor > -1 && minor < across && slice > least && slice < most;
}

/* The ray's planes between slices least and most (exclusive); false where there are none. */
static bool find_line(const ct_projector_state *state, const ct_view_rays *rays, int u, int v, double least,
                      double most, line *l) {
  const ct_grid *grid = &state->request.grid;
  double point[3], direction[3];
  ct_view_rays_at(rays, u, v, point, direction);
  const int major = fabs(direction[0]) > fabs(direction[1]) ? 0 : 1, minor = 1 - major;
  const double sizes[2] = {grid->dx, grid->dy};
  const int counts[2] = {grid->nx, grid->ny};
  l->axis = major;
  l->minor_step = direction[minor] / direction[major], l->slice_step = direction[2] / direction[major];
  l->minor = point[minor] - point[major] * l->minor_step, l->slice = point[2] - point[major] * l->slice_step;
  const double across = l->minor_step * sizes[minor], up = l->slice_step * grid->dz;
  l->length = (float)sqrt(sizes[major] * sizes[major] + across * across + up * up);
  double low = 0, high = counts[major] - 1;
  clip(l->minor, l->minor_step, -1, counts[minor], &low, &high);
  clip(l->slice, l->slice_step, least, most, &low, &high);
  if (!(low <= high)) return false;
  l->first = (int)low, l->end = (int)high + 1;
  while (l->first < l->end && !within(l, l->first, counts[minor], least, most)) l->first++;
  while (l->first < l->end && !within(l, l->end - 1, counts[minor], least, most)) l->end--;
  return l->first < l->end;
}

static bool accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  const int some = ct_geometry_promises(request->geometry, CT_TRAIT_CIRCULAR) ? 1 : request->geometry->views;
  for (int view = 0; view < some; view++)
    if (!ct_view_rays_are_flat(request->geometry, &request->grid, view, error)) return false;
  if (!ct_projector_slices(request)) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "The detector's rows coincide with the volume's slices: other projectors serve such a stack.");
}

static double bytes_of(const ct_projector_request *request) {
  return (double)request->geometry->views * sizeof(ct_view_rays);
}

static double memory(const ct_projector *self, const ct_projector_request *request) {
  return bytes_of(request);
}

static void free_state(ct_projector_state *state) {
  if (!state) return;
  ct_free(state->table);
  ct_free(state->views);
  ct_free(state);
}

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  const double began = ct_now();
  const ct_geometry *g = request->geometry;
  const ct_grid *grid = &request->grid;
  size_t bytes;
  if (!ct_size_product(grid->nx + 2, grid->ny + 2, (int64_t)grid->nz + 2, sizeof(float), &bytes) ||
      !ct_size_product(g->nu, g->nv, g->views, sizeof(float), &bytes)) {
    ct_error_set(error, CT_ERROR_MEMORY, "The volume or the projections are too large for a projector.");
    return NULL;
  }
  ct_projector_state *state = ct_alloc_zero(1, sizeof *state, "the projector", error);
  if (!state) return NULL;
  state->request = *request;
  state->row = (size_t)grid->nx + 2;
  state->plane = state->row * ((size_t)grid->ny + 2);
  state->image = ct_projector_padded(state->plane * ((size_t)grid->nz + 2));
  state->rays = (size_t)g->nu * (size_t)g->nv * (size_t)g->views;
  state->table = ct_alloc((size_t)g->views, sizeof *state->table, "the views' rays", error);
  state->views = ct_alloc((size_t)g->views, sizeof *state->views, "the list of views", error);
  if (!state->table || !state->views) {
    free_state(state);
    return NULL;
  }
  for (int view = 0; view < g->views; view++) {
    state->views[view] = view;
    ct_view_rays_find(g, grid, view, &state->table[view]);
  }
  state->seconds = ct_now() - began;
  return state;
}

static void shape(const ct_projector_state *state, ct_projector_shape *shape) {
  *shape = (ct_projector_shape){.image = state->image,
                                .rays = ct_projector_padded(state->rays),
                                .blocks = state->request.geometry->views,
                                .bytes = bytes_of(&state->request),
                                .seconds = state->seconds};
}

static void block(const ct_projector_state *state, int index, ct_projector_block *block) {
  const size_t view = state->rays / (size_t)state->request.geometry->views;
  *block = (ct_projector_block){(size_t)index * view, view, state->views + index, 1};
}

/* Floats from an image's beginning to voxel (0, y, z). */
static size_t row_at(const ct_projector_state *state, int y, int z) {
  return (size_t)(z + 1) * state->plane + (size_t)(y + 1) * state->row + 1;
}

static void image_in(const ct_projector_state *state, const float *natural, float *own) {
  const ct_grid *grid = &state->request.grid;
  const size_t nx = (size_t)grid->nx;
  memset(own, 0, state->image * sizeof *own);
  for (int z = 0; z < grid->nz; z++)
    for (int y = 0; y < grid->ny; y++, natural += nx) memcpy(own + row_at(state, y, z), natural, nx * sizeof *own);
}

static void image_out(const ct_projector_state *state, const float *own, float *natural) {
  const ct_grid *grid = &state->request.grid;
  const size_t nx = (size_t)grid->nx;
  for (int z = 0; z < grid->nz; z++)
    for (int y = 0; y < grid->ny; y++, natural += nx) memcpy(natural, own + row_at(state, y, z), nx * sizeof *own);
}

static void rays_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_projector_copy_in(natural, state->rays, own);
}

static void rays_out(const ct_projector_state *state, const float *own, float *natural) {
  memcpy(natural, own, state->rays * sizeof *own);
}

/* The whole part of a place that lies below most + 1, where rounding may have put it: it would be taken for one of the
 * next slab, whose thread writes there, or beside the image. */
static int whole_part(double place, int most) {
  const int whole = (int)place;
  return whole < most ? whole : most;
}

static float integrate(const ct_projector_state *state, const line *l, const float *x) {
  const size_t ahead = l->axis ? state->row : 1, across = l->axis ? 1 : state->row, plane = state->plane;
  const float *corner = x + row_at(state, 0, 0) - across - plane;
  const int wide = l->axis ? state->request.grid.nx : state->request.grid.ny, slices = state->request.grid.nz;
  float sum = 0;
  for (int n = l->first; n < l->end; n++) {
    /* One more, so that cutting digits off is rounding down. */
    const double minor = l->minor + n * l->minor_step + 1, slice = l->slice + n * l->slice_step + 1;
    const int j = whole_part(minor, wide), k = whole_part(slice, slices);
    const float fj = (float)(minor - j), fk = (float)(slice - k);
    const float *at = corner + (size_t)n * ahead + (size_t)j * across + (size_t)k * plane;
    const float low = at[0] + fj * (at[across] - at[0]), high = at[plane] + fj * (at[plane + across] - at[plane]);
    sum += low + fk * (high - low);
  }
  return sum * l->length;
}

static bool forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                    ct_error **error) {
  const ct_geometry *g = state->request.geometry;
  const double slices = state->request.grid.nz;
  if (!blocks) blocks = state->views, count = g->views;
#pragma omp parallel for collapse(2) schedule(dynamic, 8) num_threads(state->request.threads)
  for (int n = 0; n < count; n++)
    for (int v = 0; v < g->nv; v++) {
      float *out = y + ((size_t)blocks[n] * (size_t)g->nv + (size_t)v) * (size_t)g->nu;
      for (int u = 0; u < g->nu; u++) {
        line l;
        out[u] = find_line(state, &state->table[blocks[n]], u, v, -1, slices, &l) ? integrate(state, &l, x) : 0;
      }
    }
  return true;
}

/* Sum of the squares of the two weights between samples `low` and low + 1 of `count`, `f` of the way. */
static double squares_between(int low, double f, int count) {
  return (low >= 0 && low < count ? (1 - f) * (1 - f) : 0) + (low + 1 < count ? f * f : 0);
}

static float square(const ct_projector_state *state, const line *l) {
  const ct_grid *grid = &state->request.grid;
  const int across = l->axis ? grid->nx : grid->ny;
  double sum = 0;
  for (int n = l->first; n < l->end; n++) {
    const double minor = l->minor + n * l->minor_step + 1, slice = l->slice + n * l->slice_step + 1;
    const int j = (int)minor, k = (int)slice;
    sum += squares_between(j - 1, minor - j, across) * squares_between(k - 1, slice - k, grid->nz);
  }
  return (float)((double)l->length * (double)l->length * sum);
}

static bool row_squares(ct_projector_state *state, float *y, ct_error **error) {
  const ct_geometry *g = state->request.geometry;
  memset(y + state->rays, 0, (ct_projector_padded(state->rays) - state->rays) * sizeof *y);
#pragma omp parallel for collapse(2) schedule(dynamic, 8) num_threads(state->request.threads)
  for (int view = 0; view < g->views; view++)
    for (int v = 0; v < g->nv; v++) {
      float *out = y + ((size_t)view * (size_t)g->nv + (size_t)v) * (size_t)g->nu;
      for (int u = 0; u < g->nu; u++) {
        line l;
        out[u] = find_line(state, &state->table[view], u, v, -1, state->request.grid.nz, &l) ? square(state, &l) : 0;
      }
    }
  return true;
}

/* Slices from .. end - 1 alone. */
static void spread(const ct_projector_state *state, const line *l, float value, int from, int end, float *x) {
  const size_t ahead = l->axis ? state->row : 1, across = l->axis ? 1 : state->row, plane = state->plane;
  float *corner = x + row_at(state, 0, 0) - across - plane;
  const int wide = l->axis ? state->request.grid.nx : state->request.grid.ny;
  value *= l->length;
  for (int n = l->first; n < l->end; n++) {
    const double minor = l->minor + n * l->minor_step + 1, slice = l->slice + n * l->slice_step + 1;
    const int j = whole_part(minor, wide), k = whole_part(slice, end);
    const float fj = (float)(minor - j), high = value * (float)(slice - k), low = value - high;
    float *at = corner + (size_t)n * ahead + (size_t)j * across + (size_t)k * plane;
    if (k > from) at[0] += low - fj * low, at[across] += fj * low;
    if (k < end) at[plane] += high - fj * high, at[plane + across] += fj * high;
  }
}

/* Rows of a view that see slices from - 1 .. end. */
static void find_rows(const ct_projector_state *state, const double m[12], int from, int end, int *first, int *last) {
  const ct_grid *grid = &state->request.grid;
  const int nv = state->request.geometry->nv;
  double least = INFINITY, most = -INFINITY;
  for (int corner = 0; corner < 8; corner++) {
    const double i = corner & 1 ? grid->nx : -1, j = corner & 2 ? grid->ny : -1, k = corner & 4 ? end : from - 1;
    const double w = m[8] * i + m[9] * j + m[10] * k + m[11], v = (m[4] * i + m[5] * j + m[6] * k + m[7]) / w;
    least = w > 0 ? fmin(least, v) : -INFINITY, most = w > 0 ? fmax(most, v) : INFINITY;
    if (!(w > 0)) break;
  }
  *first = least > 1 ? (int)fmin(least - 1, nv) : 0;
  *last = most < nv - 2 ? (int)fmax(most + 2, 0) : nv;
}

static void fill_slab(const ct_projector_state *state, const int *blocks, int count, int from, int end, const float *y,
                      float *x) {
  const ct_geometry *g = state->request.geometry;
  const ct_grid *grid = &state->request.grid;
  memset(x + (size_t)(from + 1) * state->plane, 0, (size_t)(end - from) * state->plane * sizeof *x);
  for (int n = 0; n < count; n++) {
    const ct_view_rays *rays = &state->table[blocks[n]];
    int first, last;
    find_rows(state, rays->matrix, from, end, &first, &last);
    for (int v = first; v < last; v++)
      for (int u = 0; u < g->nu; u++) {
        const float value = y[((size_t)blocks[n] * (size_t)g->nv + (size_t)v) * (size_t)g->nu + (size_t)u];
        line l;
        if (value != 0 && find_line(state, rays, u, v, from - 1, end, &l)) spread(state, &l, value, from, end, x);
      }
  }
  for (int z = from; z < end; z++) {
    memset(x + row_at(state, -1, z) - 1, 0, state->row * sizeof *x);
    memset(x + row_at(state, grid->ny, z) - 1, 0, state->row * sizeof *x);
    for (int j = 0; j < grid->ny; j++) x[row_at(state, j, z) - 1] = x[row_at(state, j, z) + (size_t)grid->nx] = 0;
  }
}

static bool back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error) {
  const int nz = state->request.grid.nz, threads = state->request.threads;
  if (!blocks) blocks = state->views, count = state->request.geometry->views;
  const int thick = (nz + 4 * threads - 1) / (4 * threads);
  const size_t behind = ((size_t)nz + 1) * state->plane;
  memset(x, 0, state->plane * sizeof *x);
  memset(x + behind, 0, (state->image - behind) * sizeof *x);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int from = 0; from < nz; from += thick)
    fill_slab(state, blocks, count, from, from + thick < nz ? from + thick : nz, y, x);
  return true;
}

const ct_projector ct_projector_joseph_3d_general = {
    .id = "joseph-3d-general",
    .title = "Joseph, 3-D, any detector",
    .explanation =
        "Lines through planes of voxels, linear in between (Joseph 1982), ray by ray, and the exact transpose: "
        "for tilted detectors, C-arms and projection matrices.",
    .geometry = CT_GEOMETRY_VOLUME,
    .models = CT_FP_BIT(CT_MODEL_JOSEPH),
    .matched = true,
    .tolerance = 5e-6,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .shape = shape,
    .block = block,
    .image_in = image_in,
    .image_out = image_out,
    .rays_in = rays_in,
    .rays_out = rays_out,
    .forward = forward,
    .back = back,
    .row_squares = row_squares,
    .free = free_state,
};
