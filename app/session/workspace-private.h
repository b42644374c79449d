/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What capturing (workspace.c) and opening (workspace-opening.c) a session share. */
#pragma once

#include "app/session/workspace.h"

G_BEGIN_DECLS

typedef enum { GANTRY_OPENS_NOTHING, GANTRY_OPENS_SCAN, GANTRY_OPENS_RESULTS, GANTRY_OPENS_VIEWS } GantryOpensStage;

struct _GantryWorkspace {
  GObject parent_instance;
  GantryWorkspaceParts with;
  char *path;               /* the user's file */
  char *content;            /* a checksum of what it held when it was opened or saved; NULL: not known */
  char *source;             /* file that was opened last, the user's or not */
  gantry_session_file lost; /* results that could not be opened; its scan and plan where that is missing */

  char *next_path, *next_scan; /* asked for while a scan is being opened or closed, and opened after it; or NULL */
  gboolean next_autosaved;
  GantryOpensStage stage;
  gantry_session_file file; /* that is being opened */
  gsize next;               /* of its results */
  gboolean autosaved;
  GantryEntry *a, *b; /* weak */
  GVariant *view;
  GPtrArray *report; /* sentences */
  guint mark;        /* of the window's messages, when the opening began */
};

/* Nothing is being opened any more. */
void gantry_workspace_end_opening(GantryWorkspace *self);

/* workspace-view.c: how the window looks, as JSON. */
json_t *gantry_view_to_json(GVariant *view);
/* Sunk; what is none of the types of a{sv} that a session knows is left out. */
GVariant *gantry_view_from_json(const json_t *json);

G_END_DECLS
