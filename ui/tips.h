/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tooltips give way to menus. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* No button with a menu within the widget shows its tooltip while that menu is open. */
void gantry_tips_yield(GtkWidget *within);

G_END_DECLS
