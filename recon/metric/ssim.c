/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004): means, variances and the covariance under a Gaussian
 * window, 11 wide, sigma 1.5, in double; SSIM = (2 ma mb + C1)(2 cab + C2) / ((ma^2 + mb^2 + C1)(va + vb + C2)),
 * averaged over the windows that lie wholly in the slice (along a side shorter than 11: over all of it, the window cut
 * off and made up to 1).
 *
 * Pairs that are not finite weigh nothing; the window's other weights are made up to 1. The mean of each band of
 * rows is taken off before squaring, which changes no variance and saves digits where the values have a large offset.
 */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/metric/analysis.h"
#include "recon/metric/metric-private.h"

#include <math.h>
#include <omp.h>

enum { RADIUS = 5, WIDTH = 2 * RADIUS + 1, BAND = 32, ROWS = BAND + 2 * RADIUS, CHANNELS = 6 };

typedef struct ssim_task {
  const float *a, *b;
  int nx, ny, nz;
  double c1, c2, window[WIDTH];
} ssim_task;

/* Scratch of one thread: the six channels (weight, a, b, a^2, b^2, ab) of one row, and of a band filtered along x. */
typedef struct scratch {
  double *row;  /* [CHANNELS][nx] */
  double *band; /* [ROWS][CHANNELS][nx] */
} scratch;

typedef struct band_offsets {
  double a, b;
} band_offsets;

typedef struct band_sum {
  double sum;
  size_t count;
} band_sum;

/* Output range along a side of n: window centres whose window lies inside, or all when there are none. */
static void inner_range(int n, int *begin, int *end) {
  *begin = n >= WIDTH ? RADIUS : 0;
  *end = n >= WIDTH ? n - RADIUS : n;
}

/* A value that the band's finite numbers lie about, taken off before squaring. */
static double band_offset(const float *values, size_t count) {
  double sum = 0;
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (isfinite(values[i])) {
      sum += values[i];
      n++;
    }
  return n ? sum / (double)n : 0;
}

static void filter_row(const ssim_task *task, const float *a, const float *b, band_offsets offset, double *restrict row,
                       double *restrict out) {
  const int nx = task->nx;
  double *w = row, *ra = row + nx, *rb = ra + nx, *raa = rb + nx, *rbb = raa + nx, *rab = rbb + nx;
  for (int i = 0; i < nx; i++) {
    const bool finite = isfinite(a[i]) && isfinite(b[i]);
    const double x = finite ? a[i] - offset.a : 0, y = finite ? b[i] - offset.b : 0;
    w[i] = finite;
    ra[i] = x;
    rb[i] = y;
    raa[i] = x * x;
    rbb[i] = y * y;
    rab[i] = x * y;
  }
  for (int i = 0; i < CHANNELS * nx; i++) out[i] = 0;
  for (int c = 0; c < CHANNELS; c++)
    for (int t = -RADIUS; t <= RADIUS; t++) {
      const double *from = row + (ptrdiff_t)c * nx;
      double *to = out + (ptrdiff_t)c * nx;
      const double g = task->window[t + RADIUS];
      const int begin = t < 0 ? -t : 0, end = t > 0 ? nx - t : nx;
      for (int i = begin; i < end; i++) to[i] += g * from[i + t];
    }
}

/* Adds up the similarity of row `y` of the band, whose filtered rows [first, first + rows) are at hand; map: that row
 * of it, or NULL. */
static void score_row(const ssim_task *task, const scratch *s, int y, int first, int rows, band_offsets offset,
                      float *map, band_sum *sum) {
  const int nx = task->nx;
  double *sums = s->row;
  int begin, end;
  inner_range(nx, &begin, &end);
  for (int i = 0; i < CHANNELS * nx; i++) sums[i] = 0;
  for (int t = -RADIUS; t <= RADIUS; t++) {
    if (y + t < first || y + t >= first + rows) continue;
    const double *from = s->band + (size_t)(y + t - first) * CHANNELS * (size_t)nx;
    const double g = task->window[t + RADIUS];
    for (int i = 0; i < CHANNELS * nx; i++) sums[i] += g * from[i];
  }
  const double *w = sums, *sa = sums + nx, *sb = sa + nx, *saa = sb + nx, *sbb = saa + nx, *sab = sbb + nx;
  for (int i = begin; i < end; i++) {
    if (!(w[i] > 1e-12)) continue;
    const double ma = sa[i] / w[i], mb = sb[i] / w[i];
    const double va = fmax(saa[i] / w[i] - ma * ma, 0), vb = fmax(sbb[i] / w[i] - mb * mb, 0),
                 cab = sab[i] / w[i] - ma * mb;
    const double fa = ma + offset.a, fb = mb + offset.b;
    const double above = (2 * fa * fb + task->c1) * (2 * cab + task->c2);
    const double below = (fa * fa + fb * fb + task->c1) * (va + vb + task->c2);
    /* Below is 0 only where the range is 0 and both are constant there: alike in all that the measure looks at. */
    const double similarity = below > 0 ? above / below : 1;
    sum->sum += similarity;
    sum->count++;
    if (map) map[i] = (float)similarity;
  }
}

static band_sum score_band(const ssim_task *task, const scratch *s, int z, int begin, int end, float *map) {
  const int first = begin > RADIUS ? begin - RADIUS : 0, last = end + RADIUS < task->ny ? end + RADIUS : task->ny;
  const size_t nx = (size_t)task->nx, at = ((size_t)z * (size_t)task->ny + (size_t)first) * nx;
  const size_t count = (size_t)(last - first) * nx;
  const band_offsets offset = {band_offset(task->a + at, count), band_offset(task->b + at, count)};
  band_sum sum = {0};
  for (int y = first; y < last; y++)
    filter_row(task, task->a + at + (size_t)(y - first) * nx, task->b + at + (size_t)(y - first) * nx, offset, s->row,
               s->band + (size_t)(y - first) * CHANNELS * nx);
  for (int y = begin; y < end; y++) {
    float *map_row = map ? map + ((size_t)z * (size_t)task->ny + (size_t)y) * nx : NULL;
    score_row(task, s, y, first, last - first, offset, map_row, &sum);
  }
  return sum;
}

static void fill_window(double window[WIDTH]) {
  double total = 0;
  for (int t = -RADIUS; t <= RADIUS; t++) total += window[t + RADIUS] = exp(-t * t / (2 * 1.5 * 1.5));
  for (int t = 0; t < WIDTH; t++) window[t] /= total;
}

static ssim_task make_task(const ct_comparison *request, double range) {
  ssim_task task = {.a = request->a,
                    .b = request->b,
                    .nx = request->nx,
                    .ny = request->ny,
                    .nz = request->nz,
                    .c1 = 0.01 * range * 0.01 * range,
                    .c2 = 0.03 * range * 0.03 * range};
  fill_window(task.window);
  return task;
}

/* The bands' sums, in order: the slices' means, and that of all. */
static void add_up(const band_sum *sums, int nz, int bands, ct_similarity *similarity) {
  band_sum all = {0};
  for (int z = 0; z < nz; z++) {
    band_sum slice = {0};
    for (int band = 0; band < bands; band++) {
      const band_sum *sum = &sums[(size_t)z * (size_t)bands + (size_t)band];
      slice.sum += sum->sum;
      slice.count += sum->count;
    }
    all.sum += slice.sum;
    all.count += slice.count;
    if (similarity->slices) similarity->slices[z] = slice.count ? slice.sum / (double)slice.count : NAN;
  }
  similarity->mean = all.count ? all.sum / (double)all.count : NAN;
}

bool ct_ssim(const ct_comparison *request, double range, ct_similarity *similarity, ct_job *job, ct_error **error) {
  const int nx = request->nx, ny = request->ny, nz = request->nz;
  const ssim_task task = make_task(request, range);
  int row_begin, row_end;
  size_t room = 0;
  inner_range(ny, &row_begin, &row_end);
  const int threads = ct_thread_count(), bands = (row_end - row_begin + BAND - 1) / BAND;
  const size_t per_thread = (size_t)CHANNELS * (ROWS + 1);
  if (!ct_size_product(threads, (int64_t)per_thread, nx, sizeof(double), &room))
    return ct_error_set(error, CT_ERROR_MEMORY, "Rows of %d values are too long to compare.", nx);
  double *scratches = ct_alloc(room / sizeof(double), sizeof(double), "the similarity measure", error);
  band_sum *sums = ct_alloc_zero((size_t)nz * (size_t)bands, sizeof *sums, "the similarity measure", error);
  if (!scratches || !sums) {
    ct_free(scratches);
    ct_free(sums);
    return false;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (ptrdiff_t i = 0; i < (ptrdiff_t)nz * bands; i++) {
    if (ct_job_requested(job) == CT_JOB_CANCEL) continue;
    double *mine = scratches + (size_t)omp_get_thread_num() * per_thread * (size_t)nx;
    const scratch s = {mine, mine + (size_t)CHANNELS * (size_t)nx};
    const int begin = row_begin + (int)(i % bands) * BAND, end = begin + BAND < row_end ? begin + BAND : row_end;
    sums[i] = score_band(&task, &s, (int)(i / bands), begin, end, similarity->map);
    if (i % bands == bands - 1) ct_job_advance(job, 1);
  }
  add_up(sums, nz, bands, similarity);
  ct_free(scratches);
  ct_free(sums);
  return ct_job_may_go_on(job, error);
}

bool ct_ssim_map(const ct_comparison *pair, float *map, ct_error **error) {
  size_t count = 0;
  if (pair->nx < 1 || pair->ny < 1 || pair->nz != 1 || !ct_size_product(pair->nx, pair->ny, 1, 1, &count))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A map of SSIM is made of one slice, not of %d x %d x %d values.",
                        pair->nx, pair->ny, pair->nz);
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    map[i] = NAN;
    if (!isfinite(pair->a[i]) || !isfinite(pair->b[i])) continue;
    low = fmin(low, pair->b[i]);
    high = fmax(high, pair->b[i]);
  }
  if (!(low <= high))
    return ct_error_set(error, CT_ERROR_DATA, "There is no place where both slices hold a finite number.");
  ct_similarity similarity = {.map = map};
  return ct_ssim(pair, isnan(pair->peak) ? high - low : pair->peak, &similarity, NULL, error);
}
