/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truncated rows, continued as the rays through the object's outline: what the columns next to the edge measure of it
 * scales them, so that the values go on without a step, and where the squares of the values, which fall evenly towards
 * the rim of anything round, tell that the rim is nearer or farther than the outline's, it is squeezed or stretched to
 * there. */
#include "recon/filter/extend-private.h"

#include <math.h>

/* What an object's inner detail makes of the squares' fall over the columns that are looked at, as a share. */
static const double detail = 0.15;
/* What the outline's rim is uncertain by, of its distance, where it was estimated and where it was given; and
 * deviations from which it is given up. */
static const double estimated = 0.3, told = 0.05, given_up = 3;
/* Where the two outermost columns show a smaller share of the squares, the object ends there. */
static const double ends = 0.5;
/* Largest factor by which the outline is stretched. */
static const double most_stretched = 2;

enum { MOST_COLUMNS = 48 };

/* Columns that are looked at. */
static int edge_columns(int nu) {
  const int columns = nu / 16 < 6 ? 6 : nu / 16;
  return columns > MOST_COLUMNS ? MOST_COLUMNS : columns > nu ? nu : columns;
}

/* The straight line through the squares of values[0 .. count - 1]: *at is that at the first; the share of it by which
 * it rises per column, and the standard error of that. */
static double fall_of_squares(const double *values, int count, double *at, double *error) {
  const double middle = 0.5 * (count - 1);
  double mean = 0, slope = 0, squares = 0, left = 0;
  for (int k = 0; k < count; k++) mean += values[k] * values[k] / count;
  for (int k = 0; k < count; k++) {
    slope += (k - middle) * values[k] * values[k];
    squares += (k - middle) * (k - middle);
  }
  if (squares > 0) slope /= squares;
  for (int k = 0; k < count; k++) {
    const double rest = values[k] * values[k] - mean - slope * (k - middle);
    left += rest * rest;
  }
  *at = mean - slope * middle;
  *error = *at > 0 && count > 2 ? sqrt(left / ((count - 2) * squares)) / *at : INFINITY;
  return *at > 0 ? slope / *at : INFINITY;
}

/* Shares by which the squares fall per column: as measured, with its uncertainty, and of the outline. Both weigh by
 * their uncertainties; an outline that is plainly elsewhere counts little. */
static double join_falls(double measured, double deviation, double outline, double uncertain) {
  const double off = measured - outline;
  const double excess = fmax(off * off - given_up * given_up * deviation * deviation, 0);
  const double own = uncertain * uncertain * outline * outline + excess;
  const double joined = outline + off * own / (own + deviation * deviation);
  return fmax(joined, outline / most_stretched);
}

/* The factor for the outline's chords, from the columns next to the edge, but not beyond what the object may be. */
static double scale_of(const ct_end *e, const float *chords, int wide) {
  double inner = 0, square = 0, all = 0, all_square = 0;
  for (int k = 0; k < e->nu; k++) {
    const double c = chords[k], measured = (double)e->row[k] * e->weights[k];
    all += c * measured;
    all_square += c * c;
    if (e->high ? k < e->nu - wide : k >= wide) continue;
    inner += c * measured;
    square += c * c;
  }
  if (!(all > 0) || !(square > 1e-9 * all_square)) return 0;
  return fmin(fmax(inner / square, 0), 3 * all / all_square);
}

void ct_extend_end(const ct_end *e, float *chords) {
  enum { SOME = 64 };
  const bool high = e->high;
  const int nu = e->nu, room = e->room, wide = edge_columns(nu), way = high ? 2 : -2;
  ct_outline_chords(e->outline, e->rays, e->v, e->shift, 1, nu, chords);
  const double scale = scale_of(e, chords, wide);
  double measured[MOST_COLUMNS], outline[MOST_COLUMNS], level, spread, at_outline, unused;
  for (int i = 0; i < wide; i++) {
    const int k = high ? nu - 1 - i : i;
    measured[i] = (double)e->row[k] * e->weights[k];
    outline[i] = chords[k];
  }
  const double fall = fall_of_squares(measured, wide, &level, &spread);
  const double usual = fall_of_squares(outline, wide, &at_outline, &unused);
  const double outermost = 0.5 * (measured[0] + measured[wide > 1]);
  if (!(level > 0) || outermost < sqrt(ends * level)) return;
  const double deviation = sqrt(spread * spread + detail * detail / ((double)wide * wide));
  /* The outline may end within the detector, or rise towards the edge. */
  const bool reaches = scale > 0 && at_outline > 0 && usual > 0;
  const double joined =
      reaches ? join_falls(fall, deviation, usual, e->outline->told ? told : estimated) : fmax(fall, 1.0 / (2 * wide));
  const double squeeze = reaches ? joined / usual : 1;
  /* What of the value at the edge the outline does not give fades away as the rim of a disc. */
  const double rest = sqrt(level) - (reaches ? scale * sqrt(at_outline) : 0), reach = fmin(1 / joined, room);
  for (int at = 0; at < room; at += SOME) {
    const int n = room - at < SOME ? room - at : SOME;
    const double from = high ? nu - 1 + (at + 1) * squeeze : -(at + 1) * squeeze;
    ct_outline_chords(e->outline, e->rays, e->v, e->shift + from, high ? squeeze : -squeeze, n, chords);
    bool any = at < reach;
    for (int i = 0; i < n; i++) {
      const int k = at + i;
      const double faded = k + 1 < reach ? rest * sqrt(1 - (k + 1) / reach) : 0;
      e->beyond[way * k] = e->redundancy * (float)fmax((reaches ? scale * chords[i] : 0) + faded, 0);
      any = any || chords[i] > 0;
    }
    if (!any) return;
  }
}
