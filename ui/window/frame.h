/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is round the views: header with its menus, start page or work page, side panel, files dropped on the window, and
 * the size and arrangement that the preferences keep. Owns the menu of recent scans. */
#pragma once

#include <gtk/gtk.h>

#include "ui/start-page.h"

G_BEGIN_DECLS

typedef struct _GantryFrame GantryFrame;
/* dropped(user): a file was dropped on the window. */
GantryFrame *gantry_frame_new(GtkWidget *window, void (*dropped)(gpointer user, GFile *file), gpointer user);
void gantry_frame_free(GantryFrame *self);
/* The window is gone. */
void gantry_frame_stop(GantryFrame *self);
void gantry_frame_bind(GantryFrame *self, GSettings *settings);

void gantry_frame_show_start(GantryFrame *self);
/* The work page of a scan. */
void gantry_frame_show_work(GantryFrame *self, const char *title);
/* On the start page. */
void gantry_frame_set_lost(GantryFrame *self, const GantryLostSession *sessions, gsize count);
/* The menu of recent scans: paths and their display names, most recent first. */
GMenuModel *gantry_frame_get_recent(GantryFrame *self);
void gantry_frame_set_recent(GantryFrame *self, const char *const *uris, const char *const *names);

G_END_DECLS
