/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small problems for the tests of iterative methods: a phantom on a grid, and its line integrals by the reference
 * projector, which are consistent, or exact, which are not. */
#ifndef TESTS_SOLVE_ITERATIVE_PROBLEM_H
#define TESTS_SOLVE_ITERATIVE_PROBLEM_H

#include "recon/base/memory.h"
#include "recon/phantom/phantom.h"
#include "recon/solve/iterative/iterate.h"
#include "recon/solve/iterative/solver.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct small_problem {
  ct_geometry geometry;
  ct_grid grid;
  ct_volume *truth;
  ct_stack *lines;
  ct_iterative_request request;
} small_problem;

/* The body for every method. */
#define FOR_SOLVERS(solver)                                                                                            \
  size_t count_##solver;                                                                                               \
  const ct_solver *const *all_##solver = ct_solvers(&count_##solver);                                                  \
  const ct_solver *solver = all_##solver[0];                                                                           \
  for (size_t i_##solver = 0; i_##solver < count_##solver && (solver = all_##solver[i_##solver]); i_##solver++)

/* The method that a check fails in. */
#define CHECK_IN(solver, condition)                                                                                    \
  do {                                                                                                                 \
    if (!(condition)) CT_TEST_END(1, "%s:%d: %s: %s", __FILE__, __LINE__, (solver)->names->id, #condition);            \
  } while (0)
#define CHECK_OK_IN(solver, call)                                                                                      \
  do {                                                                                                                 \
    if (!(call))                                                                                                       \
      CT_TEST_END(1, "%s:%d: %s: %.300s", __FILE__, __LINE__, (solver)->names->id,                                     \
                  error ? error->message : "no error set");                                                            \
  } while (0)

static const double problem_radius = 100;

static inline void problem_clear(small_problem *p) {
  ct_volume_free(p->truth);
  ct_stack_free(p->lines);
  ct_geometry_clear(&p->geometry);
}

/* A x by the textbook, for the data of an image that A can make. */
static inline bool problem_project(small_problem *p, ct_error **error) {
  const ct_projector *projector = ct_projector_find("textbook");
  const ct_projector_request request = {
      .geometry = &p->geometry, .grid = p->grid, .model = CT_MODEL_JOSEPH, .threads = 2};
  ct_projector_state *state = ct_projector_prepare(projector, &request, NULL, error);
  if (!state) return false;
  ct_projector_shape shape;
  projector->shape(state, &shape);
  float *x = ct_alloc_zero(shape.image, sizeof *x, "x", error), *y = ct_alloc_zero(shape.rays, sizeof *y, "y", error);
  bool good = x && y;
  if (good) {
    projector->image_in(state, ct_volume_get_data(p->truth), x);
    good = projector->forward(state, NULL, 0, x, y, error);
    if (good) projector->rays_out(state, y, ct_stack_data(p->lines));
  }
  ct_free(x);
  ct_free(y);
  projector->free(state);
  return good;
}

/* n^2 pixels (cone beam: n^3) over the phantom, n columns and a quarter more, views over half a turn or a whole one at
 * half steps. */
static inline bool problem_init(small_problem *p, ct_beam beam, int n, int views, bool consistent, ct_error **error) {
  memset(p, 0, sizeof *p);
  const bool cone = beam == CT_BEAM_CONE, divergent = cone || beam == CT_BEAM_FAN;
  const int nu = n + n / 4;
  const double arc = divergent ? 2 * M_PI : M_PI;
  if (!ct_geometry_init(&p->geometry, beam, nu, cone ? nu : 1, views, error)) return false;
  p->geometry.du = p->geometry.dv = 2 * problem_radius / n;
  if (divergent) {
    p->geometry.sod = 600;
    p->geometry.sdd = 900;
    p->geometry.du = p->geometry.dv = 1.5 * 2 * problem_radius / n;
  }
  ct_geometry_set_arc(&p->geometry, 0.5 * arc / views, arc / views);
  p->grid = ct_grid_centred(n, n, cone ? n : 1, 2 * problem_radius / n, NULL);
  const ct_phantom *phantom = ct_phantom_find(cone ? "shepp-logan-3d" : "shepp-logan");
  p->truth = ct_volume_new(&p->grid, error);
  if (!p->truth || !ct_phantom_voxelise(phantom, problem_radius, 0.02, 4, p->truth, NULL, error)) return false;
  p->lines = consistent ? ct_stack_new(nu, cone ? nu : 1, views, error)
                        : ct_phantom_project(phantom, problem_radius, 0.02, &p->geometry, 1, NULL, error);
  if (!p->lines || (consistent && !problem_project(p, error))) return false;
  p->request = (ct_iterative_request){
      .geometry = &p->geometry, .grid = p->grid, .integrals = p->lines, .reference = p->truth, .threads = 1};
  ct_iterative_options_init(&p->request.options);
  return true;
}

static inline void problem_take(small_problem *p, const ct_solver *solver) {
  ct_iterative_options_init(&p->request.options);
  p->request.options.method = (ct_method)solver->names->value;
}

/* Runs the request for `iterations` and keeps the run; the image, if asked for, in natural layout (ct_free). */
static inline ct_iterative *problem_run(const small_problem *p, int iterations, float **image, ct_error **error) {
  ct_iterative *run = ct_iterative_new(&p->request, NULL, error);
  if (!run) return NULL;
  float *read = NULL;
  if (!ct_iterative_run(run, iterations, NULL, NULL, error) ||
      (image && !(read = ct_alloc(ct_grid_voxels(&p->grid), sizeof *read, "the image", error)))) {
    ct_iterative_free(run);
    return NULL;
  }
  if (read) ct_iterative_read(run, *image = read);
  return run;
}

static inline const ct_iteration *last_of(const ct_iterative *run) {
  size_t count;
  const ct_iteration *curve = ct_iterative_get_curve(run, &count);
  return curve + count - 1;
}

#endif
