/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the views go round, and what their angles mean for the integral over the arc: gaps of the angles sorted modulo
 * 2 pi, trapezoidal. */
#include "recon/geom/trajectory.h"

#include "recon/base/memory.h"
#include "recon/geom/axis-private.h"
#include "recon/geom/spiral.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Angles closer than this (radians) are the same view twice. */
static const double same = 1e-7;
/* An arc is open when its largest gap is this many times the mean of the others. */
static const double open_factor = 2.8;
/* Of the width that the detector sees at the isocentre: by how much the depth may change where rays are parallel. */
static const double flat_depth = 1e-9;
/* What ct_trajectory_check allows: parts of the radius and of the height seen, rows, and radians of parallel rays. */
static const double circle_share = 0.05, height_share = 0.1, least_rows = 2, parallel_tilt = M_PI / 180;

typedef struct {
  double angle;
  int view;
} sorted_view;

static int by_angle(const void *a, const void *b) {
  const sorted_view *p = a, *q = b;
  if (p->angle != q->angle) return p->angle < q->angle ? -1 : 1;
  return p->view - q->view;
}

static double wrap(double angle) {
  angle = fmod(angle, 2 * M_PI);
  if (angle < 0) angle += 2 * M_PI;
  return angle < 2 * M_PI ? angle : 0;
}

/* Weights of n >= 2 distinct ascending angles in [0, 2 pi). */
static void weigh_distinct(ct_trajectory *t, const double *angle, int n, double *weight) {
  double largest = 0, sum = 0;
  int at = 0, places = 1;
  for (int i = 0; i < n; i++) {
    const double gap = i + 1 < n ? angle[i + 1] - angle[i] : angle[0] + 2 * M_PI - angle[n - 1];
    sum += gap;
    if (gap > largest) {
      largest = gap;
      at = i;
    }
  }
  for (int i = 0; i < n; i++) {
    const double gap = i + 1 < n ? angle[i + 1] - angle[i] : angle[0] + 2 * M_PI - angle[n - 1];
    places += i != at && gap > 0.01 * 2 * M_PI / t->views;
  }
  t->gap = largest;
  t->step = places > 1 ? (sum - largest) / (places - 1) : 0;
  const bool open = largest > open_factor * (sum - largest) / (n - 1);
  for (int i = 0; i < n; i++) {
    const int next = (i + 1) % n, before = (i + n - 1) % n;
    double after = angle[next] - angle[i], ahead = angle[i] - angle[before];
    if (after < 0) after += 2 * M_PI;
    if (ahead < 0) ahead += 2 * M_PI;
    if (open && i == at) after = ahead;
    if (open && before == at) ahead = after;
    weight[i] = 0.5 * (after + ahead);
  }
}

static bool weigh(ct_trajectory *t, ct_error **error) {
  const int n = t->views;
  t->gap = 2 * M_PI;
  if (n == 1) {
    t->steps[0] = t->arc = 2 * M_PI;
    return true;
  }
  sorted_view *sorted = ct_alloc((size_t)n, sizeof *sorted, "the sorted views", error);
  double *distinct = ct_alloc((size_t)n, 2 * sizeof *distinct, "the sorted angles", error);
  if (!sorted || !distinct) {
    ct_free(sorted);
    ct_free(distinct);
    return false;
  }
  for (int i = 0; i < n; i++) {
    double angle = fmod(t->angles[i], 2 * M_PI);
    if (angle < 0) angle += 2 * M_PI;
    if (angle > 2 * M_PI - same) angle = 0;
    sorted[i] = (sorted_view){angle, i};
  }
  qsort(sorted, (size_t)n, sizeof *sorted, by_angle);
  int groups = 0;
  for (int i = 0; i < n; i++)
    if (i == 0 || sorted[i].angle - distinct[groups - 1] > same) distinct[groups++] = sorted[i].angle;
  double *weight = distinct + n;
  if (groups > 1)
    weigh_distinct(t, distinct, groups, weight);
  else
    weight[0] = 2 * M_PI;
  for (int group = 0, i = 0; group < groups; group++) {
    int end = i;
    while (end < n && sorted[end].angle - distinct[group] <= same) end++;
    for (int k = i; k < end; k++) t->steps[sorted[k].view] = weight[group] / (end - i);
    i = end;
  }
  t->arc = 0;
  for (int i = 0; i < n; i++) t->arc += t->steps[i];
  ct_free(sorted);
  ct_free(distinct);
  return true;
}

static void cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Turns the normal upwards, and the two directions beside it as z is turned to it by the shortest way. */
static void set_axis(ct_trajectory *t, const double normal[3]) {
  int last = 2;
  while (last > 0 && fabs(normal[last]) < 1e-9) last--;
  double *a = t->axis;
  for (int k = 0; k < 3; k++) a[k] = normal[last] < 0 ? -normal[k] : normal[k];
  const double turn = 1 / (1 + a[2]);
  const double right[3] = {1 - a[0] * a[0] * turn, -a[0] * a[1] * turn, -a[0]},
               forward[3] = {-a[0] * a[1] * turn, 1 - a[1] * a[1] * turn, -a[1]};
  memcpy(t->right, right, sizeof right);
  memcpy(t->forward, forward, sizeof forward);
}

/* The direction of a view's parallel rays moves neither column nor row; signed so that u, it and v are right-handed as
 * in geometry.h. */
static void parallel_direction(const double m[12], double direction[3]) {
  cross(m + 4, m, direction);
  const double length = sqrt(ct_dot(direction, direction));
  for (int i = 0; i < 3 && length > 0; i++) direction[i] /= length;
}

/* The sources of the views' matrices, or the directions where no view's rays diverge. */
static void find_places(const ct_geometry *g, ct_trajectory *t, ct_point *places) {
  const double width = g->nu * ct_geometry_pitch_at_axis(g);
  int parallel = 0;
  for (int view = 0; view < g->views; view++) {
    const double *m = g->matrices + 12 * (size_t)view;
    double direction[3];
    const bool flat = !(sqrt(ct_dot(m + 8, m + 8)) * width > flat_depth);
    parallel += flat;
    if (flat || !ct_geometry_ray(g, view, 0, 0, places[view], direction)) parallel_direction(m, places[view]);
  }
  t->parallel = parallel == g->views;
  t->mixed = parallel > 0 && parallel < g->views;
}

/* One or two views tell no circle: one about the isocentre. */
static void assume_axis(ct_trajectory *t, const ct_point *places) {
  static const double z[3] = {0, 0, 1};
  double normal[3] = {0};
  if (t->views == 2) cross(places[0], places[1], normal);
  const double length = sqrt(ct_dot(normal, normal));
  const bool tells = length > 1e-3 * sqrt(ct_dot(places[0], places[0]) * ct_dot(places[1 % t->views], places[0]));
  for (int k = 0; k < 3; k++) normal[k] = tells ? normal[k] / length : z[k];
  set_axis(t, normal);
}

static void measure(ct_trajectory *t, const ct_point *places) {
  for (int pass = 0; pass < 2; pass++)
    for (int view = 0; view < t->views; view++) {
      double p[3];
      for (int k = 0; k < 3; k++) p[k] = places[view][k] - t->centre[k];
      const double x = ct_dot(p, t->right), y = ct_dot(p, t->forward), z = ct_dot(p, t->axis);
      if (pass == 0) {
        t->angles[view] = t->parallel ? atan2(-x, y) : atan2(x, -y);
        t->radius += t->parallel ? 0 : hypot(x, y) / t->views;
        continue;
      }
      const double plane = t->parallel ? fabs(asin(fmax(-1, fmin(1, z)))) : fabs(z),
                   circle = t->parallel ? 0 : fabs(hypot(x, y) - t->radius);
      if (plane > t->off_plane) t->off_plane = plane, t->most_off_plane = view;
      if (circle > t->off_circle) t->off_circle = circle, t->most_off_circle = view;
    }
}

/* Parallel rays tell the axis's direction alone. It lies where views see it in one column, as nearly as may be: a . c +
 * a3 = const by least squares. Views of less than a quarter turn leave it at the isocentre. */
static void find_parallel_centre(const ct_geometry *g, ct_trajectory *t) {
  double mean[3] = {0}, xx = 0, xy = 0, yy = 0, xu = 0, yu = 0;
  for (int view = 0; view < g->views; view++) {
    const double *m = g->matrices + 12 * (size_t)view;
    const double row[3] = {ct_dot(m, t->right), ct_dot(m, t->forward), m[3]};
    for (int k = 0; k < 3; k++) mean[k] += row[k] / g->views;
  }
  for (int view = 0; view < g->views; view++) {
    const double *m = g->matrices + 12 * (size_t)view;
    const double x = ct_dot(m, t->right) - mean[0], y = ct_dot(m, t->forward) - mean[1], u = m[3] - mean[2];
    xx += x * x, xy += x * y, yy += y * y;
    xu += x * u, yu += y * u;
  }
  const double determinant = xx * yy - xy * xy;
  if (t->arc < M_PI / 2 || !(determinant > 1e-6 * xx * yy)) return;
  const double x = (xy * yu - yy * xu) / determinant, y = (xy * xu - xx * yu) / determinant;
  for (int k = 0; k < 3; k++) t->centre[k] = x * t->right[k] + y * t->forward[k];
}

static bool derive(const ct_geometry *g, ct_trajectory *t, ct_error **error) {
  ct_point *places = ct_alloc((size_t)g->views, sizeof *places, "the sources", error);
  if (!places) return false;
  double normal[3];
  find_places(g, t, places);
  t->found =
      !t->mixed && (t->parallel ? ct_fit_plane((const ct_point *)places, g->views, normal)
                                : g->views > 2 && ct_fit_circle((const ct_point *)places, g->views, t->centre, normal));
  if (t->found)
    set_axis(t, normal);
  else
    assume_axis(t, (const ct_point *)places);
  measure(t, (const ct_point *)places);
  ct_free(places);
  return true;
}

bool ct_trajectory_make(const ct_geometry *g, ct_trajectory *t, ct_error **error) {
  static const double z[3] = {0, 0, 1};
  *t = (ct_trajectory){.views = g->views};
  t->angles = ct_alloc((size_t)g->views, sizeof *t->angles, "the views' angles", error);
  t->steps = ct_alloc((size_t)g->views, sizeof *t->steps, "the views' weights", error);
  bool good = t->angles && t->steps;
  /* The sources of a spiral lie on no circle, but its axis is known. */
  ct_geometry spiral = {0};
  const bool climbs = good && g->beam == CT_BEAM_FREE && ct_spiral_of(g, &spiral, NULL);
  const ct_geometry *named = climbs ? &spiral : g;
  if (good && named->beam == CT_BEAM_FREE) {
    good = derive(g, t, error);
  } else if (good) {
    t->parallel = named->beam == CT_BEAM_PARALLEL;
    t->found = true;
    t->radius = t->parallel ? 0 : named->sod;
    set_axis(t, z);
    memcpy(t->angles, named->angles, (size_t)g->views * sizeof *t->angles);
  }
  if (good && climbs) {
    t->most_off_plane = g->views - 1;
    t->off_plane = 0.5 * fabs(ct_geometry_height(&spiral, g->views - 1) - ct_geometry_height(&spiral, 0));
  }
  ct_geometry_clear(&spiral);
  if (good && weigh(t, error)) {
    if (g->beam == CT_BEAM_FREE && t->parallel && t->found) find_parallel_centre(g, t);
    return true;
  }
  ct_trajectory_clear(t);
  return false;
}

void ct_trajectory_clear(ct_trajectory *t) {
  ct_free(t->angles);
  ct_free(t->steps);
  t->angles = t->steps = NULL;
}

static const char way_out[] =
    "Iterative methods are exact for any trajectory: set iterative.method to sirt, cgls or another of them.";

bool ct_trajectory_check(const ct_geometry *g, const ct_trajectory *t, ct_error **error) {
  if (g->feed != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The table moves by %.4g mm a turn, and these weights serve circles. %s", g->feed, way_out);
  if (g->beam != CT_BEAM_FREE) return true;
  if (t->mixed)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The rays of some views are parallel and those of others diverge, which the direct method's "
                        "weights do not serve. %s",
                        way_out);
  if (!t->found && g->views > 2 && !t->parallel)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The sources lie in a line and go round no axis, which the direct method's weights do not "
                        "serve. %s",
                        way_out);
  const double height = g->nv * g->dv / ct_geometry_magnification(g), row = height / g->nv;
  const double plane =
      t->parallel ? parallel_tilt : fmin(circle_share * t->radius, fmax(height_share * height, least_rows * row));
  const double unit = t->parallel ? 180 / M_PI : 1;
  if (t->off_plane > plane)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s of view %d lies %.4g %s off the plane of the others, and the direct method's weights "
                        "serve scans in one plane, to %.3g %s. %s",
                        t->parallel ? "The ray direction" : "The source", t->most_off_plane, t->off_plane * unit,
                        t->parallel ? "degrees" : "mm", plane * unit, t->parallel ? "degrees" : "mm", way_out);
  if (t->off_circle > circle_share * t->radius)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The source of view %d lies %.4g mm off the circle of the others, whose radius is %.4g mm; the "
                        "direct method's weights serve a circle, to %.3g mm. %s",
                        t->most_off_circle, t->off_circle, t->radius, circle_share * t->radius, way_out);
  for (int view = 0; view < g->views; view++) {
    const double column = ct_trajectory_axis_column(g, t, view);
    if (!(column > -g->nu && column < 2 * g->nu))
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "The axis that the sources go round lies far beside what view %d sees (column %.4g of %d): "
                          "the direct method's weights do not serve such a scan. %s",
                          view, column, g->nu, way_out);
  }
  return true;
}

bool ct_trajectory_is_closed(const ct_trajectory *t, bool bridging) {
  return t->step > 0 && (t->gap <= open_factor * t->step || (bridging && t->gap <= CT_GAP_BRIDGED));
}

double ct_trajectory_axis_column(const ct_geometry *g, const ct_trajectory *t, int view) {
  if (g->beam != CT_BEAM_FREE) return g->centre_u;
  double u, v, w;
  ct_project(g->matrices + 12 * (size_t)view, t->centre, &u, &v, &w);
  return u;
}

/* Of parallel rays: the point right of the axis that the column sees. */
static double distance_of(const ct_geometry *g, const ct_trajectory *t, int view, double column) {
  const double *m = g->matrices + 12 * (size_t)view, c = cos(t->angles[view]), s = sin(t->angles[view]);
  double normal[3];
  for (int k = 0; k < 3; k++) normal[k] = c * t->right[k] + s * t->forward[k];
  return (column - m[3] - ct_dot(m, t->centre)) / ct_dot(m, normal);
}

double ct_trajectory_place(const ct_geometry *g, const ct_trajectory *t, int view, double column) {
  if (g->beam == CT_BEAM_PARALLEL) return (column - g->centre_u) * g->du;
  if (g->beam != CT_BEAM_FREE) return atan((column - g->centre_u) * g->du / g->sdd);
  double source[3], direction[3];
  if (t->parallel) return distance_of(g, t, view, column);
  if (!ct_geometry_ray(g, view, column, 0.5 * (g->nv - 1), source, direction)) return 0;
  const double angle = wrap(t->angles[view] - atan2(-ct_dot(direction, t->right), ct_dot(direction, t->forward)));
  return angle > M_PI ? angle - 2 * M_PI : angle;
}

void ct_trajectory_places(const ct_geometry *g, const ct_trajectory *t, int view, double *low, double *high) {
  const double a = ct_trajectory_place(g, t, view, -0.5), b = ct_trajectory_place(g, t, view, g->nu - 0.5);
  *low = fmin(a, b);
  *high = fmax(a, b);
}

bool ct_geometry_view_weights(const ct_geometry *g, double *weights, ct_error **error) {
  ct_trajectory t;
  if (!ct_trajectory_make(g, &t, error)) return false;
  memcpy(weights, t.steps, (size_t)g->views * sizeof *weights);
  ct_trajectory_clear(&t);
  return true;
}

double ct_geometry_arc(const ct_geometry *g) {
  ct_trajectory t;
  if (!ct_trajectory_make(g, &t, NULL)) return NAN;
  ct_trajectory_clear(&t);
  return t.arc;
}

bool ct_geometry_axis(const ct_geometry *g, ct_line *axis) {
  *axis = (ct_line){.direction = {0, 0, 1}};
  if (g->beam != CT_BEAM_FREE) return true;
  ct_trajectory t;
  if (!ct_trajectory_make(g, &t, NULL)) return false;
  const double along = ct_dot(t.centre, t.axis);
  for (int k = 0; k < 3 && t.found; k++) {
    axis->direction[k] = t.axis[k];
    axis->point[k] = t.centre[k] - along * t.axis[k];
  }
  ct_trajectory_clear(&t);
  return t.found;
}

double ct_line_distance2(const ct_line *line, const double point[3]) {
  double from[3], across[3];
  for (int k = 0; k < 3; k++) from[k] = point[k] - line->point[k];
  cross(from, line->direction, across);
  return ct_dot(across, across);
}
