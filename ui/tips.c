/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pointer still lies on the button when its menu is open: the tooltip would come up over it. */
#include "ui/tips.h"

static void menu_opens(GtkWidget *popover, GtkWidget *button) {
  gtk_widget_set_has_tooltip(button, FALSE);
}

static void menu_closes(GtkWidget *popover, GtkWidget *button) {
  gtk_widget_set_has_tooltip(button, gtk_widget_get_tooltip_text(button) != NULL);
}

void gantry_tips_yield(GtkWidget *within) {
  GtkPopover *popover = GTK_IS_MENU_BUTTON(within) ? gtk_menu_button_get_popover(GTK_MENU_BUTTON(within)) : NULL;
  if (popover) {
    g_signal_connect_object(popover, "show", G_CALLBACK(menu_opens), within, 0);
    g_signal_connect_object(popover, "hide", G_CALLBACK(menu_closes), within, 0);
  }
  for (GtkWidget *child = gtk_widget_get_first_child(within); child; child = gtk_widget_get_next_sibling(child))
    if (!GTK_IS_POPOVER(child)) gantry_tips_yield(child);
}
