/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without a reference there is A alone. */
#include "ui/window/sides.h"

#include "ui/window/parts.h"

struct _GantrySides {
  GActionMap *actions;
  GantryDisplay *display;
  GantryRefresh *refresh;
  GtkLabel *title_a, *title_b;
  GtkWidget *clear_reference, *modes, *swipe;
  GtkAdjustment *swipe_adjustment;
  gboolean has_reference;
};

static const char *const mode_ids[] = {"a", "b", "difference", "swipe"};

static void change_mode(GSimpleAction *action, GVariant *value, gpointer user) {
  GantrySides *self = user;
  for (int i = 0; i < 4; i++) {
    if (!g_str_equal(g_variant_get_string(value, NULL), mode_ids[i])) continue;
    gantry_display_set_mode(self->display, (ctgl_mode)i);
    gtk_widget_set_visible(self->swipe, i == CTGL_SHOW_SWIPE);
    gantry_refresh_queue(self->refresh);
    g_simple_action_set_state(action, value);
  }
}

static void swiped(GtkAdjustment *adjustment, GantrySides *self) {
  gantry_display_set_swipe(self->display, gtk_adjustment_get_value(adjustment));
}

GantrySides *gantry_sides_new(GtkWidget *window, GantryDisplay *display, GantryRefresh *refresh) {
  static const GActionEntry entries[] = {
      {.name = "mode", .parameter_type = "s", .state = "'a'", .change_state = change_mode}};
  GantrySides *self = g_new0(GantrySides, 1);
  self->actions = G_ACTION_MAP(window);
  self->display = g_object_ref(display);
  self->refresh = refresh;
  self->title_a = gantry_window_part(window, "title_a");
  self->title_b = gantry_window_part(window, "title_b");
  self->clear_reference = gantry_window_part(window, "clear_reference");
  self->modes = gantry_window_part(window, "modes");
  self->swipe = gantry_window_part(window, "swipe");
  self->swipe_adjustment = gantry_window_part(window, "swipe_adjustment");
  g_action_map_add_action_entries(self->actions, entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(self->swipe_adjustment, "value-changed", G_CALLBACK(swiped), self);
  return self;
}

void gantry_sides_free(GantrySides *self) {
  g_object_unref(self->display);
  g_free(self);
}

void gantry_sides_set_titles(GantrySides *self, const char *a, const char *b) {
  GAction *mode = g_action_map_lookup_action(self->actions, "mode");
  self->has_reference = b != NULL;
  gtk_label_set_text(self->title_a, a ? a : "nothing yet");
  gtk_label_set_text(self->title_b, b ? b : "no reference");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->title_a), a);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->title_b), b);
  if (b)
    gtk_widget_remove_css_class(GTK_WIDGET(self->title_b), "dim-label");
  else
    gtk_widget_add_css_class(GTK_WIDGET(self->title_b), "dim-label");
  gtk_widget_set_visible(self->clear_reference, b != NULL);
  gtk_widget_set_visible(self->modes, b != NULL);
  if (!b) g_action_change_state(mode, g_variant_new_string("a"));
  g_simple_action_set_enabled(G_SIMPLE_ACTION(mode), b != NULL);
  gantry_refresh_queue(self->refresh);
}

gboolean gantry_sides_have_reference(GantrySides *self) {
  return self->has_reference;
}

void gantry_sides_update(GantrySides *self) {
  gtk_adjustment_set_value(self->swipe_adjustment, gantry_display_get_swipe(self->display));
}
