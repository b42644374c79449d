/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RMSE, PSNR, largest difference, correlation and regression of two arrays. Means first, then moments about them, so
 * that a large offset costs no digits. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/metric/metric-private.h"

#include <math.h>

typedef struct first_sums {
  double a, b, bb, dd;       /* sums of a, b, b^2, (a - b)^2 */
  double largest, low, high; /* |a - b|, extremes of b */
  size_t at, count;
} first_sums;

typedef struct second_sums {
  double aa, bb, ab; /* moments about the means */
} second_sums;

static first_sums sum_first(const float *a, const float *b, size_t begin, size_t end) {
  first_sums s = {.largest = -1, .low = INFINITY, .high = -INFINITY};
  for (size_t i = begin; i < end; i++) {
    const double x = a[i], y = b[i], d = x - y;
    if (!isfinite(x) || !isfinite(y)) continue;
    s.a += x;
    s.b += y;
    s.bb += y * y;
    s.dd += d * d;
    s.count++;
    if (y < s.low) s.low = y;
    if (y > s.high) s.high = y;
    if (fabs(d) > s.largest) {
      s.largest = fabs(d);
      s.at = i;
    }
  }
  return s;
}

/* What a cancelled job leaves out is never looked at. */
static first_sums all_first(const float *a, const float *b, size_t count, ct_job *job) {
  first_sums chunks[CT_METRIC_CHUNKS], all = {.largest = -1, .low = INFINITY, .high = -INFINITY};
#pragma omp parallel for schedule(dynamic, 1) num_threads(ct_thread_count())
  for (int c = 0; c < CT_METRIC_CHUNKS; c++)
    chunks[c] = ct_job_requested(job) == CT_JOB_CANCEL
                    ? (first_sums){0}
                    : sum_first(a, b, ct_chunk_begin(count, c), ct_chunk_begin(count, c + 1));
  for (int c = 0; c < CT_METRIC_CHUNKS; c++) {
    all.a += chunks[c].a;
    all.b += chunks[c].b;
    all.bb += chunks[c].bb;
    all.dd += chunks[c].dd;
    all.count += chunks[c].count;
    all.low = fmin(all.low, chunks[c].low);
    all.high = fmax(all.high, chunks[c].high);
    if (chunks[c].largest > all.largest) {
      all.largest = chunks[c].largest;
      all.at = chunks[c].at;
    }
  }
  return all;
}

static second_sums sum_second(const float *a, const float *b, size_t begin, size_t end, double mean_a, double mean_b) {
  second_sums s = {0};
  for (size_t i = begin; i < end; i++) {
    const double x = a[i] - mean_a, y = b[i] - mean_b;
    if (!isfinite(x) || !isfinite(y)) continue;
    s.aa += x * x;
    s.bb += y * y;
    s.ab += x * y;
  }
  return s;
}

static second_sums all_second(const float *a, const float *b, size_t count, double mean_a, double mean_b, ct_job *job) {
  second_sums chunks[CT_METRIC_CHUNKS], all = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(ct_thread_count())
  for (int c = 0; c < CT_METRIC_CHUNKS; c++)
    chunks[c] = ct_job_requested(job) == CT_JOB_CANCEL
                    ? (second_sums){0}
                    : sum_second(a, b, ct_chunk_begin(count, c), ct_chunk_begin(count, c + 1), mean_a, mean_b);
  for (int c = 0; c < CT_METRIC_CHUNKS; c++) {
    all.aa += chunks[c].aa;
    all.bb += chunks[c].bb;
    all.ab += chunks[c].ab;
  }
  return all;
}

bool ct_compare(const ct_comparison *request, ct_metrics *metrics, ct_job *job, ct_error **error) {
  return ct_compare_slices(request, metrics, NULL, job, error);
}

bool ct_compare_slices(const ct_comparison *request, ct_metrics *metrics, double *slices, ct_job *job,
                       ct_error **error) {
  const float *a = request->a, *b = request->b;
  const int nx = request->nx, ny = request->ny, nz = request->nz;
  const double peak = request->peak;
  size_t count = 0;
  if (nx < 1 || ny < 1 || nz < 1 || !ct_size_product(nx, ny, nz, 1, &count))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "Arrays of %d x %d x %d values cannot be compared.", nx, ny, nz);
  if (isinf(peak) || peak < 0)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The peak value must be a positive number, not %g.", peak);
  ct_job_begin_stage(job, CT_STAGE_COMPARING, (uint64_t)nz);
  const first_sums first = all_first(a, b, count, job);
  if (!ct_job_may_go_on(job, error)) return false;
  if (!first.count)
    return ct_error_set(error, CT_ERROR_DATA, "There is no place where both volumes hold a finite number.");
  const double n = (double)first.count, mean_a = first.a / n, mean_b = first.b / n;
  const second_sums second = all_second(a, b, count, mean_a, mean_b, job);
  const double range = isnan(peak) ? first.high - first.low : peak;

  ct_metrics m = {.count = first.count, .not_finite = count - first.count, .max_abs = first.largest, .peak = range};
  m.rmse = sqrt(first.dd / n);
  m.relative_rmse = first.bb > 0 ? sqrt(first.dd / first.bb) : (first.dd > 0 ? INFINITY : 0);
  m.max_at[0] = (int)(first.at % (size_t)nx);
  m.max_at[1] = (int)(first.at / (size_t)nx % (size_t)ny);
  m.max_at[2] = (int)(first.at / (size_t)nx / (size_t)ny);
  m.psnr = m.rmse > 0 ? 20 * log10(range / m.rmse) : INFINITY;
  m.pearson_r = second.aa > 0 && second.bb > 0 ? second.ab / (sqrt(second.aa) * sqrt(second.bb)) : NAN;
  m.slope = second.bb > 0 ? second.ab / second.bb : NAN;
  m.intercept = mean_a - m.slope * mean_b;
  ct_similarity similarity = {.slices = slices};
  if (!ct_ssim(request, range, &similarity, job, error)) return false;
  m.ssim = similarity.mean;
  *metrics = m;
  return true;
}
