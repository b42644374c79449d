/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page with nothing on it makes room for the run that one wants to watch. */
#include "ui/window/runs.h"

#include "ui/tips.h"
#include "ui/window/parts.h"
#include "ui/window/plot-saving.h"

struct _GantryRuns {
  GtkWidget *window;
  GantryDisplay *display;
  GantryPlots *plots;
  GantryMessages *messages;
  GantryConvergencePage *page;
  GtkWidget *continue_button, *continue_for;
  GtkPopover *continue_popover;
  GtkSpinButton *continue_spin;
};

static void changed(GantryConvergencePage *page, GantryRuns *self) {
  static const char *const names[] = {"clear-convergence", "copy-convergence", "save-convergence"};
  const gboolean there = gantry_convergence_page_has_points(page);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), names[i]);
    if (action) g_simple_action_set_enabled(G_SIMPLE_ACTION(action), there);
  }
}

/* Commands */

static void show_page(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryRuns *self = user;
  gantry_plots_show(self->plots, "convergence");
  gtk_widget_grab_focus(GTK_WIDGET(gantry_convergence_page_get_plot(self->page)));
}

static void clear_curves(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_convergence_page_clear(((GantryRuns *)user)->page);
}

static char *table(gpointer page) {
  return gantry_convergence_page_to_csv(page);
}

static GantryPlotSource source_of(GantryRuns *self) {
  return (GantryPlotSource){.name = "convergence",
                            .plot = gantry_convergence_page_get_plot(self->page),
                            .to_csv = table,
                            .source = self->page};
}

static void copy_curves(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryRuns *self = user;
  const GantryPlotSource source = source_of(self);
  gantry_plot_source_copy(&source, self->messages);
}

static void save_curves(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryRuns *self = user;
  const GantryPlotSource source = source_of(self);
  gantry_plot_source_save(&source, GTK_WINDOW(self->window), self->messages);
}

static void continue_clicked(GtkButton *button, GantryRuns *self) {
  gtk_spin_button_update(self->continue_spin);
  gtk_popover_popdown(self->continue_popover);
  gtk_widget_activate_action(self->window, "win.continue-for", "i",
                             gtk_spin_button_get_value_as_int(self->continue_spin));
}

GantryRuns *gantry_runs_new(GtkWidget *window, GantryDisplay *display, GantryPlots *plots, GantryMessages *messages) {
  static const GActionEntry entries[] = {
      {.name = "show-convergence", .activate = show_page},
      {.name = "clear-convergence", .activate = clear_curves},
      {.name = "copy-convergence", .activate = copy_curves},
      {.name = "save-convergence", .activate = save_curves},
  };
  GantryRuns *self = g_new0(GantryRuns, 1);
  self->window = window;
  self->display = g_object_ref(display);
  self->plots = plots;
  self->messages = messages;
  self->continue_button = gantry_window_part(window, "continue_button");
  self->continue_for = gantry_window_part(window, "continue_for");
  self->continue_popover = gantry_window_part(window, "continue_popover");
  self->continue_spin = gantry_window_part(window, "continue_spin");
  self->page = GANTRY_CONVERGENCE_PAGE(gantry_convergence_page_new());
  gantry_plots_add(plots, GTK_WIDGET(self->page), "convergence", "Convergence");
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(self->page, "changed", G_CALLBACK(changed), self);
  g_signal_connect(self->continue_for, "clicked", G_CALLBACK(continue_clicked), self);
  gtk_text_set_activates_default(GTK_TEXT(gtk_editable_get_delegate(GTK_EDITABLE(self->continue_spin))), TRUE);
  gtk_popover_set_default_widget(self->continue_popover, self->continue_for);
  changed(self->page, self);
  gantry_runs_set_continue(self, 0);
  return self;
}

void gantry_runs_free(GantryRuns *self) {
  g_object_unref(self->display);
  g_free(self);
}

static gboolean page_is_empty(GantryRuns *self) {
  ctgl_point from, to;
  return gantry_plots_is_chosen(self->plots, "profile") &&
         gantry_display_get_profile(self->display, &from, &to) == GANTRY_VIEWS;
}

guint gantry_runs_add(GantryRuns *self, const char *name, const char *recipe) {
  if (page_is_empty(self)) gantry_plots_choose(self->plots, "convergence");
  return gantry_convergence_page_add(self->page, name, recipe);
}

GantryConvergencePage *gantry_runs_get_page(GantryRuns *self) {
  return self->page;
}

void gantry_runs_set_continue(GantryRuns *self, int iterations) {
  g_autofree char *tip = iterations > 0 ? g_strdup_printf("Go on with this run for %d more %s (Ctrl+Shift+Return)",
                                                          iterations, iterations == 1 ? "iteration" : "iterations")
                                        : g_strdup("Goes on with an iterative run that has ended (Ctrl+Shift+Return)");
  gantry_tips_set(self->continue_button, tip);
  gtk_widget_set_sensitive(self->continue_button, iterations > 0);
  if (iterations > 0) gtk_spin_button_set_value(self->continue_spin, iterations);
}
