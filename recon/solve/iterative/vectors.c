/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes over images and rays by all threads. The elements are cut into chunks whose borders depend on their number
 * alone; each is summed by one thread, and the chunks' sums are added in order: so sums do not depend on the number of
 * threads. Short vectors are left to one thread, which walks the same chunks. */
#include "recon/solve/iterative/solver-private.h"

#include <math.h>
#include <string.h>

enum { CHUNKS = 64, SHORT = 1 << 14 };

/* First element of a chunk; a whole number of vectors. */
static inline size_t chunk_begin(size_t count, int chunk) {
  const size_t vectors = (count + 15) / 16, c = (size_t)chunk;
  const size_t at = 16 * (vectors / CHUNKS * c + vectors % CHUNKS * c / CHUNKS);
  return at < count ? at : count;
}

/* Runs BODY with `at`, `n` (elements) and `c` (number) of every chunk. */
#define FOR_CHUNKS(problem, count, BODY)                                                                               \
  do {                                                                                                                 \
    const int threads_ = (count) < SHORT ? 1 : (problem)->threads;                                                     \
    _Pragma("omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)") for (int c = 0; c < CHUNKS;   \
                                                                                              c++) {                   \
      const size_t at = chunk_begin((count), c), n = chunk_begin((count), c + 1) - at;                                 \
      if (n) BODY;                                                                                                     \
    }                                                                                                                  \
  } while (0)

static double add_up(const double sums[CHUNKS]) {
  double sum = 0;
  for (int c = 0; c < CHUNKS; c++) sum += sums[c];
  return sum;
}

static void add_pairs(const double pairs[CHUNKS][2], double sums[2]) {
  sums[0] = sums[1] = 0;
  for (int c = 0; c < CHUNKS; c++) {
    sums[0] += pairs[c][0];
    sums[1] += pairs[c][1];
  }
}

static inline const float *from(const float *vector, size_t at) {
  return vector ? vector + at : NULL;
}

double ct_residual(const ct_problem *p, float *y, const float *w) {
  double sums[CHUNKS] = {0};
  FOR_CHUNKS(p, p->shape.rays,
             sums[c] = p->passes->residual(y + at, p->b + at, from(w, at), from(p->ray_share, at), n));
  return ct_join_sum(p, add_up(sums));
}

static void step_part(const ct_problem *p, const ct_pass_step *whole, size_t at, size_t count, double *sums) {
  ct_pass_step part = *whole;
  part.x += at, part.t += at, part.c += at;
  part.share = from(whole->share, at);
  part.count = count;
  if (sums)
    p->passes->step_sums(&part, sums);
  else
    p->passes->step(&part);
}

void ct_image_step(const ct_problem *p, float *x, const float *t, const float *c_factor, double factor, bool product,
                   double sums[2]) {
  const ct_pass_step whole = {.x = x,
                              .t = t,
                              .c = c_factor,
                              .share = p->image_share,
                              .factor = (float)factor,
                              .low = p->low,
                              .high = p->high,
                              .product = product};
  if (!sums) {
    FOR_CHUNKS(p, p->shape.image, step_part(p, &whole, at, n, NULL));
    return;
  }
  double pairs[CHUNKS][2] = {0};
  FOR_CHUNKS(p, p->shape.image, step_part(p, &whole, at, n, pairs[c]));
  add_pairs(pairs, sums);
}

void ct_image_difference(const ct_problem *p, const float *a, const float *b, double sums[2]) {
  double pairs[CHUNKS][2] = {0};
  FOR_CHUNKS(p, p->shape.image, p->passes->difference(a + at, b + at, from(p->image_share, at), n, pairs[c]));
  add_pairs(pairs, sums);
  ct_join_voxels(p, sums, 2);
}

void ct_ray_difference(const ct_problem *p, const float *a, const float *b, double sums[2]) {
  double pairs[CHUNKS][2] = {0};
  FOR_CHUNKS(p, p->shape.rays, p->passes->difference(a + at, b + at, from(p->ray_share, at), n, pairs[c]));
  add_pairs(pairs, sums);
}

static double dot(const ct_problem *p, const float *a, const float *b, const float *share, size_t count) {
  double sums[CHUNKS] = {0};
  FOR_CHUNKS(p, count, sums[c] = p->passes->dot(a + at, b + at, from(share, at), n));
  return add_up(sums);
}

double ct_image_dot(const ct_problem *p, const float *a, const float *b) {
  double sum = dot(p, a, b, p->image_share, p->shape.image);
  ct_join_voxels(p, &sum, 1);
  return sum;
}
double ct_ray_dot(const ct_problem *p, const float *a, const float *b) {
  return ct_join_sum(p, dot(p, a, b, p->ray_share, p->shape.rays));
}

void ct_add(const ct_problem *p, size_t count, float *a, const float *b, double factor) {
  FOR_CHUNKS(p, count, p->passes->add(a + at, b + at, (float)factor, n));
}

void ct_blend(const ct_problem *p, size_t count, float *a, const float *b, double factor) {
  FOR_CHUNKS(p, count, p->passes->blend(a + at, b + at, (float)factor, n));
}

void ct_copy(const ct_problem *p, size_t count, float *to, const float *source) {
  FOR_CHUNKS(p, count, memcpy(to + at, source + at, n * sizeof *to));
}

static void multiply(float *restrict a, const float *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) a[i] *= b[i];
}

static void scale(float *a, float factor, size_t count) {
  for (size_t i = 0; i < count; i++) a[i] *= factor;
}

static void invert(float *a, float least, size_t count) {
  for (size_t i = 0; i < count; i++) a[i] = a[i] > 0 ? 1 / fmaxf(a[i], least) : 0;
}

void ct_multiply(const ct_problem *p, size_t count, float *a, const float *b) {
  FOR_CHUNKS(p, count, multiply(a + at, b + at, n));
}

void ct_invert(const ct_problem *p, size_t count, float *a, double least) {
  FOR_CHUNKS(p, count, invert(a + at, (float)least, n));
}

void ct_scale(const ct_problem *p, size_t count, float *a, double factor) {
  FOR_CHUNKS(p, count, scale(a + at, (float)factor, n));
}
