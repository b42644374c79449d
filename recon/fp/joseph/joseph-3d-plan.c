/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Joseph's projector in three dimensions knows before it runs: folds, the line of every detector column, layouts.
 * With the view's matrix P = (p; q; t) in voxel indices, p and t without a part along z, column u is the line
 * (p - u t)(i, j, 1) = 0, and at its point (i, j) row v passes slice (v t(i, j, 1) - q(i, j, 1)) / q_k. */
#include "recon/fp/joseph/joseph-3d-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

/* Bytes of transposed detector columns that the back-projection holds at a time. */
#define STRIP_BYTES ((size_t)256 << 20)

/* Whether u and w do not change along z by more than 1e-7 pixels over the grid, rows run upwards, and the source is
 * outside. */
static bool view_fits(const ct_projector_request *request, int view, ct_error **error) {
  const ct_geometry *g = request->geometry;
  const ct_grid *grid = &request->grid;
  double m[12];
  ct_bp_index_matrix(request->geometry, view, &request->grid, m);
  if (fabs(m[2]) * grid->nz > 1e-7 || fabs(m[10]) * grid->nz * fmax(g->nu, g->nv) > 1e-7)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This projector needs a detector whose columns are parallel to the rotation axis; those of "
                        "view %d are not.",
                        view);
  if (!(m[6] > 0))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This projector needs rows that follow each other upwards; those of view %d do not.", view);
  for (int corner = 0; corner < 4; corner++) {
    const double i = corner & 1 ? grid->nx : -1, j = corner & 2 ? grid->ny : -1;
    if (!(m[8] * i + m[9] * j + m[11] > 1e-3))
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "This projector needs a source outside the volume; that of view %d lies beside or within it.",
                          view);
  }
  return true;
}

bool ct_joseph_accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  const ct_geometry *g = request->geometry;
  const int some = ct_geometry_promises(g, CT_TRAIT_SLICED) ? 1 : g->views;
  for (int view = 0; view < some; view++)
    if (!view_fits(request, view, error)) return false;
  return true;
}

static ct_joseph_fold fold_plain(int count) {
  return (ct_joseph_fold){
      .count = count, .halves = 1, .length = {count, 0}, .longest = count, .stride = (count + 15) / 16 * 16};
}

/* About sample twice / 2. */
static ct_joseph_fold fold_about(int count, int twice) {
  ct_joseph_fold fold = {.count = count, .halves = 2, .centred = !(twice & 1), .base = (twice + 1) / 2};
  fold.length[0] = count - fold.base;
  fold.length[1] = fold.base + fold.centred;
  fold.longest = fold.length[0] > fold.length[1] ? fold.length[0] : fold.length[1];
  fold.stride = (fold.longest + 15) / 16 * 16;
  return fold;
}

/* The sample, times two, at which a mirror may lie; false where it is not near enough to the run's middle to pay. */
static bool mirror_at(double place, int count, int *twice) {
  const double doubled = 2 * place;
  if (!(fabs(doubled - (count - 1)) <= count / 4)) return false;
  *twice = (int)(doubled + 0.5);
  return *twice > 0 && fabs(doubled - *twice) < 1e-7;
}

static void find_folds(ct_joseph *joseph) {
  const ct_projector_request *request = &joseph->request;
  const ct_geometry *g = request->geometry;
  const ct_grid *grid = &request->grid;
  int slice = 0, row = 0;
  const bool mirror = ct_geometry_promises(g, CT_TRAIT_CIRCULAR) && mirror_at(-grid->z0 / grid->dz, grid->nz, &slice) &&
                      mirror_at(g->centre_v, g->nv, &row);
  joseph->slices = mirror ? fold_about(grid->nz, slice) : fold_plain(grid->nz);
  joseph->rows = mirror ? fold_about(g->nv, row) : fold_plain(g->nv);
}

/* Planes at which the other index lies within -1 < minor < count, at most one too many on either side. */
static void find_planes(ct_joseph_ray *ray, int planes, int count) {
  double low = 0, high = planes - 1;
  const double step = ray->minor_step;
  if (step != 0) {
    const double a = (-1 - ray->minor) / step, b = (count - ray->minor) / step;
    low = fmax(low, fmin(a, b)), high = fmin(high, fmax(a, b));
  } else if (!(ray->minor > -1 && ray->minor < count)) {
    high = -1;
  }
  ray->first = low <= high ? (int)floor(low) : 0;
  ray->end = low <= high ? (int)ceil(high) + 1 : 0;
  if (ray->end > planes) ray->end = planes;
}

static void find_ray(const ct_joseph *joseph, const double m[12], int slices, int u, ct_joseph_ray *ray) {
  const ct_grid *grid = &joseph->request.grid;
  const double n[3] = {m[0] - u * m[8], m[1] - u * m[9], m[3] - u * m[11]};
  /* In indices the direction is (n[1], -n[0]). */
  const bool by_columns = fabs(n[1]) > fabs(n[0]);
  const double along = by_columns ? n[1] : n[0];
  ray->axis = by_columns ? 0 : 1;
  ray->minor = -n[2] / along;
  ray->minor_step = -(by_columns ? n[0] : n[1]) / along;
  const int major = by_columns ? 0 : 1, minor = 1 - major;
  ray->slope = (m[11] + m[8 + minor] * ray->minor) / m[6];
  ray->slope_step = (m[8 + major] + m[8 + minor] * ray->minor_step) / m[6];
  ray->shift = -(m[7] + m[4 + minor] * ray->minor) / m[6];
  ray->shift_step = -(m[4 + major] + m[4 + minor] * ray->minor_step) / m[6];
  if (slices) ray->slope = 1, ray->slope_step = ray->shift = ray->shift_step = 0;
  if (joseph->rows.halves == 2) {
    const double row = joseph->rows.centred ? 0 : 0.5, slice = joseph->slices.centred ? 0 : 0.5;
    ray->shift = ray->slope * row - slice;
    ray->shift_step = ray->slope_step * row;
  }
  const double across = ray->minor_step * (by_columns ? grid->dy : grid->dx), ahead = by_columns ? grid->dx : grid->dy;
  ray->flat = across * across + ahead * ahead;
  find_planes(ray, by_columns ? grid->nx : grid->ny, by_columns ? grid->ny : grid->nx);
}

/* The sizes alone. */
static void measure(ct_joseph *joseph, const ct_projector_request *request) {
  const ct_geometry *g = request->geometry;
  joseph->request = *request;
  find_folds(joseph);
  joseph->column = (size_t)joseph->slices.halves * (size_t)joseph->slices.stride;
  /* An odd number of columns, so that the rows of a tile do not fall into the same sets of a cache. */
  joseph->image_row = joseph->column * (size_t)(request->grid.nx | 1);
  joseph->image = joseph->image_row * (size_t)request->grid.ny;
  joseph->ray = (size_t)joseph->rows.halves * (size_t)joseph->rows.stride;
  joseph->rays = joseph->ray * (size_t)g->nu * (size_t)g->views;
  const size_t view = ct_joseph_strip(&joseph->rows) * (size_t)g->nu * sizeof(float), fit = STRIP_BYTES / view;
  joseph->chunk = fit < 1 ? 1 : fit < (size_t)g->views ? (int)fit : g->views;
}

static size_t strip_floats(const ct_joseph *joseph) {
  const size_t threads = (size_t)joseph->request.threads * CT_JOSEPH_SOURCES;
  const size_t back =
      ((size_t)joseph->chunk * (size_t)joseph->request.geometry->nu + threads) * ct_joseph_strip(&joseph->rows);
  return back + ct_joseph_forward_strips(joseph);
}

static double bytes_of(const ct_joseph *joseph) {
  const ct_geometry *g = joseph->request.geometry;
  return (double)strip_floats(joseph) * sizeof(float) + (double)g->views * g->nu * sizeof(ct_joseph_ray);
}

double ct_joseph_memory(const ct_projector *self, const ct_projector_request *request) {
  ct_joseph joseph = {0};
  measure(&joseph, request);
  return bytes_of(&joseph);
}

/* Eight samples in a row that a step takes from strips of even and of odd ones have to lie within eight of each. */
static void decide_splits(ct_joseph *joseph) {
  const ct_grid *grid = &joseph->request.grid;
  double least = INFINITY, greatest = 0; /* slices from row to row */
  for (int view = 0; view < joseph->request.geometry->views; view++)
    for (int corner = 0; corner < 4; corner++) {
      const double *m = joseph->matrices[view], i = corner & 1 ? grid->nx : -1, j = corner & 2 ? grid->ny : -1;
      const double slope = (m[8] * i + m[9] * j + m[11]) / m[6];
      least = fmin(least, slope), greatest = fmax(greatest, slope);
    }
  joseph->split_slices = greatest < 1.85;
  joseph->split_rows = least > 0.64;
}

bool ct_joseph_init(ct_joseph *joseph, const ct_projector *self, const ct_projector_request *request,
                    ct_error **error) {
  const double began = ct_now();
  const ct_geometry *g = request->geometry;
  *joseph = (ct_joseph){0};
  measure(joseph, request);
  joseph->loops = ct_simd_loops_usable(&self->loops);
  const size_t views = (size_t)g->views, nu = (size_t)g->nu;
  size_t rays;
  if (!ct_size_product(g->views, g->nu, (int64_t)joseph->ray, sizeof(float), &rays) ||
      !ct_size_product(request->grid.ny, request->grid.nx | 1, (int64_t)joseph->column, sizeof(float), &rays))
    return ct_error_set(error, CT_ERROR_MEMORY, "The volume or the projections are too large for a projector.");
  joseph->views = ct_alloc(views, sizeof *joseph->views, "the list of views", error);
  joseph->matrices = ct_alloc(views, sizeof *joseph->matrices, "the views' matrices", error);
  joseph->table = ct_alloc(views * nu, sizeof *joseph->table, "the detector columns' lines", error);
  joseph->strips = ct_alloc_zero(strip_floats(joseph), sizeof(float), "the transposed projections", error);
  if (!joseph->views || !joseph->matrices || !joseph->table || !joseph->strips) {
    ct_joseph_clear(joseph);
    return false;
  }
  const int slices = ct_geometry_promises(g, CT_TRAIT_PARALLEL) ? ct_projector_slices(request) : 0;
#pragma omp parallel for schedule(static) num_threads(request->threads)
  for (int view = 0; view < g->views; view++) {
    double *m = joseph->matrices[view];
    joseph->views[view] = view;
    ct_bp_index_matrix(request->geometry, view, &request->grid, m);
    for (int u = 0; u < g->nu; u++) find_ray(joseph, m, slices, u, &joseph->table[(size_t)view * nu + (size_t)u]);
  }
  if (self->width == 8) decide_splits(joseph);
  joseph->seconds = ct_now() - began;
  return true;
}

void ct_joseph_clear(ct_joseph *joseph) {
  ct_free(joseph->views);
  ct_free(joseph->matrices);
  ct_free(joseph->table);
  ct_free(joseph->strips);
  *joseph = (ct_joseph){0};
}

void ct_joseph_shape(const ct_joseph *joseph, ct_projector_shape *shape) {
  *shape = (ct_projector_shape){.image = joseph->image,
                                .rays = joseph->rays,
                                .blocks = joseph->request.geometry->views,
                                .bytes = bytes_of(joseph),
                                .seconds = joseph->seconds};
}

/* Natural index of sample n of a half; -1: padding. */
static int natural_index(const ct_joseph_fold *fold, int half, int n) {
  if (n >= fold->length[half] || (half && fold->centred && n == 0)) return -1;
  return half ? fold->base - 1 + fold->centred - n : fold->base + n;
}

/* Columns that are transposed at a time: a cache line of the natural layout. */
enum { across = 16 };

/* Turns `count` neighbours of a plane [run][pitch] into runs. */
static void transpose_in(const ct_joseph_fold *fold, const float *natural, size_t pitch, int count, float *own,
                         size_t run) {
  for (int half = 0; half < fold->halves; half++)
    for (int n = 0; n < fold->stride; n++) {
      const int from = natural_index(fold, half, n);
      float *to = own + half * fold->stride + n;
      for (int c = 0; c < count; c++) to[(size_t)c * run] = from < 0 ? 0 : natural[(size_t)from * pitch + (size_t)c];
    }
}

static void transpose_out(const ct_joseph_fold *fold, const float *own, size_t run, int count, float *natural,
                          size_t pitch) {
  for (int half = 0; half < fold->halves; half++)
    for (int n = 0; n < fold->length[half]; n++) {
      const int to = natural_index(fold, half, n);
      const float *from = own + half * fold->stride + n;
      if (to >= 0)
        for (int c = 0; c < count; c++) natural[(size_t)to * pitch + (size_t)c] = from[(size_t)c * run];
    }
}

void ct_joseph_image_in(const ct_joseph *joseph, const float *natural, float *own) {
  const ct_grid *grid = &joseph->request.grid;
  const size_t nx = (size_t)grid->nx, plane = nx * (size_t)grid->ny;
#pragma omp parallel for schedule(static) num_threads(joseph->request.threads)
  for (int y = 0; y < grid->ny; y++) {
    float *row = own + (size_t)y * joseph->image_row;
    for (int x = 0; x < grid->nx; x += across)
      transpose_in(&joseph->slices, natural + (size_t)y * nx + (size_t)x, plane,
                   grid->nx - x < across ? grid->nx - x : across, row + (size_t)x * joseph->column, joseph->column);
    memset(row + nx * joseph->column, 0, (joseph->image_row - nx * joseph->column) * sizeof *row);
  }
}

void ct_joseph_image_out(const ct_joseph *joseph, const float *own, float *natural) {
  const ct_grid *grid = &joseph->request.grid;
  const size_t nx = (size_t)grid->nx, plane = nx * (size_t)grid->ny;
#pragma omp parallel for schedule(static) num_threads(joseph->request.threads)
  for (int y = 0; y < grid->ny; y++)
    for (int x = 0; x < grid->nx; x += across)
      transpose_out(&joseph->slices, own + (size_t)y * joseph->image_row + (size_t)x * joseph->column, joseph->column,
                    grid->nx - x < across ? grid->nx - x : across, natural + (size_t)y * nx + (size_t)x, plane);
}

void ct_joseph_rays_in(const ct_joseph *joseph, const float *natural, float *own) {
  const ct_geometry *g = joseph->request.geometry;
  const size_t nu = (size_t)g->nu, view_size = nu * (size_t)g->nv;
#pragma omp parallel for schedule(static) num_threads(joseph->request.threads)
  for (int view = 0; view < g->views; view++)
    for (int u = 0; u < g->nu; u += across)
      transpose_in(&joseph->rows, natural + (size_t)view * view_size + (size_t)u, nu,
                   g->nu - u < across ? g->nu - u : across, own + ((size_t)view * nu + (size_t)u) * joseph->ray,
                   joseph->ray);
}

void ct_joseph_rays_out(const ct_joseph *joseph, const float *own, float *natural) {
  const ct_geometry *g = joseph->request.geometry;
  const size_t nu = (size_t)g->nu, view_size = nu * (size_t)g->nv;
#pragma omp parallel for schedule(static) num_threads(joseph->request.threads)
  for (int view = 0; view < g->views; view++)
    for (int u = 0; u < g->nu; u += across)
      transpose_out(&joseph->rows, own + ((size_t)view * nu + (size_t)u) * joseph->ray, joseph->ray,
                    g->nu - u < across ? g->nu - u : across, natural + (size_t)view * view_size + (size_t)u, nu);
}
