/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spirals: recognised, sorted into parallel views, and what they cover (spiral.h). */
#include "recon/geom/spiral.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/geom/sequence.h"

#include <math.h>
#include <string.h>

/* Pixels by which matrices may differ from those of the spiral that they are taken for. */
static const double matrix_slack = 0.02;

/* One view of matrices in the terms of geometry.h; its angle within half a turn of *angle. */
static bool read_view(const ct_geometry *g, int view, ct_geometry *told, double *angle, double *height) {
  const double *m = g->matrices + 12 * (size_t)view;
  double source[3], direction[3], u, v, w;
  if (!ct_geometry_ray(g, view, 0, 0, source, direction)) return false;
  const double at = atan2(source[0], -source[1]);
  *angle = view == 0 ? at : at + 2 * M_PI * rint((*angle - at) / (2 * M_PI));
  *height = source[2];
  const double foot[3] = {0, 0, source[2]};
  ct_project(m, foot, &u, &v, &w);
  const double across = cos(*angle) * (m[0] - u * m[8]) + sin(*angle) * (m[1] - u * m[9]);
  told->sod = hypot(source[0], source[1]);
  told->sdd = told->sod * across * g->du;
  told->dv = told->sdd / (told->sod * m[6]);
  told->centre_u = u;
  told->centre_v = v;
  return w > 0 && across > 0 && m[6] > 0;
}

/* Whether every view sees the corners of a box about the axis where its matrix does. */
static bool agrees(const ct_geometry *g, const ct_geometry *spiral) {
  const double reach = 0.25 * fmin(g->nu * ct_geometry_pitch_at_axis(spiral), spiral->sod);
  for (int view = 0; view < g->views; view++) {
    double m[12];
    ct_geometry_matrix(spiral, view, m);
    for (int corner = 0; corner < 8; corner++) {
      const double point[3] = {corner & 1 ? reach : -reach, corner & 2 ? reach : -reach,
                               ct_geometry_height(spiral, view) + (corner & 4 ? reach : -reach)};
      double a[3], b[3];
      ct_project(m, point, &a[0], &a[1], &a[2]);
      ct_project(g->matrices + 12 * (size_t)view, point, &b[0], &b[1], &b[2]);
      if (!(fabs(a[0] - b[0]) < matrix_slack && fabs(a[1] - b[1]) < matrix_slack)) return false;
    }
  }
  return true;
}

static bool of_matrices(const ct_geometry *g, ct_geometry *spiral, ct_error **error) {
  double angle = 0, height = 0, first = 0, turned = 0, climbed = 0;
  if (!ct_geometry_init(spiral, CT_BEAM_CONE, g->nu, g->nv, g->views, error)) return false;
  spiral->du = g->du;
  bool good = g->views > 2;
  for (int view = 0; good && view < g->views; view++) {
    ct_geometry told = *spiral;
    good = read_view(g, view, view == 0 ? spiral : &told, &angle, &height);
    spiral->angles[view] = angle;
    if (view == 0) first = height;
    turned = angle - spiral->angles[0];
    climbed = height - first;
  }
  if (good && turned != 0) ct_geometry_set_feed(spiral, 2 * M_PI * climbed / turned, first);
  const double row = g->dv * spiral->sod / spiral->sdd;
  good = good && 0.5 * fabs(climbed) > fmax(0.1 * g->nv, 2) * row;
  if (good && ct_geometry_check(spiral, NULL) && agrees(g, spiral)) return true;
  ct_geometry_clear(spiral);
  return ct_error_set(
      error, CT_ERROR_UNSUPPORTED,
      "The projection matrices are not those of a spiral about the z axis whose detector faces the axis "
      "(to %.2g px).",
      matrix_slack);
}

bool ct_geometry_is_spiral(const ct_geometry *geometry) {
  return geometry->feed != 0 && !geometry->stops;
}

bool ct_geometry_climbs(const ct_geometry *geometry) {
  return geometry->feed != 0;
}

bool ct_spiral_of(const ct_geometry *g, ct_geometry *spiral, ct_error **error) {
  *spiral = (ct_geometry){0};
  if (g->beam == CT_BEAM_FREE) return of_matrices(g, spiral, error);
  if (ct_geometry_is_spiral(g)) return ct_geometry_copy(spiral, g, error);
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "The table does not move in the turns of this scan (%s): it is no "
                      "spiral.",
                      ct_geometry_title(g));
}

static bool rises_evenly(const ct_geometry *g, const double *heights) {
  const int last = g->views - 1;
  const double turned = g->angles[last] - g->angles[0], slope = (heights[last] - heights[0]) / turned,
               slack = 0.05 * g->dv / ct_geometry_magnification(g);
  if (!ct_geometry_takes(g, CT_TAKES_FEED) || g->feed != 0 || turned == 0) return false;
  for (int view = 0; view <= last; view++)
    if (!(fabs(heights[0] + slope * (g->angles[view] - g->angles[0]) - heights[view]) < slack)) return false;
  return true;
}

bool ct_geometry_lift(ct_geometry *g, const double *heights, ct_error **error) {
  const int last = g->views - 1;
  if (g->angles && rises_evenly(g, heights)) {
    ct_geometry_set_feed(g, 2 * M_PI * (heights[last] - heights[0]) / (g->angles[last] - g->angles[0]), heights[0]);
    return true;
  }
  if (g->angles && ct_sequence_take(g, heights)) return true;
  if (!ct_geometry_take_matrices(g, error)) return false;
  for (int view = 0; view < g->views; view++)
    for (int row = 0; row < 3; row++) {
      double *m = g->matrices + 12 * (size_t)view + 4 * (size_t)row;
      m[3] -= heights[view] * m[2];
    }
  return true;
}

static double fan_of(const ct_geometry *g, double column) {
  return atan((column - g->centre_u) * g->du / g->sdd);
}

bool ct_spiral_arrange(const ct_geometry *g, ct_spiral_views *views) {
  double low = INFINITY, high = -INFINITY;
  for (int view = 0; view < g->views; view++) {
    low = fmin(low, g->angles[view]);
    high = fmax(high, g->angles[view]);
  }
  const double step = (high - low) / (g->views > 1 ? g->views - 1 : 1), pitch = g->du * g->sod / g->sdd;
  /* To the outer edges of the columns. */
  const int before = (int)ceil(-g->sod * sin(fan_of(g, -0.5)) / pitch - 1e-9),
            behind = (int)ceil(g->sod * sin(fan_of(g, g->nu - 0.5)) / pitch - 1e-9);
  const double least = asin(fmax(-1, -before * pitch / g->sod)), most = asin(fmin(1, behind * pitch / g->sod));
  *views = (ct_spiral_views){.pitch = pitch, .first = low - least, .groups = 1};
  if (!(step > 0)) return false;
  views->groups = (int)fmax(rint(M_PI / step), 1);
  const double slots = (high - most - views->first) * views->groups / M_PI;
  if (!(slots >= views->groups - 1)) return false;
  views->count = (int)floor(slots + 1e-9) + 1;
  views->most = (views->count + views->groups - 1) / views->groups;
  views->columns = before + behind + 1;
  views->centre = before;
  return views->columns > 1;
}

bool ct_spiral_parallel(const ct_geometry *spiral, const ct_spiral_views *views, ct_geometry *parallel,
                        ct_error **error) {
  if (!ct_geometry_init(parallel, CT_BEAM_PARALLEL, views->columns, views->most * spiral->nv, views->groups, error))
    return false;
  parallel->du = views->pitch;
  parallel->dv = spiral->dv;
  parallel->centre_u = views->centre;
  ct_geometry_set_arc(parallel, views->first, M_PI / views->groups);
  return true;
}

ct_spiral_ray ct_spiral_ray_at(const ct_geometry *g, const ct_spiral_views *views, int view, double p) {
  ct_spiral_ray ray = {.fan = asin(fmax(-1, fmin(1, p / g->sod)))};
  ray.gantry = views->first + view * M_PI / views->groups + ray.fan;
  ray.height = g->height + g->feed * ray.gantry / (2 * M_PI);
  return ray;
}

/* The source is SOD cos(fan) before the foot. A row's slope is dv cos(fan) / SDD. */
void ct_spiral_rows(const ct_geometry *g, const ct_spiral_ray *ray, double along, double row[2]) {
  const double c = cos(ray->fan);
  row[1] = g->sdd / (g->dv * c * (g->sod * c + along));
  row[0] = g->centre_v - row[1] * ray->height;
}

/* Heights that the detector's rows see, outer edges included. */
static void heights_of(const ct_geometry *g, const ct_spiral_ray *ray, double along, double *low, double *high) {
  double row[2];
  ct_spiral_rows(g, ray, along, row);
  *low = (-0.5 - row[0]) / row[1];
  *high = (g->nv - 0.5 - row[0]) / row[1];
}

/* At p and `along` in the views of a group, which see the line from both sides in turn. */
static void cover_group(const ct_geometry *g, const ct_spiral_views *views, int group, const double at[2],
                        ct_spiral_cover *cover) {
  double low = INFINITY, high = -INFINITY;
  const int last = (views->count - 1 - group) / views->groups;
  for (int k = 0; k <= last; k = k == 1 && last > 3 ? last - 1 : k + 1) {
    const double side = k & 1 ? -1 : 1;
    const ct_spiral_ray ray = ct_spiral_ray_at(g, views, group + k * views->groups, side * at[0]);
    double first, end;
    heights_of(g, &ray, side * at[1], &first, &end);
    low = fmin(low, first);
    high = fmax(high, end);
  }
  cover->low = fmax(cover->low, low);
  cover->high = fmin(cover->high, high);
  cover->seen_low = fmin(cover->seen_low, low);
  cover->seen_high = fmax(cover->seen_high, high);
}

/* Views half a turn apart, the sources pi +- 2 fan apart, must touch: what both see together is the height between. */
static double feed_of(const ct_geometry *g, const double at[2]) {
  const double fan = asin(fmax(-1, fmin(1, at[0] / g->sod))), c = cos(fan),
               both = g->nv * g->dv * g->sod * c * c / g->sdd,
               off = 2 * fabs(at[1] * (0.5 * (g->nv - 1) - g->centre_v)) * g->dv * c / g->sdd;
  return fmax(both - off, 0) * 2 * M_PI / (M_PI + 2 * fabs(fan));
}

ct_spiral_cover ct_spiral_covers(const ct_geometry *g, double radius) {
  enum { DIRECTIONS = 24, GROUPS = 90 };
  ct_spiral_cover cover = {-INFINITY, INFINITY, INFINITY, INFINITY, -INFINITY};
  ct_spiral_views views;
  const bool arranged = ct_spiral_arrange(g, &views);
  const int groups = arranged ? (views.groups < GROUPS ? views.groups : GROUPS) : 0;
  for (int n = 0; n <= DIRECTIONS; n++) {
    const double around = n * 2 * M_PI / DIRECTIONS, from = n < DIRECTIONS ? radius : 0,
                 at[2] = {from * cos(around), from * sin(around)};
    cover.most_feed = fmin(cover.most_feed, feed_of(g, at));
    for (int i = 0; i < groups; i++)
      cover_group(g, &views, groups > 1 ? (int)((long)i * (views.groups - 1) / (groups - 1)) : 0, at, &cover);
  }
  if (!arranged) cover.low = cover.high = cover.seen_low = cover.seen_high = ct_geometry_height(g, g->views / 2);
  for (int view = 0; view<g->views; view += g->views> 1 ? g->views - 1 : 1) {
    const double half = 0.5 * g->nv * g->dv * g->sod / g->sdd, height = ct_geometry_height(g, view);
    cover.seen_low = fmin(cover.seen_low, height - half);
    cover.seen_high = fmax(cover.seen_high, height + half);
  }
  return cover;
}

double ct_spiral_pitch(const ct_geometry *g) {
  return fabs(g->feed) / (g->nv * g->dv * g->sod / g->sdd);
}
