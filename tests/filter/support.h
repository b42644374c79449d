/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the filter's tests share: geometries, exact projections of a ball, the back-projection sum at a point. */
#ifndef CT_TEST_FILTER_SUPPORT_H
#define CT_TEST_FILTER_SUPPORT_H

#include "recon/base/memory.h"
#include "recon/data/stack.h"
#include "recon/filter/filter.h"
#include "recon/geom/geometry.h"

#include <math.h>
#include <stdbool.h>

#define DEGREE (M_PI / 180)

static inline ct_filter_options plain_options(void) {
  return (ct_filter_options){.window = CT_WINDOW_RAM_LAK, .cutoff = 1, .threads = 1};
}

/* Distances 500 / 800 mm, pitch 0.8 mm; `span` radians from `first` on in `views` steps. */
static inline bool make_geometry(ct_geometry *g, ct_beam beam, int nu, int nv, int views, double first, double span) {
  if (!ct_geometry_init(g, beam, nu, nv, views, NULL)) return false;
  g->du = g->dv = 0.8;
  if (beam != CT_BEAM_PARALLEL) {
    g->sod = 500;
    g->sdd = 800;
  }
  ct_geometry_set_arc(g, first, span / views);
  return true;
}

/* A free geometry with the same matrices. */
static inline bool make_free(ct_geometry *g, const ct_geometry *from) {
  if (!ct_geometry_init(g, CT_BEAM_FREE, from->nu, from->nv, from->views, NULL)) return false;
  for (int i = 0; i < from->views; i++) ct_geometry_matrix(from, i, g->matrices + 12 * (size_t)i);
  return true;
}

/* Line integrals of a ball (for fans: a disc) of density 1 about `centre`. */
static inline void project_ball(const ct_geometry *g, const double centre[3], double radius, ct_stack *stack) {
  for (int i = 0; i < g->views; i++)
    for (int j = 0; j < g->nv; j++)
      for (int k = 0; k < g->nu; k++) {
        double p[3], d[3], along = 0, square = 0;
        ct_geometry_ray(g, i, k, j, p, d);
        for (int a = 0; a < 3; a++) along += (centre[a] - p[a]) * d[a];
        for (int a = 0; a < 3; a++) {
          const double off = p[a] + along * d[a] - centre[a];
          square += off * off;
        }
        const double rest = radius * radius - square;
        ct_stack_view(stack, i)[j * g->nu + k] = rest > 0 ? (float)(2 * sqrt(rest)) : 0;
      }
}

/* Sum over the views of q(u, v) / w^2 at a point, bilinear. */
static inline double back_project(const ct_geometry *g, const ct_stack *filtered, const double point[3]) {
  double sum = 0;
  for (int i = 0; i < g->views; i++) {
    double m[12], u, v, w;
    ct_geometry_matrix(g, i, m);
    ct_project(m, point, &u, &v, &w);
    const int k = (int)floor(u), j = (int)floor(v + 1e-9);
    const double fu = u - k, fv = v - j;
    const float *q = ct_stack_get_view(filtered, i) + j * g->nu + k;
    double value = (1 - fu) * q[0] + fu * q[1];
    if (j + 1 < g->nv) value = (1 - fv) * value + fv * ((1 - fu) * q[g->nu] + fu * q[g->nu + 1]);
    sum += value / (w * w);
  }
  return sum;
}

static inline ct_stack *filter_all(const ct_geometry *g, const ct_filter_options *options, const ct_stack *from,
                                   ct_error **error) {
  ct_stack *to = ct_stack_new(g->nu, g->nv, g->views, error);
  ct_filter *filter = to ? ct_filter_new(g, options, error) : NULL;
  const bool good = filter && ct_filter_stack(filter, from, to, NULL, error);
  ct_filter_free(filter);
  if (good) return to;
  ct_stack_free(to);
  return NULL;
}

#endif
