/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference of all projectors: every ray by itself, in double precision. Joseph's model in three dimensions: the
 * ray is sampled once per plane of voxels across the in-plane axis that it is nearer to, bilinear in the other one and
 * z, zero outside, times the distance between samples. The models of a slice by their rows (ray-model.h). A^T y by
 * scattering the same weights. Layouts are the natural ones. */
#include "recon/fp/projectors-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Partial images of A^T y, so that the sum's order does not depend on the number of threads. */
enum { PARTS = 4 };

struct ct_projector_state {
  ct_projector_request request;
  int slices; /* that share one plane's rays; 0: a 3-D problem */
  size_t image, rays;
  double *parts[PARTS];
  int *views; /* [views] 0, 1, 2, ... */
  double seconds;
};

/* Entries of one ray. */
typedef struct ray_entries {
  size_t count, room;
  size_t *voxels;
  double *weights;
  ct_row row;
} ray_entries;

static bool entries_reserve(ray_entries *entries, size_t room, ct_error **error) {
  if (room <= entries->room) return true;
  ct_free(entries->voxels);
  ct_free(entries->weights);
  entries->voxels = ct_alloc(room, sizeof *entries->voxels, "a ray", error);
  entries->weights = ct_alloc(room, sizeof *entries->weights, "a ray", error);
  entries->room = entries->voxels && entries->weights ? room : 0;
  return entries->room >= room;
}

static bool entries_init(ray_entries *entries, const ct_grid *grid, ct_error **error) {
  *entries = (ray_entries){0};
  ct_row_init(&entries->row);
  return entries_reserve(entries, 4 * (size_t)(grid->nx > grid->ny ? grid->nx : grid->ny), error);
}

static void entries_clear(ray_entries *entries) {
  ct_free(entries->voxels);
  ct_free(entries->weights);
  ct_row_clear(&entries->row);
}

static void add_entry(ray_entries *entries, const ct_grid *grid, int i, int j, int k, double weight) {
  if (weight == 0 || i < 0 || j < 0 || k < 0 || i >= grid->nx || j >= grid->ny || k >= grid->nz) return;
  entries->voxels[entries->count] = ((size_t)k * (size_t)grid->ny + (size_t)j) * (size_t)grid->nx + (size_t)i;
  entries->weights[entries->count++] = weight;
}

/* `fixed_slice` >= 0: the slice that the ray lies in. */
static void joseph_entries(const ct_grid *grid, const double point[3], const double direction[3], int fixed_slice,
                           ray_entries *entries) {
  const double slope_x = direction[0] / grid->dx, slope_y = direction[1] / grid->dy, slope_z = direction[2] / grid->dz;
  const double x = (point[0] - grid->x0) / grid->dx, y = (point[1] - grid->y0) / grid->dy,
               z = (point[2] - grid->z0) / grid->dz;
  const bool by_columns = fabs(slope_x) > fabs(slope_y);
  const double along = by_columns ? slope_x : slope_y, length = 1 / fabs(along);
  const int planes = by_columns ? grid->nx : grid->ny;
  entries->count = 0;
  for (int n = 0; n < planes; n++) {
    const double s = (n - (by_columns ? x : y)) / along;
    const double across = by_columns ? y + s * slope_y : x + s * slope_x;
    const double slice = fixed_slice >= 0 ? fixed_slice : z + s * slope_z;
    /* also false where a coordinate is no number */
    if (!(across > -1 && across < (by_columns ? grid->ny : grid->nx) && slice > -1 && slice < grid->nz)) continue;
    const int a = (int)floor(across), k = (int)floor(slice);
    const double fa = across - a, fk = slice - k;
    for (int da = 0; da < 2; da++)
      for (int dk = 0; dk < 2; dk++)
        add_entry(entries, grid, by_columns ? n : a + da, by_columns ? a + da : n, k + dk,
                  length * (da ? fa : 1 - fa) * (dk ? fk : 1 - fk));
  }
}

static bool model_entries(const ct_projector_request *request, int view, int v, int u, ray_entries *entries,
                          ct_error **error) {
  if (!ct_model_row(request->geometry, &request->grid, request->model, view, u, &entries->row, error)) return false;
  const size_t slice = (size_t)v * (size_t)request->grid.nx * (size_t)request->grid.ny, count = entries->row.count;
  if (!entries_reserve(entries, count, error)) return false;
  for (size_t n = 0; n < count; n++) {
    entries->voxels[n] = slice + entries->row.columns[n];
    entries->weights[n] = entries->row.values[n];
  }
  entries->count = count;
  return true;
}

static bool ray_of(const ct_projector_state *state, int view, int v, int u, ray_entries *entries, ct_error **error) {
  const ct_projector_request *request = &state->request;
  if (request->model != CT_MODEL_JOSEPH) return model_entries(request, view, v, u, entries, error);
  double point[3], direction[3];
  if (!ct_geometry_ray(request->geometry, view, u, v, point, direction))
    return ct_error_set(error, CT_ERROR_DATA, "The matrix of view %d describes no rays.", view);
  joseph_entries(&request->grid, point, direction, state->slices ? v : -1, entries);
  return true;
}

static bool accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  if (request->model == CT_MODEL_JOSEPH) return true;
  if (!ct_projector_slices(request))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "The model “%s” is one of slices: it needs a fan, or a parallel beam whose rows lie at the volume's slices.",
        ct_model_title(request->model));
  return ct_model_accepts(request->geometry, &request->grid, request->model, error);
}

static double bytes_of(const ct_projector_request *request) {
  return PARTS * sizeof(double) * (double)ct_grid_voxels(&request->grid);
}

static double memory(const ct_projector *self, const ct_projector_request *request) {
  return bytes_of(request);
}

static void free_state(ct_projector_state *state) {
  for (int n = 0; n < PARTS; n++) ct_free(state->parts[n]);
  ct_free(state->views);
  free(state);
}

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  const double began = ct_now();
  ct_projector_state *state = calloc(1, sizeof *state);
  if (!state) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a projector.");
    return NULL;
  }
  const ct_geometry *g = request->geometry;
  state->request = *request;
  state->slices = ct_projector_slices(request);
  state->image = ct_grid_voxels(&request->grid);
  state->rays = (size_t)g->views * (size_t)g->nv * (size_t)g->nu;
  bool good = (state->views = ct_alloc((size_t)g->views, sizeof *state->views, "the list of views", error)) != NULL;
  for (int n = 0; good && n < g->views; n++) state->views[n] = n;
  for (int n = 0; good && n < PARTS; n++)
    good = (state->parts[n] = ct_alloc(state->image, sizeof(double), "an image", error)) != NULL;
  state->seconds = ct_now() - began;
  if (good) return state;
  free_state(state);
  return NULL;
}

static void shape(const ct_projector_state *state, ct_projector_shape *shape) {
  *shape = (ct_projector_shape){.image = ct_projector_padded(state->image),
                                .rays = ct_projector_padded(state->rays),
                                .blocks = state->request.geometry->views,
                                .bytes = bytes_of(&state->request),
                                .seconds = state->seconds};
}

static size_t view_size(const ct_projector_state *state) {
  return (size_t)state->request.geometry->nv * (size_t)state->request.geometry->nu;
}

static void block(const ct_projector_state *state, int index, ct_projector_block *block) {
  *block = (ct_projector_block){(size_t)index * view_size(state), view_size(state), state->views + index, 1};
}

static void image_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_projector_copy_in(natural, state->image, own);
}

static void image_out(const ct_projector_state *state, const float *own, float *natural) {
  memcpy(natural, own, state->image * sizeof *own);
}

static void rays_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_projector_copy_in(natural, state->rays, own);
}

static void rays_out(const ct_projector_state *state, const float *own, float *natural) {
  memcpy(natural, own, state->rays * sizeof *own);
}

/* What is done with each ray of a view. */
typedef void ray_work(const ray_entries *entries, const float *x, float *y, double *part);

static void gather(const ray_entries *entries, const float *x, float *y, double *part) {
  double sum = 0;
  for (size_t n = 0; n < entries->count; n++) sum += entries->weights[n] * (double)x[entries->voxels[n]];
  *y = (float)sum;
}

static void scatter(const ray_entries *entries, const float *x, float *y, double *part) {
  const double value = (double)*y;
  if (value == 0) return;
  for (size_t n = 0; n < entries->count; n++) part[entries->voxels[n]] += entries->weights[n] * value;
}

static void square(const ray_entries *entries, const float *x, float *y, double *part) {
  double sum = 0;
  for (size_t n = 0; n < entries->count; n++) sum += entries->weights[n] * entries->weights[n];
  *y = (float)sum;
}

/* Every PARTS-th of the blocks from `part` on. */
static bool walk_part(ct_projector_state *state, ray_work *work, int part, const int *blocks, int count, const float *x,
                      float *y, ct_error **error) {
  const ct_geometry *g = state->request.geometry;
  ray_entries entries;
  bool good = entries_init(&entries, &state->request.grid, error);
  for (int n = part; good && n < count; n += PARTS) {
    const int view = blocks ? blocks[n] : n;
    for (int v = 0; good && v < g->nv; v++)
      for (int u = 0; good && u < g->nu; u++) {
        float *ray = y + ((size_t)view * (size_t)g->nv + (size_t)v) * (size_t)g->nu + u;
        good = ray_of(state, view, v, u, &entries, error);
        if (good) work(&entries, x, ray, state->parts[part]);
      }
  }
  entries_clear(&entries);
  return good;
}

static bool walk(ct_projector_state *state, ray_work *work, const int *blocks, int count, const float *x, float *y,
                 ct_error **error) {
  if (!blocks) count = state->request.geometry->views;
  bool good = true;
#pragma omp parallel for schedule(dynamic, 1) num_threads(state->request.threads) reduction(&& : good)
  for (int part = 0; part < PARTS; part++) {
    ct_error *fault = NULL;
    const bool done = walk_part(state, work, part, blocks, count, x, y, &fault);
    if (!done) {
#pragma omp critical(ct_fp_textbook)
      if (error && !*error) {
        *error = fault;
        fault = NULL;
      }
      ct_error_clear(&fault);
    }
    good = good && done;
  }
  return good;
}

static bool forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                    ct_error **error) {
  return walk(state, gather, blocks, count, x, y, error);
}

static bool back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error) {
  for (int part = 0; part < PARTS; part++) memset(state->parts[part], 0, state->image * sizeof(double));
  /* scatter only reads the rays */
  if (!walk(state, scatter, blocks, count, NULL, (float *)y, error)) return false;
#pragma omp parallel for schedule(static) num_threads(state->request.threads)
  for (size_t n = 0; n < state->image; n++) {
    double sum = 0;
    for (int part = 0; part < PARTS; part++) sum += state->parts[part][n];
    x[n] = (float)sum;
  }
  memset(x + state->image, 0, (ct_projector_padded(state->image) - state->image) * sizeof *x);
  return true;
}

static bool row_squares(ct_projector_state *state, float *y, ct_error **error) {
  memset(y + state->rays, 0, (ct_projector_padded(state->rays) - state->rays) * sizeof *y);
  return walk(state, square, NULL, 0, NULL, y, error);
}

const ct_projector ct_projector_textbook = {
    .id = "textbook",
    .title = "Textbook, double precision",
    .explanation = "Every ray by itself, straight from the model's formula in double precision: the reference of all "
                   "others, and slow.",
    .geometry = CT_GEOMETRY_ANY,
    .models = CT_FP_BIT(CT_MODEL_JOSEPH) | CT_FP_BIT(CT_MODEL_SIDDON) | CT_FP_BIT(CT_MODEL_AREA),
    .matched = true,
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
