/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tooltips give way to menus, pictures and plots. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* No button with a menu within the widget shows its tooltip while that menu is open, and nothing within it shows one
 * over a picture or a plot. Of what is there now; menus are left out. */
void gantry_tips_yield(GtkWidget *within);

/* Sets a tooltip, or none. GTK asks where the pointer is for each one that is set, and waits for the display server:
 * the same text again costs nothing here. */
void gantry_tips_set(GtkWidget *widget, const char *text);

/* A control's accessible name and its tooltip. GTK reads out what labels a control beside its name: so nothing else
 * labels it then. */
void gantry_tips_name(GtkWidget *widget, const char *name, const char *tip);
/* A button's label with the underlined letter of its mnemonic (gtk_button_new_with_mnemonic), which is no part of its
 * name. */
GtkWidget *gantry_tips_new_button(const char *mnemonic, const char *tip);
void gantry_tips_set_label(GtkButton *button, const char *mnemonic);
/* A row's control, which has a name of its own, is activated by the row. */
void gantry_tips_activate(GtkWidget *row, GtkWidget *control);

typedef enum {
  GANTRY_TIP_ANYWHERE, /* of a large widget, or of one that is in no window: at the pointer */
  GANTRY_TIP_BELOW,
  GANTRY_TIP_ABOVE,
  GANTRY_TIP_NOWHERE /* pictures on both sides */
} GantryTipPlace;
/* Where a tooltip of that text covers no picture. */
GantryTipPlace gantry_tips_find_place(GtkWidget *widget, const char *text);

G_END_DECLS
