/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel is told what is drawn and how much light arrives there; it tells when the rectangle is to be shown. */
#include "ui/window/rectangle.h"

#include "ui/free-beam.h"

struct _GantryRectangle {
  GtkWidget *window;
  GantryPlanPanel *panel;
  GantryQuad *quad;
  gboolean sinogram;
};

void gantry_rectangle_judge(GantryRectangle *self) {
  const GantryImage *image = gantry_quad_get_image(self->quad, GANTRY_VIEW_PROJECTION, CTGL_SLOT_A);
  int rectangle[4];
  double evenness;
  if (!image || self->sinogram || !gantry_plan_panel_get_rectangle(self->panel, rectangle)) return;
  const double share = gantry_free_beam_share(image, rectangle, &evenness);
  gantry_plan_panel_set_free_beam(self->panel, share, evenness);
}

static void show(GantryRectangle *self) {
  GAction *draw = g_action_map_lookup_action(G_ACTION_MAP(self->window), "draw-rectangle");
  int rectangle[4];
  const gboolean used = gantry_plan_panel_get_rectangle(self->panel, rectangle);
  gantry_slice_view_set_rectangle(gantry_quad_get_view(self->quad, GANTRY_VIEW_PROJECTION),
                                  used && !self->sinogram ? rectangle : NULL);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(draw), gantry_plan_panel_takes_rectangle(self->panel));
  gantry_rectangle_judge(self);
}

void gantry_rectangle_set_sinogram(GantryRectangle *self, gboolean sinogram) {
  self->sinogram = sinogram;
  show(self);
}

static void draw(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryRectangle *self = user;
  g_action_group_change_action_state(G_ACTION_GROUP(self->window), "fourth", g_variant_new_string("projection"));
  if (gantry_quad_get_maximised(self->quad) != GANTRY_VIEW_PROJECTION) gantry_quad_maximise(self->quad, GANTRY_VIEWS);
  gantry_slice_view_start_rectangle(gantry_quad_get_view(self->quad, GANTRY_VIEW_PROJECTION));
}

static void drawn(GantrySliceView *view, int column, int row, int width, int height, GantryRectangle *self) {
  gantry_plan_panel_set_rectangle(self->panel, (const int[]){column, row, width, height});
}

GantryRectangle *gantry_rectangle_new(GtkWidget *window, GantryPlanPanel *panel, GantryQuad *quad) {
  static const GActionEntry entries[] = {{.name = "draw-rectangle", .activate = draw}};
  GantryRectangle *self = g_new0(GantryRectangle, 1);
  self->window = window;
  self->panel = panel;
  self->quad = quad;
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(gantry_quad_get_view(quad, GANTRY_VIEW_PROJECTION), "rectangle-drawn", G_CALLBACK(drawn), self);
  g_signal_connect_swapped(panel, "rectangle-changed", G_CALLBACK(show), self);
  show(self);
  return self;
}

void gantry_rectangle_free(GantryRectangle *self) {
  g_free(self);
}
