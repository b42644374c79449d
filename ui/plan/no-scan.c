/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the side panel says in the place of the plan where volumes are open and no scan is. */
#include "ui/plan/panel-private.h"

static GtkWidget *make_label(const char *text, const char *css_class) {
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, css_class);
  return label;
}

GtkWidget *gantry_plan_panel_make_no_scan(void) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12), *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class(box, "card");
  gtk_widget_add_css_class(box, "no-scan");
  gtk_widget_set_valign(box, GTK_ALIGN_START);
  gtk_box_append(GTK_BOX(box), make_label("No scan is open", "heading"));
  gtk_box_append(GTK_BOX(box),
                 make_label("An opened volume can be looked at on any plane, measured by profiles, histogram and "
                            "statistics, and compared: a second one becomes B, further ones lie on the shelf (F7).",
                            "body"));
  gtk_box_append(GTK_BOX(box), make_label("Nothing can be reconstructed without a scan.", "dim-label"));
  gtk_box_append(GTK_BOX(buttons), gantry_plan_panel_make_button("Open Scan…", "win.open",
                                                                 "Open a scan to reconstruct; the volumes stay on the "
                                                                 "shelf"));
  gtk_box_append(GTK_BOX(buttons), gantry_plan_panel_make_button("Open Volume…", "win.open-volume",
                                                                 "Open another volume onto the shelf, to be compared"));
  gtk_box_append(GTK_BOX(box), buttons);
  gtk_widget_set_visible(box, FALSE);
  return box;
}
