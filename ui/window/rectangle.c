/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangle of unattenuated rays between the side panel, which has its numbers, and the projection, on which it is
 * drawn, and whose light tells whether it is free of object. */
#include "ui/free-beam.h"
#include "ui/window/window-private.h"

void gantry_window_judge_rectangle(GantryWindow *self) {
  const GantryImage *image = gantry_slice_view_get_image(self->view[GANTRY_VIEW_PROJECTION], CTGL_SLOT_A);
  int rectangle[4];
  double evenness;
  if (!image || self->sinogram || !gantry_plan_panel_get_rectangle(self->panel, rectangle)) return;
  const double share = gantry_free_beam_share(image, rectangle, &evenness);
  gantry_plan_panel_set_free_beam(self->panel, share, evenness);
}

void gantry_window_show_rectangle(GantryWindow *self) {
  GAction *draw = g_action_map_lookup_action(G_ACTION_MAP(self), "draw-rectangle");
  int rectangle[4];
  const gboolean used = gantry_plan_panel_get_rectangle(self->panel, rectangle);
  gantry_slice_view_set_rectangle(self->view[GANTRY_VIEW_PROJECTION], used && !self->sinogram ? rectangle : NULL);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(draw), gantry_plan_panel_takes_rectangle(self->panel));
  gantry_window_judge_rectangle(self);
}

static void draw_rectangle(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  g_action_group_change_action_state(G_ACTION_GROUP(self), "fourth", g_variant_new_string("projection"));
  if (self->maximised != GANTRY_VIEW_PROJECTION) gantry_window_maximise(self, GANTRY_VIEWS);
  gantry_slice_view_start_rectangle(self->view[GANTRY_VIEW_PROJECTION]);
}

static void drawn(GantrySliceView *view, int column, int row, int width, int height, GantryWindow *self) {
  gantry_plan_panel_set_rectangle(self->panel, (const int[]){column, row, width, height});
}

void gantry_window_make_rectangle(GantryWindow *self) {
  static const GActionEntry entries[] = {{.name = "draw-rectangle", .activate = draw_rectangle}};
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(self->view[GANTRY_VIEW_PROJECTION], "rectangle-drawn", G_CALLBACK(drawn), self);
  g_signal_connect_swapped(self->panel, "rectangle-changed", G_CALLBACK(gantry_window_show_rectangle), self);
  gantry_window_show_rectangle(self);
}
