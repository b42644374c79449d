/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where source and detector stand in each view, as a geometry: a parallel, fan or cone beam where all views are of one,
 * turned about z, so that they give what the named beam gives to the last bit; else a 3 x 4 matrix a view. */
#include "recon/io/shared/told-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

void ct_told_init(ct_told *told) {
  *told = (ct_told){.centre_u_mm = NAN, .centre_v_mm = NAN, .centre_u_px = NAN, .centre_v_px = NAN};
}

void ct_told_clear(ct_told *told) {
  ct_free(told->angles);
  ct_free(told->poses);
  ct_remarks_clear(&told->remarks);
  ct_told_init(told);
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length(const double *a) {
  return sqrt(dot(a, a));
}

/* The round number of eight digits that a value stands for, which was rounded to nine digits, or computed, on its way
 * into the file; a value that is not so near to one is left. `scale`: what it is small or large against. */
static double tidy(double value, double scale) {
  if (value == 0 || !(scale > 0)) return value;
  const double unit = pow(10, floor(log10(scale)) - 7), whole = round(value / unit) * unit;
  /* Written by decimal division, so that 0.1 comes out as 0.1. */
  const double inverse = round(1 / unit), rounded = unit < 1 ? round(value * inverse) / inverse : whole;
  return fabs(rounded - value) <= 2e-9 * scale ? rounded : value;
}

/* What one view looks like as a view of a named beam. */
typedef struct {
  double angle, sod, sdd, u, v, tilt, pitch_u, pitch_v;
  bool is; /* within 1e-6 */
} named;

/* Rows in the order of the file run from the top where the images are turned over: the world is turned over with them.
 * Poses in pixels: the middle of the detector is (0, 0). */
typedef struct {
  double source[3], corner[3], across[3], up[3];
} pose;

static pose pose_of(const ct_told *told, const ct_scan_facts *facts, int view) {
  const ct_geometry *g = &facts->geometry;
  const double *p = told->poses + 12 * (size_t)view;
  const bool over = facts->flip_rows && told->rows_as_stored;
  pose out;
  memcpy(out.source, p, sizeof out.source);
  double u0 = -0.5 * (g->nu - 1), v0 = -0.5 * (g->nv - 1), du = 1, dv = 1;
  if (told->halves) {
    du = 2.0 / g->nu, dv = 2.0 / g->nv;
    u0 *= du, v0 *= dv;
  } else if (!told->per_pixel) {
    du = g->du, dv = g->dv;
    u0 = told->from_origin && facts->has_origin ? facts->origin_u : u0 * du;
    v0 = told->from_origin && facts->has_origin ? facts->origin_v : v0 * dv;
  }
  for (int k = 0; k < 3; k++) {
    out.across[k] = p[6 + k] * du;
    out.up[k] = p[9 + k] * dv;
    out.corner[k] = p[3 + k] + u0 * p[6 + k] + v0 * p[9 + k];
    if (over) { /* row 0 of the scan is the file's last */
      out.corner[k] += (g->nv - 1) * out.up[k];
      out.up[k] = -out.up[k];
    }
  }
  if (over) {
    out.source[2] = -out.source[2];
    out.corner[2] = -out.corner[2];
    out.across[2] = -out.across[2];
    out.up[2] = -out.up[2];
  }
  return out;
}

/* The beam that the view would be of. ray: from the source on, or along parallel rays, in the plane z = 0. */
static named name_view(const pose *p, bool parallel) {
  named n = {0};
  const double side = hypot(p->source[0], p->source[1]), whole = length(p->source);
  n.pitch_u = length(p->across);
  n.pitch_v = length(p->up);
  if (!(side > 0) || !(n.pitch_u > 0) || !(n.pitch_v > 0) || fabs(p->source[2]) > 1e-7 * whole) return n;
  n.angle = atan2(p->source[0], -p->source[1]);
  /* The direction of parallel rays may be told either way: columns then run with the u axis. */
  if (parallel && p->across[0] * cos(n.angle) + p->across[1] * sin(n.angle) < 0) n.angle += M_PI;
  const double c = cos(n.angle), s = sin(n.angle);
  const double u[3] = {c, s, 0}, forward[3] = {-s, c, 0};
  n.tilt = atan2(p->across[2], dot(p->across, u));
  const double ct = cos(n.tilt), st = sin(n.tilt);
  const double across[3] = {ct * u[0], ct * u[1], st}, up[3] = {-st * u[0], -st * u[1], ct};
  double wrong = 0;
  for (int k = 0; k < 3; k++) wrong += fabs(p->across[k] / n.pitch_u - across[k]) + fabs(p->up[k] / n.pitch_v - up[k]);
  if (!(wrong < 1e-6)) return n;
  n.sod = parallel ? 0 : side;
  n.sdd = parallel ? 0 : side + dot(p->corner, forward);
  if (!parallel && !(n.sdd > n.sod)) return n;
  n.u = -dot(p->corner, across) / n.pitch_u;
  n.v = -dot(p->corner, up) / n.pitch_v;
  n.is = isfinite(n.u) && isfinite(n.v);
  return n;
}

static bool near(double a, double b, double scale) {
  return fabs(a - b) <= 1e-6 * scale;
}

/* Whether two views are of one beam. */
static bool is_same(const named *a, const named *b, const ct_geometry *g) {
  return a->is && b->is && near(a->sod, b->sod, a->sod) && near(a->sdd, b->sdd, a->sdd) &&
         near(a->pitch_u, b->pitch_u, a->pitch_u) && near(a->pitch_v, b->pitch_v, a->pitch_v) &&
         near(a->u, b->u, g->nu) && near(a->v, b->v, g->nv) && near(a->tilt, b->tilt, 1);
}

/* Angles of equal steps, of a whole number of hundred-millionths of a degree or of a turn, are what steps make of them;
 * others are rounded to as many digits as a text has. */
static void set_angles(ct_geometry *g, double *degrees) {
  const double step = g->views > 1 ? (degrees[g->views - 1] - degrees[0]) / (g->views - 1) : 0;
  const double first = tidy(degrees[0], 360);
  double even = tidy(step, 360);
  for (int parts = 1; parts <= 2 * g->views + 2 && step != 0; parts++) {
    const double turn = 360.0 / parts;
    if (fabs(fabs(step) - turn) * g->views < 1e-6) even = step < 0 ? -turn : turn;
  }
  bool steps = true;
  for (int i = 0; i < g->views && steps; i++) steps = fabs(first + i * even - degrees[i]) < 2e-6;
  for (int i = 0; i < g->views; i++) g->angles[i] = (steps ? first + i * even : tidy(degrees[i], 360)) * (M_PI / 180);
}

/* One turn follows the other instead of a leap from 180 to -180 degrees. */
static void unroll(double *degrees, int views) {
  for (int i = 1; i < views; i++) degrees[i] -= 360 * round((degrees[i] - degrees[i - 1]) / 360);
}

static bool apply_named(const ct_told *told, const named *first, double *degrees, ct_scan_facts *facts,
                        ct_error **error) {
  const ct_geometry old = facts->geometry;
  const bool parallel = told->beam == CT_TOLD_PARALLEL;
  ct_geometry g;
  /* A row beside the plane of the source is no fan. */
  const ct_beam divergent = fabs(first->v) < 1e-3 ? ct_beam_divergent(old.nv) : CT_BEAM_CONE;
  if (!ct_geometry_init(&g, parallel ? CT_BEAM_PARALLEL : divergent, old.nu, old.nv, old.views, error)) return false;
  g.du = tidy(first->pitch_u, first->pitch_u);
  g.dv = tidy(first->pitch_v, first->pitch_v);
  g.sod = tidy(first->sod, first->sod);
  g.sdd = tidy(first->sdd, first->sdd);
  g.centre_u = tidy(first->u, g.nu);
  g.centre_v = tidy(first->v, g.nv);
  g.tilt = fabs(first->tilt) < 1e-8 ? 0 : first->tilt;
  unroll(degrees, g.views);
  set_angles(&g, degrees);
  ct_geometry_clear(&facts->geometry);
  facts->geometry = g;
  return true;
}

/* A x = (corner, u across, v up) against the source: the inverse of [across up corner - source] takes a place to
 * (u w, v w, w); of parallel rays that of [across up ray] to (u, v) with w = 1. */
static bool matrix_of(const pose *p, bool parallel, double out[12]) {
  double m[3][3], inverse[3][3];
  for (int k = 0; k < 3; k++) {
    m[k][0] = p->across[k];
    m[k][1] = p->up[k];
    m[k][2] = parallel ? p->source[k] : p->corner[k] - p->source[k];
  }
  const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                     m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                     m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  if (det == 0 || !isfinite(1 / det)) return false;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const int a = (k + 1) % 3, b = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][k] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / det;
    }
  const double *from = parallel ? p->corner : p->source;
  for (int i = 0; i < 3; i++) {
    memcpy(out + 4 * i, inverse[i], sizeof inverse[i]);
    out[4 * i + 3] = -dot(inverse[i], from);
  }
  if (parallel) memcpy(out + 8, (const double[]){0, 0, 0, 1}, 4 * sizeof *out);
  const double scale = out[11];
  if (scale == 0 || !isfinite(1 / scale)) return false;
  for (int i = 0; i < 12; i++) {
    out[i] /= scale;
    if (!isfinite(out[i])) return false;
  }
  return true;
}

static bool apply_matrices(const ct_told *told, ct_scan_facts *facts, ct_error **error) {
  const ct_geometry old = facts->geometry;
  ct_geometry g;
  if (!ct_geometry_init_matrices(&g, old.nu, old.nv, old.views, error)) return false;
  g.du = old.du;
  g.dv = old.dv;
  bool good = true;
  for (int view = 0; good && view < g.views; view++) {
    const pose p = pose_of(told, facts, view);
    if (view == 0 && (told->per_pixel || told->halves)) g.du = length(p.across), g.dv = length(p.up);
    if (!matrix_of(&p, told->beam == CT_TOLD_PARALLEL, g.matrices + 12 * (size_t)view))
      good = ct_error_set(error, CT_ERROR_DATA,
                          "view %d has no projection: the source lies in the detector's plane, the isocentre in the "
                          "source's, or the steps of columns and rows are parallel",
                          view + 1);
  }
  if (!good) {
    ct_geometry_clear(&g);
    return false;
  }
  ct_geometry_clear(&facts->geometry);
  facts->geometry = g;
  return true;
}

bool ct_told_apply_poses(const ct_told *told, ct_scan_facts *facts, ct_error **error) {
  const int views = facts->geometry.views;
  double *degrees = ct_alloc((size_t)views, sizeof *degrees, "the angles", error);
  if (!degrees) return false;
  const bool parallel = told->beam == CT_TOLD_PARALLEL;
  named first = {0};
  bool is_named = true;
  for (int view = 0; view < views && is_named; view++) {
    const pose p = pose_of(told, facts, view);
    const named one = name_view(&p, parallel);
    if (view == 0) first = one;
    is_named = is_same(&first, &one, &facts->geometry);
    degrees[view] = one.angle * (180 / M_PI);
  }
  const bool good = is_named ? apply_named(told, &first, degrees, facts, error) : apply_matrices(told, facts, error);
  ct_free(degrees);
  if (good) facts->known |= CT_KNOWN_ANGLES | CT_KNOWN_BEAM | CT_KNOWN_DISTANCES | CT_KNOWN_CENTRE;
  if (good && (told->per_pixel || told->halves)) facts->known |= CT_KNOWN_PITCH;
  return good;
}
