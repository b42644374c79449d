/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/variants/figures.h"

#include "ui/check.h"
#include "ui/tips.h"

struct _GantryFiguresButton {
  GtkWidget parent_instance;
  GtkWidget *button, *paper, *list, *size, *make;
  GPtrArray *checks; /* borrowed */
  GArray *numbers;
};

G_DEFINE_FINAL_TYPE(GantryFiguresButton, gantry_figures_button, GTK_TYPE_WIDGET)

static void ticks_changed(GantryFiguresButton *self) {
  g_autofree int *chosen = gantry_figures_button_dup_chosen(self);
  gtk_widget_set_sensitive(self->make, chosen[0] != 0);
}

void gantry_figures_button_set(GantryFiguresButton *self, const char *paper, const GantryFigureChoice *figures,
                               gsize count) {
  gtk_label_set_text(GTK_LABEL(self->paper), paper);
  for (gsize i = 0; i < count; i++) {
    g_autofree char *label = g_strdup_printf("Figure %d: %s, %s", figures[i].number, figures[i].title,
                                             figures[i].phantom ? "of the phantom" : "of the open scan");
    GtkWidget *check = gantry_check_new();
    gtk_check_button_set_label(GTK_CHECK_BUTTON(check), label);
    gtk_check_button_set_active(GTK_CHECK_BUTTON(check), TRUE);
    g_signal_connect_swapped(check, "toggled", G_CALLBACK(ticks_changed), self);
    gtk_box_append(GTK_BOX(self->list), check);
    g_ptr_array_add(self->checks, check);
    g_array_append_val(self->numbers, figures[i].number);
  }
}

int *gantry_figures_button_dup_chosen(GantryFiguresButton *self) {
  int *chosen = g_new0(int, self->checks->len + 1);
  for (guint i = 0, n = 0; i < self->checks->len; i++)
    if (gtk_check_button_get_active(self->checks->pdata[i])) chosen[n++] = g_array_index(self->numbers, int, i);
  return chosen;
}

int gantry_figures_button_get_size(GantryFiguresButton *self) {
  return gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(self->size));
}

void gantry_figures_button_close(GantryFiguresButton *self) {
  gtk_menu_button_popdown(GTK_MENU_BUTTON(self->button));
}

/* Building */

static GtkWidget *make_size(GantryFiguresButton *self) {
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new("Voxels along the phantom");
  self->size = gtk_spin_button_new_with_range(64, 4096, 64);
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(self->size), 1024);
  gantry_tips_set(self->size, "The phantom's slice has so many voxels along each side, from as many detector "
                              "pixels, and π/2 times as many views. The paper has 1024. 64 to 4096.");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->size), GTK_ACCESSIBLE_PROPERTY_LABEL, "Voxels along the phantom",
                                 -1);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_box_append(GTK_BOX(row), label);
  gtk_box_append(GTK_BOX(row), self->size);
  return row;
}

static GtkWidget *make_content(GantryFiguresButton *self) {
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 10);
  gtk_widget_add_css_class(content, "figures-choice");
  self->paper = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(self->paper), 0);
  gtk_label_set_wrap(GTK_LABEL(self->paper), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(self->paper), 56);
  gtk_widget_add_css_class(self->paper, "dim-label");
  self->list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  self->make = gtk_button_new_with_label("Choose a Folder and Make Them…");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->make), "win.make-figures");
  gantry_tips_set(self->make, "Each figure is written as SVG, with its numbers as CSV beside it");
  gtk_widget_add_css_class(self->make, "suggested-action");
  gtk_box_append(GTK_BOX(content), self->paper);
  gtk_box_append(GTK_BOX(content), self->list);
  gtk_box_append(GTK_BOX(content), make_size(self));
  gtk_box_append(GTK_BOX(content), self->make);
  return content;
}

/* Life */

static void gantry_figures_button_dispose(GObject *object) {
  g_clear_pointer(&GANTRY_FIGURES_BUTTON(object)->button, gtk_widget_unparent);
  G_OBJECT_CLASS(gantry_figures_button_parent_class)->dispose(object);
}

static void gantry_figures_button_finalize(GObject *object) {
  GantryFiguresButton *self = GANTRY_FIGURES_BUTTON(object);
  g_ptr_array_unref(self->checks);
  g_array_unref(self->numbers);
  G_OBJECT_CLASS(gantry_figures_button_parent_class)->finalize(object);
}

static void gantry_figures_button_class_init(GantryFiguresButtonClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_figures_button_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_figures_button_finalize;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void gantry_figures_button_init(GantryFiguresButton *self) {
  self->checks = g_ptr_array_new();
  self->numbers = g_array_new(FALSE, FALSE, sizeof(int));
  self->button = gtk_menu_button_new();
  gtk_menu_button_set_label(GTK_MENU_BUTTON(self->button), "The Papers' Figures");
  gantry_tips_set(self->button, "Make figures of a paper again, on the phantom and on the open scan");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, "The Papers' Figures",
                                 -1);
  GtkWidget *popover = gtk_popover_new();
  gtk_popover_set_child(GTK_POPOVER(popover), make_content(self));
  gtk_menu_button_set_popover(GTK_MENU_BUTTON(self->button), popover);
  gtk_widget_set_parent(self->button, GTK_WIDGET(self));
}

GtkWidget *gantry_figures_button_new(void) {
  return g_object_new(GANTRY_TYPE_FIGURES_BUTTON, NULL);
}
