/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of parallel rays for the Fourier slice theorem. The ray at distance s from the axis in direction t comes from a
 * source on the circle of radius R at s e + sqrt(R^2 - s^2) b, e being the direction in which columns count and b that
 * towards the source of view t: its angle lies between those of two views. Seen from each of them, turned there about
 * the axis, the ray falls onto one column (Kak & Slaney 1988, section 3.4.3). */
#include "recon/solve/slice-theorem.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/geom/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct placed_view {
  double angle; /* 0 to 2 pi */
  int view;
} placed_view;

typedef struct circle {
  const ct_geometry *geometry;
  const ct_stack *integrals;
  placed_view *views; /* by angle */
  int count;
  double radius, widest; /* mm; largest step between views that is interpolated over, radians */
} circle;

static double within_turn(double angle) {
  const double turned = fmod(angle, 2 * M_PI);
  return turned < 0 ? turned + 2 * M_PI : turned;
}

static int by_angle(const void *a, const void *b) {
  const placed_view *p = a, *q = b;
  return p->angle < q->angle ? -1 : p->angle > q->angle;
}

/* Weights of Lagrange's polynomial through the places x[n] at 0. */
static void lagrange(const double *x, int n, double *weights) {
  for (int i = 0; i < n; i++) {
    weights[i] = 1;
    for (int j = 0; j < n; j++)
      if (j != i) weights[i] *= x[j] / (x[j] - x[i]);
  }
}

/* Linear between rows; 0 beyond the columns. */
static double pixel(const circle *c, int view, int column, double v) {
  const int nu = c->geometry->nu, nv = c->geometry->nv;
  if (column < 0 || column >= nu) return 0;
  const double at = fmin(fmax(v, 0), nv - 1);
  const int below = (int)at, above = below + 1 < nv ? below + 1 : below;
  const float *p = ct_stack_get_view(c->integrals, view);
  const double low = (double)p[(size_t)below * (size_t)nu + (size_t)column],
               high = (double)p[(size_t)above * (size_t)nu + (size_t)column];
  return low + (at - below) * (high - low);
}

/* The line integral at the pixel position where the view sees the point. */
static double look(const circle *c, int view, const double point[3]) {
  double m[12], u, v, w, x[4], weights[4], sum = 0;
  ct_geometry_matrix(c->geometry, view, m);
  ct_project(m, point, &u, &v, &w);
  if (!(u > -1 && u < c->geometry->nu)) return 0;
  const int first = (int)floor(u) - 1;
  for (int i = 0; i < 4; i++) x[i] = first + i - u;
  if (x[1] == 0) return pixel(c, view, first + 1, v);
  lagrange(x, 4, weights);
  for (int i = 0; i < 4; i++) sum += weights[i] * pixel(c, view, first + i, v);
  return sum;
}

static double step_behind(const circle *c, int i) {
  const double step = c->views[(i + 1) % c->count].angle - c->views[i].angle;
  return i + 1 < c->count ? step : step + 2 * M_PI;
}

/* Views that one ray is interpolated between. */
enum { TAPS = 4 };

/* The ray through the point in the plane of the sources that comes from the source of this angle. False: no views are
 * near enough. */
static bool take_ray(const circle *c, double angle, const double point[3], double *value) {
  int low = 0, high = c->count;
  angle = within_turn(angle);
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    *(c->views[middle].angle <= angle ? &low : &high) = middle;
  }
  if (c->views[low].angle > angle) low = c->count - 1;
  const double behind = within_turn(angle - c->views[low].angle), step = step_behind(c, low);
  const bool before_ok = step_behind(c, (low + c->count - 1) % c->count) <= c->widest,
             after_ok = step_behind(c, (low + 1) % c->count) <= c->widest;
  int first = low, many = 1;
  if (step <= c->widest) {
    many = before_ok && after_ok ? TAPS : 2;
    first = many == TAPS ? low - 1 : low;
  } else if (behind > 1e-3 * c->widest) {
    if (step - behind > 1e-3 * c->widest) return false;
    first = low + 1;
  }
  double x[TAPS], weights[TAPS] = {1};
  for (int i = 0; i < many; i++) {
    const double away = within_turn(c->views[(first + i + c->count) % c->count].angle - angle + M_PI) - M_PI;
    x[i] = away;
  }
  if (many > 1) lagrange(x, many, weights);
  *value = 0;
  for (int i = 0; i < many; i++) {
    const double cosine = cos(x[i]), sine = sin(x[i]);
    const double turned[3] = {cosine * point[0] - sine * point[1], sine * point[0] + cosine * point[1], 0};
    if (weights[i] != 0) *value += weights[i] * look(c, c->views[(first + i + c->count) % c->count].view, turned);
  }
  return true;
}

/* The row of direction t; false: so many of its rays were not measured. */
static bool rebin(const circle *c, double t, const ct_geometry *parallel, float *row, int *missing) {
  *missing = 0;
  for (int u = 0; u < parallel->nu; u++) {
    const double s = (u - parallel->centre_u) * parallel->du, d = sqrt(fmax(c->radius * c->radius - s * s, 0));
    const double point[3] = {s * cos(t), s * sin(t), 0};
    double value = 0;
    /* The source at angle a is at (R sin a, -R cos a). */
    for (int way = 1; way >= -1; way -= 2) {
      const double x = point[0] + way * d * sin(t), y = point[1] - way * d * cos(t);
      if (take_ray(c, atan2(x, -y), point, &value)) break;
      if (way < 0) ++*missing;
    }
    row[u] = (float)value;
  }
  return *missing == 0;
}

static bool refuse(const ct_geometry *g, ct_error **error) {
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "The Fourier slice theorem is measured on parallel rays at right angles to the axis, and on rays "
                      "from a source that goes round on a circle, before a detector without tilt; this scan has %s%s. "
                      "Open a scan of such rays, measured or simulated.",
                      ct_geometry_title(g), g->tilt != 0 ? " and a tilt" : "");
}

static bool check_slice(const ct_grid *grid, int k, const ct_geometry *g, ct_error **error) {
  const double z = grid->z0 + k * grid->dz;
  if (ct_geometry_promises(g, CT_TRAIT_SLICED) || fabs(z) <= 0.5001 * grid->dz) return true;
  const double nearest = rint(-grid->z0 / grid->dz);
  char advice[64] = "let the volume reach to the height of the source";
  if (nearest >= 0 && nearest < grid->nz) snprintf(advice, sizeof advice, "choose slice %.0f", nearest);
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "A cone beam sees a slice by rays of its own only in the plane of the source; slice %d lies %.3g "
                      "mm beside it, and its rays go through other slices, too: %s.",
                      k, fabs(z), advice);
}

static bool gather_from_circle(const ct_geometry *g, const ct_stack *integrals, int view, const ct_geometry *parallel,
                               float *row, ct_error **error) {
  ct_trajectory t;
  int missing = 0;
  if (g->views < TAPS)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "A row of parallel rays is put together from several views of diverging ones, and this scan has "
        "too few (%d): the Fourier slice theorem is measured on scans of more views, or of parallel beam.",
        g->views);
  if (!ct_trajectory_make(g, &t, error)) return false;
  circle c = {.geometry = g, .integrals = integrals, .count = g->views, .radius = t.radius, .widest = 2.5 * t.step};
  c.views = ct_alloc((size_t)g->views, sizeof *c.views, "the angles of views", error);
  for (int n = 0; c.views && n < g->views; n++) c.views[n] = (placed_view){within_turn(g->angles[n]), n};
  bool good = c.views != NULL;
  if (good) qsort(c.views, (size_t)c.count, sizeof *c.views, by_angle);
  if (good && !rebin(&c, g->angles[view], parallel, row, &missing))
    good =
        ct_error_set(error, CT_ERROR_UNSUPPORTED,
                     "%d of the %d parallel rays in the direction of view %d were measured by no view: choose a view "
                     "farther from the ends of the arc.",
                     missing, parallel->nu, view);
  ct_free(c.views);
  ct_trajectory_clear(&t);
  return good;
}

bool ct_slice_theorem_gather(const ct_grid *grid, int k, const ct_geometry *geometry, const ct_stack *integrals,
                             int view, ct_geometry *parallel, float *row, ct_error **error) {
  if (view < 0 || view >= geometry->views)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no view %d: the views are 0 to %d.", view,
                        geometry->views - 1);
  const bool spreads = ct_geometry_diverges(geometry);
  if (!ct_geometry_promises(geometry, CT_TRAIT_CIRCULAR | (spreads ? 0 : CT_GEOMETRY_PARALLEL)) || geometry->tilt != 0)
    return refuse(geometry, error);
  if (spreads && !check_slice(grid, k, geometry, error)) return false;
  if (!ct_geometry_parallel_row(geometry, view, parallel, error)) return false;
  const bool good =
      spreads ? gather_from_circle(geometry, integrals, view, parallel, row, error)
              : ct_slice_theorem_row(grid, k, geometry, view, ct_stack_get_view(integrals, view), row) ||
                    ct_error_set(error, CT_ERROR_ARGUMENT,
                                 "View %d does not see slice %d: choose a slice before the detector's rows.", view, k);
  if (!good) ct_geometry_clear(parallel);
  return good;
}
