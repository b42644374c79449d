/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels that stand out from their neighbours in nearly every view: hot or dead ones, each of which makes a ring. What
 * stands out in one view may be an edge or a grain; the object turns, the pixel stays. Looked for in a few views, where
 * outliers are not removed anyway. */
#include "recon/prep/load-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns at each side that are looked at. */
enum { MOST_SIDE = 20 };

/* Views looked at, standard deviations that stand out, and the share of the views that makes a bad pixel. */
enum { VIEWS = 8, LEAST_VIEWS = 4 };
#define SIGMA 8.0
#define SHARE 0.75

bool ct_notice_begin(ct_loader *l, ct_error **error) {
  const size_t pixels = (size_t)l->rows * (size_t)l->facts->geometry.nu;
  if (l->options.outlier > 0 || l->values == CT_VALUES_FILTERED || l->count < LEAST_VIEWS) return true;
  return (l->hits = ct_alloc_zero(pixels, sizeof *l->hits, "the detector's pixels", error)) != NULL;
}

static bool is_looked_at(const ct_loader *l, int index) {
  const int views = l->count < VIEWS ? l->count : VIEWS;
  const int k = (int)((double)index * views / l->count);
  return index == (int)(((double)k + 0.5) * l->count / views);
}

static void note(const ct_loader *l, size_t pixel) {
#pragma omp atomic
  l->hits[pixel]++;
}

/* Further from the mean of its two neighbours in the row than four times what straight lines through the two on either
 * side disagree there, with each other and with the neighbours. */
static bool stands_out(const float *row, int u, int nu) {
  if (u < 2 || u >= nu - 2) return false;
  const float left = 2 * row[u - 1] - row[u - 2], right = 2 * row[u + 1] - row[u + 2];
  const float middle = 0.5f * (row[u - 1] + row[u + 1]);
  const float rough = fabsf(left - right) + fabsf(middle - 0.5f * (left + right));
  return fabsf(row[u] - middle) > 4 * rough + 1e-3f * fabsf(middle);
}

static int compare(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* work: [rows][side]. */
static float side_median(const float *frame, int nu, int rows, int first, int side, float *work) {
  size_t n = 0;
  for (int j = 0; j < rows; j++)
    for (int u = first; u < first + side; u++) work[n++] = frame[(size_t)j * (size_t)nu + (size_t)u];
  qsort(work, n, sizeof *work, compare);
  return work[n / 2];
}

void ct_notice_frame(const ct_loader *l, int index, const float *frame, ct_frame_report *report) {
  if (!is_looked_at(l, index)) return;
  const int nu = l->facts->geometry.nu;
  const size_t pixels = (size_t)l->rows * (size_t)nu;
  float *cleaned = ct_alloc(pixels, sizeof *cleaned, "a frame", NULL);
  if (!cleaned) return;
  const int side = nu < 16 ? 1 : nu / 16 < MOST_SIDE ? nu / 16 : MOST_SIDE;
  for (int s = 0; s < 2; s++) report->sides[s] = side_median(frame, nu, l->rows, s ? nu - side : 0, side, cleaned);
  report->looked_at = true;
  if (!l->hits) {
    ct_free(cleaned);
    return;
  }
  memcpy(cleaned, frame, pixels * sizeof *cleaned);
  report->looked_at = ct_prep_remove_outliers(cleaned, nu, l->rows, SIGMA) != SIZE_MAX;
  for (size_t p = 0; report->looked_at && p < pixels; p++) {
    const int u = (int)(p % (size_t)nu);
    if (cleaned[p] != frame[p] || stands_out(frame + p - u, u, nu)) note(l, p);
  }
  ct_free(cleaned);
}

static void report_sides(const ct_loader *l, ct_prep_report *report) {
  for (int s = 0; s < 2; s++) report->side_least[s] = report->side_most[s] = NAN;
  for (int i = 0; l->use_log && l->i0 == CT_I0_NONE && i < l->count; i++)
    for (int s = 0; s < 2 && l->reports[i].looked_at; s++) {
      report->side_least[s] = fmin(report->side_least[s], l->reports[i].sides[s]);
      report->side_most[s] = fmax(report->side_most[s], l->reports[i].sides[s]);
    }
}

void ct_notice_report(const ct_loader *l, ct_prep_report *report) {
  report_sides(l, report);
  const int nu = l->facts->geometry.nu;
  const size_t pixels = (size_t)l->rows * (size_t)nu;
  int looked_at = 0;
  for (int i = 0; l->hits && i < l->count; i++) looked_at += l->reports[i].looked_at;
  if (looked_at < LEAST_VIEWS) return;
  for (size_t p = 0; p < pixels; p++) {
    if (l->hits[p] < SHARE * looked_at) continue;
    if (report->stuck++ > 0) continue;
    report->stuck_at[0] = (int)(p % (size_t)nu);
    report->stuck_at[1] = l->row0 + (int)(p / (size_t)nu);
  }
}
