/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line integrals of a spiral sorted into parallel views (spiral.h), and which spirals are served. */
#include "recon/solve/spiral/spiral.h"
#include "recon/solve/spiral/views.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Neighbours that a sample is interpolated from, each way. */
enum { TAPS = 4 };
/* By how many mean steps neighbouring views may be apart. */
static const double largest_step = 1.5;

static const char way_out[] = CT_SPIRAL_WAY_OUT;

typedef struct taps {
  int first;
  float share[TAPS];
} taps;

struct ct_sorter {
  ct_geometry spiral;
  ct_spiral_views views;
  ct_spiral_view *order; /* [views of the spiral] by angle */
  taps *columns;         /* [columns]: of the detector's */
  double *slope;         /* [columns]: tangent of the angle to z = const that a row's height of 1 px makes */
};

static int by_angle(const void *a, const void *b) {
  const ct_spiral_view *p = a, *q = b;
  return (p->angle > q->angle) - (p->angle < q->angle);
}

ct_spiral_view *ct_spiral_sort(const ct_geometry *g, ct_error **error) {
  ct_spiral_view *order = ct_alloc((size_t)g->views, sizeof *order, "the order of views", error);
  for (int view = 0; order && view < g->views; view++) order[view] = (ct_spiral_view){g->angles[view], view};
  if (order) qsort(order, (size_t)g->views, sizeof *order, by_angle);
  return order;
}

static bool goes_evenly(const ct_geometry *g, ct_error **error) {
  ct_spiral_view *order = ct_spiral_sort(g, error);
  if (!order) return false;
  const double step = (order[g->views - 1].angle - order[0].angle) / (g->views - 1);
  bool good = true;
  for (int n = 1; good && n < g->views; n++) {
    const double apart = order[n].angle - order[n - 1].angle;
    if (!(apart < largest_step * step && apart > step / 16))
      good =
          ct_error_set(error, CT_ERROR_UNSUPPORTED,
                       "Views %d and %d of the spiral are %.4g° apart, others %.4g°: parallel views can be sorted from "
                       "even steps alone. %s",
                       order[n - 1].view, order[n].view, apart * 180 / M_PI, step * 180 / M_PI, way_out);
  }
  ct_free(order);
  return good;
}

static bool too_short(ct_error **error) {
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "The views of this spiral go round by too little: half a turn and the fan are needed before "
                      "anything is seen from all sides. %s",
                      way_out);
}

bool ct_spiral_is_plain(const ct_geometry *g, ct_error **error) {
  double narrow, wide;
  if (g->nv < 2)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A spiral of one detector row is not served by filtered back-projection, which needs two at "
                        "least. %s",
                        way_out);
  if (g->tilt != 0)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "The detector of this spiral is tilted by %.3g°, and its filtered back-projection needs columns "
        "along the axis. %s",
        g->tilt * 180 / M_PI, way_out);
  if (ct_geometry_displaced(g, &narrow, &wide))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "The detector of this spiral is displaced (%.4g px on one side of the axis, %.4g on the other), "
        "which its filtered back-projection does not serve. %s",
        narrow, fabs(wide), way_out);
  return g->views < TAPS || g->nu < TAPS ? too_short(error) : goes_evenly(g, error);
}

bool ct_spiral_serves(const ct_geometry *g, ct_error **error) {
  ct_spiral_views views;
  if (g->views >= TAPS && g->nu >= TAPS && !ct_spiral_arrange(g, &views)) return too_short(error);
  if (!ct_spiral_is_plain(g, error)) return false;
  const ct_spiral_cover cover = ct_spiral_covers(g, ct_geometry_field_radius(g));
  if (fabs(g->feed) > cover.most_feed)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The table moves by %.4g mm a turn (pitch %.3g), and the detector leaves gaps beyond %.4g mm, "
                        "which filtered back-projection cannot fill. %s",
                        fabs(g->feed), ct_spiral_pitch(g), cover.most_feed, way_out);
  return true;
}

ct_sorted_size ct_sorted_size_of(const ct_geometry *spiral) {
  ct_spiral_views views;
  ct_spiral_arrange(spiral, &views);
  return (ct_sorted_size){views.columns, views.most * spiral->nv, views.groups};
}

bool ct_sorted_geometry(const ct_geometry *spiral, ct_geometry *parallel, ct_error **error) {
  ct_spiral_views views;
  ct_spiral_arrange(spiral, &views);
  return ct_spiral_parallel(spiral, &views, parallel, error);
}

/* Lagrange's cubic through four nodes. */
static void find_shares(const double node[TAPS], double at, float share[TAPS]) {
  for (int a = 0; a < TAPS; a++) {
    double product = 1;
    for (int b = 0; b < TAPS; b++)
      if (b != a) product *= (at - node[b]) / (node[a] - node[b]);
    share[a] = (float)product;
  }
}

static int clamp_first(double position, int count) {
  const int first = (int)floor(position) - 1, last = count - TAPS;
  return first < 0 ? 0 : first > last ? last : first;
}

ct_sorter *ct_sorter_new(const ct_geometry *spiral, ct_error **error) {
  ct_sorter *s = ct_alloc_zero(1, sizeof *s, "the sorting of views", error);
  if (!s) return NULL;
  bool good = ct_geometry_copy(&s->spiral, spiral, error) && ct_spiral_arrange(spiral, &s->views) &&
              (s->order = ct_spiral_sort(spiral, error)) &&
              (s->columns = ct_alloc((size_t)s->views.columns, sizeof *s->columns, "the columns", error)) &&
              (s->slope = ct_alloc((size_t)s->views.columns, sizeof *s->slope, "the columns", error));
  for (int j = 0; good && j < s->views.columns; j++) {
    const ct_spiral_ray ray = ct_spiral_ray_at(spiral, &s->views, 0, (j - s->views.centre) * s->views.pitch);
    /* The outermost columns' values hold to their edges and beyond. */
    const double u = fmin(fmax(spiral->centre_u + spiral->sdd * tan(ray.fan) / spiral->du, 0), spiral->nu - 1);
    const int first = clamp_first(u, spiral->nu);
    const double nodes[TAPS] = {first, first + 1, first + 2, first + 3};
    s->columns[j].first = first;
    find_shares(nodes, u, s->columns[j].share);
    s->slope[j] = spiral->dv * cos(ray.fan) / spiral->sdd;
  }
  if (good) return s;
  ct_sorter_free(s);
  return NULL;
}

void ct_sorter_free(ct_sorter *s) {
  if (!s) return;
  ct_geometry_clear(&s->spiral);
  ct_free(s->order);
  ct_free(s->columns);
  ct_free(s->slope);
  ct_free(s);
}

/* The views about a gantry angle. */
static taps views_about(const ct_sorter *s, double angle) {
  const int count = s->spiral.views;
  const double low = s->order[0].angle, step = (s->order[count - 1].angle - low) / (count - 1);
  int at = (int)fmin(fmax((angle - low) / step, 0), count - 1);
  while (at + 1 < count && s->order[at + 1].angle <= angle) at++;
  while (at > 0 && s->order[at].angle > angle) at--;
  taps t = {.first = clamp_first(at, count)};
  double nodes[TAPS];
  for (int a = 0; a < TAPS; a++) nodes[a] = s->order[t.first + a].angle;
  find_shares(nodes, angle, t.share);
  return t;
}

/* A pixel between four views and four columns. */
static float between(const ct_sorter *s, const ct_stack *integrals, const taps *views, const taps *columns, int row) {
  const size_t at = (size_t)row * (size_t)s->spiral.nu + (size_t)columns->first;
  float sum = 0;
  for (int a = 0; a < TAPS; a++) {
    const float *from = ct_stack_get_view(integrals, s->order[views->first + a].view) + at;
    sum += views->share[a] * (columns->share[0] * from[0] + columns->share[1] * from[1] + columns->share[2] * from[2] +
                              columns->share[3] * from[3]);
  }
  return sum;
}

/* One column of a parallel view: [rows], columns apart. */
static void sort_column(const ct_sorter *s, const ct_stack *integrals, int view, int j, float *out) {
  const int columns = s->views.columns, rows = s->spiral.nv;
  const ct_spiral_ray ray = ct_spiral_ray_at(&s->spiral, &s->views, view, (j - s->views.centre) * s->views.pitch);
  const taps views = views_about(s, ray.gantry);
  for (int row = 0; row < rows; row++) {
    const double climb = (row - s->spiral.centre_v) * s->slope[j];
    out[(size_t)row * (size_t)columns + (size_t)j] =
        between(s, integrals, &views, &s->columns[j], row) / (float)sqrt(1 + climb * climb);
  }
}

void ct_sorter_sort(const ct_sorter *s, const ct_stack *integrals, const int *groups, int count, float *const *out,
                    int threads) {
  const int most = s->views.most, columns = s->views.columns;
  const size_t part = (size_t)s->spiral.nv * (size_t)columns;
#pragma omp parallel for schedule(dynamic) num_threads(threads) collapse(2)
  for (int n = 0; n < count; n++)
    for (int k = 0; k < most; k++) {
      const int view = groups[n] + k * s->views.groups;
      float *to = out[n] + (size_t)k * part;
      if (view < s->views.count)
        for (int j = 0; j < columns; j++) sort_column(s, integrals, view, j, to);
      else
        for (size_t i = 0; i < part; i++) to[i] = 0;
    }
}
