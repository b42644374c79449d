/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well the harmonics of a turn mirror at trial centres, over the columns that a trial mirrors onto others and
 * nowhere else (that is how Vo et al., Opt. Express 29 (2021) 17849, find the axis of half acquisitions). Differences
 * of neighbouring means (Haar wavelets) of each scale and octave of harmonics are bands of their own; in each the
 * likelihood of mirrored samples is compared with that of unrelated ones. A small overlap without content says nothing
 * then, and a large one whose rays differ by more than noise speaks against itself, however much of it is alike. */
#include "recon/prep/centre-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

/* The wavelets of one row at one scale L. */
typedef struct {
  const ct_turn *turn;
  int scale, width, every;
  float *values; /* [harmonics + extra][width][2] */
  float *noise;  /* [width] mean energy of a complex value */
} wavelets;

static void fill_wavelets(wavelets *w, int row) {
  const ct_turn *turn = w->turn;
  const int all = turn->harmonics + turn->extra, L = w->scale;
  const float *spectra = turn->spectra + (size_t)row * (size_t)all * (size_t)turn->nu * 2;
  const double norm = 1 / sqrt(2.0 * L);
  memset(w->noise, 0, (size_t)w->width * sizeof *w->noise);
  double energy = 0;
  for (int k = 0; k < all; k++) {
    const float *in = spectra + (size_t)k * (size_t)turn->nu * 2;
    float *out = w->values + (size_t)k * (size_t)w->width * 2;
    for (int part = 0; part < 2; part++) {
      double low = 0, high = 0;
      for (int i = 0; i < L; i++) {
        low += in[2 * i + part];
        high += in[2 * (i + L) + part];
      }
      for (int a = 0; a < w->width; a++) {
        out[2 * a + part] = (float)(norm * (high - low));
        if (a + 1 == w->width) break;
        low += (double)in[2 * (a + L) + part] - in[2 * a + part];
        high += (double)in[2 * (a + 2 * L) + part] - in[2 * (a + L) + part];
      }
    }
    for (int a = 0; a < w->width; a++) {
      const float square = out[2 * a] * out[2 * a] + out[2 * a + 1] * out[2 * a + 1];
      energy += square;
      if (k >= turn->harmonics) w->noise[a] += square / (float)turn->extra;
    }
  }
  /* Data without noise still have the precision of their numbers. */
  const float least = (float)(1e-4 * energy / ((double)all * w->width)) + 1e-30F;
  for (int a = 0; a < w->width; a++) w->noise[a] = fmaxf(w->noise[a], least);
}

static int octave_of(int k) {
  int octave = 0;
  while (k > 0 && octave < CT_TURN_OCTAVES - 1) octave++, k >>= 1;
  return octave;
}

/* One pair of columns is one entry: weights 1 / noise, and the factors of cos and sin of twice the fan angle. */
typedef struct {
  float weight, turn_re, turn_im, re, im;
} mirrored;

/* Adds one trial's bands of this row and scale: bands[CT_TURN_OCTAVES]. */
static void compare_trial(const wavelets *w, int twice, mirrored *list, ct_mirror *bands) {
  const ct_turn *turn = w->turn;
  const int t = twice - (2 * w->scale - 1), low = t - (w->width - 1) > 0 ? t - (w->width - 1) : 0;
  int count = 0;
  for (int a = low; 2 * a < t && a < w->width; a += w->every) {
    mirrored m = {.weight = 2 / (w->noise[a] + w->noise[t - a]), .turn_re = 1, .turn_im = 0, .re = 1, .im = 0};
    if (!turn->parallel) {
      const double gamma = atan((a - 0.5 * t) * turn->bin * turn->du / turn->sdd);
      m.turn_re = (float)cos(2 * gamma);
      m.turn_im = (float)sin(2 * gamma);
    }
    list[count++] = m;
  }
  if (count == 0) return;
  for (int k = 0; k < turn->harmonics; k++) {
    const float *values = w->values + (size_t)k * (size_t)w->width * 2;
    double energy = 0, products = 0;
    for (int i = 0; i < count; i++) {
      mirrored *m = list + i;
      const float *f = values + 2 * (low + i * w->every), *g = values + 2 * (t - low - i * w->every);
      const float re = f[0] * g[0] + f[1] * g[1], im = f[1] * g[0] - f[0] * g[1];
      energy += m->weight * (f[0] * f[0] + f[1] * f[1] + g[0] * g[0] + g[1] * g[1]);
      products += m->weight * (re * m->re - im * m->im);
      if (turn->parallel) continue;
      const float next = m->re * m->turn_re - m->im * m->turn_im;
      m->im = m->re * m->turn_im + m->im * m->turn_re;
      m->re = next;
    }
    if (k % 2 == 0) products = -products; /* a mirrored difference changes its sign */
    ct_mirror *band = bands + octave_of(k);
    band->even += 0.5 * energy + products;
    band->odd += 0.5 * energy - products;
    /* Differences of 2 L columns at each are 2 L times as many as are independent; k = 0 is real. */
    band->count += (double)count * w->every / (2 * w->scale) * (k == 0 ? 0.5 : 1);
  }
}

/* Sums become means. */
static void take_means(ct_mirror_trials *trials, const double *factors) {
  for (int i = 0; i < trials->count; i++)
    for (int b = 0; b < CT_TURN_BANDS; b++) {
      ct_mirror *m = trials->mirrors + (size_t)i * CT_TURN_BANDS + b;
      if (!(m->count > 0)) continue;
      const double n = m->count * factors[b];
      m->even /= n;
      m->odd /= n;
    }
}

bool ct_mirror_compare(const ct_turn *turn, ct_mirror_trials *trials, ct_job *job, ct_error **error) {
  const size_t values = (size_t)(turn->harmonics + turn->extra) * (size_t)turn->nu;
  wavelets w = {.turn = turn};
  memset(trials->mirrors, 0, (size_t)trials->count * CT_TURN_BANDS * sizeof *trials->mirrors);
  w.values = ct_alloc(values, 2 * sizeof(float), "a sinogram", error);
  w.noise = w.values ? ct_alloc((size_t)turn->nu, sizeof(float), "a sinogram", error) : NULL;
  bool good = w.noise != NULL;
  double factors[CT_TURN_BANDS];
  for (int s = 0; s < CT_TURN_SCALES; s++) {
    w.scale = 1 << s;
    w.every = w.scale > 8 ? w.scale / 8 : 1;
    w.width = turn->nu - 2 * w.scale + 1;
    for (int o = 0; o < CT_TURN_OCTAVES; o++)
      factors[s * CT_TURN_OCTAVES + o] = 2.0 * w.scale / w.every * (o == 0 ? 2 : 1);
    for (int row = 0; good && row < turn->rows; row++) {
      if (4 * w.scale > turn->nu) break;
      fill_wavelets(&w, row);
      bool failed = false;
#pragma omp parallel reduction(|| : failed)
      {
        mirrored *list = ct_alloc((size_t)turn->nu, sizeof *list, "mirrored columns", NULL);
        failed = !list;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < trials->count; i++)
          if (list && ct_job_requested(job) != CT_JOB_CANCEL)
            compare_trial(&w, trials->first + i, list,
                          trials->mirrors + (size_t)i * CT_TURN_BANDS + (size_t)s * CT_TURN_OCTAVES);
        ct_free(list);
      }
      if (failed) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to search for the centre.");
      good = !failed && ct_job_may_go_on(job, error);
      ct_job_advance(job, 1);
    }
  }
  if (good) take_means(trials, factors);
  ct_free(w.values);
  ct_free(w.noise);
  return good;
}

double ct_mirror_evidence(const ct_mirror *bands, const ct_mirror_model *model) {
  double sum = 0;
  for (int b = 0; b < CT_TURN_BANDS; b++) {
    const ct_mirror *m = bands + b;
    if (!(m->count > 0) || (!model->still && b % CT_TURN_OCTAVES == 0)) continue;
    /* Variances of half sums and half differences if they mirror, and of either if they do not. */
    const double odd = 1 + model->misfit * fmax(m->even - 1, 0), even = fmax(m->even, odd),
                 mean = fmax(0.5 * (m->even + m->odd), 1);
    sum +=
        m->count * (2 * log(mean) + (m->even + m->odd) / mean - log(even) - m->even / even - log(odd) - m->odd / odd);
  }
  return sum;
}

/* Least squares about trial `at`: half-steps on each side at most, and by how much the sum has to rise. */
enum { REACH = 24, RISE = 12 };

typedef struct {
  double sums[2 * REACH + 1]; /* of trials from, from + 1, ... */
  int from, count;
  double noise;           /* variance of a sum */
  double even, odd;       /* weighted energies at the middle, less the noise */
  double weights, excess; /* sum of the weights, and of the sums that they would have to be equal to */
} squares;

/* Weighted sums of squared differences, each band as far as it stands out of the noise at `at`, and as it fits there.
 */
static void add_squares(const ct_mirror_trials *t, int at, int middle, int finest, const ct_mirror_model *model,
                        squares *q) {
  *q = (squares){.from = middle > REACH ? middle - REACH : 0};
  const int to = middle + REACH < t->count - 1 ? middle + REACH : t->count - 1;
  q->count = to - q->from + 1;
  for (int b = finest * CT_TURN_OCTAVES; b < CT_TURN_BANDS; b++) {
    const ct_mirror m = t->mirrors[(size_t)at * CT_TURN_BANDS + b];
    if (!(m.count > 0) || (!model->still && b % CT_TURN_OCTAVES == 0) || !(m.even - 1 > 3 / sqrt(m.count))) continue;
    const double weight = (m.even - 1) / m.even, floor = fmax(fmin(m.odd, 1 + model->misfit * (m.even - 1)), 1);
    for (int i = 0; i < q->count; i++) {
      const ct_mirror other = t->mirrors[(size_t)(q->from + i) * CT_TURN_BANDS + b];
      q->sums[i] += weight * m.count * (other.count > 0 ? other.odd : m.even) / floor;
    }
    q->noise += weight * weight * m.count * fmin(1 << (b / CT_TURN_OCTAVES), 8);
    q->even += weight * m.count * (m.even - 1);
    q->odd += weight * m.count * fmax(m.odd - 1, 0);
    q->weights += weight * m.count;
    q->excess += weight * m.count * m.odd / floor;
  }
}

/* Least of the parabola through the sums about place b, in half-steps from it; *spread in columns. */
static double parabola(const squares *q, int b, double *spread) {
  int half = 2;
  while (half < REACH && b - half > 0 && b + half < q->count - 1 &&
         fmin(q->sums[b - half], q->sums[b + half]) - q->sums[b] < RISE)
    half++;
  *spread = INFINITY;
  if (b - half < 0 || b + half > q->count - 1) return 0;
  double s2 = 0, s4 = 0, y0 = 0, y1 = 0, y2 = 0;
  for (int i = -half; i <= half; i++) {
    const double x = 0.5 * i, y = q->sums[b + i];
    s2 += x * x;
    s4 += x * x * x * x;
    y0 += y;
    y1 += x * y;
    y2 += x * x * y;
  }
  const double n = 2 * half + 1, bend = (n * y2 - s2 * y0) / (n * s4 - s2 * s2);
  const double least = -0.5 * y1 / s2 / bend;
  const double left = q->sums[b - 1], low = q->sums[b], right = q->sums[b + 1], both = left - 2 * low + right;
  const double nearest = both > 0 ? 0.25 * (left - right) / both : 0;
  const bool fits = bend > 0 && fabs(least) <= 0.5 * half;
  /* A minimum sharper than the trials lie is no parabola: how far its two estimates differ tells how well it is
   * known. */
  if (half <= 3 && !fits) {
    *spread = 0.5;
    return 2 * nearest;
  }
  if (!fits) return 0;
  *spread = sqrt(1 / (2 * bend) + q->noise / s2 / (4 * bend * bend));
  if (half <= 3) *spread = hypot(*spread, least - nearest);
  return 2 * least;
}

/* By the scales from `finest` on (0: 1 column, 1: 2, ...). */
static double refine_by(const ct_mirror_trials *t, int at, int finest, const ct_mirror_model *model, double *spread,
                        double *agreement) {
  squares q;
  int b = at, best = at;
  for (int round = 0; round < 6; round++) {
    add_squares(t, b, at, finest, model, &q);
    best = 0;
    for (int i = 1; i < q.count; i++)
      if (q.sums[i] < q.sums[best]) best = i;
    if (q.from + best == b) break;
    b = q.from + best;
  }
  const double shift = parabola(&q, best, spread);
  *spread *= sqrt(fmax(q.excess, q.weights) / fmax(q.weights, 1e-30));
  *agreement = q.even + q.odd > 0 ? fmax(q.even - q.odd, 0) / (q.even + q.odd) : 0;
  return 0.5 * (t->first + q.from + best + shift);
}

double ct_mirror_refine(const ct_mirror_trials *t, int at, const ct_mirror_model *model, double *spread,
                        double *agreement) {
  const double centre = refine_by(t, at, 0, model, spread, agreement);
  /* Fine scales make the minimum sharper than half a column, which no parabola fits well; coarse ones do, where they
   * say the same. Where they do not, the place is not as well known as either says. */
  double rough_spread, rough_agreement;
  const double rough = refine_by(t, at, 2, model, &rough_spread, &rough_agreement);
  const double apart = fabs(rough - centre);
  const double both = hypot(*spread, rough_spread), doubt = apart > 2 * both ? 1.5 * apart : 0.5 * apart;
  if (!(rough_spread < 0.1) || !(apart < 0.15)) {
    if (apart > 2 * both) *spread = hypot(*spread, doubt);
    return centre;
  }
  *spread = apart > 2 * both ? hypot(rough_spread, doubt) : fmin(*spread, hypot(rough_spread, doubt));
  return rough;
}
