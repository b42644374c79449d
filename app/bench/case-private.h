/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A problem in memory, on which kernels are timed and checked: noise as projections, a volume, and textbook's values on
 * a lattice of its voxels. */
#ifndef GANTRY_BENCH_CASE_PRIVATE_H
#define GANTRY_BENCH_CASE_PRIVATE_H

#include "app/bench/problems-private.h"
#include "recon/bp/kernel.h"
#include "recon/data/stack.h"
#include "recon/data/volume.h"

/* A problem in memory. */
typedef struct bench_case {
  char name[96];
  ct_geometry geometry;
  int views_stated; /* of the problem; the geometry may have fewer, evenly spread */
  ct_grid grid;
  ct_stack *stack; /* filtered projections */
  ct_volume *volume;
  ct_volume *expected; /* textbook on a lattice of voxels spread over the grid, of the first expected_views views */
  int expected_views;
  ct_interp expected_interp;
  double loop_gups[CT_INTERP_OVERSAMPLED + 1]; /* GUPS of the voxel loop, 0 when not measured yet */
  int loop_threads;
  double serial_gups; /* of serial-loop in float32, 0 when not measured yet */
} bench_case;

/* The problem in --size, and in --views for cards. False with the reason when memory does not suffice; noise as
 * projections, of as many views as memory allows. */
bool bench_case_open(const bench *b, const bench_problem *problem, bench_case *c, ct_error **error);
/* Takes geometry and stack, also on failure. */
bool bench_case_take(const char *name, ct_geometry *geometry, ct_stack *stack, const ct_grid *grid, bench_case *c,
                     ct_error **error);
void bench_case_clear(bench_case *c);

/* What to measure of a case. */
typedef struct bench_run {
  const ct_bp_kernel *kernel;
  ct_interp interp;
  ct_precision precision;
  int threads, batch;
  bool own_interps; /* kernels without this interpolation are measured by their own, and not told of */
  bool all_views;   /* else a slow kernel is timed on as many views as the limit allows */
  /* Called with the volume of the first `views` views; may fill row->rel_rmse, row->note and return members for JSON.
   * NULL: relative RMSE against textbook on the lattice. */
  json_t *(*check)(bench *b, bench_case *c, const struct bench_run *run, int views, bench_row *row, ct_error **error);
  void *user;
  const struct ct_fourier_options *fourier; /* of direct Fourier reconstruction; NULL: others */
} bench_run;

/* What a kernel is asked for. */
ct_bp_request bench_request(const bench *b, const bench_case *c, const bench_run *run);
/* Views first .. first + count - 1 of a case through a prepared kernel, finish included, into a volume that holds those
 * before them: none where first is 0. */
bool bench_add_views(bench *b, const bench_case *c, const bench_run *run, ct_bp_state *state, int first, int count,
                     ct_volume *volume, ct_error **error);

/* The lattice of at most `most` voxels a side over a grid; steps[3] are the strides in voxels. */
ct_grid bench_lattice(const ct_grid *grid, int most, int steps[3]);
/* Textbook over the first `views` views on the case's lattice, into c->expected. */
bool bench_expect(bench *b, bench_case *c, ct_interp interp, int views, ct_error **error);
/* The voxels of a volume on the lattice of c->expected, in its order; `count` of them into out. */
void bench_gather(const bench_case *c, const ct_volume *volume, float *out);
double bench_rel_rmse(const float *values, const float *expected, size_t count);

#endif
