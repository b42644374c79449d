/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The volume in the scene: which, how, where its surface is, and what of it is shown. */
#include "ui/scene/view-private.h"

gboolean gantry_scene_view_shows_solid(GantrySceneView *self) {
  return self->solid && self->how != CTGL_SOLID_NONE;
}

static void show(GantrySceneView *self) {
  gantry_scene_view_update_labels(self);
  gantry_scene_view_redraw(self);
  gantry_scene_view_emit_solid(self);
}

/* Another volume of about the same values keeps a threshold that was chosen by hand. */
void gantry_scene_view_set_solid(GantrySceneView *self, GantrySolid *solid) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  if (self->solid == solid) return;
  g_clear_pointer(&self->solid, gantry_solid_unref);
  self->solid_stale = TRUE;
  if (solid) {
    self->solid = gantry_solid_ref(solid);
    const double least = (double)solid->low_grey, most = (double)solid->high_grey,
                 now = gtk_adjustment_get_value(self->threshold);
    const gboolean kept = self->threshold_moved && now > least && now < most;
    self->threshold_moved = kept;
    self->setting = TRUE;
    gtk_adjustment_configure(self->threshold, kept ? now : (double)solid->threshold, least, most, (most - least) / 100,
                             (most - least) / 10, 0);
    self->setting = FALSE;
  }
  show(self);
}

void gantry_scene_view_show_solid(GantrySceneView *self, ctgl_solid how) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  self->how = how;
  show(self);
}

const GantrySolid *gantry_scene_view_get_solid(GantrySceneView *self) {
  return self->solid;
}

const char *gantry_scene_view_get_unit(GantrySceneView *self) {
  return gantry_display_get_units(self->display).value;
}

/* Threshold and clip box */

GtkAdjustment *gantry_scene_view_get_threshold(GantrySceneView *self) {
  return self->threshold;
}

GtkAdjustment *gantry_scene_view_get_clip(GantrySceneView *self, int axis, int end) {
  return self->clip[axis][end];
}

void gantry_scene_view_set_corner(GantrySceneView *self, gboolean corner) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  self->corner = corner;
  gantry_scene_view_stir(self);
  gantry_scene_view_redraw(self);
}

ctgl_solid_part gantry_scene_view_get_part(GantrySceneView *self) {
  ctgl_solid_part part = {.corner = self->corner};
  for (int axis = 0; axis < 3; axis++) {
    part.off_low[axis] = gtk_adjustment_get_value(self->clip[axis][0]) / 100;
    part.off_high[axis] = gtk_adjustment_get_value(self->clip[axis][1]) / 100;
  }
  gantry_display_get_cross(self->display, part.at);
  return part;
}

static void moved(GantrySceneView *self) {
  gantry_scene_view_stir(self);
  gantry_scene_view_redraw(self);
}

static void threshold_moved(GantrySceneView *self) {
  if (!self->setting) self->threshold_moved = TRUE;
  moved(self);
}

/* The opposite side follows, so that something of the volume is left. */
static void clip_moved(GtkAdjustment *adjustment, GantrySceneView *self) {
  static const double left = 2; /* percent */
  for (int axis = 0; axis < 3; axis++)
    for (int end = 0; end < 2; end++) {
      if (self->clip[axis][end] != adjustment) continue;
      const double room = 100 - left - gtk_adjustment_get_value(adjustment);
      GtkAdjustment *other = self->clip[axis][!end];
      if (gtk_adjustment_get_value(other) > room) gtk_adjustment_set_value(other, MAX(room, 0));
    }
  moved(self);
}

void gantry_scene_view_make_adjustments(GantrySceneView *self) {
  self->threshold = g_object_ref_sink(gtk_adjustment_new(0, 0, 0, 0, 0, 0));
  g_signal_connect_swapped(self->threshold, "value-changed", G_CALLBACK(threshold_moved), self);
  for (int axis = 0; axis < 3; axis++)
    for (int end = 0; end < 2; end++) {
      self->clip[axis][end] = g_object_ref_sink(gtk_adjustment_new(0, 0, 98, 1, 10, 0));
      g_signal_connect(self->clip[axis][end], "value-changed", G_CALLBACK(clip_moved), self);
    }
}

void gantry_scene_view_drop_adjustments(GantrySceneView *self) {
  if (self->threshold) g_signal_handlers_disconnect_by_data(self->threshold, self);
  g_clear_object(&self->threshold);
  for (int axis = 0; axis < 3; axis++)
    for (int end = 0; end < 2; end++) {
      if (self->clip[axis][end]) g_signal_handlers_disconnect_by_data(self->clip[axis][end], self);
      g_clear_object(&self->clip[axis][end]);
    }
}
