/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonics of a full turn: F_k(u), the transform of each detector column over the angle. A ray and the one that
 * measures it again from the other side, (t, u) and (t + pi - 2 g, 2 c - u), make F_k(u) exp(ikg) even (k even) or odd
 * (k odd) about the centre c, with the fan angle g = atan((u - c) du / sdd), 0 in a parallel beam. All views take part,
 * nothing is interpolated for a trial centre, and what varies slowly over the turn is told from noise. */
#include "recon/prep/centre-private.h"

#include "recon/base/memory.h"
#include "recon/filter/fft.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Harmonics that are kept, and of the highest ones, which are taken for noise; columns transformed at once. */
enum { MOST_HARMONICS = 256, MOST_EXTRA = 32, COLUMNS = 16 };
/* Gaps up to this angle are closed by interpolation. */
static const double widest_gap = 3.01 * M_PI / 180;
/* A mean projection that leaves its running median by so many standard deviations has a stripe there. */
static const double stripe_deviations = 6;

static ct_sorted_view *sort_turn(const ct_geometry *g, ct_error **error) {
  ct_sorted_view *sorted = ct_alloc((size_t)g->views, sizeof *sorted, "the sorted views", error);
  for (int i = 0; sorted && i < g->views; i++) {
    double angle = fmod(g->angles[i], 2 * M_PI);
    if (angle < 0) angle += 2 * M_PI;
    /* The last view of a turn may repeat the first. */
    sorted[i] = (ct_sorted_view){angle > 2 * M_PI - 1e-6 ? 0 : angle, i};
  }
  if (sorted) ct_sort_views(sorted, (size_t)g->views);
  return sorted;
}

/* The widest gap, and the number of different angles. */
static double survey(const ct_sorted_view *sorted, int views, int *different) {
  double widest = sorted[0].angle + 2 * M_PI - sorted[views - 1].angle;
  *different = 1;
  for (int i = 1; i < views; i++) {
    const double gap = sorted[i].angle - sorted[i - 1].angle;
    widest = fmax(widest, gap);
    *different += gap > 1e-5;
  }
  return widest;
}

bool ct_turn_is_full(const ct_geometry *g) {
  ct_sorted_view *sorted = g->views > 15 ? sort_turn(g, NULL) : NULL;
  int different = 0;
  const double widest = sorted ? survey(sorted, g->views, &different) : 0;
  ct_free(sorted);
  return different > 15 && widest < fmax(widest_gap, 1.5 * 2 * M_PI / different);
}

/* For each of n regular angles from the first view's on, the views about it and the share of the second. */
typedef struct {
  int a, b;
  float share;
} between;

static between *regular(const ct_sorted_view *sorted, int views, int n, ct_error **error) {
  between *list = ct_alloc((size_t)n, sizeof *list, "the sorted views", error);
  int next = 0;
  for (int j = 0; list && j < n; j++) {
    const double angle = sorted[0].angle + 2 * M_PI * j / n;
    while (next < views && sorted[next].angle <= angle + 1e-9) next++;
    const ct_sorted_view before = sorted[next - 1],
                         after =
                             next < views ? sorted[next] : (ct_sorted_view){sorted[0].angle + 2 * M_PI, sorted[0].view};
    const double width = after.angle - before.angle;
    list[j] = (between){before.view, after.view, width > 1e-9 ? (float)((angle - before.angle) / width) : 0};
    if (list[j].share < 1e-4F) list[j].share = 0;
  }
  return list;
}

/* The angles, and the columns' transform, for the harmonics of one row after the other. */
typedef struct {
  const ct_stack *stack;
  between *angles;
  int n;
  ct_fft *fft;
  float *columns, *spectra; /* [COLUMNS][n], [COLUMNS][n / 2 + 1][2] */
} transform;

/* Adds the harmonics of detector row v to row r of the turn. */
static void transform_row(const transform *t, int v, ct_turn *turn, int r) {
  const int all = turn->harmonics + turn->extra, half = t->n / 2 + 1;
  float *out = turn->spectra + (size_t)r * (size_t)all * (size_t)turn->nu * 2;
  const float scale = 1 / sqrtf((float)t->n);
  for (int u = 0; u < turn->nu; u += COLUMNS) {
    const int count = turn->nu - u < COLUMNS ? turn->nu - u : COLUMNS;
    for (int j = 0; j < t->n; j++) {
      const between *at = t->angles + j;
      const size_t place = (size_t)v * (size_t)turn->nu + (size_t)u;
      const float *a = ct_stack_get_view(t->stack, at->a) + place, *b = ct_stack_get_view(t->stack, at->b) + place;
      for (int i = 0; i < count; i++)
        t->columns[(size_t)i * (size_t)t->n + (size_t)j] =
            at->share > 0 ? (1 - at->share) * a[i] + at->share * b[i] : a[i];
    }
    ct_fft_forward(t->fft, t->columns, t->spectra);
    for (int i = 0; i < count; i++)
      for (int k = 0; k < all; k++) {
        const int from = k < turn->harmonics ? k : half - (all - k);
        const float *value = t->spectra + ((size_t)i * (size_t)half + (size_t)from) * 2;
        float *to = out + ((size_t)k * (size_t)turn->nu + (size_t)(u + i)) * 2;
        to[0] += scale * value[0];
        to[1] += scale * value[1];
      }
  }
}

/* Stripes stand still over the turn, and would mirror themselves about every column that has one. */
static bool remove_stripes(ct_turn *turn, int r, ct_error **error) {
  enum { WIDTH = 9 };
  const int nu = turn->nu, all = turn->harmonics + turn->extra;
  float *still = turn->spectra + (size_t)r * (size_t)all * (size_t)nu * 2, window[WIDTH];
  const float *extra = still + (size_t)turn->harmonics * (size_t)nu * 2;
  float *mean = ct_alloc((size_t)nu, 2 * sizeof *mean, "the mean projection", error), *smooth = mean + nu;
  if (!mean) return false;
  double noise = 0;
  for (size_t i = 0; i < (size_t)turn->extra * (size_t)nu * 2; i++) noise += (double)extra[i] * extra[i];
  const double limit = stripe_deviations * sqrt(noise / ((double)turn->extra * nu));
  for (int u = 0; u < nu; u++) mean[u] = still[2 * u];
  ct_median_row(mean, nu, WIDTH, window, smooth);
  /* At the ends the median knows one side only, and would bend what is steep there. */
  for (int u = WIDTH / 2; u < nu - WIDTH / 2; u++)
    if (fabs((double)mean[u] - (double)smooth[u]) > limit) still[2 * u] = smooth[u];
  ct_free(mean);
  return true;
}

bool ct_turn_new(ct_turn *turn, const ct_stack *stack, const ct_geometry *g, const int *rows, int count, bool add,
                 ct_job *job, ct_error **error) {
  *turn = (ct_turn){.rows = add ? 1 : count,
                    .nu = g->nu,
                    .bin = 1,
                    .parallel = ct_geometry_promises(g, CT_TRAIT_PARALLEL),
                    .du = g->du,
                    .sdd = g->sdd};
  transform t = {.stack = stack};
  ct_sorted_view *sorted = sort_turn(g, error);
  if (!sorted) return false;
  survey(sorted, g->views, &t.n);
  const int half = t.n / 2 + 1;
  turn->extra = half * 3 / 20 > MOST_EXTRA ? MOST_EXTRA : half * 3 / 20 > 2 ? half * 3 / 20 : 2;
  turn->harmonics = half - turn->extra < MOST_HARMONICS ? half - turn->extra : MOST_HARMONICS;
  const size_t values = (size_t)turn->rows * (size_t)(turn->harmonics + turn->extra) * 2;
  t.angles = regular(sorted, g->views, t.n, error);
  t.fft = t.angles ? ct_fft_new(t.n, COLUMNS, error) : NULL;
  t.columns = t.fft ? ct_alloc_zero(COLUMNS * (size_t)t.n, sizeof(float), "a sinogram", error) : NULL;
  t.spectra = t.columns ? ct_alloc(COLUMNS * (size_t)half, 2 * sizeof(float), "a sinogram", error) : NULL;
  turn->spectra = t.spectra ? ct_alloc_zero(values * (size_t)g->nu, sizeof(float), "a sinogram", error) : NULL;
  bool good = turn->spectra != NULL;
  for (int i = 0; good && i < count; i++) {
    transform_row(&t, rows[i], turn, add ? 0 : i);
    good = ct_job_may_go_on(job, error);
  }
  for (int r = 0; good && r < turn->rows; r++) good = remove_stripes(turn, r, error);
  ct_fft_free(t.fft);
  ct_free(t.angles);
  ct_free(t.columns);
  ct_free(t.spectra);
  ct_free(sorted);
  if (!good) ct_turn_clear(turn);
  return good;
}

bool ct_turn_halve(ct_turn *half, const ct_turn *turn, ct_error **error) {
  *half = *turn;
  half->nu = turn->nu / 2;
  half->bin = 2 * turn->bin;
  half->first = turn->first + 0.5 * turn->bin;
  const size_t lines = (size_t)turn->rows * (size_t)(turn->harmonics + turn->extra);
  half->spectra = ct_alloc(lines * (size_t)half->nu, 2 * sizeof(float), "a sinogram", error);
  for (size_t i = 0; half->spectra && i < lines; i++) {
    const float *in = turn->spectra + i * (size_t)turn->nu * 2;
    float *out = half->spectra + i * (size_t)half->nu * 2;
    /* Weights 1, 3, 3, 1: what is sharper would not mirror about a centre between two trials. */
    for (int u = 0; u < half->nu; u++) {
      const float *left = in + 4 * u, *right = left + 2;
      const float *before = u > 0 ? left - 2 : left, *after = u + 1 < half->nu ? right + 2 : right;
      for (int part = 0; part < 2; part++)
        out[2 * u + part] = 0.375F * (left[part] + right[part]) + 0.125F * (before[part] + after[part]);
    }
  }
  return half->spectra != NULL;
}

void ct_turn_clear(ct_turn *turn) {
  ct_free(turn->spectra);
  turn->spectra = NULL;
}
