/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The button that says what the fourth view is, with the menu of what it can be: action win.fourth. It stands in the
 * row below the picture, of which it covers nothing. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* kind: as the action's state. */
GtkWidget *gantry_fourth_button_new(const char *kind);
void gantry_fourth_button_set_kind(GtkWidget *button, const char *kind);

G_END_DECLS
