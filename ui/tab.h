/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tab and Shift+Tab go through every control of a window, in the order of the tree, and round. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* FALSE: the keyboard is elsewhere (in a menu that is open), or nothing can have it. */
gboolean gantry_tab_move(GtkWindow *window, gboolean back);

/* Gives the first of the controls the keyboard; it stays where it is if none can have it. Where one of them has it, as
 * a stack gives it to a page that comes up, GTK would move on from there. */
void gantry_tab_begin(GtkWidget *controls);

/* Where a page comes up before what it shows, its first controls cannot have the keyboard yet: from the page's own,
 * where it is meanwhile, it goes to them. */
void gantry_tab_enter(GtkWidget *page, GtkWidget *controls);

/* Bars between two parts of a window keep Tab for themselves: here it goes on from them, too. */
void gantry_tab_connect(GtkWindow *window);

G_END_DECLS
