/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small back-projection by one GPU kernel, for the tests of how it takes a device that is slow or fails. */
#ifndef CT_TESTS_TRIAL_H
#define CT_TESTS_TRIAL_H

#include "render/compute/device.h"
#include "tests/bp/problem.h"

/* 13 views of 48 x 40 pixels, onto nx x ny x nz voxels. */
#define TRIAL_CONE(nx, ny, nz)                                                                                         \
  { "cone", CT_BEAM_CONE, 48, 40, 13, 1, 1, 100, 150, 0, 0, 0, 0.1, 6.2831853, 0, nx, ny, nz, 0.6, 0.6, 0.55, 0, 0, 0 }
#define TRIAL_PARALLEL(nx, ny, nz)                                                                                     \
  { "parallel", CT_BEAM_PARALLEL, 48, 40, 13, 1, 1, 0, 0, 0.4, 0, 0, 0.1, 3.14159265, 0, nx, ny, nz, 1, 1, 1, 0, 0, 0 }

typedef struct trial {
  ct_geometry geometry;
  ct_stack *stack;
  ct_bp_request request;
  const ct_bp_kernel *kernel;
} trial;

static inline bool trial_make(trial *t, const problem *p, const char *kernel, ct_bp_device *device, ct_error **error) {
  const ct_bp_table gpu = ctgl_backend(NULL).kernels;
  *t = (trial){.kernel = ct_bp_find(&gpu, kernel)};
  if (!problem_geometry(p, &t->geometry, error)) return false;
  t->request = (ct_bp_request){.geometry = &t->geometry,
                               .grid = problem_grid(p),
                               .interp = CT_INTERP_LINEAR,
                               .precision = CT_PRECISION_FLOAT32,
                               .threads = 2,
                               .batch = 5,
                               .device = device};
  return (t->stack = problem_projections(&t->geometry, error));
}

static inline void trial_clear(trial *t) {
  ct_stack_free(t->stack);
  ct_geometry_clear(&t->geometry);
  *t = (trial){0};
}

#endif
