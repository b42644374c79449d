/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oblique plane in the slice views: its trace as a line with two handles on the orthogonal ones, and the place of
 * the crosshair in its own picture. */
#include "ui/slice-view/view-private.h"

#include <math.h>

/* Part of the smaller side at which the handles lie from the crosshair; logical pixels. */
static const double handle_part = 0.36, grip = 9;

gboolean gantry_slice_view_trace(GantrySliceView *self, ctgl_point *at, ctgl_point *direction, double *reach) {
  GantryPose pose;
  double along[2];
  if (self->kind > GANTRY_VIEW_SAGITTAL || gantry_display_get_flat(self->display) ||
      !gantry_display_get_oblique(self->display, &pose) || !gantry_pose_trace(&pose, self->kind, along))
    return FALSE;
  *at = gantry_slice_view_get_cross(self);
  *direction = (ctgl_point){along[0], along[1]};
  *reach = handle_part * MIN(self->camera.width, self->camera.height) / self->camera.zoom;
  return TRUE;
}

GantryDrag gantry_slice_view_trace_at(GantrySliceView *self, double x, double y) {
  ctgl_point at, along;
  double reach;
  if (!gantry_slice_view_trace(self, &at, &along, &reach)) return GANTRY_DRAG_NONE;
  for (int side = -1; side <= 1; side += 2) {
    const ctgl_point handle = {at.x + side * reach * along.x, at.y + side * reach * along.y};
    const ctgl_point place = gantry_slice_view_to_widget(self, handle);
    if (hypot(x - place.x, y - place.y) <= grip) return GANTRY_DRAG_TRACE_TURN;
  }
  const ctgl_point centre = gantry_slice_view_to_widget(self, at);
  /* Rows run down on the widget. */
  const double beside = fabs((x - centre.x) * along.y + (y - centre.y) * along.x);
  return beside <= grip / 2 ? GANTRY_DRAG_TRACE : GANTRY_DRAG_NONE;
}

void gantry_slice_view_begin_trace(GantrySliceView *self) {
  gantry_display_get_oblique(self->display, &self->drag_pose);
  self->drag_cross = gantry_slice_view_get_cross(self);
}

void gantry_slice_view_drag_trace(GantrySliceView *self, ctgl_point here) {
  const ctgl_point cross = self->drag_cross, start = self->drag_world;
  double along[2];
  if (self->drag == GANTRY_DRAG_TRACE_TURN) {
    const double angle = atan2(here.y - cross.y, here.x - cross.x) - atan2(start.y - cross.y, start.x - cross.x);
    const GantryPose pose = gantry_pose_turned(&self->drag_pose, self->kind, angle);
    gantry_display_set_oblique(self->display, TRUE, &pose);
  } else if (gantry_pose_trace(&self->drag_pose, self->kind, along)) {
    /* Across the line: along it nothing would change. */
    const double moved = -(here.x - start.x) * along[1] + (here.y - start.y) * along[0];
    gantry_slice_view_set_cross(self, (ctgl_point){cross.x - moved * along[1], cross.y + moved * along[0]});
  }
}

ctgl_point gantry_slice_view_oblique_cross(GantrySliceView *self) {
  GantryPose pose;
  double cross[3], place[3];
  gantry_display_get_oblique(self->display, &pose);
  gantry_display_get_cross(self->display, cross);
  gantry_pose_from_world(&pose, cross, place);
  return (ctgl_point){place[0], place[1]};
}

void gantry_slice_view_set_oblique_cross(GantrySliceView *self, ctgl_point world) {
  GantryPose pose;
  double cross[3], place[3];
  gantry_display_get_oblique(self->display, &pose);
  gantry_display_get_cross(self->display, cross);
  gantry_pose_from_world(&pose, cross, place);
  place[0] = world.x;
  place[1] = world.y;
  gantry_pose_to_world(&pose, place, cross);
  gantry_display_set_cross(self->display, cross);
}

void gantry_slice_view_set_steered(GantrySliceView *self, gboolean steered) {
  if (self->steered == steered) return;
  self->steered = steered;
  gantry_slice_view_update_labels(self);
}

void gantry_slice_view_steer_oblique(GantrySliceView *self, double rotation, double tilt) {
  GantryPose pose;
  if (gantry_display_get_flat(self->display)) return;
  gantry_display_get_oblique(self->display, &pose);
  pose.rotation = remainder(pose.rotation + rotation * G_PI / 180, 2 * G_PI);
  pose.tilt = remainder(pose.tilt + tilt * G_PI / 180, 2 * G_PI);
  gantry_slice_view_set_steered(self, TRUE);
  gantry_display_set_oblique(self->display, TRUE, &pose);
}

char *gantry_slice_view_pose_text(GantrySliceView *self) {
  GantryPose pose;
  double cross[3], place[3];
  gantry_display_get_oblique(self->display, &pose);
  gantry_display_get_cross(self->display, cross);
  gantry_pose_from_world(&pose, cross, place);
  const double step = self->count > 1 ? fabs(self->last - self->first) / (self->count - 1) : 0.1;
  /* Coordinates have one decimal more than their pitch. */
  g_autofree char *tilt = gantry_coordinate_text(pose.tilt * 180 / G_PI, 1);
  g_autofree char *rotation = gantry_coordinate_text(pose.rotation * 180 / G_PI, 1);
  const char *unit;
  const double by = gantry_coordinate_factor(step, gantry_display_get_units(self->display).length, &unit);
  g_autofree char *distance = gantry_coordinate_text(by * place[2], by * step);
  return g_strdup_printf("Tilt %s°, rotation %s°, d = %s %s", tilt, rotation, distance, unit);
}
