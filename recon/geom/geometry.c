/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan geometry: construction, checks, projection matrices and rays. Frame and angles as geometry.h says. */
#include "recon/geom/geometry.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

/* By this thread alone: files are tried out in child processes, in which OpenMP may not start (ct_clear). */
static double *new_zeros(int views, size_t numbers, const char *what, ct_error **error) {
  const size_t element = numbers * sizeof(double);
  double *zeros = ct_alloc((size_t)views, element, what, error);
  if (zeros) memset(zeros, 0, (size_t)views * element);
  return zeros;
}

bool ct_geometry_init(ct_geometry *geometry, ct_beam beam, int nu, int nv, int views, ct_error **error) {
  *geometry = (ct_geometry){.beam = beam,
                            .nu = nu,
                            .nv = nv,
                            .views = views,
                            .du = 1,
                            .dv = 1,
                            .centre_u = 0.5 * (nu - 1.0),
                            .centre_v = 0.5 * (nv - 1.0)};
  if (nu < 1 || nv < 1 || views < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A scan needs at least one column, row and view, not %d x %d in %d views.", nu, nv, views);
  geometry->angles = new_zeros(views, 1, "the angles", error);
  if (!geometry->angles) return false;
  if (beam != CT_BEAM_FREE) return true;
  geometry->matrices = new_zeros(views, 12, "the projection matrices", error);
  if (geometry->matrices) return true;
  ct_geometry_clear(geometry);
  return false;
}

bool ct_geometry_copy(ct_geometry *to, const ct_geometry *from, ct_error **error) {
  *to = *from;
  to->angles = to->matrices = NULL;
  if (from->angles) {
    to->angles = ct_alloc((size_t)from->views, sizeof(double), "the angles", error);
    if (!to->angles) return false;
    memcpy(to->angles, from->angles, (size_t)from->views * sizeof(double));
  }
  if (from->matrices) {
    to->matrices = ct_alloc((size_t)from->views, 12 * sizeof(double), "the projection matrices", error);
    if (!to->matrices) {
      ct_geometry_clear(to);
      return false;
    }
    memcpy(to->matrices, from->matrices, (size_t)from->views * 12 * sizeof(double));
  }
  return true;
}

void ct_geometry_clear(ct_geometry *geometry) {
  ct_free(geometry->angles);
  ct_free(geometry->matrices);
  geometry->angles = geometry->matrices = NULL;
}

void ct_geometry_turn_quarter(ct_geometry *geometry) {
  if (!geometry->stops) geometry->height += 0.25 * geometry->feed;
  geometry->begin -= M_PI / 2;
  for (int view = 0; view < geometry->views; view++) {
    if (geometry->angles) geometry->angles[view] -= M_PI / 2;
    double *m = geometry->matrices ? geometry->matrices + 12 * (size_t)view : NULL;
    for (int row = 0; m && row < 3; row++) {
      const double x = m[4 * row];
      m[4 * row] = m[4 * row + 1];
      m[4 * row + 1] = -x;
    }
  }
}

void ct_geometry_set_arc(ct_geometry *geometry, double first, double step) {
  for (int i = 0; i < geometry->views; i++) geometry->angles[i] = first + i * step;
}

/* Whole turns, against the rounding of angles in files. */
static double whole_turns(double angle) {
  const double turns = angle / (2 * M_PI);
  return trunc(turns + copysign(1e-6, turns));
}

void ct_geometry_set_feed(ct_geometry *geometry, double feed, double start) {
  geometry->feed = feed;
  geometry->stops = geometry->stops && feed != 0;
  geometry->begin = geometry->stops ? geometry->angles[0] : 0;
  geometry->height = feed == 0 ? 0 : geometry->stops ? start : start - feed * geometry->angles[0] / (2 * M_PI);
}

double ct_geometry_centred_start(const ct_geometry *geometry, double feed) {
  const double turned = geometry->angles[geometry->views - 1] - geometry->angles[0];
  return -0.5 * feed * (geometry->stops ? whole_turns(turned) : turned / (2 * M_PI));
}

double ct_geometry_height(const ct_geometry *g, int view) {
  if (g->feed == 0) return 0;
  return g->height + g->feed * (g->stops ? whole_turns(g->angles[view] - g->begin) : g->angles[view] / (2 * M_PI));
}

static double determinant(const double m[12]) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

static bool matrix_is_usable(const double m[12]) {
  for (int i = 0; i < 12; i++)
    if (!isfinite(m[i])) return false;
  if (fabs(m[11] - 1) > 1e-6) return false;
  /* A parallel view has no perspective: its third row is (0, 0, 0, 1). */
  const bool parallel = m[8] == 0 && m[9] == 0 && m[10] == 0;
  return parallel || fabs(determinant(m)) > 1e-300;
}

bool ct_geometry_check_angles(const ct_geometry *g, ct_error **error) {
  const double most = CT_MOST_DEGREES * (M_PI / 180);
  for (int i = 0; g->angles && i < g->views; i++)
    if (fabs(g->angles[i]) > most * (1 + 1e-12))
      return ct_error_set(error, CT_ERROR_ARGUMENT,
                          "The angle of view %d is %.6g degrees, and %.6g degrees are the most that is taken: it is "
                          "damaged, or in another unit.",
                          i, g->angles[i] * (180 / M_PI), CT_MOST_DEGREES);
  return true;
}

bool ct_geometry_check(const ct_geometry *g, ct_error **error) {
  if (g->nu < 1 || g->nv < 1 || g->views < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The geometry has no pixels or no views (%d x %d, %d views).", g->nu,
                        g->nv, g->views);
  if (!(g->du > 0 && g->dv > 0 && isfinite(g->du) && isfinite(g->dv)))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The pixel pitch must be above 0 mm, not %g x %g mm.", g->du, g->dv);
  if (!isfinite(g->centre_u) || !isfinite(g->centre_v) || !isfinite(g->tilt))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The centre of rotation or the tilt is not a finite number.");
  if (!isfinite(g->feed) || !isfinite(g->height))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The table feed or the start of the spiral is not a finite number.");
  if (g->feed != 0 && g->beam != CT_BEAM_CONE)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A table that moves (%g mm a turn) makes a sequence or a spiral of a cone beam; this is %s: "
                        "choose cone beam, or a feed of 0.",
                        g->feed, g->beam == CT_BEAM_FAN ? "a fan beam" : ct_beam_title(g->beam));
  if (g->beam == CT_BEAM_FAN && g->nv != 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A fan beam has one detector row, this scan has %d: choose cone beam, or a single row.", g->nv);
  if (g->beam == CT_BEAM_FAN || g->beam == CT_BEAM_CONE) {
    if (!(g->sod > 0) || !(g->sdd > 0) || !isfinite(g->sod) || !isfinite(g->sdd))
      return ct_error_set(
          error, CT_ERROR_ARGUMENT,
          "%s needs the distances from the source to the axis and to the detector (they are %g and %g mm): "
          "set them under Geometry, or with geometry.sod and geometry.sdd.",
          g->beam == CT_BEAM_FAN ? "A fan beam" : "A cone beam", g->sod, g->sdd);
    if (g->sdd < g->sod)
      return ct_error_set(
          error, CT_ERROR_ARGUMENT,
          "The detector (%g mm from the source) lies before the rotation axis (%g mm): check both distances.", g->sdd,
          g->sod);
  }
  if (g->beam == CT_BEAM_FREE) {
    if (!g->matrices)
      return ct_error_set(error, CT_ERROR_ARGUMENT, "Every view needs a projection matrix, the geometry has none.");
    for (int i = 0; i < g->views; i++)
      if (!matrix_is_usable(g->matrices + 12 * (size_t)i))
        return ct_error_set(error, CT_ERROR_ARGUMENT,
                            "The projection matrix of view %d is singular, not finite or not scaled "
                            "to 1 at the isocentre.",
                            i);
    return true;
  }
  if (!g->angles) return ct_error_set(error, CT_ERROR_ARGUMENT, "The views have no angles.");
  for (int i = 0; i < g->views; i++)
    if (!isfinite(g->angles[i]))
      return ct_error_set(error, CT_ERROR_ARGUMENT, "The angle of view %d is not a finite number.", i);
  return ct_geometry_check_angles(g, error);
}

void ct_geometry_matrix(const ct_geometry *g, int view, double matrix[12]) {
  if (g->beam == CT_BEAM_FREE) {
    memcpy(matrix, g->matrices + 12 * (size_t)view, 12 * sizeof(double));
    return;
  }
  const double c = cos(g->angles[view]), s = sin(g->angles[view]);
  const double ce = cos(g->tilt), se = sin(g->tilt);
  const bool divergent = g->beam != CT_BEAM_PARALLEL;
  const double magnification = divergent ? g->sdd / g->sod : 1;
  const double w[4] = {divergent ? -s / g->sod : 0, divergent ? c / g->sod : 0, 0, 1};
  const double mu = magnification / g->du, mv = magnification / g->dv;
  /* A fan beam has one row, which is the plane z = 0: z moves nothing. */
  const double along_z = g->beam == CT_BEAM_FAN ? 0 : 1;
  const double a[4] = {mu * ce * c, mu * ce * s, mu * se * along_z, 0};
  const double b[4] = {-mv * se * c * along_z, -mv * se * s * along_z, mv * ce * along_z, 0};
  for (int i = 0; i < 4; i++) {
    matrix[i] = a[i] + g->centre_u * w[i];
    matrix[4 + i] = b[i] + g->centre_v * w[i];
    matrix[8 + i] = w[i];
  }
  const double height = ct_geometry_height(g, view);
  for (int row = 0; row < 3 && height != 0; row++) matrix[4 * row + 3] -= height * matrix[4 * row + 2];
}

void ct_project(const double m[12], const double p[3], double *u, double *v, double *w) {
  const double a = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
  const double b = m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7];
  *w = m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11];
  *u = a / *w;
  *v = b / *w;
}

/* Solves the left 3x3 part of m times x = r. */
static bool solve3(const double m[12], const double r[3], double x[3]) {
  const double d = determinant(m);
  if (d == 0 || !isfinite(d)) return false;
  const double *p = m, *q = m + 4, *t = m + 8;
  x[0] =
      (r[0] * (q[1] * t[2] - q[2] * t[1]) - p[1] * (r[1] * t[2] - q[2] * r[2]) + p[2] * (r[1] * t[1] - q[1] * r[2])) /
      d;
  x[1] =
      (p[0] * (r[1] * t[2] - q[2] * r[2]) - r[0] * (q[0] * t[2] - q[2] * t[0]) + p[2] * (q[0] * r[2] - r[1] * t[0])) /
      d;
  x[2] =
      (p[0] * (q[1] * r[2] - r[1] * t[1]) - p[1] * (q[0] * r[2] - r[1] * t[0]) + r[0] * (q[0] * t[1] - q[1] * t[0])) /
      d;
  return true;
}

static void normalise(double d[3]) {
  const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  for (int i = 0; i < 3; i++) d[i] /= length;
}

bool ct_geometry_ray(const ct_geometry *g, int view, double u, double v, double point[3], double direction[3]) {
  if (g->beam == CT_BEAM_FREE) {
    const double *m = g->matrices + 12 * (size_t)view;
    const double to_source[3] = {-m[3], -m[7], -m[11]}, pixel[3] = {u, v, 1};
    if (!solve3(m, to_source, point) || !solve3(m, pixel, direction)) return false;
    normalise(direction);
    return true;
  }
  const double c = cos(g->angles[view]), s = sin(g->angles[view]);
  const double ce = cos(g->tilt), se = sin(g->tilt);
  const double x = (u - g->centre_u) * g->du, y = g->beam == CT_BEAM_FAN ? 0 : (v - g->centre_v) * g->dv;
  const double across = g->beam == CT_BEAM_FAN ? x / ce : ce * x - se * y,
               up = g->beam == CT_BEAM_FAN ? 0 : se * x + ce * y;
  if (g->beam == CT_BEAM_PARALLEL) {
    point[0] = across * c;
    point[1] = across * s;
    point[2] = up;
    direction[0] = -s;
    direction[1] = c;
    direction[2] = 0;
    return true;
  }
  point[0] = g->sod * s;
  point[1] = -g->sod * c;
  point[2] = ct_geometry_height(g, view);
  direction[0] = -g->sdd * s + across * c;
  direction[1] = g->sdd * c + across * s;
  direction[2] = up;
  normalise(direction);
  return true;
}

void ct_geometry_crop_rows(ct_geometry *g, int row0, int rows) {
  g->nv = rows;
  g->centre_v -= row0;
  if (g->matrices)
    for (int i = 0; i < g->views; i++) {
      double *m = g->matrices + 12 * (size_t)i;
      for (int k = 0; k < 4; k++) m[4 + k] -= row0 * m[8 + k];
    }
}

bool ct_geometry_take_views(ct_geometry *g, int first, int step, int count, ct_error **error) {
  if (first < 0 || step < 1 || count < 1 || (int64_t)first + (int64_t)step * (count - 1) >= g->views)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "Views %d, %d, ... (%d of them) are not among the scan's %d.", first,
                        first + step, count, g->views);
  for (int i = 0; i < count; i++) {
    const size_t from = (size_t)first + (size_t)step * (size_t)i;
    if (g->angles) g->angles[i] = g->angles[from];
    if (g->matrices) memmove(g->matrices + 12 * (size_t)i, g->matrices + 12 * from, 12 * sizeof(double));
  }
  g->views = count;
  return true;
}

int ct_row_bin(int nv, int b) {
  return nv < b ? nv : b;
}

void ct_geometry_bin(ct_geometry *g, int b) {
  if (b <= 1) return;
  const int bv = ct_row_bin(g->nv, b);
  g->nu /= b;
  g->nv /= bv;
  g->du *= b;
  g->dv *= bv;
  g->centre_u = (g->centre_u + 0.5) / b - 0.5;
  g->centre_v = (g->centre_v + 0.5) / bv - 0.5;
  if (g->matrices)
    for (int i = 0; i < g->views; i++) {
      double *m = g->matrices + 12 * (size_t)i;
      for (int k = 0; k < 4; k++) {
        m[k] = (m[k] + 0.5 * m[8 + k]) / b - 0.5 * m[8 + k];
        m[4 + k] = (m[4 + k] + 0.5 * m[8 + k]) / bv - 0.5 * m[8 + k];
      }
    }
}

void ct_geometry_add_columns(ct_geometry *g, int before, int after) {
  g->nu += before + after;
  g->centre_u += before;
  for (int i = 0; g->matrices && i < g->views; i++) {
    double *m = g->matrices + 12 * (size_t)i;
    for (int k = 0; k < 4; k++) m[k] += before * m[8 + k];
  }
}

bool ct_geometry_take_matrices(ct_geometry *g, ct_error **error) {
  if (g->matrices) return true;
  g->matrices = ct_alloc((size_t)g->views, 12 * sizeof(double), "the projection matrices", error);
  if (!g->matrices) return false;
  for (int view = 0; view < g->views; view++) ct_geometry_matrix(g, view, g->matrices + 12 * (size_t)view);
  g->beam = CT_BEAM_FREE;
  g->feed = g->height = g->begin = 0;
  g->stops = false;
  return true;
}

bool ct_geometry_place_axis(ct_geometry *g, const double *columns, ct_error **error) {
  const double centre = g->centre_u;
  if (!ct_geometry_take_matrices(g, error)) return false;
  for (int view = 0; view < g->views; view++) {
    double *m = g->matrices + 12 * (size_t)view;
    for (int i = 0; i < 4; i++) m[i] += (columns[view] - centre) * m[8 + i];
  }
  return true;
}

/* Pixels per mm along u (row 0) or v (row 1) at the isocentre, of a view's matrix. */
static double scale_at_isocentre(const double m[12], int row) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    const double d = m[4 * row + k] - m[4 * row + 3] * m[8 + k];
    sum += d * d;
  }
  return sqrt(sum);
}

double ct_geometry_magnification(const ct_geometry *g) {
  if (g->beam == CT_BEAM_PARALLEL) return 1;
  if (g->beam != CT_BEAM_FREE) return g->sdd / g->sod;
  double sum = 0;
  for (int i = 0; i < g->views; i++) sum += scale_at_isocentre(g->matrices + 12 * (size_t)i, 0);
  return sum / g->views * g->du;
}

double ct_geometry_pitch_at_axis(const ct_geometry *g) {
  return g->du / ct_geometry_magnification(g);
}
