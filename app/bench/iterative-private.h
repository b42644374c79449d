/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of gantry-cli bench iterative share: problems, their data, and rows of members that each part chooses.
 */
#ifndef GANTRY_BENCH_ITERATIVE_PRIVATE_H
#define GANTRY_BENCH_ITERATIVE_PRIVATE_H

#include "app/bench/problems-private.h"
#include "recon/data/volume.h"
#include "recon/fp/projector.h"
#include "recon/solve/iterative/iterate.h"

/* A phantom of 92 mm about the axis of a field of 200 mm; n^2 x nz voxels, nu x nz pixels. */
typedef struct iter_problem {
  const char *name;
  const char *beam; /* an id of ct_beam_find */
  int n, nz, nu, views;
  ct_ray_model model;
  double arc, first; /* degrees; the first view in steps */
} iter_problem;

typedef struct iter_case {
  iter_problem problem;
  ct_geometry geometry;
  ct_grid grid;
  ct_volume *truth;    /* the phantom: density, its peak 1 */
  ct_stack *integrals; /* of the voxels of truth (consistent), or exact */
} iter_case;

/* Without line integrals; false with an error. */
bool iter_open(const bench *b, const iter_problem *problem, iter_case *c, ct_error **error);
/* c->integrals = A truth with a projector of the problem's model ("auto"), or the exact line integrals. */
bool iter_project(const bench *b, iter_case *c, ct_error **error);
bool iter_project_exactly(const bench *b, iter_case *c, ct_error **error);
void iter_close(iter_case *c);

ct_projector_request iter_request(const bench *b, const iter_case *c);
typedef struct iter_run {
  ct_method method;
  const char *projector; /* NULL: auto */
  bool unmatched, compared /* with truth */, nonnegative;
  double relaxation; /* 0: the method's own */
  ct_momentum momentum;
  int block;   /* views at a time; 0: the fewest that the projector takes */
  int threads; /* 0: the bench's */
} iter_run;

/* From zero. */
ct_iterative *iter_start(const bench *b, const iter_case *c, const iter_run *asked, ct_error **error);

/* A row: members printed as a table (a new one for another part), and kept with the bench's threads, unless it states
 * its own. Takes the object. */
void iter_add_row(bench *b, const char *part, json_t *row);
/* Tells why something is left out. Clears the error; false if it is a cancel, which is kept. */
bool iter_skip(bench *b, const char *problem, const char *what, ct_error **fault, ct_error **error);

/* A part runs its problems that --problems holds; it is not called where there is none. */
typedef struct iter_part {
  const char *name;
  const iter_problem *problems;
  int count;
  bool (*run)(bench *b, ct_error **error);
} iter_part;
extern const iter_part iter_sizes, iter_memory, iter_projectors, iter_methods, iter_convergence, iter_pace, iter_time,
    iter_pictures, iter_quality, iter_pairs;
static inline bool iter_chosen(const bench *b, const iter_problem *problem) {
  return bench_chosen(b, problem->name, "all");
}

/* The id of a method. */
const char *iter_method_id(ct_method method);

#endif
