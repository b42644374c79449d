/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sweep that SIRT, SART, OS-SART, Eq. 9, MLEM and OSEM have in common: group by group, y = A x over the group's
 * rays, compared with the data and weighted, carried back, added to the image. One group of everything is SIRT, one
 * group per block SART.
 *
 * Sums over columns. SART divides by the sum that the group's rays give each voxel. Here one image serves all groups:
 * the largest such sum per view. Between groups it differs by the aliasing of rays and voxels and by the magnification
 * alone (parallel beam, Joseph: 1 to 1.4), it makes divergence impossible below a relaxation of 2, and reading one more
 * image for every view would cost more than projecting. With a single group, and so for SIRT and MLEM, it is the very
 * sum. */
#include "recon/solve/iterative/solver-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this the corrections of a group overshoot each other where data do not agree. */
#define LARGEST_AUTOMATIC 1.5

/* Groups between two looks at whether the job is to end. */
enum { SWEPT = 32 };

double ct_relaxation(const ct_problem *p, double views) {
  if (!isnan(p->options.relaxation)) return p->options.relaxation;
  const double own = ct_solver_relaxation(p->solver, &p->options);
  return views > 1 ? fmax(own, fmin(own * sqrt(views), LARGEST_AUTOMATIC)) : own;
}

int ct_view_groups(const ct_problem *p) {
  const int block = p->options.block, views = p->geometry->views;
  return block > 1 ? (views + block - 1) / block : 0;
}

bool ct_sweep_make(ct_problem *p, int groups, ct_sweep *sweep, ct_error **error) {
  const bool momentum = ct_solver_has_momentum(p->solver, &p->options); /* methods of one group alone */
  if (!ct_groups_make(p, groups, &sweep->groups, error)) return false;
  sweep->relaxation = p->relaxation =
      ct_relaxation(p, p->solver->uses & CT_USES_BLOCK ? (double)p->geometry->views / sweep->groups.count : 1);
  return (sweep->y = ct_problem_rays(p, error)) && (sweep->t = ct_problem_image(p, error)) &&
         (sweep->sums = ct_problem_room(p, (size_t)p->shape.blocks, sizeof(double), error)) &&
         ((!momentum && sweep->groups.count == 1) || (sweep->before = ct_problem_image(p, error))) &&
         (!momentum || (sweep->ahead = ct_problem_image(p, error)));
}

void ct_sweep_keep(const ct_problem *p, ct_kept *kept) {
  const ct_sweep *sweep = p->own;
  if (sweep->ahead) kept->images[kept->count++] = sweep->before;
}

double ct_gathered_at(double steps) {
  return (steps - 1) / (2 * steps);
}

/* The group's blocks as the projector wants them: NULL for all. */
static const int *blocks_of(const ct_groups *groups, int group, int *count) {
  *count = groups->first[group + 1] - groups->first[group];
  return groups->count == 1 ? NULL : groups->blocks + groups->first[group];
}

typedef struct column_sums {
  float *column, share;
} column_sums;

static void take_column_sums(void *user, size_t first, size_t count, const float *t) {
  const column_sums *sums = user;
  float *column = sums->column + first;
  const float share = sums->share;
  /* Not fmaxf: a call for every voxel and view. */
#pragma omp simd
  for (size_t n = 0; n < count; n++) column[n] = t[n] * share > column[n] ? t[n] * share : column[n];
}

static bool gather_column_sums(ct_problem *p, ct_sweep *sweep, int group, float *column, ct_error **error) {
  int count;
  const int *blocks = blocks_of(&sweep->groups, group, &count);
  column_sums sums = {column, 1 / (float)sweep->groups.views[group]};
  if (!ct_goes_by_layers(p, blocks, count)) {
    const size_t piece = 1 << 14, pieces = (p->shape.image + piece - 1) / piece;
    if (!ct_step_agree(p, p->projector->back(p->state, blocks, count, sweep->y, sweep->t, error), error)) return false;
    ct_join_image(p, sweep->t);
#pragma omp parallel for schedule(static) num_threads(p->threads)
    for (size_t n = 0; n < pieces; n++)
      take_column_sums(&sums, n * piece, n + 1 < pieces ? piece : p->shape.image - n * piece, sweep->t + n * piece);
    return true;
  }
  bool good = true;
  for (int layer = 0; good && layer < p->shape.layers; layer++)
    good = p->projector->back_layer(p->state, layer, blocks, count, sweep->y, take_column_sums, &sums, error);
  return good;
}

bool ct_sweep_columns(ct_problem *p, ct_sweep *sweep, ct_job *job, ct_error **error) {
  const size_t rays = (size_t)p->geometry->views * (size_t)p->geometry->nv * (size_t)p->geometry->nu;
  float *column = ct_problem_image(p, error), *ones = ct_problem_room(p, rays, sizeof *ones, error);
  double *factor = ct_problem_room(p, (size_t)sweep->groups.count, sizeof *factor, error);
  if (!column || !ones || !factor) return false;
  for (size_t n = 0; n < rays; n++) ones[n] = 1;
  p->projector->rays_in(p->state, ones, sweep->y);
  for (int g = 0; g < sweep->groups.count; g++) {
    if (!ct_job_may_go_on(job, error) || !gather_column_sums(p, sweep, g, column, error)) return false;
    factor[g] = 1.0 / sweep->groups.views[g];
  }
  ct_multiply(p, p->shape.image, column, p->mask);
  ct_invert(p, p->shape.image, column, 0);
  sweep->column = column;
  sweep->factor = factor;
  return true;
}

/* Of rays `first` and on, whose A x is y. */
static double compare_part(const ct_problem *p, const ct_sweep *sweep, size_t first, size_t count, float *y) {
  const float *share = p->ray_share ? p->ray_share + first : NULL;
  if (sweep->ratio) return p->passes->ratio(y, p->b + first, share, count);
  return p->passes->residual(y, p->b + first, sweep->row ? sweep->row + first : NULL, share, count);
}

/* Puts what is to be carried back in the place of A x, in one of so many layers. Returns |b - A x|^2 over the group. */
static double compare(const ct_problem *p, const ct_sweep *sweep, int layer, int layers, const int *blocks, int count) {
  double sum = 0;
  if (!blocks) count = p->shape.blocks;
#pragma omp parallel for schedule(static) num_threads(p->threads) if (count > 1)
  for (int n = 0; n < count; n++) {
    ct_projector_block block;
    p->projector->block(p->state, blocks ? blocks[n] : n, &block);
    const size_t rays = block.count / (size_t)layers;
    const size_t first = block.first + (size_t)layer * rays;
    sweep->sums[n] = compare_part(p, sweep, first, rays, sweep->y + first);
  }
  for (int n = 0; n < count; n++) sum += sweep->sums[n];
  return sum;
}

/* y = b - A x of a group, weighted (or their ratio), and t what it carries back. */
static bool carry_back(ct_problem *p, ct_sweep *sweep, int group, const float *x, double *residual, ct_job *job,
                       ct_error **error) {
  int count;
  const int *blocks = blocks_of(&sweep->groups, group, &count);
  if (!ct_job_may_go_on(job, error) ||
      !ct_step_agree(p, p->projector->forward(p->state, blocks, count, x, sweep->y, error), error))
    return false;
  ct_halo_join(p, blocks, count, sweep->y);
  *residual += compare(p, sweep, 0, 1, blocks, count);
  if (!ct_step_agree(p, p->projector->back(p->state, blocks, count, sweep->y, sweep->t, error), error)) return false;
  ct_join_image(p, sweep->t);
  return true;
}

/* How far the way from the image before goes on: Nesterov's momentum (1983) in the form of Chambolle & Dossal (2015),
 * for which the images themselves are proven to converge. */
static float momentum_of(int done) {
  const double a = 2.1;
  return (float)(done / (done + 1 + a));
}

/* ahead = x + momentum (x - before), corrected there. The first time there is no image before: its factor is 0. */
static bool run_ahead(ct_problem *p, ct_sweep *sweep, ct_step *step, ct_job *job, ct_error **error) {
  const float m = momentum_of(p->done), *x = p->x, *before = sweep->before;
  float *ahead = sweep->ahead;
  double sums[2];
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (size_t n = 0; n < p->shape.image; n++) ahead[n] = x[n] + m * (x[n] - before[n]);
  if (!ct_end_agree(p, carry_back(p, sweep, 0, ahead, &step->residual, job, error), error)) return false;
  step->residual = ct_join_sum(p, step->residual);
  ct_image_step(p, ahead, sweep->t, sweep->column, sweep->relaxation * sweep->factor[0], sweep->ratio, NULL);
  ct_image_difference(p, ahead, x, sums);
  step->change = sums[0];
  step->norm = sums[1];
  sweep->ahead = sweep->before;
  sweep->before = p->x;
  p->x = ahead;
  return true;
}

/* What is to be done between the products of groups `first` and on in the present order. */
typedef struct step_taken {
  const ct_problem *p;
  const ct_sweep *sweep;
  int first;
} step_taken;

static void take_step(void *user, int number, size_t first, size_t count, const float *t) {
  const step_taken *s = user;
  const ct_problem *p = s->p;
  const ct_sweep *sweep = s->sweep;
  const float factor = (float)(sweep->relaxation * sweep->factor[sweep->groups.order[s->first + number]]);
  const ct_pass_step step = {.x = p->x + first,
                             .t = t,
                             .c = sweep->column + first,
                             .factor = factor,
                             .low = p->low,
                             .high = p->high,
                             .product = sweep->ratio,
                             .count = count};
  p->passes->step(&step);
}

static double compare_rays(void *user, size_t first, size_t count, float *rays) {
  const step_taken *s = user;
  return compare_part(s->p, s->sweep, first, count, rays);
}

static void take_own_step(void *user, size_t first, size_t count, const float *t) {
  take_step(user, 0, first, count, t);
}

static bool go_by_layers(const ct_problem *p, const ct_groups *groups) {
  bool all = groups->count > 1;
  for (int g = 0; all && g < groups->count; g++)
    all = ct_goes_by_layers(p, groups->blocks, groups->first[g + 1] - groups->first[g]);
  return all;
}

static bool correct_layer(ct_problem *p, ct_sweep *sweep, int layer, int number, double *residual, ct_error **error) {
  int count;
  const ct_projector *projector = p->projector;
  const int *blocks = blocks_of(&sweep->groups, sweep->groups.order[number], &count);
  step_taken taken = {p, sweep, number};
  if (!projector->forward_layer(p->state, layer, blocks, count, p->x, sweep->y, error)) return false;
  *residual += compare(p, sweep, layer, p->shape.layers, blocks, count);
  return projector->back_layer(p->state, layer, blocks, count, sweep->y, take_own_step, &taken, error);
}

/* Groups [number, number + count) of one block each. */
static bool sweep_layer(ct_problem *p, ct_sweep *sweep, int layer, int number, int count, double *residual,
                        ct_error **error) {
  const ct_groups *groups = &sweep->groups;
  int blocks[SWEPT];
  double sums[SWEPT];
  step_taken taken = {p, sweep, number};
  for (int n = 0; n < count; n++) blocks[n] = groups->blocks[groups->first[groups->order[number + n]]];
  const ct_projector_visit visit = {&taken, compare_rays, take_step};
  const ct_projector_sweep request = {
      .layer = layer, .blocks = blocks, .count = count, .x = p->x, .y = sweep->y, .visit = &visit, .sums = sums};
  if (!p->projector->sweep_layer(p->state, &request, error)) return false;
  for (int n = 0; n < count; n++) *residual += sums[n];
  return true;
}

static bool correct_layers(ct_problem *p, ct_sweep *sweep, double *residual, ct_job *job, ct_error **error) {
  const ct_groups *groups = &sweep->groups;
  const bool singly = p->projector->sweep_layer && groups->count == groups->first[groups->count];
  for (int layer = 0; layer < p->shape.layers; layer++)
    for (int n = 0, count; n < groups->count; n += count) {
      count = singly ? groups->count - n < SWEPT ? groups->count - n : SWEPT : 1;
      if (!ct_job_may_go_on(job, error) || !(singly ? sweep_layer(p, sweep, layer, n, count, residual, error)
                                                    : correct_layer(p, sweep, layer, n, residual, error)))
        return false;
    }
  return true;
}

static bool correct_groups(ct_problem *p, ct_sweep *sweep, double *residual, double *sums, ct_job *job,
                           ct_error **error) {
  for (int n = 0; n < sweep->groups.count; n++) {
    const int group = sweep->groups.order[n];
    if (!carry_back(p, sweep, group, p->x, residual, job, error)) return false;
    ct_image_step(p, p->x, sweep->t, sweep->column, sweep->relaxation * sweep->factor[group], sweep->ratio, sums);
  }
  return true;
}

bool ct_sweep_run(ct_problem *p, ct_sweep *sweep, ct_step *step, ct_job *job, ct_error **error) {
  const ct_groups *groups = &sweep->groups;
  const bool single = groups->count == 1;
  double sums[2] = {0};
  *step = (ct_step){.at = ct_gathered_at(groups->count)};
  if (sweep->ahead) return run_ahead(p, sweep, step, job, error);
  if (!single) ct_copy(p, p->shape.image, sweep->before, p->x);
  ct_order_fill((ct_view_order)p->options.order, groups->count, p->options.seed, p->done, groups->order);
  const bool good = go_by_layers(p, groups)
                        ? correct_layers(p, sweep, &step->residual, job, error)
                        : correct_groups(p, sweep, &step->residual, single ? sums : NULL, job, error);
  if (!ct_end_agree(p, good, error)) {
    if (!single) ct_copy(p, p->shape.image, p->x, sweep->before);
    return false;
  }
  step->residual = ct_join_sum(p, step->residual);
  if (single)
    ct_join_voxels(p, sums, 2);
  else
    ct_image_difference(p, p->x, sweep->before, sums);
  step->change = sums[0];
  step->norm = sums[1];
  return true;
}
