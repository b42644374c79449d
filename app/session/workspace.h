/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole workspace as a session file, and back: scan, plan, results with what is A and B, how the window looks.
 * Owns the path that it was opened from or saved to, the opening under way (workspace-opening.c), and what a session
 * told that could not be opened, so that saving it again loses none of it. Signals: "alone" (GantryEntry *): a result
 * of a session without a scan is to be shown; "elsewhere" (char *path): a session is to be
 * opened in a new window; "opened": a session has been opened, as far as it could be. */
#pragma once

#include "app/session-file.h"
#include "app/session/reference.h"
#include "app/session/shelf-store.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_WORKSPACE (gantry_workspace_get_type())
G_DECLARE_FINAL_TYPE(GantryWorkspace, gantry_workspace, GANTRY, WORKSPACE, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryShelf *shelf;
  GantryShelfStore *store;
  GantryPictures *pictures;
  GantrySlices *slices;
  GantryReference *reference;
} GantryWorkspaceParts;

GantryWorkspace *gantry_workspace_new(const GantryWorkspaceParts *parts);
/* Once the others are connected: it goes on behind those who make a scan's session its own. */
void gantry_workspace_connect(GantryWorkspace *self);

/* A copy of all that a session keeps, which any thread may write. */
typedef struct {
  gantry_session_file file;
  GantryScan *scan; /* NULL: none; whose identity goes with the plan */
  ct_plan plan;
} GantryWorkspaceCopy;
/* Nothing is open: FALSE, and the copy is empty. */
gboolean gantry_workspace_capture(GantryWorkspace *self, GantryWorkspaceCopy *copy);
gboolean gantry_workspace_copy_write(GantryWorkspaceCopy *copy, const char *path, ct_error **error);
void gantry_workspace_copy_clear(GantryWorkspaceCopy *copy);

/* In place of what is open. scan: where its scan is now; NULL: as the session says. autosaved: of a program that ended
 * unexpectedly, so that the file is none of the user's. FALSE: it cannot be read, which is said, and nothing is
 * changed. */
gboolean gantry_workspace_open(GantryWorkspace *self, const char *path, const char *scan, gboolean autosaved);
/* Until all that can be read is: what is captured meanwhile is not yet the session. */
gboolean gantry_workspace_is_opening(GantryWorkspace *self);
/* The scan that the session could not find is wanted again; where it was. NULL: none is missing. */
const char *gantry_workspace_get_missing_scan(GantryWorkspace *self);
/* The same session with its scan there. */
void gantry_workspace_locate_scan(GantryWorkspace *self, const char *scan);

/* The user's file; NULL: none yet. */
const char *gantry_workspace_get_path(GantryWorkspace *self);
void gantry_workspace_set_path(GantryWorkspace *self, const char *path);
/* Whether the user's file holds something else than when its path was set: somebody else has written it. A file that is
 * gone is none that changed. */
gboolean gantry_workspace_file_was_changed(GantryWorkspace *self);
/* Another scan was opened, or none: it is another workspace. */
void gantry_workspace_forget(GantryWorkspace *self);

G_END_DECLS
