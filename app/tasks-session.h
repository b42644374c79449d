/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's file, written by the files' worker. */
#pragma once

#include "app/session/workspace.h"
#include "app/tasks.h"

G_BEGIN_DECLS

typedef struct {
  GantryWork work;
  GantryWorkspaceCopy copy;
  char *path;
} GantryKeepTask;
/* Takes what *copy holds. */
GantryKeepTask *gantry_keep_task_new(GObject *owner, GantryDone done, GantryWorkspaceCopy *copy, const char *path);

G_END_DECLS
