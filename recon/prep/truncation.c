/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truncation: bands of rows are averaged to profiles; the profile's columns next to an edge are compared with what the
 * object usually has. Medians leave dead columns alone, bands rows without object. */
#include "recon/prep/truncation.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { BANDS = CT_BANDS_MOST, BAND_ROWS = 8, VIEWS = 64, EDGE_MOST = 16 };

/* Share of the usual level from which an edge is cut off, at least. A disc is that high 0.1 % of its radius inside its
 * rim. */
static const double least_share = 0.06;
/* The same in standard deviations of the noise. */
static const double least_deviations = 4;
/* Largest offset of air, as a share of the usual level and as a line integral. */
static const double air_share = 0.15, air_most = 0.05;
/* A band whose level is below this share of the usual one shows no object. */
static const double object_share = 0.25;

/* What is known of one band in one view. */
typedef struct {
  double edge[2], noise[2]; /* at the low and high edge: median, and its standard deviation */
  double level;             /* median of the columns that show something */
} band_facts;

static int compare(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static int compare_double(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int ct_band_count(int nv) {
  return nv < BANDS ? nv : BANDS;
}

void ct_band_rows(int nv, int band, int *row0, int *row1) {
  const int bands = ct_band_count(nv);
  *row0 = (int)((long)band * nv / bands);
  *row1 = (int)((band + 1L) * nv / bands);
}

/* Mean of up to BAND_ROWS rows, evenly out of a band. */
static void average_rows(const float *pixels, int nu, int nv, int band, float *profile) {
  int row0, row1;
  ct_band_rows(nv, band, &row0, &row1);
  const int rows = row1 - row0, taken = rows < BAND_ROWS ? rows : BAND_ROWS;
  const float factor = 1.0f / (float)taken;
  for (int k = 0; k < nu; k++) profile[k] = 0;
  for (int i = 0; i < taken; i++) {
    const float *row = pixels + (size_t)(row0 + (int)((long)i * rows / taken)) * (size_t)nu;
    for (int k = 0; k < nu; k++) profile[k] += factor * row[k];
  }
}

void ct_take_bands(const float *pixels, int nu, int nv, float *bands) {
  for (int b = 0; b < ct_band_count(nv); b++) average_rows(pixels, nu, nv, b, bands + (size_t)b * (size_t)nu);
}

static double median(float *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return 0.5 * ((double)values[(count - 1) / 2] + (double)values[count / 2]);
}

/* Columns of an edge: few, as an object may be cut by little; more of a wide detector, against noise. */
static int edge_columns(int nu) {
  const int columns = nu / 64 < 3 ? 3 : nu / 64;
  return nu < 64 ? 1 : columns > EDGE_MOST ? EDGE_MOST : columns;
}

/* The median of the edge's columns of a disc as wide as the detector is sqrt(2 columns / nu) of its height; denser rims
 * are higher. */
static double edge_share(int nu) {
  return fmax(least_share, sqrt(3.0 * edge_columns(nu) / nu));
}

/* Median next to an edge, and the standard deviation of that median from differences of second order (Gaussian
 * noise: their median absolute value is 0.6745 sqrt(6) standard deviations). */
static void look_at_edge(const float *profile, int nu, bool high, double *edge, double *noise) {
  enum { REACH = 3 * EDGE_MOST };
  float values[REACH], steps[REACH];
  const int wide = edge_columns(nu), taken = wide < nu ? wide : nu, reach = 3 * wide < nu ? 3 * wide : nu;
  for (int i = 0; i < reach; i++) values[i] = profile[high ? nu - 1 - i : i];
  for (int i = 0; i + 2 < reach; i++) steps[i] = fabsf(values[i] - 2 * values[i + 1] + values[i + 2]);
  *noise = reach > 2 ? 1.2533 * median(steps, reach - 2) / (0.6745 * sqrt(6.0 * taken)) : 0;
  *edge = median(values, taken);
}

/* Median of what is above a twentieth of the highest. */
static double find_level(float *profile, int nu) {
  qsort(profile, (size_t)nu, sizeof *profile, compare);
  const float least = 0.05f * profile[nu - 1 - nu / 100];
  int first = 0;
  while (first < nu - 1 && !(profile[first] > least)) first++;
  return 0.5 * ((double)profile[first + (nu - 1 - first) / 2] + (double)profile[first + (nu - first) / 2]);
}

static void look_at_band(const ct_stack *stack, int view, int band, float *profile, band_facts *facts) {
  const int nu = ct_stack_nu(stack);
  average_rows(ct_stack_get_view(stack, view), nu, ct_stack_nv(stack), band, profile);
  for (int side = 0; side < 2; side++) look_at_edge(profile, nu, side == 1, &facts->edge[side], &facts->noise[side]);
  facts->level = find_level(profile, nu);
}

/* Value below which the share of `count` values lies; sorts them. */
static double quantile(double *values, size_t count, double share) {
  qsort(values, count, sizeof *values, compare_double);
  return values[(size_t)(share * (double)(count - 1) + 0.5)];
}

/* The usual level, and the offset of air as far as some edge shows it. */
static void find_levels(const band_facts *facts, size_t count, double *work, ct_truncation *t) {
  for (size_t i = 0; i < count; i++) work[i] = facts[i].level;
  const double level = quantile(work, count, 0.75);
  size_t edges = 0;
  for (size_t i = 0; i < count; i++)
    for (int side = 0; side < 2 && facts[i].level >= object_share * level; side++) work[edges++] = facts[i].edge[side];
  const double lowest = edges ? quantile(work, edges, 0.05) : 0, most = fmin(air_share * level, air_most);
  t->air = fabs(lowest) <= most ? lowest : 0;
  t->level = level - t->air;
}

/* An edge has few columns, and by chance they agree: no noise is taken for less than what is usual on its side. */
static void share_noise(band_facts *facts, size_t count, double *work) {
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < count; i++) work[i] = facts[i].noise[side];
    const double usual = quantile(work, count, 0.5);
    for (size_t i = 0; i < count; i++) facts[i].noise[side] = fmax(facts[i].noise[side], usual);
  }
}

/* Counts the views and bands that are cut off. */
static void count_edges(const band_facts *facts, int bands, int views, double share, ct_truncation *t) {
  double sums[2] = {0, 0};
  int reached[2] = {0, 0}, both = 0, found[2] = {0, 0};
  bool with_object[BANDS] = {false}, cut_off[BANDS] = {false};
  for (int i = 0; i < views; i++) {
    bool reaches[2] = {false, false};
    for (int b = 0; b < bands; b++) {
      const band_facts *f = &facts[(size_t)i * (size_t)bands + (size_t)b];
      if (f->level - t->air < object_share * t->level) continue;
      with_object[b] = true;
      for (int side = 0; side < 2; side++) {
        const double edge = f->edge[side] - t->air;
        if (!(edge > share * t->level && edge > least_deviations * f->noise[side])) continue;
        reaches[side] = cut_off[b] = true;
        sums[side] += edge;
        found[side]++;
      }
    }
    for (int side = 0; side < 2; side++) reached[side] += reaches[side];
    both += reaches[0] && reaches[1];
  }
  t->low = (double)reached[0] / views;
  t->high = (double)reached[1] / views;
  t->both = (double)both / views;
  t->low_edge = found[0] ? sums[0] / found[0] : 0;
  t->high_edge = found[1] ? sums[1] / found[1] : 0;
  int objects = 0, cut = 0;
  for (int b = 0; b < bands; b++) {
    objects += with_object[b];
    cut += cut_off[b];
  }
  t->rows = objects ? (double)cut / objects : 0;
}

bool ct_truncation_measure(const ct_stack *integrals, const int *views, int count, ct_truncation *truncation,
                           ct_error **error) {
  const int nu = ct_stack_nu(integrals), bands = ct_band_count(ct_stack_nv(integrals));
  *truncation = (ct_truncation){0};
  if (count < 1) return true;
  const size_t all = (size_t)count * (size_t)bands;
  band_facts *facts = ct_alloc(all, sizeof *facts, "the edges of the projections", error);
  double *work = facts ? ct_alloc(2 * all, sizeof *work, "the edges of the projections", error) : NULL;
  float *profile = work ? ct_alloc((size_t)nu, sizeof *profile, "a detector row", error) : NULL;
  if (profile) {
    for (int i = 0; i < count; i++)
      for (int b = 0; b < bands; b++)
        look_at_band(integrals, views[i], b, profile, &facts[(size_t)i * (size_t)bands + (size_t)b]);
    share_noise(facts, all, work);
    find_levels(facts, all, work, truncation);
    count_edges(facts, bands, count, edge_share(nu), truncation);
  }
  ct_free(facts);
  ct_free(work);
  ct_free(profile);
  return profile != NULL;
}

bool ct_truncation_measure_stack(const ct_stack *integrals, ct_truncation *truncation, ct_error **error) {
  int views[VIEWS];
  const int all = ct_stack_views(integrals), count = all < VIEWS ? all : VIEWS;
  for (int i = 0; i < count; i++) views[i] = (int)((long)i * all / count);
  return ct_truncation_measure(integrals, views, count, truncation, error);
}

static double chord(double radius, double s) {
  return s < radius ? 2 * sqrt(radius * radius - s * s) : 0;
}

double ct_truncation_effect(double seen, double radius, double times, double r) {
  enum { STEPS = 400, DIRECTIONS = 64 };
  const double other = times * radius, end = fmax(radius, other);
  if (!(seen > 0 && seen < radius && seen < other)) return 0;
  const double scale = chord(radius, seen) / chord(other, seen), step = (end - seen) / STEPS;
  double sum = 0;
  for (int view = 0; view < DIRECTIONS; view++) {
    const double u = r * cos((view + 0.5) * M_PI / DIRECTIONS);
    for (int n = 0; n < STEPS; n++) {
      const double s = seen + (n + 0.5) * step, more = scale * chord(other, s) - chord(radius, s);
      sum += 0.5 * more * (1 / ((s - u) * (s - u)) + 1 / ((s + u) * (s + u)));
    }
  }
  return -sum * step / DIRECTIONS / M_PI;
}
