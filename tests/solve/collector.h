/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sink that puts slabs together again, and a publisher that looks at what is shown meanwhile. */
#ifndef TESTS_SOLVE_COLLECTOR_H
#define TESTS_SOLVE_COLLECTOR_H

#include "recon/base/memory.h"
#include "recon/solve/pipeline-private.h"
#include "recon/solve/overview.h"
#include "recon/solve/slabs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Puts the slabs together again, and looks at what is held meanwhile. */
typedef struct {
  const ct_pipeline *pipeline;
  float *data;
  char *plan;
  int slices, slabs, fail_at, cancel_at;
  bool out_of_order;
  double held; /* bytes of projections, at most */
  ct_job *job;
} collector;

static double bytes_of(const ct_stack *stack) {
  return stack ? (double)ct_stack_bytes(stack) : 0;
}

static bool collect(void *user, const ct_grid *whole, const ct_volume *slab, int first, ct_job *job, ct_error **error) {
  collector *c = user;
  const ct_grid *grid = ct_volume_grid(slab);
  const size_t slice = (size_t)whole->nx * (size_t)whole->ny;
  c->held = fmax(c->held, bytes_of(ct_pipeline_get_filtered(c->pipeline)) +
                              bytes_of(ct_pipeline_get_line_integrals(c->pipeline)));
  if (first != c->slices || fabs(grid->z0 - whole->z0 - first * whole->dz) > 1e-9) c->out_of_order = true;
  if (!c->data) c->data = ct_alloc_zero(ct_grid_voxels(whole), sizeof(float), "a copy", NULL);
  if (!c->plan && ct_volume_get_plan(slab)) c->plan = ct_strdup(ct_volume_get_plan(slab), NULL);
  memcpy(c->data + (size_t)first * slice, ct_volume_get_data(slab), ct_volume_bytes(slab));
  c->slices += grid->nz;
  c->slabs++;
  if (c->slabs == c->cancel_at) ct_job_cancel(c->job);
  return c->slabs != c->fail_at || ct_error_set(error, CT_ERROR_IO, "the sink is full");
}

static void collector_clear(collector *c) {
  ct_free(c->data);
  ct_free(c->plan);
}

/* Largest difference, relative to the largest value. */
static double difference(const float *a, const float *b, size_t count) {
  double most = 0, largest = 0;
  for (size_t i = 0; i < count; i++) {
    most = fmax(most, fabs((double)a[i] - (double)b[i]));
    largest = fmax(largest, fabs((double)b[i]));
  }
  return most / largest;
}

typedef struct {
  ct_job *job;
  int finish_at, calls, deepest;
  bool grids_agree, later_is_empty, ended_early;
  ct_grid grid;
  int levels_seen;
} viewer;

/* Levels of a coronal plane that hold anything: they never become fewer. */
static inline void look(void *user, const ct_partial *partial) {
  viewer *v = user;
  const ct_grid *g = ct_partial_grid(partial);
  if (v->calls == 0) v->grid = *g;
  v->grids_agree = (v->calls == 0 || v->grids_agree) && memcmp(g, &v->grid, sizeof *g) == 0;
  float *plane = malloc((size_t)g->nx * (size_t)(g->nz > g->ny ? g->nz : g->ny) * sizeof *plane);
  int slices = 0;
  if (ct_partial_read_plane(partial, CT_CORONAL, g->ny / 2, plane, NULL))
    for (int k = 0; k < g->nz; k++)
      for (int i = 0; i < g->nx; i++)
        if (plane[(size_t)k * (size_t)g->nx + (size_t)i] != 0) slices = k + 1;
  if (slices < v->levels_seen) v->later_is_empty = false;
  v->levels_seen = slices;
  /* The slice below the slab in work is finished. */
  if (partial->overview->done > 0 &&
      ct_partial_read_plane(partial, CT_AXIAL, partial->overview->done - 1, plane, NULL)) {
    double sum = 0;
    for (int i = 0; i < g->nx * g->ny; i++) sum += fabs((double)plane[i]);
    if (sum > 0) v->deepest = partial->overview->done;
  }
  free(plane);
  if (++v->calls == v->finish_at) ct_job_finish_early(v->job);
}

#endif
