/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made by the files worker; an answer for a grid or a scan of before is dropped. */
#include "app/session/truth.h"

#include "app/tasks.h"

struct _GantryTruth {
  GObject parent_instance;
  GantryTruthParts with;
  gboolean follows;      /* it is, or is to be, B */
  gboolean replacing;    /* the change of B is our own */
  GantryEntry *entry;    /* weak; NULL: not made yet */
  gboolean own;          /* made for the present scan, and not found on the shelf */
  GantryTruthTask *task; /* borrowed, under way for B; NULL: none */
};

G_DEFINE_FINAL_TYPE(GantryTruth, gantry_truth, G_TYPE_OBJECT)

static void gantry_truth_finalize(GObject *object) {
  GantryTruth *self = GANTRY_TRUTH(object);
  g_clear_weak_pointer(&self->entry);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_truth_parent_class)->finalize(object);
}

static void gantry_truth_class_init(GantryTruthClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_truth_finalize;
}

static void gantry_truth_init(GantryTruth *self) {}

GantryTruth *gantry_truth_new(const GantryTruthParts *parts) {
  GantryTruth *self = g_object_new(GANTRY_TYPE_TRUTH, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

static GantryScan *simulated(GantryTruth *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  return scan && gantry_scan_get_simulation(scan) ? scan : NULL;
}

void gantry_truth_reset(GantryTruth *self) {
  GantryScan *scan = simulated(self);
  gantry_jobs_drop(self->with.jobs, GANTRY_WATCH_TRUTH);
  g_clear_weak_pointer(&self->entry);
  self->own = FALSE;
  self->task = NULL;
  self->follows = scan && !gantry_scan_is_example(scan);
}

void gantry_truth_check(GantryTruth *self) {
  if (!self->replacing && self->entry && gantry_shelf_get_b(self->with.shelf) != self->entry) self->follows = FALSE;
}

/* By itself */

/* One that is there already serves where it is the same. */
static GantryEntry *put_on_shelf(GantryTruth *self, GantryResult *truth, gboolean *is_new) {
  GantryEntry *same = gantry_shelf_find_truth(self->with.shelf, truth);
  *is_new = !same;
  if (!same) return gantry_shelf_add(self->with.shelf, truth);
  if (gantry_entry_get_result(same)) {
    gantry_result_unref(truth);
  } else {
    gantry_entry_return(same, truth);
    gantry_shelf_moved(self->with.shelf, same);
  }
  return same;
}

static void made(gpointer owner, GantryTask *task) {
  GantryTruth *self = owner;
  GantryTruthTask *truth = (GantryTruthTask *)task;
  if (self->task != truth) return;
  self->task = NULL;
  if (!self->with.context->window || task->dropped || !self->follows) return;
  if (!truth->result) {
    gantry_context_show_error(self->with.context, truth->work.error);
    self->follows = FALSE;
    return;
  }
  self->replacing = TRUE;
  GantryEntry *old = self->own ? self->entry : NULL;
  gboolean is_new;
  GantryEntry *entry = put_on_shelf(self, g_steal_pointer(&truth->result), &is_new);
  self->own = is_new || (self->own && entry == old);
  gantry_reference_set_entry(self->with.reference, entry);
  g_set_weak_pointer(&self->entry, entry);
  if (old && old != entry && !gantry_entry_is_pinned(old)) gantry_shelf_remove(self->with.shelf, old);
  self->replacing = FALSE;
  gantry_context_changed(self->with.context);
}

void gantry_truth_update(GantryTruth *self) {
  GantryScan *scan = simulated(self);
  const ct_grid *grid = gantry_pictures_get_grid(self->with.pictures);
  if (!self->follows || !scan || !grid) return;
  if (self->task && gantry_grids_agree(&self->task->grid, grid)) return;
  if (!self->task && self->entry && gantry_grids_agree(gantry_entry_get_grid(self->entry), grid)) return;
  self->task = gantry_truth_task_new(G_OBJECT(self), made, scan, grid);
  gantry_worker_push(self->with.context->files_worker, (GantryTask *)self->task);
}

/* By command */

gboolean gantry_truth_can_add(GantryTruth *self) {
  return simulated(self) && gantry_pictures_get_grid(self->with.pictures);
}

static void added(gpointer owner, GantryTask *task) {
  GantryTruth *self = owner;
  GantryTruthTask *truth = (GantryTruthTask *)task;
  if (!gantry_jobs_take(self->with.jobs, GANTRY_WATCH_TRUTH, task)) return;
  if (!self->with.context->window || task->dropped) return;
  if (!truth->result) {
    gantry_context_show_error(self->with.context, truth->work.error);
    return;
  }
  gboolean is_new;
  put_on_shelf(self, g_steal_pointer(&truth->result), &is_new);
  gantry_context_changed(self->with.context);
}

void gantry_truth_add(GantryTruth *self) {
  if (!gantry_truth_can_add(self)) return;
  gantry_jobs_drop(self->with.jobs, GANTRY_WATCH_TRUTH);
  GantryTruthTask *task =
      gantry_truth_task_new(G_OBJECT(self), added, simulated(self), gantry_pictures_get_grid(self->with.pictures));
  gantry_jobs_watch(self->with.jobs, GANTRY_WATCH_TRUTH, (GantryTask *)task, NULL, self->with.context->files_worker);
}
