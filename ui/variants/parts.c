/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/variants/parts.h"

#include "ui/tips.h"

GtkWidget *gantry_variants_make_button(const char *label, const char *action, const char *tip) {
  GtkWidget *button = gtk_button_new_with_label(label);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gantry_tips_set(button, tip);
  return button;
}

GtkWidget *gantry_variants_make_heading(const char *text) {
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, "heading");
  return label;
}

GtkWidget *gantry_variants_make_row(const char *title, GtkWidget *control, const char *tip) {
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new(title);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_width_chars(GTK_LABEL(label), 12);
  gtk_widget_set_hexpand(control, TRUE);
  gantry_tips_set(control, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_box_append(GTK_BOX(row), label);
  gtk_box_append(GTK_BOX(row), control);
  return row;
}

/* On two lines where one is too short. */
GtkWidget *gantry_variants_make_commands(void) {
  static const char *const commands[][3] = {
      {"Show as A", "win.variant-show", "Show the chosen variant in the views; it lands on the shelf"},
      {"Make Reference B", "win.variant-reference", "Compare what the views show with the chosen variant"},
      {"Put on the Shelf", "win.variant-shelf", "Keep the chosen variant among the results"},
      {"Use Its Values", "win.variant-values", "Take the values of the chosen variant into the plan"},
      {"Save Table…", "win.save-variants", "As CSV, JSON or Markdown"},
      {"Save Picture…", "win.save-variants-picture", "As SVG, PNG or PDF"},
  };
  GtkWidget *box = gtk_flow_box_new();
  gtk_widget_add_css_class(box, "variants-commands");
  gtk_flow_box_set_selection_mode(GTK_FLOW_BOX(box), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(box), G_N_ELEMENTS(commands));
  gtk_flow_box_set_column_spacing(GTK_FLOW_BOX(box), 6);
  gtk_flow_box_set_row_spacing(GTK_FLOW_BOX(box), 6);
  for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
    GtkWidget *child = gtk_flow_box_child_new();
    gtk_widget_set_focusable(child, FALSE);
    gtk_flow_box_child_set_child(GTK_FLOW_BOX_CHILD(child),
                                 gantry_variants_make_button(commands[i][0], commands[i][1], commands[i][2]));
    gtk_flow_box_append(GTK_FLOW_BOX(box), child);
  }
  return box;
}
