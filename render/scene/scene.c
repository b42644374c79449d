/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene out of a geometry, a grid, a view and the crosshair. All of it is asked of recon/geom: nothing here knows
 * what kind of scan it is. */
#include "render/scene/scene.h"

#include "recon/base/memory.h"
#include "recon/geom/ray.h"
#include "recon/geom/shadow.h"
#include "recon/geom/spiral.h"

#include <math.h>
#include <string.h>

/* Parallel rays begin and end this many times the reach of volume and detector before and behind the isocentre; the
 * axis is this much longer than the volume. */
static const double stand_off = 1.6, axis_share = 1.25;
/* Length of the shadow zone's edges in shares of the box's sphere; narrower zones, radians, are not drawn. */
static const double shadow_share = 0.45, least_shadow = 0.01;
enum { MOST_PATH = 720, TURN_VIEWS = 48 };

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void add(const double from[3], double length, const double direction[3], double to[3]) {
  for (int i = 0; i < 3; i++) to[i] = from[i] + length * direction[i];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The box and its sphere. */
static void set_box(const ct_grid *g, ctgl_scene *scene) {
  const double first[3] = {g->x0, g->y0, g->z0}, step[3] = {g->dx, g->dy, g->dz};
  const int count[3] = {g->nx, g->ny, g->nz};
  for (int i = 0; i < 3; i++) {
    scene->low[i] = first[i] - step[i] / 2;
    scene->high[i] = first[i] + (count[i] - 0.5) * step[i];
    scene->middle[i] = (scene->low[i] + scene->high[i]) / 2;
  }
  scene->reach = distance(scene->low, scene->high) / 2;
}

/* How far parallel rays are drawn from the isocentre. */
static double behind(const ct_geometry *geometry, const ctgl_scene *scene) {
  static const double isocentre[3] = {0};
  const double pitch = ct_geometry_pitch_at_axis(geometry);
  const double detector = 0.5 * hypot(geometry->nu, geometry->nv) * pitch;
  return stand_off * fmax(distance(scene->middle, isocentre) + scene->reach, detector);
}

/* Where the ray through a point begins. */
static void begin_of(const ct_detector *detector, double off, const double point[3], double begin[3]) {
  if (detector->spreads)
    memcpy(begin, detector->source, sizeof detector->source);
  else /* in the plane at right angles to the rays that lies `off` before the isocentre */
    add(point, -off - dot(point, detector->forward), detector->forward, begin);
}

static ctgl_scene_ray ray_to(const ct_geometry *geometry, const ct_detector *detector, double off, double u, double v) {
  ctgl_scene_ray ray = {.u = u, .v = v};
  ct_detector_point(detector, u, v, ray.line.to);
  begin_of(detector, off, ray.line.to, ray.line.from);
  ray.seen = u >= -0.5 && v >= -0.5 && u <= geometry->nu - 0.5 && v <= geometry->nv - 0.5;
  return ray;
}

/* To the outer edge of the pixel in a corner: about (0, 0), (nu - 1, 0), (nu - 1, nv - 1), (0, nv - 1). */
static ctgl_segment ray_to_corner(const ct_geometry *geometry, const ct_detector *detector, double off, int corner) {
  const double u = corner == 1 || corner == 2 ? geometry->nu - 0.5 : -0.5, v = corner >= 2 ? geometry->nv - 0.5 : -0.5;
  return ray_to(geometry, detector, off, u, v).line;
}

static void set_view(const ctgl_scene_request *request, ctgl_scene *scene, int view, double off) {
  const ct_geometry *geometry = request->geometry;
  scene->detector = ct_geometry_detector(geometry, view, off);
  for (int k = 0; k < 4; k++) {
    scene->beam[k] = ray_to_corner(geometry, &scene->detector, off, k);
    memcpy(scene->corners[k], scene->beam[k].to, sizeof scene->corners[k]);
  }
  double matrix[12], u, v, w;
  ct_geometry_matrix(geometry, view, matrix);
  memcpy(scene->cross, request->cross, sizeof scene->cross);
  ct_project(matrix, scene->cross, &u, &v, &w);
  scene->ray = ray_to(geometry, &scene->detector, off, u, v);
  if (!request->pointed) return;
  scene->is_pointing = true;
  scene->pointed = ray_to(geometry, &scene->detector, off, request->pointed[0], request->pointed[1]);
}

/* The path of the source */

static void place_of(const ct_geometry *geometry, int view, double off, double place[3]) {
  const ct_detector detector = ct_geometry_detector(geometry, view, off);
  double middle[3];
  ct_detector_point(&detector, (geometry->nu - 1) / 2.0, (geometry->nv - 1) / 2.0, middle);
  begin_of(&detector, off, middle, place);
}

/* Of the last view as it came from the one before. */
static void set_heading(const ct_geometry *geometry, int view, double off, ctgl_scene *scene) {
  const int first = view + 1 < geometry->views ? view : view - 1;
  double from[3], to[3];
  if (first < 0) return;
  place_of(geometry, first, off, from);
  place_of(geometry, first + 1, off, to);
  const double length = distance(from, to);
  for (int i = 0; i < 3 && length > 0; i++) scene->heading[i] = (to[i] - from[i]) / length;
}

typedef struct placed {
  double angle; /* 0 to 2 pi; of a spiral as it counts on */
  double place[3];
} placed;

/* A spiral, or a sequence: angles count on, and so does the height. */
static bool climbs(const ct_geometry *geometry) {
  ct_geometry spiral;
  if (ct_geometry_climbs(geometry)) return true;
  if (!ct_spiral_of(geometry, &spiral, NULL)) return false;
  ct_geometry_clear(&spiral);
  return true;
}

/* Every so many views in the order of their angles. */
static int sort_places(const ct_geometry *geometry, const ct_trajectory *trajectory, bool spiral, double off,
                       placed *places) {
  const int step = (trajectory->views + MOST_PATH - 1) / MOST_PATH;
  int count = 0;
  for (int view = 0; view < trajectory->views; view += step) {
    const double turns = trajectory->angles[view] / (2 * M_PI);
    placed next = {.angle = 2 * M_PI * (spiral ? turns : turns - floor(turns))};
    place_of(geometry, view, off, next.place);
    int k = count++; /* most scans are in order already */
    for (; k > 0 && places[k - 1].angle > next.angle; k--) places[k] = places[k - 1];
    places[k] = next;
  }
  return count;
}

/* Neighbours are connected where the distance of their angles is not a gap in the scan. */
static bool set_path(const ct_geometry *geometry, const ct_trajectory *trajectory, double off, ctgl_scene *scene,
                     ct_error **error) {
  placed *places = ct_alloc(MOST_PATH, sizeof *places, "the path of the source", error);
  scene->path = places ? ct_alloc(MOST_PATH, sizeof *scene->path, "the path of the source", error) : NULL;
  if (scene->path) {
    const bool spiral = climbs(geometry);
    const int count = sort_places(geometry, trajectory, spiral, off, places),
              every = (trajectory->views - 1) / MOST_PATH + 1;
    const int last = trajectory->views - 1;
    const double span = fabs(trajectory->angles[last] - trajectory->angles[0]),
                 step = spiral && last > 0 ? span / last : trajectory->step, gap = 3.5 * every * step;
    for (int i = 0; i < count; i++) {
      const placed *here = &places[i], *next = &places[(i + 1) % count];
      const double apart = next->angle - here->angle + (i + 1 < count ? 0 : 2 * M_PI);
      const bool open = spiral && i + 1 == count;
      const bool connected = trajectory->found && count > 1 && apart <= gap && !open;
      memcpy(scene->path[i].from, here->place, sizeof here->place);
      memcpy(scene->path[i].to, connected ? next->place : here->place, sizeof next->place);
    }
    scene->path_segments = count;
  }
  ct_free(places);
  return scene->path != NULL;
}

/* Axis and field of view */

/* How far the box reaches along a direction from a point, downwards and upwards. */
static void extent_along(const ctgl_scene *scene, const ct_line *line, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (int k = 0; k < 8; k++) {
    double from[3];
    for (int i = 0; i < 3; i++) from[i] = (k >> i & 1 ? scene->high[i] : scene->low[i]) - line->point[i];
    const double along = dot(from, line->direction);
    *low = fmin(*low, along);
    *high = fmax(*high, along);
  }
}

static void set_axis(const ct_geometry *geometry, ctgl_scene *scene) {
  ct_line axis;
  double low, high;
  scene->has_axis = ct_geometry_axis(geometry, &axis);
  if (!scene->has_axis) return;
  extent_along(scene, &axis, &low, &high);
  /* A single slice has an axis that can be seen, too. */
  const double more = fmax((axis_share - 1) * (high - low), 0.3 * scene->reach);
  add(axis.point, low - more, axis.direction, scene->axis.from);
  add(axis.point, high + more, axis.direction, scene->axis.to);
  add(axis.point, low, axis.direction, scene->field_axis.from);
  add(axis.point, high, axis.direction, scene->field_axis.to);
  scene->field = ct_geometry_field_radius(geometry);
}

/* What a cone leaves out */

static void set_cone(const ct_geometry *geometry, ctgl_scene *scene) {
  const double *cross = scene->cross;
  scene->is_cone = ct_geometry_cone(geometry, scene->cone);
  if (!scene->is_cone) return;
  ct_cone_heights(geometry, 0, scene->covered_axis);
  ct_cone_heights(geometry, scene->field, scene->covered_edge);
  if (!(hypot(cross[0], cross[1]) < geometry->sod)) return;
  const int half = CTGL_SHADOW_EDGES / 2;
  const double length = shadow_share * scene->reach;
  scene->shadow[0] = INFINITY;
  for (int k = 0; k < half; k++) {
    const double azimuth = 2 * M_PI * k / half, angle = ct_shadow_angle(geometry, cross, azimuth);
    const double edge[3] = {sin(angle) * cos(azimuth), sin(angle) * sin(azimuth), copysign(cos(angle), cross[2])};
    scene->shadow[0] = fmin(scene->shadow[0], angle);
    scene->shadow[1] = fmax(scene->shadow[1], angle);
    for (int side = 0; side < 2; side++) { /* a wave runs both ways */
      ctgl_segment *line = &scene->shadow_edges[side * half + k];
      memcpy(line->from, cross, sizeof line->from);
      add(cross, side ? -length : length, edge, line->to);
    }
  }
  scene->shadow_count = scene->shadow[1] > least_shadow ? CTGL_SHADOW_EDGES : 0;
}

void ctgl_scene_field_point(const ctgl_scene *scene, double share, double angle, double point[3]) {
  double along[3], right[3];
  const double length = distance(scene->axis.from, scene->axis.to);
  for (int i = 0; i < 3; i++) along[i] = length > 0 ? (scene->axis.to[i] - scene->axis.from[i]) / length : i == 2;
  /* x, less what of it lies along the axis; of an axis along x, y. */
  const int first = fabs(along[0]) < 0.9 ? 0 : 1;
  for (int i = 0; i < 3; i++) right[i] = (i == first) - along[first] * along[i];
  const double size = sqrt(dot(right, right));
  const double forward[3] = {(along[1] * right[2] - along[2] * right[1]) / size,
                             (along[2] * right[0] - along[0] * right[2]) / size,
                             (along[0] * right[1] - along[1] * right[0]) / size};
  for (int i = 0; i < 3; i++)
    point[i] = scene->field_axis.from[i] + share * (scene->field_axis.to[i] - scene->field_axis.from[i]) +
               scene->field * (cos(angle) * right[i] / size + sin(angle) * forward[i]);
}

static void add_point(ctgl_scene *scene, const double point[3]) {
  memcpy(scene->turn[scene->turn_points++], point, sizeof *scene->turn);
  scene->radius = fmax(scene->radius, distance(scene->centre, point));
}

/* Everything over a turn, and the sphere about it. */
static bool set_turn(const ct_geometry *geometry, double off, ctgl_scene *scene, ct_error **error) {
  memcpy(scene->centre, scene->middle, sizeof scene->centre);
  scene->turn = ct_alloc(8 + 8 * TURN_VIEWS, sizeof *scene->turn, "the places of the gantry", error);
  if (!scene->turn) return false;
  for (int k = 0; k < 8; k++) {
    double corner[3];
    for (int i = 0; i < 3; i++) corner[i] = k >> i & 1 ? scene->high[i] : scene->low[i];
    add_point(scene, corner);
  }
  const int count = geometry->views < TURN_VIEWS ? geometry->views : TURN_VIEWS;
  for (int n = 0; n < count; n++) {
    const int view = (int)((int64_t)n * geometry->views / count);
    const ct_detector detector = ct_geometry_detector(geometry, view, off);
    for (int k = 0; k < 4; k++) {
      const ctgl_segment line = ray_to_corner(geometry, &detector, off, k);
      add_point(scene, line.from);
      add_point(scene, line.to);
    }
  }
  return true;
}

bool ctgl_scene_make(const ctgl_scene_request *request, ctgl_scene *scene, ct_error **error) {
  const ct_geometry *geometry = request->geometry;
  const int view = request->view < 0 ? 0 : request->view < geometry->views ? request->view : geometry->views - 1;
  ct_trajectory trajectory;
  *scene = (ctgl_scene){0};
  set_box(request->grid, scene);
  const double off = behind(geometry, scene);
  set_view(request, scene, view, off);
  set_axis(geometry, scene);
  set_cone(geometry, scene);
  set_heading(geometry, view, off, scene);
  if (!ct_trajectory_make(geometry, &trajectory, error)) return false;
  const bool good = set_path(geometry, &trajectory, off, scene, error);
  ct_trajectory_clear(&trajectory);
  return good && set_turn(geometry, off, scene, error);
}

void ctgl_scene_clear(ctgl_scene *scene) {
  ct_free(scene->path);
  ct_free(scene->turn);
  *scene = (ctgl_scene){0};
}

/* Pictures */

/* corner + x right + y up, over the outer edges of a picture. */
static ctgl_corners corners_of(const double corner[3], const double right[3], const double up[3]) {
  ctgl_corners corners;
  for (int i = 0; i < 3; i++) {
    corners.at[0][i] = corner[i];
    corners.at[1][i] = corner[i] + right[i];
    corners.at[2][i] = corner[i] + right[i] + up[i];
    corners.at[3][i] = corner[i] + up[i];
  }
  return corners;
}

ctgl_corners ctgl_slice_corners(ct_plane plane, double position, const ctgl_picture_frame *frame) {
  static const int axes[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}; /* across, up, normal */
  double corner[3] = {0}, right[3] = {0}, up[3] = {0};
  const int *axis = axes[plane];
  corner[axis[0]] = frame->origin[0] - frame->spacing[0] / 2;
  corner[axis[1]] = frame->origin[1] - frame->spacing[1] / 2;
  corner[axis[2]] = position;
  right[axis[0]] = frame->width * frame->spacing[0];
  up[axis[1]] = frame->height * frame->spacing[1];
  return corners_of(corner, right, up);
}

ctgl_corners ctgl_projection_corners(const ct_detector *detector, const ctgl_picture_frame *frame) {
  double corner[3], right[3], up[3];
  ct_detector_point(detector, frame->origin[0] - frame->spacing[0] / 2, frame->origin[1] - frame->spacing[1] / 2,
                    corner);
  for (int i = 0; i < 3; i++) {
    right[i] = frame->width * frame->spacing[0] * detector->across[i];
    up[i] = frame->height * frame->spacing[1] * detector->up[i];
  }
  return corners_of(corner, right, up);
}

ctgl_corners ctgl_oblique_corners(const ct_oblique *oblique) {
  double corner[3], right[3], up[3];
  ct_oblique_point(oblique, -0.5, -0.5, corner);
  for (int i = 0; i < 3; i++) {
    right[i] = oblique->width * oblique->spacing * oblique->across[i];
    up[i] = oblique->height * oblique->spacing * oblique->up[i];
  }
  return corners_of(corner, right, up);
}

bool ctgl_clip_to_box(const ctgl_segment *line, const double low[3], const double high[3], ctgl_segment *within) {
  double first = 0, last = 1;
  for (int i = 0; i < 3; i++) {
    const double step = line->to[i] - line->from[i];
    const double a = (low[i] - line->from[i]) / step, b = (high[i] - line->from[i]) / step;
    if (step == 0) {
      if (line->from[i] < low[i] || line->from[i] > high[i]) return false;
      continue;
    }
    first = fmax(first, fmin(a, b));
    last = fmin(last, fmax(a, b));
  }
  if (first > last) return false;
  for (int i = 0; i < 3; i++) {
    within->from[i] = line->from[i] + first * (line->to[i] - line->from[i]);
    within->to[i] = line->from[i] + last * (line->to[i] - line->from[i]);
  }
  return true;
}

bool ctgl_ray_within(const ct_geometry *geometry, const ct_grid *grid, int view, const double uv[2],
                     ctgl_segment *within) {
  return ct_ray_within(geometry, grid, view, uv, within->from, within->to);
}

/* Solves corner + u across + v up = from + t (to - from) by Cramer's rule. */
bool ctgl_detector_meets(const ct_detector *detector, const ctgl_segment *line, double uv[2]) {
  double step[3], from[3], n[3];
  const double *a = detector->across, *b = detector->up;
  for (int i = 0; i < 3; i++) {
    step[i] = line->to[i] - line->from[i];
    from[i] = line->from[i] - detector->corner[i];
    n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  }
  const double slope = dot(n, step), t = -dot(n, from) / slope, square = dot(n, n);
  if (!isfinite(t) || t < 0 || !(square > 0)) return false;
  double place[3];
  add(from, t, step, place);
  /* Dual vectors: b x n and n x a, over n^2. */
  double u = 0, v = 0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    u += place[i] * (b[j] * n[k] - b[k] * n[j]);
    v += place[i] * (n[j] * a[k] - n[k] * a[j]);
  }
  uv[0] = u / square;
  uv[1] = v / square;
  return true;
}
