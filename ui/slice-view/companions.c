/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of one plane side by side: the leader hands on what it is told, and each hands on how it is zoomed. The slider
 * below a companion has its room, so that the pictures are of one height, but is not there for anybody. */
#include "ui/slice-view/view-private.h"

GantrySliceView *gantry_slice_view_speaker(GantrySliceView *self) {
  return self->leader ? self->leader : self;
}

static void take_camera(GantrySliceView *self, const GantrySliceView *from) {
  if (self == from) return;
  self->fitted = from->fitted;
  self->camera.centre_x = from->camera.centre_x;
  self->camera.centre_y = from->camera.centre_y;
  self->camera.zoom = from->camera.zoom;
  gantry_slice_view_update_camera(self);
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

void gantry_slice_view_share_camera(GantrySliceView *self) {
  GantrySliceView *leader = gantry_slice_view_speaker(self);
  take_camera(leader, self);
  for (int i = 0; i < GANTRY_COMPANIONS; i++)
    if (leader->companions[i]) take_camera(leader->companions[i], self);
}

static void leave(GantrySliceView *self) {
  GantrySliceView *leader = self->leader;
  for (int i = 0; leader && i < GANTRY_COMPANIONS; i++)
    if (leader->companions[i] == self) leader->companions[i] = NULL;
  self->leader = NULL;
}

static void hide_row(GantrySliceView *self) {
  gtk_widget_set_opacity(self->row, 0);
  gtk_widget_set_can_target(self->row, FALSE);
  gtk_widget_set_can_focus(self->row, FALSE);
  gtk_accessible_update_state(GTK_ACCESSIBLE(self->row), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
}

void gantry_slice_view_follow(GantrySliceView *self, GantrySliceView *leader) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self) && self != leader);
  leave(self);
  if (!leader) return;
  int place = 0;
  while (place < GANTRY_COMPANIONS && leader->companions[place]) place++;
  g_return_if_fail(place < GANTRY_COMPANIONS && self->kind == leader->kind);
  leader->companions[place] = self;
  self->leader = leader;
  hide_row(self);
  gantry_slice_view_set_range(self, leader->count, (int)gtk_adjustment_get_value(leader->slice), leader->first,
                              leader->last, leader->unit);
  gantry_slice_view_set_empty_text(self, leader->empty_text);
  gantry_slice_view_set_instead(self, leader->instead);
  gantry_slice_view_set_outdated(self, leader->outdated);
  for (int slot = 0; slot < CTGL_SLOTS; slot++)
    gantry_slice_view_set_image(self, (ctgl_slot)slot, leader->images[slot]);
  take_camera(self, leader);
}
