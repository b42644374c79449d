/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine worker makes figures of a paper. Those that were written before a cancel or a failure stay. */
#include "app/tasks-private.h"

#include "app/backend.h"

#include <math.h>

static gboolean make(GantryFiguresTask *self, const gantry_figure *figure, const ct_backend *backend,
                     ct_error **error) {
  const gantry_figure_request request = {.plan = self->plan,
                                         .scan = gantry_scan_get(self->scan),
                                         .name = gantry_scan_get_name(self->scan),
                                         .size = self->size,
                                         .views = (int)lround(G_PI / 2 * self->size),
                                         .index = -1,
                                         .column = -1,
                                         .backend = backend};
  gantry_profiles profiles;
  if (!gantry_profiles_make(&profiles, figure, &request, self->work.task.job, error)) return FALSE;
  const gboolean good = gantry_profiles_write(&profiles, self->folder, error);
  gantry_profiles_clear(&profiles);
  self->written += good;
  return good;
}

static gboolean figures_try(GantryFiguresTask *self, ct_error **error) {
  ct_job *job = self->work.task.job;
  if (gantry_work_is_stale(self->engine, self->scan, error)) return FALSE;
  gantry_backend *backend = gantry_backend_new(self->plan.device, error);
  gboolean good = backend != NULL;
  for (int i = 0; good && self->numbers[i]; i++) {
    const gantry_figure *figure = gantry_figure_find(self->numbers[i]);
    g_atomic_int_set(&self->making, self->numbers[i]);
    good = ct_job_may_go_on(job, error) && make(self, figure, gantry_backend_get(backend), error);
    if (!good && *error && (*error)->code != CT_ERROR_CANCELLED) ct_error_prefix(error, "Figure %d", self->numbers[i]);
  }
  gantry_backend_free(backend);
  return good;
}

static void figures_run(GantryTask *task) {
  ct_error *error = NULL;
  if (!figures_try((GantryFiguresTask *)task, &error)) gantry_work_fail(task, &error);
}

static void figures_free(GantryTask *task) {
  GantryFiguresTask *self = (GantryFiguresTask *)task;
  gantry_scan_unref(self->scan);
  g_free(self->folder);
  g_free(self->numbers);
  gantry_work_free(task);
}

GantryFiguresTask *gantry_figures_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                           const char *folder, int *numbers) {
  GantryFiguresTask *self = gantry_work_init(g_new0(GantryFiguresTask, 1), owner, done, figures_run, figures_free);
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->folder = g_strdup(folder);
  self->numbers = numbers;
  ct_plan_init(&self->plan);
  return self;
}
