/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a scan is closed under the symmetries of the square, and which ray maps to which: symmetry.h has the
 * formulas. Views are sorted by reduced angle (modulo the period of their lines) into classes of equal ones; the group
 * acts on the classes. */
#include "recon/fp/symmetry.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double angle; /* reduced: at least -tolerance, below period - tolerance */
  int view;
  bool mirrored; /* parallel beam: the reduced angle shows this view's rays in reverse order */
} reduced_view;

typedef struct {
  reduced_view *sorted; /* [views] */
  int *start;           /* [classes + 1] into sorted */
  int classes;
  double period, tolerance;
} view_classes;

static bool reduce(double angle, double period, double tolerance, double *reduced) {
  const double turns = floor((angle + tolerance) / period);
  *reduced = angle - turns * period;
  return period < 4 && fmod(turns, 2) != 0;
}

static int by_angle(const void *a, const void *b) {
  const reduced_view *p = a, *q = b;
  if (p->angle != q->angle) return p->angle < q->angle ? -1 : 1;
  return p->view - q->view;
}

static int by_view(const void *a, const void *b) {
  return ((const reduced_view *)a)->view - ((const reduced_view *)b)->view;
}

static void classes_clear(view_classes *c) {
  ct_free(c->sorted);
  ct_free(c->start);
}

static bool classes_init(view_classes *c, const ct_geometry *geometry, ct_error **error) {
  const int n = geometry->views;
  *c = (view_classes){.period = ct_geometry_period(geometry)};
  c->tolerance = CT_SYMMETRY_ANGLE * c->period / n;
  c->sorted = ct_alloc((size_t)n, sizeof *c->sorted, "the sorted views", error);
  c->start = ct_alloc((size_t)n + 1, sizeof *c->start, "the classes of views", error);
  if (!c->sorted || !c->start) {
    classes_clear(c);
    return false;
  }
  for (int i = 0; i < n; i++) {
    reduced_view *r = c->sorted + i;
    r->view = i;
    r->mirrored = reduce(geometry->angles[i], c->period, c->tolerance, &r->angle);
  }
  qsort(c->sorted, (size_t)n, sizeof *c->sorted, by_angle);
  for (int i = 0; i < n; i++)
    if (i == 0 || c->sorted[i].angle - c->sorted[i - 1].angle > c->tolerance) c->start[c->classes++] = i;
  c->start[c->classes] = n;
  for (int k = 0; k < c->classes; k++)
    qsort(c->sorted + c->start[k], (size_t)(c->start[k + 1] - c->start[k]), sizeof *c->sorted, by_view);
  return true;
}

/* The class whose angle is `angle` (reduced), or -1. */
static int classes_find(const view_classes *c, double angle) {
  int low = 0, high = c->classes - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (c->sorted[c->start[middle]].angle <= angle + c->tolerance)
      low = middle;
    else
      high = middle - 1;
  }
  return fabs(c->sorted[c->start[low]].angle - angle) <= 2 * c->tolerance ? low : -1;
}

/* The class that g maps class k to; *mirrored is turned where g reverses the rays. */
static int classes_map(const view_classes *c, int k, int g, double *angle, bool *mirrored) {
  const double from = c->sorted[c->start[k]].angle;
  const bool turned = reduce(((g & 4) ? -from : from) + (g & 3) * M_PI_2, c->period, c->tolerance, angle);
  *mirrored = turned != ((g & 4) != 0);
  return classes_find(c, *angle);
}

static const double degree = M_PI / 180;

static bool refuse_grid(const ct_grid *grid, ct_symmetry_group group, ct_error **error) {
  const double nx = grid->nx, ny = grid->ny;
  if (group == CT_SYMMETRY_SQUARE && (grid->nx != grid->ny || fabs(grid->dx - grid->dy) > 1e-9 * grid->dx))
    return !ct_error_set(error, CT_ERROR_UNSUPPORTED,
                         "The eight symmetries need a square slice of square pixels, not %d x %d of %g mm x %g mm.",
                         grid->nx, grid->ny, grid->dx, grid->dy);
  const double x = grid->x0 / grid->dx + 0.5 * (nx - 1), y = grid->y0 / grid->dy + 0.5 * (ny - 1);
  if (!(fabs(x) <= CT_SYMMETRY_GRID && fabs(y) <= CT_SYMMETRY_GRID))
    return !ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "The slice is not centred on the rotation axis (it is %.4g and %.4g pixels off), so that rays have no "
        "mirror images.",
        x, y);
  return false;
}

static bool refuse_detector(const ct_geometry *geometry, ct_error **error) {
  if (!ct_geometry_promises(geometry, CT_TRAIT_CIRCULAR))
    return !ct_error_set(error, CT_ERROR_UNSUPPORTED, "Views given by projection matrices have no known symmetry.");
  if (!(fabs(geometry->tilt) <= 1e-9))
    return !ct_error_set(error, CT_ERROR_UNSUPPORTED,
                         "The detector is tilted by %.4g degrees, so that rays have no mirror images.",
                         geometry->tilt / degree);
  const double off = geometry->centre_u - 0.5 * (geometry->nu - 1.0);
  if (!(fabs(off) <= CT_SYMMETRY_CENTRE))
    return !ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "The rotation axis is %.4g columns off the detector's middle, so that rays have no mirror images.", fabs(off));
  return false;
}

/* Classes must map to classes of as many views. */
static bool refuse_views(const view_classes *c, const ct_symmetry *s, bool parallel, ct_error **error) {
  const int divisor = (s->order == 8 ? 4 : 2) / (parallel ? 2 : 1);
  for (int k = 0; k < c->classes; k++)
    for (int e = 1; e < s->order; e++) {
      double angle;
      bool mirrored;
      const int to = classes_map(c, k, s->elements[e], &angle, &mirrored);
      const double from = c->sorted[c->start[k]].angle;
      if (to < 0)
        return !ct_error_set(
            error, CT_ERROR_UNSUPPORTED,
            "The views are not symmetric: the one at %.4f degrees has no counterpart at %.4f degrees (%d views evenly "
            "over %s, begun at 0 or half a step, would have).",
            from / degree, angle / degree, (c->classes + divisor - 1) / divisor * divisor,
            parallel ? "180 degrees" : "the whole circle");
      const int count = c->start[k + 1] - c->start[k], there = c->start[to + 1] - c->start[to];
      if (count != there)
        return !ct_error_set(
            error, CT_ERROR_UNSUPPORTED,
            "The views are not symmetric: there are %d at %.4f degrees%s, but %d at its counterpart, %.4f degrees.",
            count, from / degree, parallel ? " or 180 degrees from it" : "", there, angle / degree);
    }
  return false;
}

/* Slots for all views of class k, and the images of all classes that it maps to. */
static void store_class(ct_symmetry *s, const view_classes *c, int k) {
  const int views = c->start[k + 1] - c->start[k];
  for (int v = 0; v < views; v++) {
    const reduced_view *stored = c->sorted + c->start[k] + v;
    const int slot = s->slots++;
    s->view[slot] = stored->view;
    s->count[slot] = s->nu;
    for (int e = 0; e < s->order; e++) {
      const int g = s->elements[e];
      double angle;
      bool mirrored;
      const int to = classes_map(c, k, g, &angle, &mirrored);
      const reduced_view *there = c->sorted + c->start[to] + v;
      mirrored = mirrored != (stored->mirrored != there->mirrored);
      s->image[slot][g] = (ct_symmetry_image){there->view, mirrored};
      if (to == k && mirrored) s->count[slot] = (s->nu + 1) / 2;
      ct_symmetry_source *source = s->source + there->view;
      source->slot = slot;
      int *by = mirrored ? &source->mirrored : &source->straight;
      if (*by < 0) *by = g;
    }
    s->first[slot + 1] = s->first[slot] + (size_t)s->count[slot];
  }
  s->rays = s->first[s->slots];
}

static bool make_room(ct_symmetry *s, ct_error **error) {
  const size_t n = (size_t)s->views;
  s->view = ct_alloc_zero(n, sizeof *s->view, "the stored views", error);
  s->count = ct_alloc_zero(n, sizeof *s->count, "the stored views", error);
  s->first = ct_alloc_zero(n + 1, sizeof *s->first, "the stored views", error);
  s->image = ct_alloc_zero(n, sizeof *s->image, "the images of views", error);
  s->source = ct_alloc_zero(n, sizeof *s->source, "the images of views", error);
  if (!s->view || !s->count || !s->first || !s->image || !s->source) return false;
  for (size_t i = 0; i < n; i++) s->source[i] = (ct_symmetry_source){-1, -1, -1};
  return true;
}

ct_symmetry *ct_symmetry_new(const ct_geometry *geometry, const ct_grid *grid, ct_symmetry_group group,
                             ct_error **error) {
  if (refuse_grid(grid, group, error) || refuse_detector(geometry, error)) return NULL;
  ct_symmetry *s = ct_alloc_zero(1, sizeof *s, "the symmetry", error);
  if (!s) return NULL;
  *s = (ct_symmetry){.order = 8,
                     .elements = {0, 1, 2, 3, 4, 5, 6, 7},
                     .nx = grid->nx,
                     .ny = grid->ny,
                     .nu = geometry->nu,
                     .views = geometry->views};
  if (group == CT_SYMMETRY_INVERSION) {
    s->order = 2;
    s->elements[1] = 2;
  }
  view_classes classes;
  if (!make_room(s, error) || !classes_init(&classes, geometry, error)) {
    ct_symmetry_free(s);
    return NULL;
  }
  if (refuse_views(&classes, s, ct_geometry_promises(geometry, CT_TRAIT_PARALLEL), error)) {
    classes_clear(&classes);
    ct_symmetry_free(s);
    return NULL;
  }
  for (int k = 0; k < classes.classes; k++)
    if (s->source[classes.sorted[classes.start[k]].view].slot < 0) store_class(s, &classes, k);
  classes_clear(&classes);
  return s;
}

bool ct_symmetry_holds(const ct_geometry *geometry, const ct_grid *grid, ct_symmetry_group group, ct_error **error) {
  ct_symmetry *symmetry = ct_symmetry_new(geometry, grid, group, error);
  ct_symmetry_free(symmetry);
  return symmetry != NULL;
}

void ct_symmetry_free(ct_symmetry *s) {
  if (!s) return;
  ct_free(s->view);
  ct_free(s->count);
  ct_free(s->first);
  ct_free(s->image);
  ct_free(s->source);
  ct_free(s);
}

ct_symmetry_pixels ct_symmetry_pixels_of(int nx, int ny, int g) {
  /* (i, j) -> (a i + b j + p, c i + d j + q), built from M and then quarter turns; these are only asked for where nx =
   * ny. */
  int a = 1, b = 0, c = 0, d = 1, p = 0, q = 0;
  if (g & 4) {
    a = -1;
    p = nx - 1;
  }
  for (int k = 0; k + 1 < (g & 3); k += 2) { /* R^2 */
    a = -a, b = -b, c = -c, d = -d;
    p = nx - 1 - p, q = ny - 1 - q;
  }
  if (g & 1) {
    const int row[3] = {a, b, p};
    a = -c, b = -d, p = nx - 1 - q;
    c = row[0], d = row[1], q = row[2];
  }
  const ptrdiff_t stride = nx;
  return (ct_symmetry_pixels){p + q * stride, a + c * stride, b + d * stride};
}

ct_symmetry_origin ct_symmetry_find(const ct_symmetry *s, int view, int u) {
  const ct_symmetry_source *source = s->source + view;
  if (source->straight >= 0 && u < s->count[source->slot])
    return (ct_symmetry_origin){source->slot, u, source->straight};
  return (ct_symmetry_origin){source->slot, s->nu - 1 - u, source->mirrored};
}

bool ct_symmetry_is_first(const ct_symmetry *s, int slot, int u, int g) {
  return ct_symmetry_find(s, s->image[slot][g].view, ct_symmetry_column(s, slot, u, g)).g == g;
}
