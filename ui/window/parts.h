/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the window's objects get at the widgets of its template: by id. The ids are listed in window.c. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* window: a GtkWidget; the child may be of any type. Borrowed, as long as the window is there. */
static inline gpointer gantry_window_part(gpointer window, const char *id) {
  return gtk_widget_get_template_child(window, G_OBJECT_TYPE(window), id);
}

G_END_DECLS
