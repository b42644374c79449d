/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Soft thresholds of the coefficients of Haar's transform, averaged over all shifts (cycle spinning, Coifman & Donoho
 * 1995), of an image that goes on beyond its borders as its mirror image. The average over the shifts of an orthonormal
 * transform by blocks of 2^l voxels a side is the transform without decimation: each voxel pair, square or cube of
 * every level is one block of some shift.
 *
 * Means of level l are kept at the middle of their blocks: c_l[m] = (c_(l-1)[m - h] + c_(l-1)[m + h]) / 2 with h =
 * 2^(l-2), and c_1[m] = (c_0[m - 1] + c_0[m]) / 2, m = 0 .. n. So a level from the first on mirrors about its first and
 * its last place, the image about the borders of its voxels, whatever n is. */
#include "recon/solve/iterative/solver-private.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { SIGNS = 4, LINES = 4 }; /* rows of a block, and lines of a thread */

/* How a level's blocks lie: from a block's place m the lower voxel of each pair is at m - low, the upper at m + high.
 */
typedef struct step {
  int level, low, high;
  const float *from;  /* the level below */
  const float *means; /* of the level, as they are to be */
  float *to;
  float threshold;
} step;

static bool is_active(const ct_haar *haar, int axis) {
  return haar->n[axis] > 1;
}

/* Places along an axis. */
static int size_of(const ct_haar *haar, int axis, int level) {
  return haar->n[axis] + (level > 0 && is_active(haar, axis));
}

/* The place that shows the value at i. */
static inline int mirror(int i, int n, int level) {
  if (n == 1) return 0;
  const int period = level > 0 ? 2 * (n - 1) : 2 * n, at = ((i % period) + period) % period;
  return at < n ? at : level > 0 ? period - at : period - 1 - at;
}

static const float *row_of(const ct_haar *haar, const float *level, int number, int j, int k) {
  const int nx = size_of(haar, 0, number), ny = size_of(haar, 1, number), nz = size_of(haar, 2, number);
  return level + ((size_t)mirror(k, nz, number) * (size_t)ny + (size_t)mirror(j, ny, number)) * (size_t)nx;
}

static int length_of_line(const ct_haar *haar) {
  return haar->n[0] + 1 + (2 << haar->levels);
}

bool ct_haar_prepare(ct_problem *p, int levels, ct_haar *haar, ct_error **error) {
  const ct_grid *g = &p->grid;
  *haar = (ct_haar){.n = {g->nx, g->ny, g->nz}, .threads = p->threads};
  const int longest = g->nx > g->ny ? g->nx : g->ny;
  size_t count = 1;
  while (haar->levels < levels && haar->levels < CT_HAAR_LEVELS && 1 << haar->levels < longest) haar->levels++;
  for (int axis = 0; axis < 3; axis++) count *= (size_t)size_of(haar, axis, 1);
  for (int n = 0; n <= haar->levels; n++)
    if (!(haar->means[n] = ct_problem_room(p, count, sizeof(float), error))) return false;
  haar->lines = ct_problem_room(p, (size_t)p->threads * LINES * (size_t)length_of_line(haar), sizeof(float), error);
  return haar->lines;
}

static step step_of(int level) {
  const int half = level > 1 ? 1 << (level - 2) : 0;
  return (step){.level = level, .low = level > 1 ? half : 1, .high = half};
}

/* Whether a block has that row: bit 0 is the upper one along y, bit 1 along z. */
static bool has_row(const ct_haar *haar, int row) {
  return (!(row & 1) || is_active(haar, 1)) && (!(row & 2) || is_active(haar, 2));
}

static int rows_of(const ct_haar *haar) {
  return (is_active(haar, 1) ? 2 : 1) * (is_active(haar, 2) ? 2 : 1);
}

/* The rows of the block at (j, k), added with the signs of that coefficient along y and z, as a mean; `margin` places
 * beyond either end. */
static void add_rows(const ct_haar *haar, const step *s, int j, int k, int sign, int margin, float *line) {
  const int n = size_of(haar, 0, s->level - 1);
  const float share = 1 / (float)rows_of(haar);
  float *middle = line + margin;
  memset(middle, 0, (size_t)n * sizeof *middle);
  for (int row = 0; row < SIGNS; row++) {
    if (!has_row(haar, row)) continue;
    const float *from = row_of(haar, s->from, s->level - 1, is_active(haar, 1) ? row & 1 ? j + s->high : j - s->low : 0,
                               is_active(haar, 2) ? row & 2 ? k + s->high : k - s->low : 0);
    const float factor = __builtin_popcount((unsigned)(row & sign)) % 2 ? -share : share;
    for (int i = 0; i < n; i++) middle[i] += factor * from[i];
  }
  for (int i = 1; i <= margin; i++) {
    middle[-i] = middle[mirror(-i, n, s->level - 1)];
    middle[n - 1 + i] = middle[mirror(n - 1 + i, n, s->level - 1)];
  }
}

/* Means of the blocks at (., j, k). */
static void analyse_row(const ct_haar *haar, const step *s, int j, int k, float *lines) {
  const int n = size_of(haar, 0, s->level), shift = is_active(haar, 0) ? s->low + s->high : 0;
  float *to = s->to + ((size_t)k * (size_t)size_of(haar, 1, s->level) + (size_t)j) * (size_t)n;
  add_rows(haar, s, j, k, 0, shift, lines);
  /* The line begins at place -shift. */
  const float *lower = lines + (is_active(haar, 0) ? shift - s->low : 0), *upper = lower + shift;
  for (int i = 0; i < n; i++) to[i] = 0.5f * (lower[i] + upper[i]);
}

static inline float soft(float value, float threshold) {
  return value - (value > threshold ? threshold : value < -threshold ? -threshold : value);
}

/* What the blocks with a row at (j, k) of the level below give its voxels: the mean of all blocks that hold a voxel. */
static void synthesise_row(const ct_haar *haar, const step *s, int j, int k, float *lines) {
  const int n = size_of(haar, 0, s->level - 1), shift = is_active(haar, 0) ? s->low + s->high : 0;
  const int blocks = n + shift, length = length_of_line(haar), own = size_of(haar, 0, s->level);
  float *samples = lines, *means = lines + length, *lower = means + length, *upper = lower + length;
  float *to = s->to + ((size_t)k * (size_t)size_of(haar, 1, s->level - 1) + (size_t)j) * (size_t)n;
  const float threshold = s->threshold, share = 0.5f / (float)rows_of(haar);
  memset(lower, 0, 2 * (size_t)length * sizeof *lower);
  for (int row = 0; row < SIGNS; row++) {
    if (!has_row(haar, row)) continue;
    const int at_j = is_active(haar, 1) ? row & 1 ? j - s->high : j + s->low : 0,
              at_k = is_active(haar, 2) ? row & 2 ? k - s->high : k + s->low : 0;
    const float *from = row_of(haar, s->means, s->level, at_j, at_k);
    for (int i = 0; i < blocks; i++)
      means[i] = from[is_active(haar, 0) ? mirror(i - shift + s->low, own, s->level) : 0];
    for (int sign = 0; sign < SIGNS; sign++) {
      if (!has_row(haar, sign)) continue;
      add_rows(haar, s, at_j, at_k, sign, shift, samples);
      const float *next = samples + shift;
      const float factor = __builtin_popcount((unsigned)(row & sign)) % 2 ? -1 : 1;
      if (sign == 0)
        for (int i = 0; i < blocks; i++) {
          const float across = soft(0.5f * (samples[i] - next[i]), threshold);
          lower[i] += means[i] + across, upper[i] += means[i] - across;
        }
      else
        for (int i = 0; i < blocks; i++) {
          const float across = soft(0.5f * (samples[i] - next[i]), threshold);
          const float along = soft(0.5f * (samples[i] + next[i]), threshold);
          lower[i] += factor * (along + across), upper[i] += factor * (along - across);
        }
    }
  }
  for (int i = 0; i < n; i++) to[i] = share * (lower[i + shift] + upper[i]);
}

static void for_rows(const ct_haar *haar, const step *s, int level,
                     void (*row)(const ct_haar *haar, const step *s, int j, int k, float *lines)) {
  const int ny = size_of(haar, 1, level), nz = size_of(haar, 2, level);
#pragma omp parallel for schedule(static) collapse(2) num_threads(haar->threads)
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      row(haar, s, j, k, haar->lines + (size_t)omp_get_thread_num() * LINES * (size_t)length_of_line(haar));
}

void ct_haar_denoise(const ct_haar *haar, float *image, double weight) {
  if (!(weight > 0) || !haar->levels) return;
  const int axes = is_active(haar, 0) + is_active(haar, 1) + is_active(haar, 2);
  const size_t count = (size_t)haar->n[0] * (size_t)haar->n[1] * (size_t)haar->n[2];
  for (int level = 1; level <= haar->levels; level++) {
    step s = step_of(level);
    s.from = level > 1 ? haar->means[level - 2] : image;
    s.to = haar->means[level - 1];
    for_rows(haar, &s, level, analyse_row);
  }
  /* Means that were used make room for those of the level below. */
  float *spare = haar->means[haar->levels], *means = haar->means[haar->levels - 1];
  for (int level = haar->levels; level > 0; level--) {
    step s = step_of(level);
    s.from = level > 1 ? haar->means[level - 2] : image;
    s.means = means;
    s.to = spare;
    /* An orthonormal coefficient is 2^(level axes / 2) times the difference of means that it is here. */
    s.threshold = (float)(weight * pow(2, -0.5 * level * axes));
    for_rows(haar, &s, level - 1, synthesise_row);
    spare = means;
    means = s.to;
  }
#pragma omp parallel for schedule(static) num_threads(haar->threads)
  for (size_t n = 0; n < count; n++) image[n] = means[n];
}
