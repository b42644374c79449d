/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line's other ray: its angle from the place of the ray, its pixel by projecting a point of the line. */
#include "recon/geom/twin.h"

#include "recon/base/memory.h"
#include "recon/geom/axis-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Neighbouring views farther apart than so many mean steps have a gap between them: as in trajectory.c. */
static const double gap_factor = 2.8;

static double wrap(double angle) {
  angle = fmod(angle, 2 * M_PI);
  return angle < 0 ? angle + 2 * M_PI : angle;
}

/* The view nearest to an angle; whether the views measure it. */
static bool find_view(const ct_trajectory *t, double angle, ct_twin *twin) {
  double before = 2 * M_PI, behind = 2 * M_PI;
  int first = 0, second = 0;
  for (int k = 0; k < t->views; k++) {
    const double back = wrap(angle - t->angles[k]), on = wrap(t->angles[k] - angle);
    if (back < before) before = back, first = k;
    if (on < behind) behind = on, second = k;
  }
  twin->view = before <= behind ? first : second;
  twin->off = before <= behind ? -before : behind;
  const double nearest = fmin(before, behind), slack = 1e-9;
  return nearest <= 0.5 * t->step + slack || before + behind <= gap_factor * t->step;
}

/* P of the view that would stand at the angle; of matrices that of the nearest view. */
static void matrix_at(const ct_geometry *g, const ct_twin *twin, double matrix[12]) {
  double angle = twin->angle;
  ct_geometry one = *g;
  one.views = 1;
  one.angles = &angle;
  if (!g->matrices)
    ct_geometry_matrix(&one, 0, matrix);
  else
    ct_geometry_matrix(g, twin->view, matrix);
}

/* Whether the ray passes the opposite source within half a detector row, as the detector sees it. */
static bool is_in_plane(const ct_geometry *g, const ct_trajectory *t, const double point[3], double rise) {
  double height = 0;
  if (t->parallel) return fabs(rise) < 1e-3;
  for (int k = 0; k < 3; k++) height += (point[k] - t->centre[k]) * t->axis[k];
  const double row = g->dv / (ct_geometry_magnification(g) * t->radius); /* slope from one row to the next */
  return fabs(rise) <= 0.5 * row * (1 + 1e-6) && fabs(height) <= (0.5 * row + 1e-6) * t->radius;
}

ct_twin ct_geometry_twin(const ct_geometry *g, const ct_trajectory *t, int view, const double uv[2]) {
  ct_twin twin = {.state = CT_TWIN_NONE};
  double point[3], along[3], flat[3], foot[3], matrix[12], w, way = 0, square = 0;
  if (g->feed != 0 || t->mixed || view < 0 || view >= t->views || !ct_geometry_ray(g, view, uv[0], uv[1], point, along))
    return twin;
  const double rise = ct_dot(along, t->axis);
  if (!is_in_plane(g, t, point, rise)) return twin;
  /* Where the line is nearest to the axis. */
  for (int k = 0; k < 3; k++) flat[k] = along[k] - rise * t->axis[k];
  for (int k = 0; k < 3; k++) {
    way += (t->centre[k] - point[k]) * flat[k];
    square += flat[k] * flat[k];
  }
  for (int k = 0; k < 3; k++) foot[k] = point[k] + way / square * along[k];
  const double heading = atan2(-ct_dot(flat, t->right), ct_dot(flat, t->forward));
  twin.angle = t->angles[view] + M_PI - (t->parallel ? 0 : 2 * remainder(t->angles[view] - heading, 2 * M_PI));
  const bool measured = find_view(t, twin.angle, &twin);
  matrix_at(g, &twin, matrix);
  ct_project(matrix, foot, &twin.uv[0], &twin.uv[1], &w);
  const bool seen = twin.uv[0] >= -0.5 && twin.uv[0] <= g->nu - 0.5;
  twin.state = !seen ? CT_TWIN_BESIDE : measured ? CT_TWIN_MEASURED : CT_TWIN_NO_VIEW;
  return twin;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* As find_view, among angles in ascending order, 0 to 2 pi. */
static bool is_measured(const ct_trajectory *t, const double *sorted, double angle) {
  int low = 0, high = t->views; /* the first one above lies in between */
  angle = wrap(angle);
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (sorted[middle] <= angle)
      low = middle + 1;
    else
      high = middle;
  }
  const double before = wrap(angle - sorted[(low + t->views - 1) % t->views]),
               behind = wrap(sorted[low % t->views] - angle), slack = 1e-9;
  /* Rounding may put the view at the angle itself behind it. */
  const double nearest = fmin(fmin(before, behind), fmin(2 * M_PI - before, 2 * M_PI - behind));
  return nearest <= 0.5 * t->step + slack || before + behind <= gap_factor * t->step;
}

static bool has_twins(const ct_geometry *g, const ct_trajectory *t) {
  return g->feed == 0 && !t->mixed && t->views > 0;
}

bool ct_geometry_twice(const ct_geometry *g, const ct_trajectory *t, const int *views, int rows, const double *columns,
                       int count, unsigned char *twice, ct_error **error) {
  memset(twice, 0, (size_t)rows * (size_t)count);
  if (!has_twins(g, t)) return true;
  double *sorted = ct_alloc((size_t)t->views, sizeof *sorted, "the views' angles", error);
  if (!sorted) return false;
  for (int k = 0; k < t->views; k++) sorted[k] = wrap(t->angles[k]);
  qsort(sorted, (size_t)t->views, sizeof *sorted, compare);
  for (int row = 0; row < rows; row++) {
    double from, to;
    ct_trajectory_places(g, t, views[row], &from, &to);
    for (int k = 0; k < count; k++) {
      const double place = ct_trajectory_place(g, t, views[row], columns[k]),
                   angle = t->angles[views[row]] + M_PI - (t->parallel ? 0 : 2 * place);
      twice[(size_t)row * (size_t)count + (size_t)k] = -place >= from && -place <= to && is_measured(t, sorted, angle);
    }
  }
  ct_free(sorted);
  return true;
}

double ct_geometry_short_arc(const ct_geometry *g, const ct_trajectory *t) {
  double narrow, wide, half = 0;
  if (!has_twins(g, t)) return NAN;
  if (ct_geometry_displaced(g, &narrow, &wide)) return 2 * M_PI;
  for (int view = 0; view < t->views && !t->parallel; view++) {
    double from, to;
    ct_trajectory_places(g, t, view, &from, &to);
    half = fmax(half, fmax(fabs(from), fabs(to)));
  }
  return M_PI + 2 * half;
}
