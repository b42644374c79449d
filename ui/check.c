/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/check.h"

struct _GantryCheck {
  GtkCheckButton parent_instance;
};

G_DEFINE_FINAL_TYPE(GantryCheck, gantry_check, GTK_TYPE_CHECK_BUTTON)

static void toggle(GtkWidget *widget, const char *action, GVariant *parameter) {
  GtkCheckButton *check = GTK_CHECK_BUTTON(widget);
  gtk_check_button_set_active(check, !gtk_check_button_get_active(check));
}

static void gantry_check_class_init(GantryCheckClass *class) {
  gtk_widget_class_install_action(GTK_WIDGET_CLASS(class), "check.toggle", NULL, toggle);
}

static void gantry_check_init(GantryCheck *self) {}

GtkWidget *gantry_check_new(void) {
  return g_object_new(GANTRY_TYPE_CHECK, NULL);
}
