/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Back-projection problems with made-up projections, for the tests and the benchmark: a geometry, a grid and noise that
 * is the same in every run. */
#ifndef CT_TESTS_BP_PROBLEM_H
#define CT_TESTS_BP_PROBLEM_H

#include "recon/bp/kernel.h"
#include "recon/data/stack.h"
#include "recon/data/volume.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct problem {
  const char *name;
  ct_beam beam;
  int nu, nv, views;
  double du, dv, sod, sdd; /* dv < 0, projection matrices only: rows run downwards; sod 0, with those: parallel rays */
  double offset_u, offset_v; /* of the isocentre from the detector's middle, pixels */
  double tilt;               /* radians */
  double first, arc;         /* radians */
  double wobble;             /* projection matrices: how irregular the orbit is, 0: an exact circle */
  int nx, ny, nz;
  double dx, dy, dz;
  double cx, cy, cz; /* the grid's centre, mm */
} problem;

static inline double problem_noise(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 8388608.0 - 1;
}

/* A C-arm's view: the circle's matrix, turned a little about all detector axes and shifted. */
static inline void problem_free_matrix(const problem *p, int view, double angle, double matrix[12]) {
  const double a = p->wobble * sin(3 * angle + 0.3), b = p->wobble * cos(2 * angle), s = sin(angle), c = cos(angle);
  const double x[3] = {c, s, b}, z[3] = {-b * c + a * s, -b * s - a * c, 1}, d[3] = {-s, c, a};
  const double fu = p->sdd / p->du, fv = p->sdd / p->dv;
  const double cu = (p->nu - 1) / 2.0 + p->offset_u + 40 * p->wobble * sin(angle),
               cv = (p->nv - 1) / 2.0 + p->offset_v - 25 * p->wobble * cos(angle);
  for (int n = 0; n < 3; n++) {
    matrix[n] = (fu * x[n] + cu * d[n]) / p->sod;
    matrix[4 + n] = (fv * z[n] + cv * d[n]) / p->sod;
    matrix[8 + n] = d[n] / p->sod;
  }
  matrix[3] = cu, matrix[7] = cv, matrix[11] = 1;
  (void)view;
}

/* Parallel rays whose axis wanders from view to view. */
static inline void problem_level_matrix(const problem *p, double angle, double matrix[12]) {
  const double cu = (p->nu - 1) / 2.0 + p->offset_u + 40 * p->wobble * sin(3 * angle + 0.3);
  const double m[12] = {
      cos(angle) / p->du, sin(angle) / p->du, 0, cu, 0, 0, 1 / p->dv, (p->nv - 1) / 2.0 + p->offset_v, 0, 0, 0, 1};
  for (int i = 0; i < 12; i++) matrix[i] = m[i];
}

static inline bool problem_geometry(const problem *p, ct_geometry *geometry, ct_error **error) {
  if (!ct_geometry_init(geometry, p->beam, p->nu, p->nv, p->views, error)) return false;
  geometry->du = p->du, geometry->dv = fabs(p->dv);
  if (p->beam != CT_BEAM_PARALLEL) geometry->sod = p->sod, geometry->sdd = p->sdd;
  geometry->centre_u += p->offset_u, geometry->centre_v += p->offset_v;
  geometry->tilt = p->tilt;
  if (geometry->angles) ct_geometry_set_arc(geometry, p->first, p->arc / p->views);
  if (p->beam == CT_BEAM_FREE)
    for (int view = 0; view < p->views; view++) {
      const double angle = p->first + p->arc * view / p->views;
      double *matrix = geometry->matrices + 12 * view;
      p->sod > 0 ? problem_free_matrix(p, view, angle, matrix) : problem_level_matrix(p, angle, matrix);
    }
  return true;
}

static inline ct_grid problem_grid(const problem *p) {
  return (ct_grid){p->nx,
                   p->ny,
                   p->nz,
                   p->dx,
                   p->dy,
                   p->dz,
                   p->cx - (p->nx - 1) / 2.0 * p->dx,
                   p->cy - (p->ny - 1) / 2.0 * p->dy,
                   p->cz - (p->nz - 1) / 2.0 * p->dz};
}

/* White noise about a smooth hill: every interpolation error shows. */
static inline ct_stack *problem_projections(const ct_geometry *geometry, ct_error **error) {
  ct_stack *stack = ct_stack_new(geometry->nu, geometry->nv, geometry->views, error);
  if (!stack) return NULL;
  uint32_t state = 12345;
  for (int view = 0; view < geometry->views; view++) {
    float *at = ct_stack_view(stack, view);
    for (int v = 0; v < geometry->nv; v++)
      for (int u = 0; u < geometry->nu; u++)
        *at++ = (float)(problem_noise(&state) + sin(3.0 * u / geometry->nu) * sin(3.0 * (v + 1) / (geometry->nv + 1)));
  }
  return stack;
}

/* No frequencies above an eighth of a cycle per pixel, zero at the border: what a kernel that resamples can be held to.
 */
static inline void problem_smooth(ct_stack *stack) {
  const int nu = ct_stack_nu(stack), nv = ct_stack_nv(stack);
  for (int view = 0; view < ct_stack_views(stack); view++) {
    float *at = ct_stack_view(stack, view);
    for (int v = 0; v < nv; v++)
      for (int u = 0; u < nu; u++) {
        const double hill = sin(M_PI * (u + 1) / (nu + 1)) * sin(M_PI * (v + 1) / (nv + 1));
        *at++ = (float)(hill * hill * (1 + 0.5 * sin(0.6 * u + view) * cos(0.5 * v) + 0.5 * cos(0.4 * u - 0.7 * v)));
      }
  }
}

/* A detector line through the band-limited ramp (Kak & Slaney 1988, eq. 3.61). */
static inline void problem_ramp(const float *line, int nu, float *row) {
  for (int u = 0; u < nu; u++) {
    double sum = 0.25 * line[u];
    for (int n = (u + 1) % 2; n < nu; n += 2) sum -= line[n] / (M_PI * M_PI * (n - u) * (n - u));
    row[u] = (float)sum;
  }
}

/* Adds all views to the volume in batches of request.batch, through a prepared state; with request.ahead each tells the
 * next. empty: the kernel is told that nothing is in the volume. */
static inline bool problem_add_to(bool empty, const ct_bp_kernel *kernel, ct_bp_state *state,
                                  const ct_bp_request *request, const ct_stack *stack, ct_volume *volume, ct_job *job,
                                  ct_error **error) {
  const int views = request->geometry->views;
  int *order = calloc((size_t)views, sizeof *order);
  const float **projections = calloc((size_t)views, sizeof *projections);
  bool fine = order && projections;
  for (int n = 0; fine && n < views; n++) {
    order[n] = views - 1 - n;
    projections[n] = ct_stack_get_view(stack, order[n]);
  }
  for (int done = 0; fine && done < views; done += request->batch) {
    const int count = views - done < request->batch ? views - done : request->batch, left = views - done - count;
    const ct_bp_batch next = {.count = left < request->batch ? left : request->batch,
                              .views = order + done + count,
                              .projections = projections + done + count,
                              .last = left <= request->batch};
    const ct_bp_batch batch = {.count = count,
                               .views = order + done,
                               .projections = projections + done,
                               .first = empty && !done,
                               .last = !left,
                               .next = request->ahead && left ? &next : NULL};
    fine = kernel->run(state, &batch, volume, job, error);
  }
  if (fine && kernel->finish) fine = kernel->finish(state, volume, error);
  free(order);
  free(projections);
  return fine;
}

/* Tells what is so. */
static inline bool problem_add(const ct_bp_kernel *kernel, ct_bp_state *state, const ct_bp_request *request,
                               const ct_stack *stack, ct_volume *volume, ct_job *job, ct_error **error) {
  const float *data = ct_volume_get_data(volume);
  bool empty = true;
  for (size_t n = 0; empty && n < ct_grid_voxels(ct_volume_grid(volume)); n++) empty = data[n] == 0;
  return problem_add_to(empty, kernel, state, request, stack, volume, job, error);
}

static inline bool problem_run(const ct_bp_kernel *kernel, const ct_bp_request *request, const ct_stack *stack,
                               ct_volume *volume, ct_job *job, ct_error **error) {
  ct_bp_state *state = kernel->prepare(kernel, request, error);
  if (!state) return false;
  const bool fine = problem_add(kernel, state, request, stack, volume, job, error);
  kernel->free(state);
  return fine;
}

/* Root of the mean square difference over that of the reference. */
static inline double problem_rel_rmse(const ct_volume *volume, const ct_volume *reference) {
  const float *a = ct_volume_get_data(volume), *b = ct_volume_get_data(reference);
  const size_t count = ct_grid_voxels(ct_volume_grid(volume));
  double difference = 0, power = 0;
  for (size_t n = 0; n < count; n++) {
    difference += ((double)a[n] - b[n]) * ((double)a[n] - b[n]);
    power += (double)b[n] * b[n];
  }
  return power > 0 ? sqrt(difference / power) : sqrt(difference);
}

#endif
