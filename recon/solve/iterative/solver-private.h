/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the iterative methods share: the problem that a run holds, passes over images and rays, groups of views and the
 * sweep over them. Images and rays are in the projector's own layouts but where a name says natural. */
#ifndef CT_SOLVE_ITERATIVE_SOLVER_PRIVATE_H
#define CT_SOLVE_ITERATIVE_SOLVER_PRIVATE_H

#include "recon/exchange/exchange.h"
#include "recon/fp/projector.h"
#include "recon/solve/iterative/iterate.h"
#include "recon/solve/iterative/passes.h"
#include "recon/solve/iterative/solver.h"

enum { CT_SCRATCH = 40 };

typedef struct ct_halo ct_halo; /* halo.c */

struct ct_problem {
  const ct_solver *solver;
  ct_iterative_options options; /* only the relaxation may be automatic: ct_relaxation */
  const ct_geometry *geometry;
  ct_grid grid;
  int threads, slices; /* slices: ct_projector_slices */
  const ct_projector *projector;
  ct_projector_state *state;
  ct_projector_shape shape;
  const ct_passes *passes;

  float *x, *b;       /* image, line integrals */
  float *mask;        /* image: 1 where a voxel may change, 0 elsewhere and in the padding */
  float *image_share; /* 1 / number of places that hold the same voxel (ray); NULL where each has one */
  float *ray_share;
  ct_exchange *exchange; /* others hold other views of the scan, or other slices with the rows that see them; NULL: all
                          * are here. Sums over rays and images are of all processes */
  ct_halo *halo;         /* rays that pass slices of other processes, too; NULL: none does */
  bool apart;            /* no process has anything to do with the voxels and rays of another but for sums */
  double inside;         /* voxels that may change */
  double size;           /* |b| */
  float low, high;       /* bounds; infinite where there are none */
  int done;              /* iterations */
  double relaxation;     /* in use */

  void *own; /* the method's, from ct_problem_room */
  void *scratch[CT_SCRATCH];
  int scratches;
};

struct ct_step {
  double residual; /* |A x - b|^2 */
  double at;       /* of what image: 0 that of the iteration's beginning, 1 its end, the mean where it is gathered */
  double change, norm; /* |x' - x|^2, |x'|^2 */
};

/* Cleared memory that lives as long as the problem: an image, rays, an image in natural layout, or anything. */
float *ct_problem_image(ct_problem *problem, ct_error **error);
float *ct_problem_rays(ct_problem *problem, ct_error **error);
float *ct_problem_natural(ct_problem *problem, ct_error **error);
void *ct_problem_room(ct_problem *problem, size_t count, size_t element, ct_error **error);
void ct_problem_clear(ct_problem *problem); /* frees all of it */

/* The mask, the shares and the passes of this machine. */
bool ct_problem_prepare(ct_problem *problem, ct_error **error);
/* Whether there is a voxel that may change. */
bool ct_problem_check_region(ct_problem *problem, ct_error **error);

/* The projector that a run takes: the chosen one, or the fastest that has what the method needs. A matrix that many
 * slices share is taken where options->iterations pay for it and it needs at most `spare` bytes, as it could be done
 * without. `why` says it in a sentence. A stored matrix that needs symmetry where there is none is replaced by the one
 * by rows (csr), or by a faster one; *fell_back (may be NULL) tells. */
const ct_projector *ct_iterative_choose(const ct_solver *solver, const ct_iterative_options *options,
                                        const ct_projector_request *request, double spare, char *why, size_t why_size,
                                        bool *fell_back, ct_error **error);

/* Whether this has gone well in every process: the same answer and error in all. What can fail is followed by it before
 * the next sum over processes, which would wait for one that failed. */
static inline bool ct_all_agree(const ct_problem *p, bool good, ct_error **error) {
  return p->exchange ? p->exchange->way->agree(p->exchange, good, error) : good;
}
/* The same within an iteration by groups: processes that are apart agree at its end alone (ct_end_agree). */
static inline bool ct_step_agree(const ct_problem *p, bool good, ct_error **error) {
  return p->apart ? good : ct_all_agree(p, good, error);
}
static inline bool ct_end_agree(const ct_problem *p, bool good, ct_error **error) {
  return p->apart ? ct_all_agree(p, good, error) : good;
}

/* The rays that this process shares with those that hold slices beside its own, of `columns` ranges of detector rows,
 * one for each slab; the rows of the geometry are those of the exchange's own column. Sets problem->halo, apart, and
 * the share of rays that others count. */
bool ct_halo_make(ct_problem *problem, const ct_row_range *columns, ct_error **error);
void ct_halo_free(ct_halo *halo);
/* y, A x of the slices here, of these blocks (NULL: all): the sum over all slabs, on every process that holds the ray.
 */
void ct_halo_join(const ct_problem *problem, const int *blocks, int count, float *y);

static inline bool ct_forward(ct_problem *p, const float *x, float *y, ct_error **error) {
  if (!ct_all_agree(p, p->projector->forward(p->state, NULL, 0, x, y, error), error)) return false;
  ct_halo_join(p, NULL, 0, y);
  return true;
}
/* What the rays of all processes carry back; and a sum over all their rays. */
static inline void ct_join_image(const ct_problem *p, float *x) {
  if (p->exchange) p->exchange->way->sum_values(p->exchange, x, p->shape.image);
}
static inline double ct_join_sum(const ct_problem *p, double sum) {
  if (p->exchange) p->exchange->way->sum_numbers(p->exchange, &sum, 1);
  return sum;
}
/* Sums over the voxels of all slabs. Those of a slab are in each process of its column. */
static inline void ct_join_voxels(const ct_problem *p, double *sums, int count) {
  if (!p->exchange || p->exchange->columns == 1) return;
  p->exchange->way->sum_numbers(p->exchange, sums, count);
  for (int n = 0; n < count; n++) sums[n] /= p->exchange->groups;
}
static inline bool ct_back(ct_problem *p, const float *y, float *x, ct_error **error) {
  if (!ct_all_agree(p, p->projector->back(p->state, NULL, 0, y, x, error), error)) return false;
  ct_join_image(p, x);
  return true;
}

/* Whether so many blocks (NULL: all) are taken layer by layer: a layer's image stays in the cache, and what is carried
 * back is used as it becomes known. */
static inline bool ct_goes_by_layers(const ct_problem *p, const int *blocks, int count) {
  return p->projector->back_layer && blocks && count <= p->shape.apart;
}

/* Passes over all of an image or of the rays, by all threads. Sums do not depend on their number; but for those of
 * ct_image_step they are of all processes. */
double ct_residual(const ct_problem *problem, float *y, const float *w); /* y = w (b - y): |b - y|^2 */
void ct_image_step(const ct_problem *problem, float *x, const float *t, const float *c, double factor, bool product,
                   double sums[2]); /* sums NULL: none are made */
/* |a - b|^2 and |a|^2. */
void ct_image_difference(const ct_problem *problem, const float *a, const float *b, double sums[2]);
void ct_ray_difference(const ct_problem *problem, const float *a, const float *b, double sums[2]);
double ct_image_dot(const ct_problem *problem, const float *a, const float *b);
double ct_ray_dot(const ct_problem *problem, const float *a, const float *b);
void ct_add(const ct_problem *problem, size_t count, float *a, const float *b, double factor);   /* a += factor b */
void ct_blend(const ct_problem *problem, size_t count, float *a, const float *b, double factor); /* a = b + factor a */
void ct_copy(const ct_problem *problem, size_t count, float *to, const float *from);
/* a = factor a; a = a b; a = 1 / max(a, least), 0 where a is not above 0. */
void ct_scale(const ct_problem *problem, size_t count, float *a, double factor);
void ct_multiply(const ct_problem *problem, size_t count, float *a, const float *b);
void ct_invert(const ct_problem *problem, size_t count, float *a, double least);

/* 1 / sums of the rows of A over the mask, rays. A ray that only grazes the image counts as one of a voxel's length. */
float *ct_row_weights(ct_problem *problem, ct_error **error);
/* 1 / sums of squares of the rows, rays; the same floor. */
float *ct_square_weights(ct_problem *problem, ct_error **error);
/* An upper bound of the spectral radius of M A^T W A M over these blocks (NULL: all), M the mask, W weights of rays
 * (NULL: 1): see solver.h. x, t, y: scratch. At most `steps` products. 0: the blocks see nothing of the mask. */
typedef struct ct_radius_request {
  const int *blocks;
  int count;
  const float *w;
  int steps;
  float *x, *t, *y;
} ct_radius_request;
bool ct_radius_bound(ct_problem *problem, const ct_radius_request *request, double *bound, ct_job *job,
                     ct_error **error);

/* The relaxation asked for, or the method's own; that of view-by-view methods is stated for single views, and grows
 * where the projector ties `views` of them together. */
double ct_relaxation(const ct_problem *problem, double views);

/* Blocks in groups that correct the image together. */
typedef struct ct_groups {
  int count;
  int *blocks, *first; /* blocks[first[g] .. first[g + 1]) */
  int *views;          /* [count] of each group */
  int *order;          /* [count] of the present iteration */
} ct_groups;
/* `count` groups of blocks as far as there are so many, each spread over the arc; 0: every block its own. */
bool ct_groups_make(ct_problem *problem, int count, ct_groups *groups, ct_error **error);

typedef struct ct_sweep {
  ct_groups groups;
  const float *row;     /* weights of rays; NULL with `ratio` */
  const float *column;  /* factors of voxels, 0: stays */
  const double *factor; /* [groups] */
  double relaxation;
  bool ratio; /* multiplies by what b / A x carries back, instead of adding what b - A x does */
  float *y, *t, *before;
  float *ahead; /* with momentum: where x is corrected; NULL without */
  double *sums; /* [blocks] */
} ct_sweep;
/* The groups of a method that goes view by view, or by options.block views at a time, as ct_sweep_make takes them. */
int ct_view_groups(const ct_problem *problem);
/* Room for the groups and the vectors, and the relaxation; row, column and factor are the caller's. groups 0: one per
 * block. */
bool ct_sweep_make(ct_problem *problem, int groups, ct_sweep *sweep, ct_error **error);
/* column and factor: 1 / the largest sum per view that a group gives a voxel, over its views: then relaxations below 2
 * converge. */
bool ct_sweep_columns(ct_problem *problem, ct_sweep *sweep, ct_job *job, ct_error **error);
/* The mean share of an iteration that is behind each of so many steps when it takes its residual. */
double ct_gathered_at(double steps);
/* A sweep over all groups in the order of iteration problem->done; the residual is gathered, each group's before its
 * correction. */
bool ct_sweep_run(ct_problem *problem, ct_sweep *sweep, ct_step *step, ct_job *job, ct_error **error);
/* The solver's keep where the sweep is problem->own. */
void ct_sweep_keep(const ct_problem *problem, ct_kept *kept);

/* Haar's transform of an image in natural layout by blocks of 2, 4, ... 2^levels voxels a side along all axes of more
 * than one voxel, averaged over all shifts. */
typedef struct ct_haar {
  int n[3], levels, threads;
  float *means[CT_HAAR_LEVELS + 1]; /* of each level, and the room of another */
  float *lines;                     /* of each thread */
} ct_haar;
bool ct_haar_prepare(ct_problem *problem, int levels, ct_haar *haar, ct_error **error);
/* Soft thresholds of the orthonormal coefficients, but for the means of the largest blocks. */
void ct_haar_denoise(const ct_haar *haar, float *image, double threshold);

/* Total variation of an image in natural layout, isotropic, of forward differences scaled by voxel sizes (1 along x).
 */
typedef struct ct_tv {
  int nx, ny, nz, threads;
  const ct_passes *passes;
  float w[3];
  float *p[3], *q[3]; /* dual variables, [2] NULL for a slice */
  float *primal;
  float *normals; /* [threads][CT_TV_NORMALS][nx], of the gradient */
} ct_tv;
/* Rows of normals: of a row, of the row below and of the row before. */
enum { CT_TV_NORMALS = 9 };
/* For denoising (`dual`) or for gradients. */
bool ct_tv_prepare(ct_problem *problem, bool dual, ct_tv *tv, ct_error **error);
/* image = the minimiser of |x - image|^2 / 2 + weight TV(x), low <= x <= high, by `steps` dual steps from those of the
 * last call. */
void ct_tv_denoise(ct_tv *tv, float *image, double weight, int steps, float low, float high);
double ct_tv_value(const ct_tv *tv, const float *image);
/* out = its gradient, smoothed by `eps` (values). Returns the gradient's norm. */
double ct_tv_gradient(const ct_tv *tv, const float *image, double eps, float *out);

#define CT_DECLARE_SOLVER(method, id, title, brief, solver) extern const ct_solver solver;
CT_ITERATIVE_METHODS(CT_DECLARE_SOLVER)

#endif
