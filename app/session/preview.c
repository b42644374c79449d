/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task of the engine's worker; a newer one takes its place. */
#include "app/session/preview.h"

#include "app/tasks.h"

#define PREVIEW_DELAY_MS 50

struct _GantryPreview {
  GObject parent_instance;
  GantryPreviewParts with;
  ct_plan plan;
  gboolean has_plan;
  guint pause;
};

G_DEFINE_FINAL_TYPE(GantryPreview, gantry_preview, G_TYPE_OBJECT)

enum { DUE, DONE, SIGNALS };
static guint signals[SIGNALS];

static void gantry_preview_finalize(GObject *object) {
  GantryPreview *self = GANTRY_PREVIEW(object);
  gantry_preview_unschedule(self);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_preview_parent_class)->finalize(object);
}

static void gantry_preview_class_init(GantryPreviewClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_preview_finalize;
  signals[DUE] = g_signal_new("due", GANTRY_TYPE_PREVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DONE] =
      g_signal_new("done", GANTRY_TYPE_PREVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void gantry_preview_init(GantryPreview *self) {}

GantryPreview *gantry_preview_new(const GantryPreviewParts *parts) {
  GantryPreview *self = g_object_new(GANTRY_TYPE_PREVIEW, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

void gantry_preview_reset(GantryPreview *self) {
  self->has_plan = FALSE;
}

void gantry_preview_unschedule(GantryPreview *self) {
  g_clear_handle_id(&self->pause, g_source_remove);
}

static gboolean due(gpointer data) {
  GantryPreview *self = data;
  self->pause = 0;
  g_signal_emit(self, signals[DUE], 0);
  return G_SOURCE_REMOVE;
}

void gantry_preview_schedule(GantryPreview *self) {
  gantry_preview_unschedule(self);
  self->pause = g_timeout_add(PREVIEW_DELAY_MS, due, self);
}

gboolean gantry_preview_is_scheduled(GantryPreview *self) {
  return self->pause != 0;
}

static void done(gpointer owner, GantryTask *task) {
  GantryPreview *self = owner;
  gantry_jobs_take(self->with.jobs, GANTRY_WATCH_PREVIEW, task);
  if (!self->with.context->window || task->dropped) return;
  if (((GantryPreviewTask *)task)->scan != gantry_scan_slot_get(self->with.slot)) return;
  GantryPlanPanel *panel = gantry_context_get_panel(self->with.context);
  gantry_plan_panel_hold(panel);
  g_signal_emit(self, signals[DONE], 0, task);
  gantry_plan_panel_release(panel);
}

void gantry_preview_request(GantryPreview *self, guint planes) {
  GantryContext *context = self->with.context;
  const gboolean follows = g_settings_get_boolean(context->settings, "auto-preview") ||
                           gantry_jobs_is_searching(self->with.jobs) || !self->has_plan;
  if (follows) self->plan = *gantry_plan_editor_get(self->with.editor);
  gantry_context_fill_plan(context, &self->plan);
  self->has_plan = TRUE;
  GantryPreviewTask *task =
      gantry_preview_task_new(G_OBJECT(self), done, context->engine, gantry_scan_slot_get(self->with.slot),
                              context->mailbox, GANTRY_A, &self->plan);
  task->planes = planes;
  task->work.task.generation = gantry_pictures_get_generation(self->with.pictures, GANTRY_A);
  gantry_pictures_get_wanted(self->with.pictures, &task->wanted);
  gantry_jobs_watch(self->with.jobs, GANTRY_WATCH_PREVIEW, (GantryTask *)task, NULL, context->engine_worker);
}

void gantry_preview_cancel(GantryPreview *self) {
  gantry_worker_cancel_slot(self->with.context->engine_worker, GANTRY_SLOT_PREVIEW);
}

const ct_plan *gantry_preview_get_plan(GantryPreview *self) {
  return self->has_plan ? &self->plan : NULL;
}

gboolean gantry_preview_is_present(GantryPreview *self) {
  const ct_plan wanted = gantry_plan_editor_get_filled(self->with.editor);
  return !self->has_plan || gantry_plans_agree(&wanted, &self->plan);
}
