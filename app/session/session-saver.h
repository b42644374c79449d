/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saving the session: asks for a file, and what to do about results that are in memory alone; has them written beside
 * the session first, then the session. Owns what is left to write. */
#pragma once

#include "app/session/dialogs.h"
#include "app/session/save.h"
#include "app/session/workspace.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SESSION_SAVER (gantry_session_saver_get_type())
G_DECLARE_FINAL_TYPE(GantrySessionSaver, gantry_session_saver, GANTRY, SESSION_SAVER, GObject)

typedef struct {
  GantryContext *context;
  GantryShelf *shelf;
  GantryDialogs *dialogs;
  GantrySaver *saver;
  GantryWorkspace *workspace;
} GantrySessionSaverParts;

GantrySessionSaver *gantry_session_saver_new(const GantrySessionSaverParts *parts);
/* Into the file that it has, else one is asked for; anew: one is asked for. */
void gantry_session_saver_save(GantrySessionSaver *self, gboolean anew);

G_END_DECLS
