/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of the fourth view: one table for the button's words and its menu. */
#include "ui/fourth-button.h"

#include "ui/tips.h"

/* Of projection and sinogram. */
static const struct {
  const char *action, *item;
} values[] = {{"win.projection-values::integrals", "_Line Integrals"},
              {"win.projection-values::stored", "Values as S_tored"},
              {"win.projection-values::filtered", "_Filtered Projections"},
              {"win.projection-values::weighted", "Weighted Line Inte_grals"},
              {"win.projection-values::weights", "Redundancy _Weights"}};

static const struct {
  const char *id, *title, *item;
} kinds[] = {{"projection", "Projection", "_Projection"},
             {"sinogram", "Sinogram", "S_inogram"},
             {"oblique", "Oblique", "_Oblique Plane"},
             {"scene", "Scene", "Sc_ene"}};

void gantry_fourth_button_set_kind(GtkWidget *button, const char *kind) {
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (g_str_equal(kinds[i].id, kind)) gtk_menu_button_set_label(GTK_MENU_BUTTON(button), kinds[i].title);
}

GtkWidget *gantry_fourth_button_new(const char *kind) {
  g_autoptr(GMenu) menu = g_menu_new();
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
    g_autofree char *action = g_strconcat("win.fourth::", kinds[i].id, NULL);
    g_menu_append(menu, kinds[i].item, action);
  }
  g_autoptr(GMenu) section = g_menu_new();
  for (gsize i = 0; i < G_N_ELEMENTS(values); i++) g_menu_append(section, values[i].item, values[i].action);
  g_menu_append_section(menu, "Projection and sinogram show", G_MENU_MODEL(section));
  g_autoptr(GMenu) beside = g_menu_new();
  g_menu_append(beside, "_Arc and Weights beside Sinogram", "win.show-arc");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(beside));
  GtkWidget *button = gtk_menu_button_new();
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button), GTK_ARROW_UP);
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
  gtk_widget_add_css_class(button, "fourth-button");
  gtk_widget_add_css_class(button, "flat");
  gantry_tips_set(button, "What the fourth view shows: projection, sinogram, oblique plane, scene (Alt+P, "
                          "Alt+I, Alt+O, Alt+E)");
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Kind of the fourth view", -1);
  gantry_fourth_button_set_kind(button, kind);
  return button;
}
