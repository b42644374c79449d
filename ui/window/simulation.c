/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sliders of the dialog, beside the pictures. */
#include "ui/window/simulation.h"

#include "ui/simulation/sliders.h"
#include "ui/tab.h"

#define PAGE "simulation"

struct _GantrySimulationPart {
  GtkWidget *window;
  GantryPlots *plots;
  GantrySliders *sliders;
  ct_simulation simulation;
  void (*changed)(gpointer user, const ct_simulation *simulation);
  gpointer user;
};

static void moved(GantrySimulationPart *self) {
  gantry_sliders_read(self->sliders, &self->simulation);
  self->changed(self->user, &self->simulation);
}

static void show_page(GSimpleAction *action, GVariant *value, gpointer user) {
  GantrySimulationPart *self = user;
  gantry_plots_show(self->plots, PAGE);
  gantry_tab_begin(GTK_WIDGET(self->sliders));
}

void gantry_simulation_part_set(GantrySimulationPart *self, const ct_simulation *simulation) {
  gantry_plots_set_present(self->plots, PAGE, simulation != NULL);
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), "show-simulation");
  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), simulation != NULL);
  if (!simulation) return;
  self->simulation = *simulation;
  gantry_sliders_show(self->sliders, simulation);
  gantry_sliders_suit(self->sliders, simulation->beam, simulation->object == NULL);
}

GantrySimulationPart *gantry_simulation_part_new(GtkWidget *window, GantryPlots *plots,
                                                 void (*changed)(gpointer user, const ct_simulation *simulation),
                                                 gpointer user) {
  static const GActionEntry entries[] = {{.name = "show-simulation", .activate = show_page}};
  GantrySimulationPart *self = g_new0(GantrySimulationPart, 1);
  GtkWidget *scrolled = gtk_scrolled_window_new(), *sliders = gantry_sliders_new(3, TRUE);
  self->window = window;
  self->plots = plots;
  self->sliders = GANTRY_SLIDERS(sliders);
  self->changed = changed;
  self->user = user;
  ct_simulation_init(&self->simulation);
  gantry_sliders_add(self->sliders, G_MAXUINT, &self->simulation);
  gtk_widget_set_valign(sliders, GTK_ALIGN_START);
  gtk_widget_add_css_class(sliders, "sliders");
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), sliders);
  gantry_plots_add_alone(plots, scrolled, PAGE, "Simulation");
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect_swapped(sliders, "changed", G_CALLBACK(moved), self);
  gantry_simulation_part_set(self, NULL);
  return self;
}

void gantry_simulation_part_free(GantrySimulationPart *self) {
  g_free(self);
}
