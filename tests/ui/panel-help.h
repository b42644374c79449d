/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A side panel of a made-up scan for its tests, whose edits are counted. */
#pragma once

#include "tests/ui/widgets.h"
#include "ui/plan/panel-private.h"

static char edited_key[64];
static int edits;

static inline void remember_edit(GantryPlanPanel *panel, const char *key, gpointer user) {
  g_strlcpy(edited_key, key ? key : "", sizeof edited_key);
  edits++;
}

static inline GantryPlanPanel *make_panel_of(ct_beam beam, unsigned known) {
  ct_geometry geometry;
  GantryPlanPanel *panel = g_object_ref_sink(GANTRY_PLAN_PANEL(gantry_plan_panel_new()));
  if (!ct_geometry_init(&geometry, beam, 140, 148, 361, NULL)) g_error("no memory");
  geometry.sod = 500, geometry.sdd = 800, geometry.du = geometry.dv = 0.4;
  ct_geometry_set_arc(&geometry, 0, 2 * G_PI / 361);
  const ct_scan_facts facts = {.geometry = geometry,
                               .known = known,
                               .values = CT_VALUES_COUNTS,
                               .path = "/x/pepper",
                               .format = "TIFF stack",
                               .bytes = 15000000};
  gantry_plan_panel_set_scan(panel, "pepper", &facts);
  ct_geometry_clear(&geometry);
  edits = 0, edited_key[0] = 0;
  g_signal_connect(panel, "plan-edited", G_CALLBACK(remember_edit), NULL);
  return panel;
}

static inline GantryPlanPanel *make_panel(void) {
  return make_panel_of(CT_BEAM_CONE, CT_KNOWN_DISTANCES | CT_KNOWN_BEAM | CT_KNOWN_ANGLES);
}

static inline GtkWidget *row_of(GantryPlanPanel *panel, const char *key) {
  for (guint i = 0; i < panel->rows->len; i++) {
    if (!strcmp(gantry_plan_row_get_param(panel->rows->pdata[i])->key, key)) return panel->rows->pdata[i];
  }
  return NULL;
}

static inline void type(GantryPlanPanel *panel, const char *key, const char *text) {
  GtkWidget *spin = find_widget(row_of(panel, key), GTK_TYPE_SPIN_BUTTON);
  gtk_editable_set_text(GTK_EDITABLE(spin), text);
  gtk_spin_button_update(GTK_SPIN_BUTTON(spin));
}

static inline const char *shown(GantryPlanPanel *panel, const char *key) {
  return gtk_editable_get_text(GTK_EDITABLE(find_widget(row_of(panel, key), GTK_TYPE_SPIN_BUTTON)));
}

/* The button with this label, shown. */
static inline GtkWidget *find_button(GtkWidget *root, const char *label) {
  if (GTK_IS_BUTTON(root) && gtk_button_get_label(GTK_BUTTON(root)) &&
      !strcmp(gtk_button_get_label(GTK_BUTTON(root)), label))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child; child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_button(child, label);
    if (found) return found;
  }
  return NULL;
}

static inline const char *placeholder(GtkWidget *spin) {
  return gtk_text_get_placeholder_text(GTK_TEXT(gtk_editable_get_delegate(GTK_EDITABLE(spin))));
}
