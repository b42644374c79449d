/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of all commands of the window. Owns nothing: they are the application's. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void gantry_accels_set(GtkApplication *application);
/* Ctrl+1 to Ctrl+5 open recent scans. */
void gantry_accels_set_recent(GtkApplication *application, const char *const *uris);

G_END_DECLS
