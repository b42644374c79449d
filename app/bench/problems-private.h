/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The problems of the suites, and their geometry. */
#ifndef GANTRY_BENCH_PROBLEMS_PRIVATE_H
#define GANTRY_BENCH_PROBLEMS_PRIVATE_H

#include "app/bench/report-private.h"
#include "recon/geom/geometry.h"

typedef struct bench_problem {
  const char *name;
  const char *beam; /* an id of ct_beam_find */
  int nu, nv, views;
  double du, sod, sdd;
  double offset_u, offset_v; /* pixels */
  double tilt, arc, wobble;  /* radians; irregularity of projection matrices */
  int nx, ny, nz;
  double voxel, cy, cz; /* mm; x of the grid's centre is 0 */
} bench_problem;

extern const bench_problem bench_problems[], bench_chen_problems[];
extern const int bench_problem_count, bench_chen_problem_count;
/* False: --problems names something else than these, or one `more` (NULL: none), or all. */
bool bench_check_problems(const bench *b, const bench_problem *problems, int count, const char *more, ct_error **error);

/* The problem with no side longer than `size` pixels or voxels: the same field of view in fewer, larger ones, with as
 * many fewer views. 0 leaves it as it is. */
bench_problem bench_shrink(const bench_problem *problem, int size);
bool bench_problem_geometry(const bench_problem *problem, ct_geometry *geometry, ct_error **error);

#endif
