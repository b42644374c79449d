/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices are compared by the planes' worker, whole volumes by the files' worker, which takes longer. */
#include "app/session/statistics.h"

#include "app/tasks.h"
#include "recon/base/memory.h"
#include "recon/solve/record.h"

struct _GantryStatistics {
  GObject parent_instance;
  GantryFollowerParts with;
  GantryTask *comparing; /* whole volumes; answers of older tasks are dropped */
  gboolean whole_known;
  GantryEntry *entry; /* weak; whose numbers those of the whole volume are, or will be */
};

G_DEFINE_FINAL_TYPE(GantryStatistics, gantry_statistics, G_TYPE_OBJECT)

static void gantry_statistics_finalize(GObject *object) {
  GantryStatistics *self = GANTRY_STATISTICS(object);
  g_clear_weak_pointer(&self->entry);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_statistics_parent_class)->finalize(object);
}

static void gantry_statistics_class_init(GantryStatisticsClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_statistics_finalize;
}

static void gantry_statistics_init(GantryStatistics *self) {}

GantryStatistics *gantry_statistics_new(const GantryFollowerParts *parts) {
  GantryStatistics *self = g_object_new(GANTRY_TYPE_STATISTICS, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

void gantry_statistics_reset(GantryStatistics *self) {
  self->whole_known = FALSE;
  self->comparing = NULL;
  gantry_window_set_statistics(self->with.context->window, NULL, NULL);
  gantry_window_set_differences(self->with.context->window, NULL);
}

static void show(GantryStatistics *self, const char *scope, const ct_statistics *a, const ct_metrics *against) {
  gantry_window_set_statistics_scope(self->with.context->window, scope);
  gantry_window_set_statistics(self->with.context->window, a, against);
}

void gantry_statistics_list_differences(GantryStatistics *self) {
  if (!self->with.context->window) return;
  const char *a = gantry_slices_get_record(self->with.slices), *b = gantry_reference_get_record(self->with.reference);
  char *lines = a && b ? ct_record_differences(a, b, false, NULL) : NULL;
  gantry_window_set_differences(self->with.context->window, lines);
  ct_free(lines);
}

/* The axial slice */

static void slice_known(gpointer owner, GantryTask *task) {
  GantryStatistics *self = owner;
  const GantryStatisticsTask *known = (const GantryStatisticsTask *)task;
  if (task->dropped || !self->with.context->window || self->whole_known) return;
  if (known->a != gantry_pictures_get(self->with.pictures, GANTRY_A, GANTRY_VIEW_AXIAL)) return;
  ct_metrics metrics = known->metrics;
  metrics.max_at[2] = known->a->index; /* of the volume that the slice is one of */
  show(self, "A, this axial slice", &known->statistics, known->compared ? &metrics : NULL);
}

void gantry_statistics_request(GantryStatistics *self) {
  GantryImage *a = gantry_pictures_get(self->with.pictures, GANTRY_A, GANTRY_VIEW_AXIAL);
  GantryImage *b = gantry_pictures_get(self->with.pictures, GANTRY_B, GANTRY_VIEW_AXIAL);
  if (!a || self->whole_known) return;
  const gboolean comparable =
      b && b->generation == gantry_pictures_get_generation(self->with.pictures, GANTRY_B) && b->index == a->index;
  GantryStatisticsTask *task = gantry_statistics_task_new(G_OBJECT(self), slice_known, a, comparable ? b : NULL);
  gantry_worker_push(self->with.context->planes_worker, (GantryTask *)task);
}

/* Whole volumes */

static void volumes_compared(gpointer owner, GantryTask *task) {
  GantryStatistics *self = owner;
  const GantryCompareTask *compare = (const GantryCompareTask *)task;
  if (self->comparing != task) return;
  self->comparing = NULL;
  if (task->dropped || !self->with.context->window) return;
  self->whole_known = TRUE;
  show(self, "A, whole volume", &compare->statistics, compare->compared ? &compare->metrics : NULL);
}

static void compare_volumes(GantryStatistics *self) {
  GantryResult *a = gantry_shelf_get_result(self->with.shelf), *b = gantry_reference_get_result(self->with.reference);
  self->whole_known = FALSE;
  self->comparing = NULL;
  g_set_weak_pointer(&self->entry, gantry_shelf_get_a(self->with.shelf));
  if (gantry_slices_get_source(self->with.slices) != GANTRY_SOURCE_VOLUME || !a) return;
  /* A reference of slices, or on another grid, is compared slice by slice. */
  if (gantry_reference_is_plan(self->with.reference)) return;
  if (b && !gantry_grids_agree(ct_volume_grid(a->volume), ct_volume_grid(b->volume))) return;
  GantryCompareTask *task = gantry_compare_task_new(G_OBJECT(self), volumes_compared, a, b);
  self->comparing = (GantryTask *)task;
  gantry_worker_push(self->with.context->files_worker, (GantryTask *)task);
}

void gantry_statistics_choose(GantryStatistics *self) {
  if (gantry_slices_get_source(self->with.slices) != GANTRY_SOURCE_VOLUME) {
    if (self->whole_known) gantry_window_set_statistics(self->with.context->window, NULL, NULL);
    self->whole_known = FALSE;
    self->comparing = NULL;
  } else if ((!self->whole_known && !self->comparing) || self->entry != gantry_shelf_get_a(self->with.shelf)) {
    compare_volumes(self);
  }
}

void gantry_statistics_compare_anew(GantryStatistics *self) {
  gantry_statistics_list_differences(self);
  compare_volumes(self);
  gantry_statistics_request(self);
}
