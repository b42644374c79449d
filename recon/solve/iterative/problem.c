/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The problem that a method works on: the mask of voxels that may change, and weights made from sums over the
 * matrix. */
#include "recon/solve/iterative/solver-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/geom/trajectory.h"

#include <math.h>
#include <string.h>

void ct_problem_clear(ct_problem *p) {
  if (p->solver && p->solver->clear) p->solver->clear(p);
  p->own = NULL;
  while (p->scratches) ct_free(p->scratch[--p->scratches]);
  ct_halo_free(p->halo);
  p->halo = NULL;
}

static const ct_simd_loops passes = CT_SIMD_PLAIN(ct_passes);

/* The radius of the region, infinite where there is none, and its axis. */
static double find_region(const ct_problem *p, ct_line *axis) {
  const ct_iterative_options *o = &p->options;
  ct_geometry_axis(p->geometry, axis);
  if (o->region) axis->point[0] += o->region_x, axis->point[1] += o->region_y;
  return !o->region ? INFINITY : !isnan(o->region_radius) ? o->region_radius : ct_geometry_field_radius(p->geometry);
}

/* 1 inside the region, or everywhere. */
static void make_mask(ct_problem *p, float *natural) {
  const ct_grid *g = &p->grid;
  ct_line axis;
  const double radius = find_region(p, &axis), limit = radius * radius;
  size_t inside = 0;
  for (int k = 0; k < g->nz; k++)
    for (int j = 0; j < g->ny; j++)
      for (int i = 0; i < g->nx; i++) {
        const double point[3] = {g->x0 + i * g->dx, g->y0 + j * g->dy, g->z0 + k * g->dz};
        const bool in = ct_line_distance2(&axis, point) <= limit;
        natural[((size_t)k * (size_t)g->ny + (size_t)j) * (size_t)g->nx + (size_t)i] = in;
        inside += in;
      }
  p->inside = (double)inside;
  p->projector->image_in(p->state, natural, p->mask);
}

bool ct_problem_check_region(ct_problem *p, ct_error **error) {
  ct_line axis;
  const ct_iterative_options *o = &p->options;
  double inside = p->inside;
  ct_join_voxels(p, &inside, 1);
  if (inside > 0) return true;
  const double radius = find_region(p, &axis);
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "No voxel lies within the region, a circle of radius %.4g mm about (%.4g, %.4g) mm%s: switch the "
                      "region off, or move it or the grid.",
                      radius, axis.point[0], axis.point[1], !isnan(o->region_radius) ? "" : " that every view sees");
}

typedef void layout_in(const ct_projector_state *state, const float *natural, float *own);

/* How often the layout holds each element; leaves *share NULL where that is once. Numbers go through it in two halves,
 * which floats hold exactly. */
static bool make_share(ct_problem *p, layout_in *in, size_t count, size_t own, float **share, ct_error **error) {
  float *natural = ct_alloc(count, sizeof *natural, "a layout", error),
        *places = ct_alloc_zero(own, sizeof *places, "a layout", error);
  float *high = NULL, *found = NULL;
  bool good = natural && places;
  if (good) {
    for (size_t n = 0; n < count; n++) natural[n] = 1;
    in(p->state, natural, places);
    size_t held = 0;
    for (size_t n = 0; n < own; n++) held += places[n] != 0;
    if (held > count) {
      good = (high = ct_alloc(own, sizeof *high, "a layout", error)) &&
             (found = ct_alloc_zero(count, sizeof *found, "a layout", error)) &&
             (*share = ct_problem_room(p, own, sizeof **share, error));
      if (good) {
        for (size_t n = 0; n < count; n++) natural[n] = (float)(n & 4095) + 1;
        in(p->state, natural, places);
        for (size_t n = 0; n < count; n++) natural[n] = (float)(n >> 12);
        in(p->state, natural, high);
        for (size_t n = 0; n < own; n++)
          if (places[n] != 0) found[((size_t)high[n] << 12) + (size_t)places[n] - 1]++;
        for (size_t n = 0; n < own; n++)
          if (places[n] != 0) (*share)[n] = 1 / found[((size_t)high[n] << 12) + (size_t)places[n] - 1];
      }
    }
  }
  ct_free(natural);
  ct_free(places);
  ct_free(high);
  ct_free(found);
  return good;
}

bool ct_problem_prepare(ct_problem *p, ct_error **error) {
  const ct_projector *projector = p->projector;
  const size_t voxels = ct_grid_voxels(&p->grid),
               rays = (size_t)p->geometry->views * (size_t)p->geometry->nv * (size_t)p->geometry->nu;
  p->passes = ct_simd_loops_usable(&passes);
  float *natural = ct_alloc(voxels, sizeof *natural, "the image", error);
  const bool good = natural && (p->x = ct_problem_image(p, error)) && (p->mask = ct_problem_image(p, error)) &&
                    (p->b = ct_problem_rays(p, error)) &&
                    make_share(p, projector->image_in, voxels, p->shape.image, &p->image_share, error) &&
                    make_share(p, projector->rays_in, rays, p->shape.rays, &p->ray_share, error);
  if (good) make_mask(p, natural);
  ct_free(natural);
  return good;
}

float *ct_row_weights(ct_problem *p, ct_error **error) {
  float *w = ct_problem_rays(p, error);
  if (!w || !ct_forward(p, p->mask, w, error)) return NULL;
  ct_invert(p, p->shape.rays, w, fmin(p->grid.dx, p->grid.dy));
  return w;
}

float *ct_square_weights(ct_problem *p, ct_error **error) {
  const double least = fmin(p->grid.dx, p->grid.dy);
  float *w = ct_problem_rays(p, error);
  if (!w || !p->projector->row_squares(p->state, w, error)) return NULL;
  ct_invert(p, p->shape.rays, w, least * least);
  return w;
}

/* Largest quotient t / x where x > 0. */
static double largest_quotient(const ct_problem *p, const float *t, const float *x) {
  float largest = 0;
#pragma omp parallel for schedule(static) num_threads(p->threads) reduction(max : largest)
  for (size_t n = 0; n < p->shape.image; n++)
    if (x[n] > 0) largest = fmaxf(largest, t[n] / x[n]);
  return (double)largest;
}

/* y = W y over the blocks, of one in so many layers. */
static void weigh(const ct_problem *p, int layer, int layers, const int *blocks, int count, const float *w, float *y) {
  if (!w) return;
  if (!blocks) {
    ct_multiply(p, p->shape.rays, y, w);
    return;
  }
  for (int n = 0; n < count; n++) {
    ct_projector_block block;
    p->projector->block(p->state, blocks[n], &block);
    const size_t rays = block.count / (size_t)layers, first = block.first + (size_t)layer * rays;
    ct_multiply(p, rays, y + first, w + first);
  }
}

typedef struct largest_taken {
  const float *mask;
  float largest;
} largest_taken;

static void take_largest(void *user, size_t first, size_t count, const float *t) {
  largest_taken *taken = user;
  const float *mask = taken->mask + first;
  float largest = 0;
#pragma omp simd reduction(max : largest)
  for (size_t n = 0; n < count; n++) largest = t[n] * mask[n] > largest ? t[n] * mask[n] : largest;
#pragma omp critical(ct_radius_bound)
  taken->largest = largest > taken->largest ? largest : taken->largest;
}

/* The first step, from the mask itself. */
static bool bound_by_layers(ct_problem *p, const int *blocks, int count, const float *w, float *y, double *bound,
                            ct_error **error) {
  largest_taken taken = {p->mask, 0};
  bool good = true;
  for (int layer = 0; good && layer < p->shape.layers; layer++) {
    good = p->projector->forward_layer(p->state, layer, blocks, count, p->mask, y, error);
    if (good) weigh(p, layer, p->shape.layers, blocks, count, w, y);
    good = good && p->projector->back_layer(p->state, layer, blocks, count, y, take_largest, &taken, error);
  }
  *bound = (double)taken.largest;
  return good;
}

bool ct_radius_bound(ct_problem *p, const ct_radius_request *r, double *bound, ct_job *job, ct_error **error) {
  const int *blocks = r->blocks, count = r->count, steps = r->steps;
  const float *w = r->w;
  float *x = r->x, *t = r->t, *y = r->y;
  double last = INFINITY;
  if (steps == 1 && ct_goes_by_layers(p, blocks, count))
    return ct_job_may_go_on(job, error) && bound_by_layers(p, blocks, count, w, y, bound, error);
  ct_copy(p, p->shape.image, x, p->mask);
  for (int step = 0; step < steps; step++) {
    if (!ct_job_may_go_on(job, error) || !p->projector->forward(p->state, blocks, count, x, y, error)) return false;
    weigh(p, 0, 1, blocks, count, w, y);
    if (!p->projector->back(p->state, blocks, count, y, t, error)) return false;
    ct_multiply(p, p->shape.image, t, p->mask);
    *bound = largest_quotient(p, t, x);
    if (!(*bound > 0) || *bound > 0.99 * last || step + 1 == steps) break;
    last = *bound;
    /* scaled, so that many steps stay within the range of floats */
    ct_copy(p, p->shape.image, x, t);
    ct_scale(p, p->shape.image, x, 1 / *bound);
  }
  return true;
}
