/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Soft thresholds of the coefficients of shearlets, slice by slice; slices do not know of one another. For coefficients
 * W of a tight frame, W^T W = 1, the image W^T soft(W x) is the usual step of denoising with a price on |W x|_1: not
 * its minimiser, which coefficients that depend on one another would have to be iterated for, but as the gradient of a
 * convex function that brings no two images further apart the proximal step of another convex price (Moreau).
 *
 * A threshold is that share of the weight which white noise of the image has in the band. Of one slice all threads take
 * bands and then, in their order, add up what those leave, so that sums do not depend on the number of threads. */
#include "recon/base/memory.h"
#include "recon/solve/iterative/shearlet-private.h"

#include <omp.h>
#include <string.h>

/* Of a thread, or the first of all threads that share a slice. */
typedef struct place {
  float *slice, *pairs;
  float *spectrum, *sum; /* of the slice, and of what its bands leave */
} place;

enum { LINE = CT_ALIGNMENT / sizeof(float) };

static size_t aligned(size_t floats) {
  return (floats + LINE - 1) / LINE * LINE;
}

/* Threads that have a slice of their own. */
static int slices_at_once(int nz, int threads) {
  return nz < threads ? 1 : threads;
}

static size_t size_of(const ct_shearlet *s) {
  return (size_t)s->threads * (s->plane + s->pairs) + (size_t)slices_at_once(s->nz, s->threads) * 2 * s->pairs;
}

/* Those of all threads come first, then what goes with a slice. */
static place place_of(const ct_shearlet *s, int thread) {
  float *own = s->room + (size_t)thread * (s->plane + s->pairs);
  float *slices = s->room + (size_t)s->threads * (s->plane + s->pairs);
  float *spectrum = slices + (size_t)(thread % slices_at_once(s->nz, s->threads)) * 2 * s->pairs;
  return (place){.slice = own, .pairs = own + s->plane, .spectrum = spectrum, .sum = spectrum + s->pairs};
}

double ct_shearlet_bytes(const ct_grid *grid, int threads, int wanted) {
  const double pixels = (double)grid->nx * grid->ny, half = grid->nx / 2 + 1;
  const double plane = pixels + LINE, pairs = 2 * half * grid->ny + LINE;
  const double room = threads * (plane + pairs) + slices_at_once(grid->nz, threads) * 2 * pairs;
  return ct_shearlet_frame_bytes(grid->nx, grid->ny, wanted) + room * sizeof(float);
}

bool ct_shearlet_prepare(ct_problem *p, int scales, ct_shearlet *s, ct_error **error) {
  const ct_grid *g = &p->grid;
  *s = (ct_shearlet){.nz = g->nz, .threads = p->threads};
  if (!ct_shearlet_frame_make(p, scales, &s->frame, error)) return false;
  const int half = s->frame.half;
  s->plane = aligned((size_t)g->nx * (size_t)g->ny);
  s->pairs = aligned(2 * (size_t)half * (size_t)g->ny);
  s->room = ct_problem_room(p, size_of(s), sizeof *s->room, error);
  ct_fft_layout columns = {.length = g->ny, .count = half, .step = half, .next = 1, .in_place = true};
  bool good =
      s->room && (s->rows = ct_fft_new(g->nx, g->ny, error)) && (s->forward = ct_fft_complex_new(&columns, error));
  columns.backward = true;
  good = good && (s->backward = ct_fft_complex_new(&columns, error));
  if (!good) ct_shearlet_clear(s);
  return good;
}

void ct_shearlet_clear(ct_shearlet *s) {
  ct_fft_free(s->rows);
  ct_fft_complex_free(s->forward);
  ct_fft_complex_free(s->backward);
  s->rows = NULL;
  s->forward = s->backward = NULL;
}

void ct_shearlet_spectrum(const ct_shearlet *s, float *slice, float *spectrum) {
  ct_fft_forward(s->rows, slice, spectrum);
  ct_fft_complex_run(s->forward, spectrum, spectrum);
}

static void make_slice(const ct_shearlet *s, float *spectrum, float *slice) {
  ct_fft_complex_run(s->backward, spectrum, spectrum);
  ct_fft_inverse(s->rows, spectrum, slice);
}

static float share_of(const ct_shearlet *s) {
  return (float)(1 / ((double)s->frame.nx * s->frame.ny));
}

void ct_shearlet_band(const ct_shearlet *s, int band, const float *spectrum, float *pairs, float *coefficients) {
  const ct_shearlet_frame *f = &s->frame;
  const float share = share_of(s);
  memset(pairs, 0, s->pairs * sizeof *pairs);
  for (int row = 0; row < f->ny; row++) {
    const ct_shearlet_run *run = f->runs + (size_t)band * (size_t)f->ny + row;
    const size_t first = 2 * ((size_t)row * (size_t)f->half + (size_t)run->first);
    const float *filter = f->values + run->at, *from = spectrum + first;
    float *to = pairs + first;
    for (int n = 0; n < run->end - run->first; n++) {
      const float factor = share * filter[n];
      to[2 * n] = factor * from[2 * n];
      to[2 * n + 1] = factor * from[2 * n + 1];
    }
  }
  make_slice(s, pairs, coefficients);
}

/* sum += a band's spectrum times its filter, or that twice. */
static void add_row(const ct_shearlet *s, int band, int row, bool twice, const float *pairs, float *sum) {
  const ct_shearlet_frame *f = &s->frame;
  const ct_shearlet_run *run = f->runs + (size_t)band * (size_t)f->ny + row;
  const size_t first = 2 * ((size_t)row * (size_t)f->half + (size_t)run->first);
  const float *filter = f->values + run->at, *from = pairs + first;
  float *to = sum + first;
  for (int n = 0; n < run->end - run->first; n++) {
    const float factor = twice ? filter[n] * filter[n] : filter[n];
    to[2 * n] += factor * from[2 * n];
    to[2 * n + 1] += factor * from[2 * n + 1];
  }
}

static inline float soft(float value, float threshold) {
  return value - (value > threshold ? threshold : value < -threshold ? -threshold : value);
}

/* Asked before each transform: one of a large slice takes as long as an answer may. */
static bool is_cancelled(ct_job *job) {
  return ct_job_requested(job) == CT_JOB_CANCEL;
}

/* at->pairs: the spectrum of a band of `spectrum` behind its thresholds. */
static void bring_down(const ct_shearlet *s, int band, double weight, const float *spectrum, const place *at,
                       ct_job *job) {
  const float threshold = (float)(weight * s->frame.norms[band]);
  const size_t count = (size_t)s->frame.nx * (size_t)s->frame.ny;
  ct_shearlet_band(s, band, spectrum, at->pairs, at->slice);
  float *c = at->slice;
  for (size_t n = 0; n < count; n++) c[n] = soft(c[n], threshold);
  if (!is_cancelled(job)) ct_shearlet_spectrum(s, c, at->pairs);
}

/* Bands of small pictures and of single rows may be empty. */
static bool is_empty(const ct_shearlet *s, int band) {
  return !(s->frame.norms[band] > 0);
}

static void begin(const ct_shearlet *s, const float *image, const place *at) {
  memcpy(at->slice, image, (size_t)s->frame.nx * (size_t)s->frame.ny * sizeof *image);
  ct_shearlet_spectrum(s, at->slice, at->spectrum);
  memset(at->sum, 0, s->pairs * sizeof *at->sum);
  for (int row = 0; row < s->frame.ny; row++) add_row(s, 0, row, true, at->spectrum, at->sum);
}

static void end(const ct_shearlet *s, const place *at, float *image) {
  const size_t count = (size_t)s->frame.nx * (size_t)s->frame.ny;
  const float share = share_of(s);
  make_slice(s, at->sum, at->slice);
  for (size_t n = 0; n < count; n++) image[n] = share * at->slice[n];
}

static void denoise_alone(const ct_shearlet *s, float *image, double weight, const place *at, ct_job *job) {
  begin(s, image, at);
  for (int band = 1; band < s->frame.bands && !is_cancelled(job); band++) {
    if (is_empty(s, band)) continue;
    bring_down(s, band, weight, at->spectrum, at, job);
    for (int row = 0; row < s->frame.ny; row++) add_row(s, band, row, false, at->pairs, at->sum);
  }
  if (!is_cancelled(job)) end(s, at, image);
}

static void denoise_together(const ct_shearlet *s, float *image, double weight, ct_job *job) {
  const place shared = place_of(s, 0);
  const int bands = s->frame.bands, ny = s->frame.ny;
  begin(s, image, &shared);
#pragma omp parallel num_threads(s->threads)
  {
    const int team = omp_get_num_threads(), own = omp_get_thread_num();
    const place at = place_of(s, own);
    for (int first = 1; first < bands; first += team) {
      const int last = first + team < bands ? first + team : bands;
      if (first + own < last && !is_empty(s, first + own) && !is_cancelled(job))
        bring_down(s, first + own, weight, shared.spectrum, &at, job);
#pragma omp barrier
#pragma omp for schedule(static)
      for (int row = 0; row < ny; row++)
        for (int band = first; band < last; band++)
          if (!is_empty(s, band)) add_row(s, band, row, false, place_of(s, band - first).pairs, shared.sum);
    }
  }
  if (!is_cancelled(job)) end(s, &shared, image);
}

bool ct_shearlet_denoise(const ct_shearlet *s, float *image, double weight, ct_job *job, ct_error **error) {
  const size_t plane = (size_t)s->frame.nx * (size_t)s->frame.ny;
  int slice = 0;
  if (!(weight > 0)) return true;
  for (; s->nz - slice >= s->threads && ct_job_may_go_on(job, error); slice += s->threads) {
#pragma omp parallel for schedule(static) num_threads(s->threads)
    for (int n = 0; n < s->threads; n++) {
      const place at = place_of(s, n);
      denoise_alone(s, image + (size_t)(slice + n) * plane, weight, &at, job);
    }
  }
  for (; slice < s->nz && ct_job_may_go_on(job, error); slice++)
    denoise_together(s, image + (size_t)slice * plane, weight, job);
  return slice == s->nz && ct_job_may_go_on(job, error);
}
