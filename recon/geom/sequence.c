/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequences: recognised, taken apart into circles, and what their positions see (sequence.h). */
#include "recon/geom/sequence.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

/* Part of the step between views by which the angles of two positions may differ. */
static const double angle_slack = 0.02;

static const char way_out[] =
    "Iterative methods take any views: set iterative.method to sirt, cgls or another of them.";

bool ct_geometry_is_sequence(const ct_geometry *geometry) {
  return geometry->feed != 0 && geometry->stops;
}

/* Angles apart, whole turns left out. */
static double apart(double a, double b) {
  return fabs(remainder(a - b, 2 * M_PI));
}

static bool same_angles(const ct_geometry *g, int views, int *odd) {
  const double slack = angle_slack * (views > 1 ? fabs(g->angles[1] - g->angles[0]) : 2 * M_PI);
  for (int view = views; view < g->views; view++)
    if (apart(g->angles[view], g->angles[view % views]) > slack) {
      *odd = view;
      return false;
    }
  return true;
}

static void measure(const ct_geometry *g, ct_sequence *s) {
  const double row = g->dv * g->sod / g->sdd;
  s->seen = g->nv * row;
  s->middle = (0.5 * (g->nv - 1) - g->centre_v) * row;
}

bool ct_sequence_of(const ct_geometry *g, ct_sequence *s, ct_error **error) {
  *s = (ct_sequence){0};
  if (!ct_geometry_is_sequence(g))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "The table does not move by steps in this scan (%s).",
                        ct_geometry_title(g));
  s->first = ct_geometry_height(g, 0);
  int odd = 0;
  for (s->views = 1; s->views < g->views && ct_geometry_height(g, s->views) == s->first; s->views++) continue;
  s->positions = g->views / s->views;
  s->step = s->positions > 1 ? ct_geometry_height(g, s->views) - s->first : 0;
  measure(g, s);
  if (s->positions * s->views != g->views)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The %d views of this sequence are no whole number of turns of %d views, as the first one has: "
                        "leave the last ones out (scan.view_count). %s",
                        g->views, s->views, way_out);
  if (!same_angles(g, s->views, &odd))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "View %d of this sequence stands at another angle than view %d of the first turn: filtered "
                        "back-projection needs the same angles at every position. %s",
                        odd, odd % s->views, way_out);
  return true;
}

/* Counts angles on from turn to turn, the way the first views go. */
static void count_on(const ct_geometry *g, int views, double *angles) {
  const double way = views > 1 && g->angles[1] < g->angles[0] ? -1 : 1;
  for (int view = 0; view < g->views; view++) {
    const double turn = way * 2 * M_PI * (view / views), begun = g->angles[view % views] - g->angles[0];
    angles[view] = g->angles[0] + turn + begun;
  }
}

bool ct_sequence_take(ct_geometry *g, const double *heights) {
  const double slack = 0.05 * g->dv / ct_geometry_magnification(g);
  int views = 1, odd;
  while (views < g->views && fabs(heights[views] - heights[0]) < slack) views++;
  if (!ct_geometry_takes(g, CT_TAKES_FEED) || g->feed != 0 || views < 3 || views == g->views || g->views % views != 0 ||
      !same_angles(g, views, &odd) || !(fabs(g->angles[views - 1] - g->angles[0]) < 2 * M_PI - 1e-6))
    return false;
  const double step = heights[views] - heights[0];
  for (int view = 0; view < g->views; view++)
    if (!(fabs(heights[0] + step * (view / views) - heights[view]) < slack)) return false;
  double *angles = ct_alloc((size_t)g->views, sizeof *angles, "the angles", NULL);
  if (!angles) return false;
  count_on(g, views, angles);
  ct_free(g->angles);
  g->angles = angles;
  g->stops = true;
  ct_geometry_set_feed(g, angles[views] > angles[0] ? step : -step, heights[0]);
  return true;
}

bool ct_sequence_circle(const ct_geometry *g, const ct_sequence *s, int more, ct_geometry *circle, ct_error **error) {
  if (!ct_geometry_copy(circle, g, error)) return false;
  ct_geometry_set_feed(circle, 0, 0);
  ct_geometry_crop_rows(circle, -more, g->nv + 2 * more);
  circle->views = s->views;
  return true;
}

double ct_sequence_height(const ct_sequence *s, int position) {
  return s->first + s->step * position;
}

int ct_sequence_position(const ct_sequence *s, double z) {
  const double from = z - s->first - s->middle, place = s->step != 0 ? rint(from / s->step) : 0,
               position = fmin(fmax(place, 0), s->positions - 1);
  return fabs(from - position * s->step) <= 0.5 * s->seen * (1 + 1e-6) ? (int)position : -1;
}

/* Slices that a position serves reach so far from the middle of what it sees. */
static double served(const ct_sequence *s) {
  return 0.5 * (s->step != 0 ? fmin(fabs(s->step), s->seen) : s->seen);
}

/* Rows below the first and above the last in which a point `from` mm above the source's plane is seen next to it. */
static double rows_beyond(const ct_geometry *g, double radius, double from) {
  const double near = fmax(g->sod - radius, 0.05 * g->sod), row = g->centre_v + from * g->sdd / (g->dv * near);
  return fmax(-row, row - (g->nv - 1));
}

int ct_sequence_rows_beyond(const ct_geometry *g, const ct_sequence *s, double radius) {
  const double half = served(s),
               rows = fmax(rows_beyond(g, radius, s->middle - half), rows_beyond(g, radius, s->middle + half));
  return (int)fmax(ceil(rows), 1);
}

double ct_sequence_reach(const ct_geometry *g, const ct_sequence *s, double radius) {
  const double near = fmax(g->sod - radius, 0) * g->dv / g->sdd, low = -(g->centre_v + 0.5) * near - s->middle,
               high = (g->nv - 0.5 - g->centre_v) * near - s->middle;
  return fmax(fmin(-low, high), 0);
}

void ct_sequence_seen(const ct_geometry *g, double radius, double *low, double *high) {
  const double far = (g->sod + radius) * g->dv / g->sdd;
  *low = INFINITY, *high = -INFINITY;
  for (int view = 0; view < g->views; view++) {
    const double height = ct_geometry_height(g, view);
    *low = fmin(*low, height - (g->centre_v + 0.5) * far);
    *high = fmax(*high, height + (g->nv - 0.5 - g->centre_v) * far);
  }
}
