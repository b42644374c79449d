/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A spiral or sequence round five balls on the bench, and how right their means are. */
#ifndef TESTS_SOLVE_SPHERES_H
#define TESTS_SOLVE_SPHERES_H

#include "tests/solve/bench.h"
#include "tests/test.h"

#include "recon/phantom/simulation.h"

#include <math.h>

typedef struct spheres {
  bench b;
  ct_simulation simulation;
} spheres;

/* All but how the table moves. */
static inline ct_simulation *spheres_init(spheres *s) {
  ct_simulation_init(&s->simulation);
  ct_simulation *m = &s->simulation;
  m->phantom = ct_phantom_find("spheres");
  m->nu = 64;
  m->nv = 32;
  m->pixel = 3.2;
  m->views = 180;
  m->sub = 2;
  /* What is seen whole at every pitch. */
  m->radius = 55;
  return m;
}

static inline bool spheres_take(spheres *s, ct_error **error) {
  ct_geometry g;
  if (!ct_simulation_geometry(&s->simulation, &g, error)) return false;
  ct_geometry_clear(&g);
  return bench_take(&s->b, ct_simulate(&s->simulation, "spheres", NULL, error), error);
}

/* mm of z for each turn. */
static inline double spheres_feed(const ct_simulation *m, double pitch) {
  return pitch * m->nv * m->pixel * m->sod / m->sdd;
}

static inline bool spheres_open(spheres *s, double pitch, double turns, ct_error **error) {
  ct_simulation *m = spheres_init(s);
  m->feed = spheres_feed(m, pitch);
  m->arc = turns * 2 * M_PI;
  return spheres_take(s, error);
}

static inline bool spheres_open_sequence(spheres *s, double pitch, int positions, ct_error **error) {
  ct_simulation *m = spheres_init(s);
  m->table_step = spheres_feed(m, pitch);
  m->positions = positions;
  return spheres_take(s, error);
}

/* Largest deviation of the mean within a ball (of 0.7 of its radius) from the truth, of those that lie in the grid. */
static inline double worst_mean(const ct_volume *volume, const ct_simulation *m, int *balls) {
  const ct_grid *g = ct_volume_grid(volume);
  double worst = 0;
  *balls = 0;
  for (size_t n = 0; n < m->phantom->count; n++) {
    const ct_shape *ball = &m->phantom->shapes[n];
    const double radius = 0.7 * ball->half[0] * m->radius, z = ball->centre[2] * m->radius;
    double sum = 0;
    int count = 0;
    if (z - radius < g->z0 || z + radius > g->z0 + (g->nz - 1) * g->dz) continue;
    for (int k = 0; k < g->nz; k++)
      for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
          const double x = g->x0 + i * g->dx - ball->centre[0] * m->radius,
                       y = g->y0 + j * g->dy - ball->centre[1] * m->radius, up = g->z0 + k * g->dz - z;
          if (x * x + y * y + up * up > radius * radius) continue;
          sum += (double)ct_volume_get_data(volume)[(k * g->ny + j) * g->nx + i];
          count++;
        }
    worst = fmax(worst, fabs(sum / count / m->mu - 1));
    ++*balls;
  }
  return worst;
}

static inline void refuses(const spheres *s, const char *key, const char *value, const char *words) {
  ct_error *error = NULL;
  ct_plan plan = s->b.plan;
  CHECK_OK(ct_plan_set_text(&plan, key, value, &error));
  CHECK_FAILS(ct_pipeline_volume(s->b.pipeline, &plan, NULL, NULL, &error), CT_ERROR_UNSUPPORTED, words);
}

/* What every filtered back-projection of a spiral refuses, with what would do (of too short an arc: short_arc), and
 * that it answers a cancel. */
static inline void check_refusals(const spheres *s, const char *short_arc) {
  ct_error *error = NULL;
  refuses(s, "reconstruction.precision", "float16", "float32");
  refuses(s, "reconstruction.interpolation", "cubic", "linear");
  refuses(s, "reconstruction.kernel", "textbook", "auto");
  refuses(s, "geometry.tilt", "2", "tilted");
  refuses(s, "scan.view_count", "90", short_arc);
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  ct_job_cancel(job);
  CHECK_FAILS(ct_pipeline_volume(s->b.pipeline, &s->b.plan, NULL, job, &error), CT_ERROR_CANCELLED, "");
  ct_job_free(job);
}

#endif
