/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in the list of the convergence page: colour, name, state, value, and the button that removes it. */
#include "ui/convergence-private.h"

#include "ui/tips.h"

static gboolean is_named(GantryConvergencePage *self, const char *name) {
  for (guint i = 0; i < self->runs->len; i++)
    if (g_str_equal(((Run *)self->runs->pdata[i])->name, name)) return TRUE;
  return FALSE;
}

char *gantry_convergence_unused_name(GantryConvergencePage *self, const char *name) {
  char *unused = g_strdup(name);
  for (int n = 2; is_named(self, unused); n++) {
    g_free(unused);
    unused = g_strdup_printf("%s (%d)", name, n);
  }
  return unused;
}

char *gantry_convergence_title(const Run *run) {
  return g_strconcat(run->name, run->cancelled ? " (cancelled)" : NULL, NULL);
}

static GtkWidget *make_remove_button(const Run *run) {
  GtkWidget *button = gtk_button_new_from_icon_name("window-close-symbolic");
  g_autofree char *text = g_strdup_printf("Remove the curve %s", run->name);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "circular");
  gtk_widget_add_css_class(button, "tiny");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gantry_tips_set(button, text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_object_set_data(G_OBJECT(button), "run", GUINT_TO_POINTER(run->number));
  return button;
}

GtkWidget *gantry_convergence_make_row(GantryConvergencePage *self, Run *run) {
  GtkWidget *name = gtk_label_new(run->name), *button = make_remove_button(run);
  run->row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  run->mark = gtk_label_new("cancelled");
  run->value = gtk_label_new("—");
  gtk_label_set_xalign(GTK_LABEL(name), 0);
  gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(name, TRUE);
  gtk_widget_add_css_class(run->mark, "caption");
  gtk_widget_add_css_class(run->mark, "dim-label");
  gtk_widget_set_visible(run->mark, FALSE);
  gtk_label_set_xalign(GTK_LABEL(run->value), 1);
  gtk_widget_add_css_class(run->value, "numeric");
  gantry_tips_set(run->row, run->recipe);
  g_autofree char *what = g_strdup_printf("Value of %s", run->name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(run->value), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, what, -1);
  gtk_box_append(GTK_BOX(run->row), gantry_plot_swatch_new(run->curve));
  gtk_box_append(GTK_BOX(run->row), name);
  gtk_box_append(GTK_BOX(run->row), run->mark);
  gtk_box_append(GTK_BOX(run->row), run->value);
  gtk_box_append(GTK_BOX(run->row), button);
  /* The newest on top: that is the one that is looked at. */
  gtk_box_prepend(GTK_BOX(self->list), run->row);
  gtk_widget_set_visible(self->scrolled, TRUE);
  return button;
}
