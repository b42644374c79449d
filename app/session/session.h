/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One window and everything behind it. The session makes the objects of this folder, each of which owns its state, and
 * connects what they and the window say. All of it lives in the main loop, which never waits: what takes time is a task
 * of one of three workers (engine, planes, files). */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_SESSION (gantry_session_get_type())
G_DECLARE_FINAL_TYPE(GantrySession, gantry_session, GANTRY, SESSION, GObject)

/* Makes the window as well; NULL when no worker thread can be started. The session keeps itself alive until its window
 * is closed and its workers have ended; the application is held as long. */
GantrySession *gantry_session_new(GtkApplication *application, GSettings *settings, GError **error);

GtkWindow *gantry_session_get_window(GantrySession *self);
/* Of the window's session; NULL for other windows. */
GantrySession *gantry_session_of_window(GtkWindow *window);
/* No scan and none on its way: a file can be opened here. */
gboolean gantry_session_is_empty(GantrySession *self);
/* Opens a scan or a plan; asks first when an unsaved volume or a running job would be lost. */
void gantry_session_open(GantrySession *self, GFile *file);

/* A lesson of a file, on the panel. */
void gantry_session_open_lesson(GantrySession *self, GFile *file);

G_END_DECLS
