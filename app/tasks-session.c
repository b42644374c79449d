/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tasks-session.h"

#include "app/tasks-private.h"

static void keep_run(GantryTask *task) {
  GantryKeepTask *self = (GantryKeepTask *)task;
  ct_error *error = NULL;
  if (!gantry_workspace_copy_write(&self->copy, self->path, &error)) gantry_work_fail(task, &error);
}

static void keep_free(GantryTask *task) {
  GantryKeepTask *self = (GantryKeepTask *)task;
  gantry_workspace_copy_clear(&self->copy);
  g_free(self->path);
  gantry_work_free(task);
}

GantryKeepTask *gantry_keep_task_new(GObject *owner, GantryDone done, GantryWorkspaceCopy *copy, const char *path) {
  GantryKeepTask *self = gantry_work_init(g_new0(GantryKeepTask, 1), owner, done, keep_run, keep_free);
  self->copy = *copy;
  *copy = (GantryWorkspaceCopy){0};
  self->path = g_strdup(path);
  return self;
}
