/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of any pose: vectors from angles and back, pixels in world mm, traces on the three orthogonal planes. */
#include "recon/geom/oblique.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

bool ct_oblique_check(const ct_oblique *o, ct_error **error) {
  static const double slack = 1e-6;
  size_t bytes;
  for (int i = 0; i < 3; i++)
    if (!isfinite(o->centre[i]) || !isfinite(o->across[i]) || !isfinite(o->up[i]))
      return ct_error_set(error, CT_ERROR_ARGUMENT,
                          "The position or the direction of the oblique plane is not a finite number.");
  if (fabs(dot(o->across, o->across) - 1) > 2 * slack || fabs(dot(o->up, o->up) - 1) > 2 * slack)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The two directions of an oblique plane must be vectors of length 1.");
  if (fabs(dot(o->across, o->up)) > slack)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The two directions of an oblique plane must be at right angles.");
  if (!(o->spacing > 0) || !isfinite(o->spacing))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The pixels of an oblique plane must be larger than 0 mm, not %g mm.",
                        o->spacing);
  if (o->width < 1 || o->height < 1 || !ct_size_product(o->width, o->height, 1, sizeof(float), &bytes))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "An oblique plane cannot have %d x %d pixels.", o->width, o->height);
  return true;
}

ct_oblique ct_oblique_turned(const double centre[3], double rotation, double tilt, double spacing, int width,
                             int height) {
  const double cr = cos(rotation), sr = sin(rotation), ct = cos(tilt), st = sin(tilt);
  return (ct_oblique){.centre = {centre[0], centre[1], centre[2]},
                      .across = {cr, sr, 0},
                      .up = {-sr * ct, cr * ct, st},
                      .spacing = spacing,
                      .width = width,
                      .height = height};
}

bool ct_oblique_angles(const double normal[3], double *rotation, double *tilt, ct_error **error) {
  const double across = hypot(normal[0], normal[1]), length = hypot(across, normal[2]);
  if (!isfinite(length) || !(length > 0))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The normal of a plane needs three finite numbers that are not all 0.");
  *tilt = atan2(across, normal[2]);
  *rotation = across > 1e-12 * length ? atan2(normal[0], -normal[1]) : 0;
  return true;
}

/* Half of what a box of half sides `half` measures along a direction. */
static double reach(const double half[3], const double direction[3]) {
  return fabs(direction[0]) * half[0] + fabs(direction[1]) * half[1] + fabs(direction[2]) * half[2];
}

static int pixels_over(double length, double spacing) {
  /* A little less, so that sides which fit exactly are not rounded up. */
  return (int)fmin(fmax(ceil(length / spacing - 1e-6), 1), 1 << 20);
}

ct_oblique ct_oblique_through(const ct_grid *g, const double point[3], double rotation, double tilt) {
  const double half[3] = {0.5 * g->nx * g->dx, 0.5 * g->ny * g->dy, 0.5 * g->nz * g->dz};
  const double middle[3] = {g->x0 + 0.5 * (g->nx - 1.0) * g->dx, g->y0 + 0.5 * (g->ny - 1.0) * g->dy,
                            g->z0 + 0.5 * (g->nz - 1.0) * g->dz};
  ct_oblique o = ct_oblique_turned(middle, rotation, tilt, fmin(g->dx, fmin(g->dy, g->dz)), 1, 1);
  double normal[3], offset[3];
  ct_oblique_normal(&o, normal);
  for (int i = 0; i < 3; i++) offset[i] = point[i] - middle[i];
  const double distance = dot(offset, normal);
  for (int i = 0; i < 3; i++) o.centre[i] += distance * normal[i];
  o.width = pixels_over(2 * reach(half, o.across), o.spacing);
  o.height = pixels_over(2 * reach(half, o.up), o.spacing);
  return o;
}

void ct_oblique_normal(const ct_oblique *o, double normal[3]) {
  cross(o->across, o->up, normal);
}

void ct_oblique_point(const ct_oblique *o, double i, double j, double point[3]) {
  const double a = (i - 0.5 * (o->width - 1.0)) * o->spacing, b = (j - 0.5 * (o->height - 1.0)) * o->spacing;
  for (int k = 0; k < 3; k++) point[k] = o->centre[k] + a * o->across[k] + b * o->up[k];
}

double ct_oblique_locate(const ct_oblique *o, const double point[3], double *i, double *j) {
  double offset[3], normal[3];
  for (int k = 0; k < 3; k++) offset[k] = point[k] - o->centre[k];
  ct_oblique_normal(o, normal);
  *i = dot(offset, o->across) / o->spacing + 0.5 * (o->width - 1.0);
  *j = dot(offset, o->up) / o->spacing + 0.5 * (o->height - 1.0);
  return dot(offset, normal);
}

void ct_oblique_row_within(const ct_oblique *o, const ct_grid *g, int j, int *first, int *end) {
  const double low[3] = {g->x0 - 0.5 * g->dx, g->y0 - 0.5 * g->dy, g->z0 - 0.5 * g->dz};
  const double size[3] = {g->nx * g->dx, g->ny * g->dy, g->nz * g->dz};
  double start[3], from = 0, to = o->width - 1.0;
  ct_oblique_point(o, 0, j, start);
  for (int k = 0; k < 3; k++) {
    /* Slack: planes along the border of the grid belong to it whatever the rounding of the turn. */
    const double step = o->across[k] * o->spacing, slack = 1e-9 * size[k], a = low[k] - slack - start[k],
                 b = low[k] + size[k] + slack - start[k];
    if (fabs(step) < 1e-12 * o->spacing) {
      if (a > 0 || b < 0) to = -1;
    } else {
      from = fmax(from, fmin(a / step, b / step));
      to = fmin(to, fmax(a / step, b / step));
    }
  }
  *first = *end = 0;
  if (!(to >= from)) return;
  *first = (int)ceil(from);
  *end = (int)floor(to) + 1;
  if (*end < *first) *end = *first;
}

bool ct_oblique_meets(const ct_oblique *o, const ct_grid *g) {
  int first = 0, end = 0;
  for (int j = 0; j < o->height && first == end; j++) ct_oblique_row_within(o, g, j, &first, &end);
  return end > first;
}

size_t ct_oblique_pixels(const ct_oblique *o) {
  return (size_t)o->width * (size_t)o->height;
}

bool ct_oblique_trace(const ct_oblique *o, ct_plane plane, double position, double point[2], double direction[2]) {
  const int across = plane == CT_SAGITTAL ? 1 : 0, up = plane == CT_AXIAL ? 1 : 2,
            along = plane == CT_AXIAL     ? 2
                    : plane == CT_CORONAL ? 1
                                          : 0;
  double normal[3];
  ct_oblique_normal(o, normal);
  const double a = normal[across], b = normal[up], length = hypot(a, b);
  if (length < 1e-6) return false;
  /* a (p - centre) + b (q - centre) = -n (position - centre), along the trace's own normal (a, b) / length. */
  const double distance = -normal[along] * (position - o->centre[along]) / length;
  point[0] = o->centre[across] + distance * a / length;
  point[1] = o->centre[up] + distance * b / length;
  direction[0] = -b / length;
  direction[1] = a / length;
  return true;
}

/* The turned frame's origin is the isocentre, so that the matrices keep their scale, w = 1 there. */
static ct_grid turned_grid(const ct_oblique *o, const double axes[3][3], bool transposed) {
  const int nx = transposed ? o->height : o->width, ny = transposed ? o->width : o->height;
  const double centre[3] = {dot(axes[0], o->centre), dot(axes[1], o->centre), dot(axes[2], o->centre)};
  return ct_grid_centred(nx, ny, 1, o->spacing, centre);
}

bool ct_oblique_frame(const ct_oblique *o, const ct_geometry *geometry, ct_geometry *turned, ct_grid *grid,
                      bool *transposed, ct_error **error) {
  *turned = (ct_geometry){0};
  if (!ct_oblique_check(o, error)) return false;
  double axes[3][3];
  *transposed = fabs(o->across[2]) > fabs(o->up[2]);
  for (int k = 0; k < 3; k++) {
    axes[0][k] = *transposed ? o->up[k] : o->across[k];
    axes[1][k] = *transposed ? o->across[k] : o->up[k];
  }
  cross(axes[0], axes[1], axes[2]);
  const bool fan = !ct_geometry_promises(geometry, CT_TRAIT_SPATIAL);
  if (fan && (fabs(fabs(axes[2][2]) - 1) > 1e-9 || fabs(o->centre[2]) > 1e-9 * o->spacing))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "A fan beam sees only the plane z = 0: oblique planes need a cone beam or a parallel beam of several rows.");
  if (!ct_geometry_init_matrices(turned, geometry->nu, geometry->nv, geometry->views, error)) return false;
  turned->du = geometry->du;
  turned->dv = geometry->dv;
  for (int view = 0; view < geometry->views; view++) {
    double p[12], *m = turned->matrices + 12 * (size_t)view;
    ct_geometry_matrix(geometry, view, p);
    /* A fan's matrix knows no z; as that of a cone of one row it can be turned, and is the same in the plane z = 0. */
    if (fan) p[6] = ct_geometry_magnification(geometry) / geometry->dv;
    for (int row = 0; row < 3; row++) {
      for (int k = 0; k < 3; k++) m[4 * row + k] = dot(p + 4 * row, axes[k]);
      m[4 * row + 3] = p[4 * row + 3];
    }
  }
  *grid = turned_grid(o, axes, *transposed);
  return true;
}
