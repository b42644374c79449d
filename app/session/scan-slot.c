/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load is a job of the engine's worker; so is closing, which must come after whatever the engine still does. */
#include "app/session/scan-slot.h"

#include "app/errors.h"
#include "app/session/recent.h"
#include "app/tasks.h"
#include "ui/shown.h"

struct _GantryScanSlot {
  GObject parent_instance;
  GantryContext *context;
  GantryJobs *jobs;
  GantryScan *scan; /* NULL: none */
  guint mark;       /* of the window's messages, when the newest load began */
};

G_DEFINE_FINAL_TYPE(GantryScanSlot, gantry_scan_slot, G_TYPE_OBJECT)

static guint loaded_signal, unclear_signal, refused_signal, renewed_signal;

static void gantry_scan_slot_finalize(GObject *object) {
  GantryScanSlot *self = GANTRY_SCAN_SLOT(object);
  g_clear_pointer(&self->scan, gantry_scan_unref);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_scan_slot_parent_class)->finalize(object);
}

static void gantry_scan_slot_class_init(GantryScanSlotClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_scan_slot_finalize;
  loaded_signal = g_signal_new("loaded", GANTRY_TYPE_SCAN_SLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                               G_TYPE_BOOLEAN, G_TYPE_STRING, G_TYPE_ERROR);
  unclear_signal = g_signal_new("unclear", GANTRY_TYPE_SCAN_SLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_POINTER);
  refused_signal = g_signal_new("refused", GANTRY_TYPE_SCAN_SLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_POINTER);
  renewed_signal =
      g_signal_new("renewed", GANTRY_TYPE_SCAN_SLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_scan_slot_init(GantryScanSlot *self) {}

GantryScanSlot *gantry_scan_slot_new(GantryContext *context, GantryJobs *jobs) {
  GantryScanSlot *self = g_object_new(GANTRY_TYPE_SCAN_SLOT, NULL);
  self->context = gantry_context_ref(context);
  self->jobs = jobs;
  return self;
}

GantryScan *gantry_scan_slot_get(GantryScanSlot *self) {
  return self->scan;
}

const ct_scan_facts *gantry_scan_slot_get_facts(GantryScanSlot *self) {
  return self->scan ? gantry_scan_get_facts(self->scan) : NULL;
}

guint gantry_scan_slot_get_mark(GantryScanSlot *self) {
  return self->mark;
}

static void loaded(gpointer owner, GantryTask *task) {
  GantryScanSlot *self = owner;
  GantryLoadTask *load = (GantryLoadTask *)task;
  const gboolean replaced = !load->work.error && !task->dropped;
  gantry_jobs_end(self->jobs, task);
  if (!self->context->window) return;
  const gboolean unclear = load->unclear && !task->dropped;
  if (unclear) {
    g_signal_emit(self, unclear_signal, 0, load);
  } else if (load->work.error) {
    g_signal_emit(self, refused_signal, 0, load);
  }
  if (load->work.error && gantry_error_is_cancelled(load->work.error) && load->path) {
    g_autofree char *name = gantry_shown_name(load->path);
    gantry_context_toast(self->context, GANTRY_ABOUT_FILE, NULL, NULL, "Cancelled: %s was not opened.", name);
  }
  if (replaced) {
    g_clear_pointer(&self->scan, gantry_scan_unref);
    self->scan = g_steal_pointer(&load->scan);
    if (self->scan && load->path) gantry_recent_add(self->context, load->path);
  }
  g_signal_emit(self, loaded_signal, 0, replaced, load->plan, unclear ? NULL : load->work.error);
}

static void begin(GantryScanSlot *self, GantryLoadTask *task) {
  const GantryJob job = {.kind = GANTRY_JOB_LOAD, .task = (GantryTask *)task, .path = task->path};
  gantry_jobs_begin(self->jobs, &job, self->context->engine_worker);
}

static void load(GantryScanSlot *self, GantryLoadTask *task) {
  gantry_jobs_set_searching(self->jobs, FALSE);
  /* A look that nobody waits for any more must not hold up the files' worker. */
  gantry_jobs_drop(self->jobs, GANTRY_WATCH_LOOK);
  gantry_worker_cancel_slot(self->context->engine_worker, GANTRY_SLOT_PREVIEW);
  gantry_worker_cancel_slot(self->context->engine_worker, GANTRY_SLOT_REFERENCE);
  gantry_window_clear_error(self->context->window);
  self->mark = gantry_window_get_message_mark(self->context->window);
  gantry_probe_begin(self->context->probe, "open-to-first-plane");
  begin(self, task);
}

void gantry_scan_slot_load(GantryScanSlot *self, const char *path, GantryScan *opened, const char *plan) {
  GantryLoadTask *task = gantry_load_task_new(G_OBJECT(self), loaded, self->context->engine, path);
  task->plan = g_strdup(plan);
  task->opened = opened ? gantry_scan_ref(opened) : NULL;
  load(self, task);
}

void gantry_scan_slot_load_told(GantryScanSlot *self, const char *path, const char *description) {
  GantryLoadTask *task = gantry_load_task_new(G_OBJECT(self), loaded, self->context->engine, path);
  task->description = g_strdup(description);
  load(self, task);
}

void gantry_scan_slot_simulate(GantryScanSlot *self, const ct_simulation *simulation, const char *object) {
  GantryLoadTask *task = gantry_load_task_new(G_OBJECT(self), loaded, self->context->engine, NULL);
  task->simulation = g_memdup2(simulation, sizeof *simulation);
  task->object = g_strdup(object);
  load(self, task);
}

void gantry_scan_slot_renew(GantryScanSlot *self, GantryScan *scan) {
  g_clear_pointer(&self->scan, gantry_scan_unref);
  self->scan = gantry_scan_ref(scan);
  g_signal_emit(self, renewed_signal, 0);
}

void gantry_scan_slot_close(GantryScanSlot *self) {
  gantry_jobs_cancel(self->jobs);
  GantryLoadTask *task = gantry_load_task_new(G_OBJECT(self), loaded, self->context->engine, NULL);
  task->close = TRUE;
  gantry_worker_cancel_slot(self->context->engine_worker, GANTRY_SLOT_PREVIEW);
  begin(self, task);
}
