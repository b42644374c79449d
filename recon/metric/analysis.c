/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors a - b of a box: bounds and sums here, then bins, percentiles, worst voxels and counts. */
#include "recon/metric/analysis-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/metric/metric-private.h"

#include <math.h>
#include <string.h>

/* Rows of the box, one behind the other. */
static void copy_box(const float *from, const ct_comparison *whole, const ct_box *box, float *to) {
  const size_t width = (size_t)(box->end[0] - box->begin[0]);
  for (int z = box->begin[2]; z < box->end[2]; z++)
    for (int y = box->begin[1]; y < box->end[1]; y++) {
      const size_t row = (size_t)z * (size_t)whole->ny + (size_t)y;
      memcpy(to, from + row * (size_t)whole->nx + box->begin[0], width * sizeof *to);
      to += width;
    }
}

bool ct_comparison_crop(const ct_comparison *whole, const ct_box *box, ct_comparison *part, float **own,
                        ct_error **error) {
  *own = NULL;
  if (!ct_box_check(box, whole->nx, whole->ny, whole->nz, error)) return false;
  ct_comparison cut = {.nx = box->end[0] - box->begin[0],
                       .ny = box->end[1] - box->begin[1],
                       .nz = box->end[2] - box->begin[2],
                       .peak = whole->peak};
  const size_t voxels = (size_t)cut.nx * (size_t)cut.ny * (size_t)cut.nz;
  if (cut.nx == whole->nx && (cut.ny == whole->ny || cut.nz == 1)) {
    const size_t row = (size_t)box->begin[2] * (size_t)whole->ny + (size_t)box->begin[1];
    cut.a = whole->a + row * (size_t)whole->nx;
    cut.b = whole->b + row * (size_t)whole->nx;
  } else {
    *own = ct_alloc(voxels, 2 * sizeof **own, "the region that is compared", error);
    if (!*own) return false;
    copy_box(whole->a, whole, box, *own);
    copy_box(whole->b, whole, box, *own + voxels);
    cut.a = *own;
    cut.b = *own + voxels;
  }
  *part = cut;
  return true;
}

typedef struct error_sums {
  double error, absolute, low, high; /* sums; extremes of b */
} error_sums;

static error_sums sum_chunk(const float *a, const float *b, size_t begin, size_t end) {
  error_sums s = {.low = INFINITY, .high = -INFINITY};
  for (size_t i = begin; i < end; i++) {
    const double x = a[i], y = b[i];
    if (!isfinite(x) || !isfinite(y)) continue;
    s.error += x - y;
    s.absolute += fabs(x - y);
    if (y < s.low) s.low = y;
    if (y > s.high) s.high = y;
  }
  return s;
}

static void fill_sums(const ct_comparison *pair, ct_analysis *analysis) {
  const size_t count = (size_t)pair->nx * (size_t)pair->ny * (size_t)pair->nz;
  const double n = (double)analysis->metrics.count;
  error_sums chunks[CT_METRIC_CHUNKS], all = {.low = INFINITY, .high = -INFINITY};
#pragma omp parallel for schedule(dynamic, 1) num_threads(ct_thread_count())
  for (int c = 0; c < CT_METRIC_CHUNKS; c++)
    chunks[c] = sum_chunk(pair->a, pair->b, ct_chunk_begin(count, c), ct_chunk_begin(count, c + 1));
  for (int c = 0; c < CT_METRIC_CHUNKS; c++) {
    all.error += chunks[c].error;
    all.absolute += chunks[c].absolute;
    all.low = fmin(all.low, chunks[c].low);
    all.high = fmax(all.high, chunks[c].high);
  }
  analysis->bias = all.error / n;
  analysis->mae = all.absolute / n;
  analysis->value_low = all.low;
  analysis->value_high = all.high;
}

static double squares_of_slice(const ct_comparison *pair, int z, size_t *used) {
  const size_t area = (size_t)pair->nx * (size_t)pair->ny, begin = (size_t)z * area;
  double sum = 0;
  *used = 0;
  for (size_t i = begin; i < begin + area; i++) {
    const double d = (double)pair->a[i] - pair->b[i];
    if (!isfinite(pair->a[i]) || !isfinite(pair->b[i])) continue;
    sum += d * d;
    (*used)++;
  }
  return sum;
}

static bool fill_slices(const ct_comparison *pair, ct_analysis *analysis, ct_job *job, ct_error **error) {
  double *ssim = ct_alloc((size_t)pair->nz, sizeof *ssim, "the errors of slices", error);
  analysis->slices = ct_alloc_zero((size_t)pair->nz, sizeof *analysis->slices, "the errors of slices", error);
  const bool good = ssim && analysis->slices && ct_compare_slices(pair, &analysis->metrics, ssim, job, error);
  if (good) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(ct_thread_count())
    for (int z = 0; z < pair->nz; z++) {
      size_t used;
      const double squares = squares_of_slice(pair, z, &used);
      analysis->slices[z] = (ct_slice_errors){.rmse = used ? sqrt(squares / (double)used) : NAN, .ssim = ssim[z]};
    }
    analysis->slice_count = pair->nz;
  }
  ct_free(ssim);
  return good;
}

static bool analyse(const ct_comparison *pair, double range, ct_analysis *analysis, ct_job *job, ct_error **error) {
  const size_t count = (size_t)pair->nx * (size_t)pair->ny * (size_t)pair->nz;
  if (!fill_slices(pair, analysis, job, error)) return false;
  analysis->range = isnan(range) ? analysis->metrics.max_abs : range;
  fill_sums(pair, analysis);
  ct_value_counts_of(pair->a, count, &analysis->of_a);
  ct_value_counts_of(pair->b, count, &analysis->of_b);
  return ct_job_may_go_on(job, error) && ct_analysis_fill_bins(pair, analysis, error) && ct_job_may_go_on(job, error) &&
         ct_analysis_fill_percentiles(pair, analysis, error) && ct_job_may_go_on(job, error) &&
         ct_analysis_fill_worst(pair, analysis, error) && ct_job_may_go_on(job, error);
}

static bool analyse_masked(const ct_comparison *pair, const ct_analysis_request *request, ct_analysis *analysis,
                           ct_job *job, ct_error **error) {
  ct_masked_pair masked;
  if (!ct_masked_pair_make(pair, request->mask, &masked, error)) return false;
  const bool good = analyse(&masked.pair, request->range, analysis, job, error);
  if (good) ct_masked_pair_finish(&masked, analysis);
  ct_masked_pair_clear(&masked);
  return good;
}

static void move_indices(ct_analysis *analysis, const ct_box *box, const int origin[3]) {
  for (int axis = 0; axis < 3; axis++) {
    const int first = origin[axis] + box->begin[axis];
    analysis->metrics.max_at[axis] += first;
    for (int i = 0; i < analysis->worst_count; i++) analysis->worst[i].at[axis] += first;
  }
  analysis->first_slice = origin[2] + box->begin[2];
}

ct_analysis *ct_analysis_new(const ct_analysis_request *request, ct_job *job, ct_error **error) {
  const ct_comparison *whole = &request->pair;
  const ct_box all = {{0, 0, 0}, {whole->nx, whole->ny, whole->nz}}, *box = request->box ? request->box : &all;
  ct_comparison pair;
  float *own = NULL;
  if (isinf(request->range) || request->range <= 0) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "The range of errors must be a positive number, not %g.", request->range);
    return NULL;
  }
  ct_analysis *analysis = ct_alloc_zero(1, sizeof *analysis, "the analysis of errors", error);
  if (!analysis) return NULL;
  if (!ct_comparison_crop(whole, box, &pair, &own, error) ||
      !(request->mask ? analyse_masked(&pair, request, analysis, job, error)
                      : analyse(&pair, request->range, analysis, job, error))) {
    ct_analysis_free(analysis);
    analysis = NULL;
  } else {
    move_indices(analysis, box, request->origin);
  }
  ct_free(own);
  return analysis;
}

void ct_analysis_free(ct_analysis *analysis) {
  if (!analysis) return;
  ct_free(analysis->slices);
  ct_free(analysis);
}
