/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation of less than a full turn. Rays that are measured from both sides, (t, u) and (t + pi - 2 g, 2 c -
 * u) with the fan angle g, 0 in a parallel beam, are compared for trial centres over the columns that both see:
 * differences of neighbouring means in the column (Haar wavelets of each scale), and the same over the views. */
#include "recon/prep/centre-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 12, TAPS = 4, NOISE_LEVELS = 4 };

/* Wavelets that move by more than this share of their half between the two sides of a continued view are left out. */
static const double most_motion = 0.6;

/* What one trial works with: rays of both sides in the columns of the first, summed from the first column on, and how
 * interpolation between views changes the noise at each level over the views. */
typedef struct {
  const ct_arc *arc;
  const float *sums; /* [nu + 1][views] of rays[0] */
  float *mirrored;   /* [nu + 1][views] */
  float *gains;      /* [nu + 1][NOISE_LEVELS] summed */
  double *shifts;    /* [nu] views to the conjugate one */
  float *work;       /* [2][views] */
} trial_work;

/* Sums and counts of one scale's bands. */
typedef struct {
  double even[CT_TURN_OCTAVES], odd[CT_TURN_OCTAVES], count[CT_TURN_OCTAVES];
} band_sums;

/* Cubic interpolation (Catmull and Rom) between the two middle ones of four samples. */
static void cubic_weights(double x, float weights[TAPS]) {
  weights[0] = (float)(0.5 * x * ((2 - x) * x - 1));
  weights[1] = (float)(0.5 * (x * x * (3 * x - 5) + 2));
  weights[2] = (float)(0.5 * x * ((4 - 3 * x) * x + 1));
  weights[3] = (float)(0.5 * (x - 1) * x * x);
}

/* Variance of the Haar differences over 2, 4, ... interpolated views, of independent ones of variance 1. */
static void interpolated_noise(const float weights[TAPS], float gains[NOISE_LEVELS]) {
  double along[TAPS] = {0};
  for (int lag = 0; lag < TAPS; lag++)
    for (int i = 0; i + lag < TAPS; i++) along[lag] += (double)weights[i] * (double)weights[i + lag];
  for (int level = 0; level < NOISE_LEVELS; level++) {
    const int n = 2 << level;
    double sum = n * along[0];
    for (int lag = 1; lag < TAPS && lag < n; lag++)
      /* Of n - lag pairs so far apart, those across the middle have opposite signs. */
      sum += 2 * along[lag] * ((n - lag) - 2 * fmin(lag, n - lag));
    gains[level] = (float)(sum / n);
  }
}

/* Rays of the other side in the column where they are expected: columns [low, high] of trial centre twice / 2. */
static void mirror_columns(const trial_work *w, const float *from, int twice, double half_turn, int low, int high) {
  const ct_arc *arc = w->arc;
  const size_t views = (size_t)arc->views;
  memset(w->mirrored + (size_t)low * views, 0, views * sizeof *w->mirrored);
  memset(w->gains + (size_t)low * NOISE_LEVELS, 0, NOISE_LEVELS * sizeof *w->gains);
  for (int k = low; k <= high; k++) {
    const float *before = w->mirrored + (size_t)k * views, *in = from + (size_t)(twice - k) * views;
    float *out = w->mirrored + (size_t)(k + 1) * views;
    float *gains = w->gains + (size_t)k * NOISE_LEVELS;
    float weights[TAPS] = {0, 1, 0, 0}, own[NOISE_LEVELS] = {1, 1, 1, 1};
    int shift = 0;
    w->shifts[k] = 0;
    if (!arc->parallel) {
      w->shifts[k] = (half_turn - 2 * atan((k - 0.5 * twice) * arc->bin * arc->du / arc->sdd)) / arc->step;
      shift = (int)floor(w->shifts[k]);
      cubic_weights(w->shifts[k] - shift, weights);
      interpolated_noise(weights, own);
    }
    for (int l = 0; l < NOISE_LEVELS; l++) gains[NOISE_LEVELS + l] = gains[l] + own[l];
    if (arc->parallel) {
      for (int i = 0; i < arc->views; i++) out[i] = before[i] + in[i];
      continue;
    }
    memcpy(out, before, views * sizeof *out);
    const int first = 1 - shift > 0 ? 1 - shift : 0,
              last = arc->views - 3 - shift < arc->views - 1 ? arc->views - 3 - shift : arc->views - 1;
    for (int i = first; i <= last; i++) {
      const float *at = in + (i + shift - 1);
      out[i] += weights[0] * at[0] + weights[1] * at[1] + weights[2] * at[2] + weights[3] * at[3];
    }
  }
}

/* Haar differences over the views of sums p and differences q of both sides, of count values from `first` on. */
static void add_run(float *p, float *q, int count, const double variance[NOISE_LEVELS], band_sums *sums) {
  for (int level = 0; count > 0; level++) {
    const double weight = 0.5 / variance[level < NOISE_LEVELS ? level : NOISE_LEVELS - 1];
    const int half = count / 2, octave = CT_TURN_OCTAVES - 1 - level > 1 ? CT_TURN_OCTAVES - 1 - level : 1;
    const float root = (float)sqrt(0.5);
    if (count % 2) {
      sums->even[0] += weight * p[count - 1] * p[count - 1];
      sums->odd[0] += weight * q[count - 1] * q[count - 1];
      sums->count[0]++;
    }
    float even = 0, odd = 0;
    for (int i = 0; i < half; i++) {
      const float dp = p[2 * i] - p[2 * i + 1], dq = q[2 * i] - q[2 * i + 1];
      even += dp * dp;
      odd += dq * dq;
      p[i] = root * (p[2 * i] + p[2 * i + 1]);
      q[i] = root * (q[2 * i] + q[2 * i + 1]);
    }
    sums->even[octave] += 0.5 * weight * even;
    sums->odd[octave] += 0.5 * weight * odd;
    sums->count[octave] += half;
    count = half;
  }
}

/* Adds the wavelet of scale L at column a, in all views where both sides are measured, or in one continued view. */
static void add_wavelet(const trial_work *w, const float *noise, int a, int opposite, int L, int view,
                        band_sums *sums) {
  const ct_arc *arc = w->arc;
  const size_t views = (size_t)arc->views, at = (size_t)a * views, middle = at + (size_t)L * views,
               end = at + 2 * (size_t)L * views;
  const float norm = (float)(1 / sqrt(2.0 * L));
  double variance[NOISE_LEVELS];
  for (int l = 0; l < NOISE_LEVELS; l++)
    variance[l] = 0.5 * arc->gain *
                  ((double)noise[a] +
                   (double)noise[opposite] *
                       (double)(w->gains[(a + 2 * L) * NOISE_LEVELS + l] - w->gains[a * NOISE_LEVELS + l]) / (2 * L));
  int first = view, last = arc->continued ? view : arc->views - 1;
  const int most = (int)floor(w->shifts[a]), least = (int)floor(w->shifts[a + 2 * L - 1]);
  if (!arc->parallel) {
    if (1 - least > first) first = 1 - least;
    if (arc->views - 3 - most < last) last = arc->views - 3 - most;
  }
  float *p = w->work, *q = p + views;
  int count = 0;
  for (int i = first; i <= last; i++) {
    const float f = norm * (w->sums[end + (size_t)i] - 2 * w->sums[middle + (size_t)i] + w->sums[at + (size_t)i]);
    const float g =
        norm * (w->mirrored[end + (size_t)i] - 2 * w->mirrored[middle + (size_t)i] + w->mirrored[at + (size_t)i]);
    p[count] = f + g;
    q[count++] = f - g;
    const bool opposite_missing = !arc->parallel && arc->missing[i + most + 3] > arc->missing[i + least - 1];
    if (arc->missing[i + 1] > arc->missing[i] || opposite_missing) {
      count--;
      add_run(p, q, count, variance, sums);
      count = 0;
    }
  }
  add_run(p, q, count, variance, sums);
}

/* The continued view in which the wavelets of a scale from these columns on stand out most; -1: none is steady. */
static int clearest_view(const ct_arc *arc, size_t from, int s, int a, int opposite) {
  const int L = 1 << s;
  const double centre = 0.5 * (a + opposite - 1) + L, radius = fmax(centre, arc->nu - 1 - centre),
               off = fmax(0.5 * abs(opposite - a) - L, 0), distance = sqrt(fmax(radius * radius - off * off, 0));
  double most = -1;
  int clearest = -1;
  for (int i = 0; i < arc->views && arc->motions[i] * distance <= most_motion * L; i++) {
    const size_t at = from + ((size_t)i * CT_TURN_SCALES + (size_t)s) * (size_t)arc->nu;
    const double signal = (double)arc->signal[at + (size_t)a] + (double)arc->signal[at + (size_t)opposite],
                 noise = (double)arc->noise[at + (size_t)a] + (double)arc->noise[at + (size_t)opposite];
    if (signal > most * noise) most = signal / noise, clearest = i;
  }
  return clearest;
}

/* Adds one trial's bands of one row: bands[CT_TURN_BANDS]. */
static void compare_trial(const trial_work *w, int row, int twice, ct_mirror *bands) {
  const ct_arc *arc = w->arc;
  const int low = twice - (arc->nu - 1) > 0 ? twice - (arc->nu - 1) : 0, high = twice < arc->nu ? twice : arc->nu - 1;
  const float *from = arc->rays[1] + (size_t)row * (size_t)arc->nu * (size_t)arc->views;
  const size_t noise = (size_t)row * (size_t)arc->kinds * CT_TURN_SCALES * (size_t)arc->nu;
  for (int pass = 0; pass < (arc->parallel ? 1 : 2); pass++) {
    mirror_columns(w, from, twice, pass ? -M_PI : M_PI, low, high);
    for (int s = 0; s < CT_TURN_SCALES && 4 << s <= arc->nu; s++) {
      const int L = 1 << s, every = L > 8 ? L / 8 : 1;
      band_sums sums = {0};
      for (int a = low; a + 2 * L - 1 <= high; a += every) {
        const int opposite = twice - (2 * L - 1) - a;
        /* Of fans each pair comes twice, once from each side. */
        if (!arc->parallel && opposite <= a) break;
        const int view = arc->continued ? clearest_view(arc, noise, s, a, opposite) : 0;
        if (view < 0) continue;
        const size_t at = noise + ((size_t)view * CT_TURN_SCALES + (size_t)s) * (size_t)arc->nu;
        add_wavelet(w, arc->noise + at, a, opposite, L, view, &sums);
      }
      for (int o = 0; o < CT_TURN_OCTAVES; o++) {
        ct_mirror *band = bands + s * CT_TURN_OCTAVES + o;
        band->even += sums.even[o];
        band->odd += sums.odd[o];
        /* Real values; differences of 2 L columns at each are 2 L times as many as are independent. */
        band->count += 0.5 * sums.count[o] * every / (2 * L);
      }
    }
  }
}

static void work_clear(trial_work *w) {
  ct_free(w->mirrored);
  ct_free(w->gains);
  ct_free(w->shifts);
  ct_free(w->work);
}

static bool work_new(trial_work *w, const ct_arc *arc, const float *sums) {
  const size_t views = (size_t)arc->views, columns = (size_t)arc->nu + 1;
  *w = (trial_work){.arc = arc, .sums = sums};
  w->mirrored = ct_alloc(columns * views, sizeof(float), "mirrored views", NULL);
  w->gains = ct_alloc(columns, NOISE_LEVELS * sizeof(float), "mirrored views", NULL);
  w->shifts = ct_alloc(columns, sizeof(double), "mirrored views", NULL);
  w->work = ct_alloc(views, 2 * sizeof(float), "mirrored views", NULL);
  if (w->mirrored && w->gains && w->shifts && w->work) return true;
  work_clear(w);
  return false;
}

/* Sums become means. */
static void take_means(ct_mirror_trials *trials) {
  for (int i = 0; i < trials->count; i++)
    for (int b = 0; b < CT_TURN_BANDS; b++) {
      ct_mirror *m = trials->mirrors + (size_t)i * CT_TURN_BANDS + b;
      const int L = 1 << (b / CT_TURN_OCTAVES), every = L > 8 ? L / 8 : 1;
      if (!(m->count > 0)) continue;
      const double n = m->count * 2 * (2 * L) / every;
      m->even /= n;
      m->odd /= n;
    }
}

/* Rays of one row summed over the columns from the first on. */
static void sum_columns(const ct_arc *arc, const float *rays, float *sums) {
  const size_t views = (size_t)arc->views;
  memset(sums, 0, views * sizeof *sums);
  for (int k = 0; k < arc->nu; k++)
    for (size_t i = 0; i < views; i++)
      sums[(size_t)(k + 1) * views + i] = sums[(size_t)k * views + i] + rays[(size_t)k * views + i];
}

bool ct_arc_compare(const void *rays, ct_mirror_trials *trials, ct_job *job, ct_error **error) {
  const ct_arc *arc = rays;
  const size_t row = (size_t)arc->nu * (size_t)arc->views;
  memset(trials->mirrors, 0, (size_t)trials->count * CT_TURN_BANDS * sizeof *trials->mirrors);
  float *sums = ct_alloc(row + (size_t)arc->views, sizeof *sums, "the opposite views", error);
  bool good = sums != NULL;
  for (int r = 0; good && r < arc->rows; r++) {
    sum_columns(arc, arc->rays[0] + (size_t)r * row, sums);
    bool failed = false;
#pragma omp parallel reduction(|| : failed)
    {
      trial_work w;
      failed = !work_new(&w, arc, sums);
      const bool works = !failed;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < trials->count; i++)
        if (works && ct_job_requested(job) != CT_JOB_CANCEL)
          compare_trial(&w, r, trials->first + i, trials->mirrors + (size_t)i * CT_TURN_BANDS);
      if (works) work_clear(&w);
    }
    if (failed) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to search for the centre.");
    good = !failed && ct_job_may_go_on(job, error);
    ct_job_advance(job, 1);
  }
  if (good) take_means(trials);
  ct_free(sums);
  return good;
}

bool ct_centre_arc(const ct_stack *stack, const ct_geometry *g, int row0, int rows, double about,
                   ct_centre_found *found, ct_job *job, ct_error **error) {
  ct_arc arcs[MOST_LEVELS];
  ct_mirror_level levels[MOST_LEVELS];
  int depth = 1;
  ct_job_begin_stage(job, CT_STAGE_CENTRING, 0);
  if (!ct_arc_new(arcs, stack, g, row0, rows, job, error)) return false;
  bool good = true;
  while (good && arcs[depth - 1].nu > CT_MIRROR_COLUMNS && depth < MOST_LEVELS)
    if ((good = ct_arc_halve(arcs + depth, arcs + depth - 1, error))) depth++;
  for (int i = 0; i < depth; i++)
    levels[i] = (ct_mirror_level){arcs[i].nu, arcs[i].bin, arcs[i].first, arcs + i, ct_arc_compare};
  ct_job_begin_stage(job, CT_STAGE_CENTRING, (uint64_t)depth * (uint64_t)arcs->rows);
  good = good && ct_mirror_search(levels, depth, about, found, job, error);
  for (int i = 0; i < depth; i++) ct_arc_clear(arcs + i);
  return good;
}
