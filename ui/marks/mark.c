/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks as values: their kinds, their handles, and their numbers by recon/metric. */
#include "ui/marks/mark.h"

#include <math.h>

static const struct {
  const char *id, *title;
  guint points;
} kinds[GANTRY_MARK_KINDS] = {
    [GANTRY_MARK_RECTANGLE] = {"rectangle", "Rectangle", 2},
    [GANTRY_MARK_ELLIPSE] = {"ellipse", "Ellipse", 2},
    [GANTRY_MARK_POLYGON] = {"polygon", "Free region", 0},
    [GANTRY_MARK_LINE] = {"line", "Distance", 2},
    [GANTRY_MARK_ANGLE] = {"angle", "Angle", 3},
    [GANTRY_MARK_POINT] = {"point", "Point", 1},
};

const char *gantry_mark_kind_id(GantryMarkKind kind) {
  return kinds[kind].id;
}

const char *gantry_mark_kind_title(GantryMarkKind kind) {
  return kinds[kind].title;
}

GantryMarkKind gantry_mark_kind_find(const char *id) {
  for (int kind = 0; kind < GANTRY_MARK_KINDS; kind++)
    if (g_strcmp0(kinds[kind].id, id) == 0) return (GantryMarkKind)kind;
  return GANTRY_MARK_KINDS;
}

guint gantry_mark_kind_points(GantryMarkKind kind) {
  return kinds[kind].points;
}

gboolean gantry_mark_is_region(const GantryMark *mark) {
  return mark->kind <= GANTRY_MARK_POLYGON;
}

GantryViewKind gantry_mark_view(const GantryMark *mark) {
  return mark->oblique ? GANTRY_VIEW_OBLIQUE : (GantryViewKind)mark->plane;
}

const char *gantry_mark_plane_id(const GantryMark *mark) {
  return mark->oblique ? "oblique" : ct_plane_id(mark->plane);
}

void gantry_mark_to_world(const GantryMark *mark, const double place[2], double point[3]) {
  static const int axes[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
  const double at[3] = {place[0], place[1], mark->position};
  if (mark->oblique)
    gantry_pose_to_world(&mark->pose, at, point);
  else
    for (int i = 0; i < 3; i++) point[axes[mark->plane][i]] = at[i];
}

GantryMark *gantry_mark_copy(const GantryMark *mark) {
  GantryMark *copy = g_memdup2(mark, sizeof *mark);
  copy->name = g_strdup(mark->name);
  copy->points = g_memdup2(mark->points, sizeof *mark->points * mark->count);
  return copy;
}

void gantry_mark_free(GantryMark *mark) {
  g_free(mark->name);
  g_free(mark->points);
  g_free(mark);
}

static gboolean is_box(const GantryMark *mark) {
  return mark->kind == GANTRY_MARK_RECTANGLE || mark->kind == GANTRY_MARK_ELLIPSE;
}

void gantry_mark_middle(const GantryMark *mark, double middle[2]) {
  middle[0] = middle[1] = 0;
  for (guint i = 0; i < mark->count; i++)
    for (int axis = 0; axis < 2; axis++) middle[axis] += mark->points[i][axis] / mark->count;
}

/* Handles */

guint gantry_mark_handles(const GantryMark *mark) {
  return is_box(mark) ? 4 : mark->count;
}

/* Corners of a box go round it: which of its two points gives x, and which y. */
static const guint corner_of_x[4] = {0, 1, 1, 0}, corner_of_y[4] = {0, 0, 1, 1};

void gantry_mark_handle(const GantryMark *mark, guint handle, double place[2]) {
  place[0] = mark->points[is_box(mark) ? corner_of_x[handle] : handle][0];
  place[1] = mark->points[is_box(mark) ? corner_of_y[handle] : handle][1];
}

void gantry_mark_shift(const GantryMark *mark, double dx, double dy, double (*points)[2]) {
  for (guint i = 0; i < mark->count; i++) {
    points[i][0] = mark->points[i][0] + dx;
    points[i][1] = mark->points[i][1] + dy;
  }
}

void gantry_mark_shift_handle(const GantryMark *mark, guint handle, double dx, double dy, double (*points)[2]) {
  gantry_mark_shift(mark, 0, 0, points);
  points[is_box(mark) ? corner_of_x[handle] : handle][0] += dx;
  points[is_box(mark) ? corner_of_y[handle] : handle][1] += dy;
}

/* Numbers */

double gantry_mark_length(const GantryMark *mark) {
  if (mark->kind != GANTRY_MARK_LINE) return NAN;
  return hypot(mark->points[1][0] - mark->points[0][0], mark->points[1][1] - mark->points[0][1]);
}

double gantry_mark_angle(const GantryMark *mark) {
  return mark->kind == GANTRY_MARK_ANGLE ? ct_angle_between(mark->points[0], mark->points[1], mark->points[2]) : NAN;
}

static bool measure_line(const GantryMark *mark, const ct_slice_image *image, GantryMarkNumbers *numbers,
                         ct_error **error) {
  const ct_measure_line line = {
      {mark->points[0][0], mark->points[0][1]}, {mark->points[1][0], mark->points[1][1]}, mark->thickness};
  ct_line_profile profile;
  if (!ct_line_profile_make(image, &line, &profile, error)) return false;
  numbers->widths = ct_line_widths_of(&profile);
  ct_line_profile_clear(&profile);
  return true;
}

static bool measure_point(const GantryMark *mark, const ct_slice_image *image, GantryMarkNumbers *numbers,
                          ct_error **error) {
  const double i = floor((mark->points[0][0] - image->left) / image->across + 0.5),
               j = floor((mark->points[0][1] - image->bottom) / image->up + 0.5);
  if (!(i >= 0 && i < image->width && j >= 0 && j < image->height))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "It lies beyond the slice.");
  numbers->value = (double)image->values[(gsize)j * (gsize)image->width + (gsize)i];
  return true;
}

ct_region gantry_mark_get_region(const GantryMark *mark) {
  static const ct_region_shape shapes[] = {CT_REGION_RECTANGLE, CT_REGION_ELLIPSE, CT_REGION_POLYGON};
  return (ct_region){shapes[mark->kind], mark->count, (const double(*)[2])mark->points};
}

void gantry_mark_measure(const GantryMark *mark, const ct_slice_image *image, GantryMarkNumbers *numbers) {
  ct_error *error = NULL;
  bool measured = true;
  numbers->serial = mark->serial;
  numbers->pitch = fmin(image->across, image->up);
  if (gantry_mark_is_region(mark)) {
    const ct_region region = gantry_mark_get_region(mark);
    measured = ct_region_measure(image, &region, &numbers->region, &error);
  } else if (mark->kind == GANTRY_MARK_LINE) {
    measured = measure_line(mark, image, numbers, &error);
  } else if (mark->kind == GANTRY_MARK_POINT) {
    measured = measure_point(mark, image, numbers, &error);
  }
  g_strlcpy(numbers->problem,
            measured ? ""
            : error  ? error->message
                     : "It cannot be measured.",
            sizeof numbers->problem);
  ct_error_clear(&error);
}

double gantry_mark_width(const GantryMarkNumbers *numbers, gboolean *is_edge) {
  *is_edge = !isfinite(numbers->widths.peak_width);
  return *is_edge ? numbers->widths.edge_width : numbers->widths.peak_width;
}
