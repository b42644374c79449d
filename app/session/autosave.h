/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the session in a file of its own while the window works, a few seconds after each change, by the files' worker;
 * the file goes when the window is closed. After a program that ended unexpectedly it is there, and the start page
 * offers it. Owns this window's file, and those that it offers. */
#pragma once

#include "app/session/workspace.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_AUTOSAVE (gantry_autosave_get_type())
G_DECLARE_FINAL_TYPE(GantryAutosave, gantry_autosave, GANTRY, AUTOSAVE, GObject)

/* folder: for the files; NULL: sessions of gantry's folder for state. */
GantryAutosave *gantry_autosave_new(GantryContext *context, GantryWorkspace *workspace, const char *folder);
/* Something that a session keeps may have changed. */
void gantry_autosave_touch(GantryAutosave *self);
/* Looks for sessions that were left, and offers them on the start page. */
void gantry_autosave_offer(GantryAutosave *self);
/* Opens the one of that number, and goes on in its file; removes it. */
void gantry_autosave_restore(GantryAutosave *self, guint number);
void gantry_autosave_discard(GantryAutosave *self, guint number);
/* The window is gone: nothing is written any more. Its file is removed with the object, which outlives the workers. */
void gantry_autosave_stop(GantryAutosave *self);

G_END_DECLS
