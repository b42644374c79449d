/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels that stand out from their neighbours in nearly every view: hot or dead ones, each of which makes a ring. What
 * stands out in one view may be an edge or a grain; the object turns, the pixel stays. And bright pixels that stand out
 * in one view and not near by in the ones before and after it: particles that hit the detector (zingers). Looked for in
 * a few views, where outliers are not removed anyway. */
#include "recon/prep/load-private.h"

#include "recon/base/memory.h"
#include "recon/geom/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns at each side that are looked at. */
enum { MOST_SIDE = 20 };

/* Views looked at, standard deviations that stand out, and the share of the views that makes a bad pixel. */
enum { VIEWS = 8, LEAST_VIEWS = 4 };
#define SIGMA 8.0
#define SHARE 0.75

/* Transmission that nothing but a particle makes, and as a line integral. */
static const float impossible = 1.15f;
/* Columns and rows within which a spot in the next view is taken for the same, besides what the object moves. */
enum { NEAR = 2 };

bool ct_notice_begin(ct_loader *l, ct_error **error) {
  const size_t pixels = (size_t)l->rows * (size_t)l->facts->geometry.nu;
  if (l->options.outlier > 0 || l->values == CT_VALUES_FILTERED || l->count < LEAST_VIEWS) return true;
  l->hits = ct_alloc_zero(pixels, sizeof *l->hits, "the detector's pixels", error);
  l->spikes = l->hits ? ct_alloc_zero((size_t)3 * VIEWS, sizeof *l->spikes, "bright pixels", error) : NULL;
  return l->spikes != NULL;
}

/* The k-th of the views that are looked at. */
static int looked_at(const ct_loader *l, int k) {
  const int views = l->count < VIEWS ? l->count : VIEWS;
  return (int)(((double)k + 0.5) * l->count / views);
}

/* Which of them a view is; -1: none. */
static int find_looked_at(const ct_loader *l, int index) {
  const int views = l->count < VIEWS ? l->count : VIEWS;
  if (index < 0 || index >= l->count) return -1;
  const int k = (int)((double)index * views / l->count);
  return index == looked_at(l, k) ? k : -1;
}

bool ct_notice_looks_at(const ct_loader *l, int index) {
  return find_looked_at(l, index) >= 0;
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

/* Particles make pixels brighter. Of a single row, where a crack that a view happens to look along is as bright, those
 * that are brighter than the free beam. */
static bool is_spike(const ct_loader *l, const float *frame, const float *cleaned, size_t p) {
  if (l->values == CT_VALUES_LINE_INTEGRALS) return frame[p] < cleaned[p] && (l->rows > 1 || frame[p] < 1 - impossible);
  return frame[p] > cleaned[p] && (l->rows > 1 || frame[p] > impossible);
}

static void note_spike(ct_spikes *spikes, size_t pixel) {
  if (spikes->count < CT_SPIKES_MOST) spikes->at[spikes->count] = (int)pixel;
  spikes->count++;
}

/* A view that is looked at counts its pixels that stand out; its neighbours are asked for bright ones alone. */
static bool look_for_pixels(const ct_loader *l, const float *frame, float *cleaned, bool counts, ct_spikes *spikes) {
  const int nu = l->facts->geometry.nu;
  const size_t pixels = (size_t)l->rows * (size_t)nu;
  memcpy(cleaned, frame, pixels * sizeof *cleaned);
  if (ct_prep_remove_outliers(cleaned, nu, l->rows, SIGMA) == SIZE_MAX) return false;
  for (size_t p = 0; p < pixels; p++) {
    const int u = (int)(p % (size_t)nu);
    const bool removed = cleaned[p] != frame[p], alone = stands_out(frame + p - u, u, nu);
    if (!removed && !alone) continue;
    if (counts) note(l, p);
    /* Between neighbours that happen to be in line noise stands out, too, now and then. */
    if (!removed && l->rows > 1) continue;
    if (!removed) cleaned[p] = 0.5f * (frame[p - 1] + frame[p + 1]);
    if (is_spike(l, frame, cleaned, p)) note_spike(spikes, p);
  }
  spikes->looked_at = true;
  return true;
}

void ct_notice_frame(const ct_loader *l, int index, const float *frame, ct_frame_report *report) {
  const int own = find_looked_at(l, index), after = find_looked_at(l, index - 1), before = find_looked_at(l, index + 1);
  if (own < 0 && ((before < 0 && after < 0) || !l->hits)) return;
  const int nu = l->facts->geometry.nu;
  float *cleaned = ct_alloc((size_t)l->rows * (size_t)nu, sizeof *cleaned, "a frame", NULL);
  if (!cleaned) return;
  const int side = nu < 16 ? 1 : nu / 16 < MOST_SIDE ? nu / 16 : MOST_SIDE;
  for (int s = 0; s < 2 && own >= 0; s++)
    report->sides[s] = side_median(frame, nu, l->rows, s ? nu - side : 0, side, cleaned);
  report->looked_at = own >= 0;
  if (l->hits) {
    const int place = own >= 0 ? 3 * own + 1 : before >= 0 ? 3 * before : 3 * after + 2;
    const bool good = look_for_pixels(l, frame, cleaned, own >= 0, &l->spikes[place]);
    report->looked_at = report->looked_at && good;
    /* Between two that are close together a view is neighbour of both. */
    if (own < 0 && before >= 0 && after >= 0) l->spikes[3 * after + 2] = l->spikes[place];
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

/* Whether a view shows a bright pixel as near as the object may have moved. */
static bool shows(const ct_spikes *spikes, int pixel, int nu, int reach) {
  const int most = spikes->count < CT_SPIKES_MOST ? spikes->count : CT_SPIKES_MOST;
  for (int i = 0; i < most; i++)
    if (abs(spikes->at[i] % nu - pixel % nu) <= reach && abs(spikes->at[i] / nu - pixel / nu) <= NEAR) return true;
  return false;
}

/* Views in which spots are many are not looked at: what is everywhere is no particle. */
static void report_spikes(const ct_loader *l, ct_prep_report *report) {
  const int nu = l->facts->geometry.nu;
  const ct_geometry *g = &l->facts->geometry;
  const double step = g->views > 1 ? ct_geometry_arc(g) / g->views * l->step : 0;
  const int reach = NEAR + (int)fmin(0.5 * step * nu, nu);
  for (int k = 0; l->spikes && k < VIEWS && k < l->count; k++) {
    const ct_spikes *s = &l->spikes[(size_t)3 * (size_t)k];
    if (!(s[0].looked_at && s[1].looked_at && s[2].looked_at) || s[0].count > CT_SPIKES_MOST ||
        s[1].count > CT_SPIKES_MOST || s[2].count > CT_SPIKES_MOST)
      continue;
    report->spike_views++;
    for (int i = 0; i < s[1].count; i++) {
      if (shows(&s[0], s[1].at[i], nu, reach) || shows(&s[2], s[1].at[i], nu, reach)) continue;
      if (report->spikes++ > 0) continue;
      report->spike_at[0] = s[1].at[i] % nu;
      report->spike_at[1] = l->row0 + s[1].at[i] / nu;
      report->spike_at[2] = l->first + l->step * looked_at(l, k);
    }
  }
}

void ct_notice_report(const ct_loader *l, ct_prep_report *report) {
  report_sides(l, report);
  report_spikes(l, report);
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
