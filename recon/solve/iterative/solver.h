/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterative methods: one contract and one table. A method is a row: what it is called, where it comes from, which
 * parameters it uses within which range, what it needs of projector and data, then prepare and iterate. They are run by
 * iterate.h.
 *
 * All solve A x = b for the image x >= 0 or free, with A a projector (fp/projector.h). Methods that correct the image
 * by groups of views take them in the order that the options say; a group is one block of the projector or several.
 *
 * Relaxation. SIRT, SART and OS-SART divide by sums over rows and columns of A, ART by row squares: they converge for
 * 0 < relaxation < 2. Eq. 9 of Yu et al. 2018 divides by M row squares, M the number of rays. M is the bound that the
 * trace gives for the spectral radius of A^T D A (D = 1 / row squares), some hundred times too large for a scan: with
 * it hundreds of iterations show no picture. Here M is replaced by a tight upper bound of that radius, so that the
 * relaxation again lies between 0 and 2 and convergence is sure (iterative.divisor: the number of rays may be asked
 * for). It is found by iterating v := A^T D A v from v = 1:
 * for matrices without negative entries the largest quotient (A^T D A v) / v bounds the radius at every step (Collatz
 * 1942, Wielandt 1950); view by view each block has a bound of its own.
 *
 * On the Shepp-Logan phantom (512^2, fan beam, 720 views of 1024 rays) all rays at once come to an RMSE of 0.045 in 50
 * iterations with the relaxation 1.9, near the limit of the step, and to 0.016 with momentum. The methods that correct
 * more often are far ahead with their own relaxations: to be where all rays are after 50 iterations in 30 and 15, as in
 * Fig. 13 of the paper, eight views at a time take 0.157 and ART 0.0163.
 *
 * The automatic relaxation of view-by-view methods is stated for single views; where they correct after several
 * (iterative.block), it grows with the square root of their number, to 1.5 at most. */
#ifndef CT_SOLVE_ITERATIVE_SOLVER_H
#define CT_SOLVE_ITERATIVE_SOLVER_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/fp/projector.h"
#include "recon/solve/iterative/options.h"

#include <stdbool.h>
#include <stddef.h>

/* Parameters that a method uses besides iterations, start, region and stopping rules, which all do. */
enum {
  CT_USES_RELAXATION = 1 << 0,
  CT_USES_SUBSETS = 1 << 1,
  CT_USES_ORDER = 1 << 2,  /* and the seed, where the order is random */
  CT_USES_BOUNDS = 1 << 3, /* nonnegative, upper; others leave the image free, whatever the options say */
  CT_USES_TV = 1 << 4,     /* tv_weight, tv_steps */
  CT_USES_MOMENTUM = 1 << 5,
  CT_USES_BLOCK = 1 << 6, /* view by view, or by so many views at a time */
  CT_USES_DIVISOR = 1 << 7,
  CT_USES_HAAR = 1 << 8,     /* haar_weight, haar_levels */
  CT_USES_SHEARLET = 1 << 9, /* shearlet_weight, shearlet_scales */
};

/* What a method needs. */
enum {
  CT_NEEDS_ROWS = 1 << 0,         /* a projector with rows */
  CT_NEEDS_ROW_SQUARES = 1 << 1,  /* a projector that knows them */
  CT_NEEDS_MATCHED = 1 << 2,      /* back is the transpose of forward */
  CT_NEEDS_SINGLE_VIEWS = 1 << 4, /* a projector whose blocks are single views (ct_solver_needs) */
  CT_NEEDS_POSITIVE = 1 << 3,     /* an image and line integrals that are not negative; what is, is taken as 0 */
};

/* Every need with its name for lists: "rows of the matrix". */
typedef struct ct_solver_need ct_solver_need;
struct ct_solver_need {
  unsigned bit;
  const char *title;
  /* Whether a projector meets it, and what a method is told of one that does not; NULL: it asks nothing of projectors.
   */
  bool (*met)(const ct_projector *projector);
  const char *lack;
};
const ct_solver_need *ct_solver_needs_table(size_t *count);

typedef struct ct_solver_range {
  double low, high, fallback;
} ct_solver_range;

typedef struct ct_problem ct_problem; /* solver-private.h */
typedef struct ct_step ct_step;

/* What an iteration leaves for the next one beside the image: images in the projector's layout, and a number. */
enum { CT_KEPT_IMAGES = 2 };
typedef struct ct_kept {
  float *images[CT_KEPT_IMAGES];
  int count;
  double *number; /* NULL: none */
} ct_kept;

typedef struct ct_solver {
  const ct_choice *names;  /* method, id and title */
  const char *explanation; /* what it does and for whom, with its source */
  const char *residual;    /* of which image the curve's residual is */
  unsigned uses, needs;
  int iterations;             /* that show what it can do */
  ct_solver_range relaxation; /* without momentum; all 0 where it has none */
  bool momentum;              /* whether CT_MOMENTUM_AUTO is yes */
  bool joint;                 /* one step or one total variation for all slices: no slice of a stack by itself */
  ct_solver_range tv_weight, tv_steps, haar_weight, haar_levels, shearlet_weight, shearlet_scales;

  bool (*prepare)(ct_problem *problem, ct_job *job, ct_error **error);
  /* Frees what prepare made beside the memory of the problem, also where that failed; NULL: nothing. */
  void (*clear)(ct_problem *problem);
  /* One iteration, all rays once. False with CT_ERROR_CANCELLED leaves the image of the iteration before it. */
  bool (*iterate)(ct_problem *problem, ct_step *step, ct_job *job, ct_error **error);
  /* Tells what it takes besides the image to go on from it in another run; *kept is empty before. NULL: that cannot be
   * done. */
  void (*keep)(const ct_problem *problem, ct_kept *kept);
  /* Makes the rest after all that was set to what another run kept. NULL: there is no more. */
  bool (*take_up)(ct_problem *problem, ct_error **error);
} ct_solver;

/* All iterative methods; the direct one is none of them. */
const ct_solver *const *ct_solvers(size_t *count);
const ct_solver *ct_solver_find(ct_method method); /* NULL: none, or the direct method */
const ct_solver *ct_solver_find_id(const char *id);

/* Whether the method goes with momentum. Automatic: not with an unmatched pair, nor with a relaxation above 1. */
bool ct_solver_has_momentum(const ct_solver *solver, const ct_iterative_options *options);
/* The automatic relaxation: with momentum 1, which then is the largest. */
double ct_solver_relaxation(const ct_solver *solver, const ct_iterative_options *options);
/* CT_NEEDS_* with these options: momentum that was asked for needs a matched pair, corrections after fewer views than
 * symmetries tie together a projector that ties none. */
unsigned ct_solver_needs(const ct_solver *solver, const ct_iterative_options *options);

/* SIRT, 20 iterations from zero, everything automatic. */
void ct_iterative_options_init(ct_iterative_options *options);
/* Tells which parameter is out of its range for the method. Parameters that the method does not use are not looked at.
 */
bool ct_iterative_options_check(const ct_iterative_options *options, ct_error **error);

/* order[count]: a permutation of 0 .. count - 1, the views being sorted by angle modulo 180 degrees.
 *   sequential  0, 1, 2, ...
 *   random      a new one for every `iteration` of a seed
 *   golden      steps of the golden section of the arc (the nearest step that reaches all)
 *   multilevel  halves, quarters, eighths, ...: Guan & Gordon 1994 */
void ct_order_fill(ct_view_order kind, int count, int seed, int iteration, int *order);

#endif
