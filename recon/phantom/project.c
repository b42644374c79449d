/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact projections: stack[view][v][u] = mu * mean over the pixel of the line integral of the density. A ray is tested
 * only against the shapes whose shadow on the detector covers its pixel. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/geom/curved.h"
#include "recon/geom/questions.h"
#include "recon/phantom/phantom-private.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Detector rectangle, in pixel indices, outside which the shape casts no shadow. */
typedef struct shadow {
  double u[2], v[2];
} shadow;

typedef struct projector {
  const ct_phantom_rays *rays;
  size_t count; /* of shapes */
  int sub_u, sub_v;
  ct_placed *shapes; /* [threads][count], of the view that a thread is at */
  shadow *shadows;   /* [threads][count] */
} projector;

/* The shadow of a box's corners holds that of the box as long as all of them lie before the source (w > 0). An endless
 * shape has no bound along v, and along u only when columns are parallel to z. */
static shadow find_shadow(const ct_placed *placed, const double matrix[12]) {
  const bool endless = isinf(placed->half[2]);
  const shadow everywhere = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}};
  if (endless && (matrix[2] != 0 || matrix[10] != 0)) return everywhere;
  const double c = placed->frame.cosine, s = placed->frame.sine, top = endless ? 0 : placed->half[2];
  shadow bound = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  for (int corner = 0; corner < 8; corner++) {
    const double a = corner & 1 ? placed->half[0] : -placed->half[0],
                 b = corner & 2 ? placed->half[1] : -placed->half[1];
    const double point[3] = {placed->centre[0] + c * a - s * b, placed->centre[1] + s * a + c * b,
                             placed->centre[2] + (corner & 4 ? top : -top)};
    double u, v, w;
    ct_project(matrix, point, &u, &v, &w);
    if (!(w > 1e-6)) return everywhere;
    bound.u[0] = fmin(bound.u[0], u);
    bound.u[1] = fmax(bound.u[1], u);
    bound.v[0] = fmin(bound.v[0], v);
    bound.v[1] = fmax(bound.v[1], v);
  }
  if (endless) {
    bound.v[0] = -INFINITY;
    bound.v[1] = INFINITY;
  }
  return bound;
}

/* Matrices of parallel rays have no source, but a detector. */
static bool find_ray(const ct_geometry *g, int view, double u, double v, double point[3], double direction[3]) {
  if (ct_geometry_ray(g, view, u, v, point, direction)) return true;
  const ct_detector detector = ct_geometry_detector(g, view, 0);
  if (detector.spreads) return false;
  ct_detector_point(&detector, u, v, point);
  memcpy(direction, detector.forward, sizeof detector.forward);
  return true;
}

/* In pixel indices of the curved detector, whose rows bend towards the plane of the source. */
static shadow bend(const ct_geometry *g, shadow flat) {
  shadow bound = {{flat.u[0], flat.u[1]}, {flat.v[0], flat.v[1]}};
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      double u = flat.u[a], v = flat.v[b];
      ct_curved_from_flat(g, &u, &v);
      bound.u[a] = u;
      if (isnan(v)) v = b ? INFINITY : -INFINITY;
      bound.v[0] = fmin(bound.v[0], v);
      bound.v[1] = fmax(bound.v[1], v);
    }
  return bound;
}

/* Whether the shadow meets the pixel; with a margin for rounding. */
static bool covers(const double range[2], double pixel) {
  return pixel >= range[0] - 0.51 && pixel <= range[1] + 0.51;
}

static double pixel_value(const projector *p, const ct_placed *shapes, const shadow *shadows, int view, int v, int u) {
  const ct_geometry *g = p->rays->geometry;
  double sum = 0;
  for (int b = 0; b < p->sub_v; b++)
    for (int a = 0; a < p->sub_u; a++) {
      double point[3], direction[3], enter, leave;
      double at_u = u + (a + 0.5) / p->sub_u - 0.5, at_v = v + (b + 0.5) / p->sub_v - 0.5;
      if (p->rays->curved) ct_curved_to_flat(g, &at_u, &at_v);
      if (!find_ray(g, view, at_u, at_v, point, direction)) return NAN;
      for (size_t s = 0; s < p->count; s++)
        if (covers(shadows[s].u, u) && covers(shadows[s].v, v) &&
            ct_placed_hit(&shapes[s], point, direction, &enter, &leave))
          sum += shapes[s].density * (leave - enter);
    }
  return p->rays->mu * sum / ((double)p->sub_u * p->sub_v);
}

/* The shapes where they are in a view. */
static void place_shapes(const ct_phantom_rays *r, int view, ct_placed *shapes) {
  const double x = r->geometry->views > 1 ? r->motion * view / (r->geometry->views - 1.0) : 0;
  for (size_t s = 0; s < r->phantom->count; s++) {
    ct_shape shape = r->phantom->shapes[s];
    shape.centre[0] += x / r->radius;
    ct_placed_init(&shapes[s], &shape, r->radius, NULL);
  }
}

static void project_view(const projector *p, int view, float *out) {
  const ct_geometry *g = p->rays->geometry;
  const size_t first = (size_t)omp_get_thread_num() * p->count;
  ct_placed *shapes = p->shapes + first;
  shadow *shadows = p->shadows + first;
  const int nu = g->nu, nv = g->nv;
  double matrix[12];
  place_shapes(p->rays, view, shapes);
  ct_geometry_matrix(g, view, matrix);
  for (size_t s = 0; s < p->count; s++) {
    shadows[s] = find_shadow(&shapes[s], matrix);
    if (p->rays->curved) shadows[s] = bend(g, shadows[s]);
  }
  for (int v = 0; v < nv; v++)
    for (int u = 0; u < nu; u++) {
      bool any = false;
      for (size_t s = 0; s < p->count && !any; s++) any = covers(shadows[s].u, u) && covers(shadows[s].v, v);
      out[(size_t)v * (size_t)nu + (size_t)u] = any ? (float)pixel_value(p, shapes, shadows, view, v, u) : 0.0f;
    }
}

static bool project_all(const projector *p, int threads, ct_stack *stack, ct_job *job, ct_error **error) {
  const int views = p->rays->geometry->views, batch = 4 * threads;
  ct_job_begin_stage(job, CT_STAGE_SIMULATING, (uint64_t)views);
  for (int first = 0; first < views; first += batch) {
    if (!ct_job_may_go_on(job, error)) return false;
    const int last = views - first < batch ? views : first + batch;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int view = first; view < last; view++) {
      if (ct_job_requested(job) == CT_JOB_CANCEL) continue;
      project_view(p, view, ct_stack_view(stack, view));
      ct_job_advance(job, 1);
    }
  }
  return ct_job_may_go_on(job, error);
}

ct_stack *ct_phantom_project_rays(const ct_phantom_rays *rays, ct_job *job, ct_error **error) {
  const ct_geometry *g = rays->geometry;
  if (!ct_phantom_check(rays->phantom, rays->radius, rays->mu, rays->sub, error) || !ct_geometry_check(g, error))
    return NULL;
  if (rays->curved && !ct_curved_check(g, error)) return NULL;
  const int threads = ct_thread_count();
  const size_t count = rays->phantom->count, all = count * (size_t)threads;
  ct_stack *stack = ct_stack_new(g->nu, g->nv, g->views, error);
  ct_placed *shapes = ct_alloc(all, sizeof *shapes, "the shapes of the phantom", error);
  shadow *shadows = ct_alloc(all, sizeof *shadows, "the shapes of the phantom", error);
  const int sub_v = ct_geometry_promises(g, CT_TRAIT_SPATIAL) ? rays->sub : 1;
  const projector p = {rays, count, rays->sub, sub_v, shapes, shadows};
  if (!stack || !shapes || !shadows || !project_all(&p, threads, stack, job, error)) {
    ct_stack_free(stack);
    stack = NULL;
  }
  ct_free(shapes);
  ct_free(shadows);
  return stack;
}

ct_stack *ct_phantom_project(const ct_phantom *phantom, double radius, double mu, const ct_geometry *geometry, int sub,
                             ct_job *job, ct_error **error) {
  const ct_phantom_rays rays = {.phantom = phantom, .radius = radius, .mu = mu, .geometry = geometry, .sub = sub};
  return ct_phantom_project_rays(&rays, job, error);
}
