/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of curves of iterative runs, its commands, and the button that goes on with a run. */
#include "ui/window/window-private.h"

static void changed(GantryConvergencePage *page, GantryWindow *self) {
  static const char *const names[] = {"clear-convergence", "copy-convergence", "save-convergence"};
  const gboolean there = gantry_convergence_page_has_points(page);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self), names[i]);
    if (action) g_simple_action_set_enabled(G_SIMPLE_ACTION(action), there);
  }
}

static void show_page(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  gtk_widget_set_visible(self->plots, TRUE);
  gtk_stack_set_visible_child_name(self->plot_pages, "convergence");
  gtk_widget_grab_focus(GTK_WIDGET(gantry_convergence_page_get_plot(self->convergence)));
}

static void clear_curves(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_convergence_page_clear(GANTRY_WINDOW(user)->convergence);
}

static char *table(gpointer page) {
  return gantry_convergence_page_to_csv(page);
}

static void copy_curves(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  g_autofree char *csv = gantry_convergence_page_to_csv(self->convergence);
  gantry_window_copy_table(self, "convergence", csv);
}

static void save_curves(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  gantry_window_save_plot(self, "convergence", gantry_convergence_page_get_plot(self->convergence), table,
                          self->convergence);
}

static void continue_clicked(GtkButton *button, GantryWindow *self) {
  GtkSpinButton *spin = GTK_SPIN_BUTTON(self->continue_spin);
  gtk_spin_button_update(spin);
  gtk_popover_popdown(GTK_POPOVER(self->continue_popover));
  gtk_widget_activate_action(GTK_WIDGET(self), "win.continue-for", "i", gtk_spin_button_get_value_as_int(spin));
}

void gantry_window_make_convergence(GantryWindow *self) {
  static const GActionEntry entries[] = {
      {.name = "show-convergence", .activate = show_page},
      {.name = "clear-convergence", .activate = clear_curves},
      {.name = "copy-convergence", .activate = copy_curves},
      {.name = "save-convergence", .activate = save_curves},
  };
  self->convergence = GANTRY_CONVERGENCE_PAGE(gantry_convergence_page_new());
  gtk_stack_add_titled(self->plot_pages, GTK_WIDGET(self->convergence), "convergence", "Convergence");
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(self->convergence, "changed", G_CALLBACK(changed), self);
  g_signal_connect(self->continue_for, "clicked", G_CALLBACK(continue_clicked), self);
  gtk_text_set_activates_default(GTK_TEXT(gtk_editable_get_delegate(GTK_EDITABLE(self->continue_spin))), TRUE);
  gtk_popover_set_default_widget(GTK_POPOVER(self->continue_popover), self->continue_for);
  changed(self->convergence, self);
  gantry_window_set_continue(self, 0);
}

/* A page with nothing on it makes way for the run that one wants to watch. */
static gboolean shows_nothing(GantryWindow *self) {
  ctgl_point from, to;
  return g_strcmp0(gtk_stack_get_visible_child_name(self->plot_pages), "profile") == 0 &&
         gantry_display_get_profile(self->display, &from, &to) == GANTRY_VIEWS;
}

guint gantry_window_add_run(GantryWindow *self, const char *name, const char *recipe) {
  if (shows_nothing(self)) gtk_stack_set_visible_child_name(self->plot_pages, "convergence");
  return gantry_convergence_page_add(self->convergence, name, recipe);
}

void gantry_window_set_run(GantryWindow *self, guint run, const ct_iteration *points, gsize count, int planned) {
  gantry_convergence_page_set_points(self->convergence, run, points, count, planned);
}

void gantry_window_mark_run_cancelled(GantryWindow *self, guint run) {
  gantry_convergence_page_mark_cancelled(self->convergence, run);
}

gboolean gantry_window_has_run(GantryWindow *self, guint run) {
  return gantry_convergence_page_has_run(self->convergence, run);
}

void gantry_window_remove_run(GantryWindow *self, guint run) {
  gantry_convergence_page_remove(self->convergence, run);
}

void gantry_window_clear_runs(GantryWindow *self) {
  gantry_convergence_page_clear(self->convergence);
}

void gantry_window_set_continue(GantryWindow *self, int iterations) {
  g_autofree char *tip = iterations > 0 ? g_strdup_printf("Go on with this run for %d more %s (Ctrl+Shift+Return)",
                                                          iterations, iterations == 1 ? "iteration" : "iterations")
                                        : g_strdup("Goes on with an iterative run that has ended (Ctrl+Shift+Return)");
  gtk_widget_set_tooltip_text(self->continue_button, tip);
  gtk_widget_set_sensitive(self->continue_button, iterations > 0);
  if (iterations > 0) gtk_spin_button_set_value(GTK_SPIN_BUTTON(self->continue_spin), iterations);
}
