/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line integrals p of a projection: exp(-p) is the light that arrives. A constant factor of the beam's intensity
 * cancels in ratios, so a projection that was corrected with another rectangle serves as well. */
#include "ui/free-beam.h"

#include <math.h>
#include <stdlib.h>

/* A line integral that lets nothing through, for pixels without a value. */
#define DARK 20.0

/* Pixels of the rectangle that are looked at, along each side. */
#define MOST_ACROSS 64

/* Free beam is brighter, more uniform and steadier than these; lamps and detectors without flats differ by less,
 * objects by more. */
#define LEAST_SHARE 0.5
#define LEAST_EVENNESS 0.5
#define MOST_SPREAD 0.5

/* Pixels first..last of the picture that lie in the detector pixels low..low + count - 1. */
static gboolean pixels_within(double origin, double spacing, int pixels, int low, int count, int *first, int *last) {
  *first = MAX((int)ceil((low - origin) / spacing - 1e-9), 0);
  *last = MIN((int)floor((low + count - 1 - origin) / spacing + 1e-9), pixels - 1);
  return *first <= *last;
}

static double finite_or_dark(float value) {
  return isfinite(value) ? (double)value : DARK;
}

/* The least mean of any window of that size. */
static double brightest(const GantryImage *image, int wide, int high) {
  const int width = image->width, height = image->height;
  g_autofree double *column = g_new0(double, width);
  double least = INFINITY;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      column[x] += finite_or_dark(image->pixels[(gsize)y * width + x]);
      if (y >= high) column[x] -= finite_or_dark(image->pixels[(gsize)(y - high) * width + x]);
    }
    if (y < high - 1) continue;
    double sum = 0;
    for (int x = 0; x < width; x++) {
      sum += column[x] - (x >= wide ? column[x - wide] : 0);
      if (x >= wide - 1) least = fmin(least, sum / ((double)wide * high));
    }
  }
  return least;
}

static int by_value(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

double gantry_free_beam_share(const GantryImage *image, const int rectangle[4], double *evenness) {
  int left, right, lower, upper;
  if (evenness) *evenness = NAN;
  if (!image->integrals ||
      !pixels_within(image->origin_x, image->spacing_x, image->width, rectangle[0], rectangle[2], &left, &right) ||
      !pixels_within(image->origin_y, image->spacing_y, image->height, rectangle[1], rectangle[3], &lower, &upper))
    return NAN;
  const int wide = right - left + 1, high = upper - lower + 1;
  const int step_x = (wide + MOST_ACROSS - 1) / MOST_ACROSS, step_y = (high + MOST_ACROSS - 1) / MOST_ACROSS;
  g_autofree float *inside = g_new(float, MOST_ACROSS *MOST_ACROSS);
  gsize count = 0;
  for (int y = lower; y <= upper; y += step_y)
    for (int x = left; x <= right; x += step_x) {
      const float value = image->pixels[(gsize)y * image->width + x];
      if (isfinite(value)) inside[count++] = value;
    }
  if (!count) return NAN;
  qsort(inside, count, sizeof *inside, by_value);
  if (evenness) *evenness = exp((double)inside[count / 10] - (double)inside[count - 1 - count / 10]);
  /* A large rectangle may have no counterpart of its size. */
  const double bright =
      brightest(image, CLAMP(wide, 1, MAX(image->width / 8, 1)), CLAMP(high, 1, MAX(image->height / 8, 1)));
  return fmin(exp(bright - (double)inside[count / 2]), 1);
}

char *gantry_free_beam_doubt(double share, double evenness, double spread) {
  static const char *const advice = "Draw it where the beam passes no object in any view.";
  if (share < LEAST_SHARE)
    return g_strdup_printf(
        "The rectangle seems to hold some of the object: only %.0f\u00a0%% of the brightest light of this projection "
        "arrives in it. %s",
        100 * share, advice);
  if (evenness < LEAST_EVENNESS)
    return g_strdup_printf(
        "The rectangle seems to hold some of the object: parts of it get only %.0f\u00a0%% of the light of others. %s",
        100 * evenness, advice);
  if (spread > MOST_SPREAD)
    return g_strdup_printf("The rectangle seems to hold some of the object in some views: the light in it changes by "
                           "%.0f\u00a0%% from view to "
                           "view. %s",
                           100 * spread, advice);
  return NULL;
}
