/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole volumes are searched where both are there on one grid, by the files' worker; else the planes on screen, by the
 * planes' worker. */
#include "app/session/differences.h"

#include "app/errors.h"
#include "app/tasks.h"

struct _GantryDifferences {
  GObject parent_instance;
  GantryFollowerParts with;
  GantryTask *searching; /* answers of older ones are dropped */
};

G_DEFINE_FINAL_TYPE(GantryDifferences, gantry_differences, G_TYPE_OBJECT)

static void gantry_differences_finalize(GObject *object) {
  gantry_context_unref(GANTRY_DIFFERENCES(object)->with.context);
  G_OBJECT_CLASS(gantry_differences_parent_class)->finalize(object);
}

static void gantry_differences_class_init(GantryDifferencesClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_differences_finalize;
}

static void gantry_differences_init(GantryDifferences *self) {}

GantryDifferences *gantry_differences_new(const GantryFollowerParts *parts) {
  GantryDifferences *self = g_object_new(GANTRY_TYPE_DIFFERENCES, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

/* The pictures of A and B of a view, where both are there and of one place. */
static gboolean take_pair(GantryDifferences *self, GantryViewKind kind, GantryImage **a, GantryImage **b) {
  GantryImage *first = gantry_pictures_get(self->with.pictures, GANTRY_A, kind),
              *second = gantry_pictures_get(self->with.pictures, GANTRY_B, kind);
  if (kind == GANTRY_VIEW_PROJECTION || !first || !second || first->index != second->index) return FALSE;
  *a = gantry_image_ref(first);
  *b = gantry_image_ref(second);
  return TRUE;
}

/* Likeness */

static void maps_made(gpointer owner, GantryTask *task) {
  GantryDifferences *self = owner;
  const GantrySimilarityTask *made = (const GantrySimilarityTask *)task;
  if (task->dropped || !self->with.context->window) return;
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    const gboolean current = made->a[k] == gantry_pictures_get(self->with.pictures, GANTRY_A, (GantryViewKind)k) &&
                             made->b[k] == gantry_pictures_get(self->with.pictures, GANTRY_B, (GantryViewKind)k);
    if (made->maps[k] && current) gantry_window_set_image(self->with.context->window, CTGL_SLOT_MAP, made->maps[k]);
  }
}

void gantry_differences_update(GantryDifferences *self) {
  GantryWindow *window = self->with.context->window;
  if (!window || gantry_display_get_mode(gantry_window_get_display(window)) != CTGL_SHOW_SIMILARITY) return;
  GantrySimilarityTask *task = gantry_similarity_task_new(G_OBJECT(self), maps_made);
  for (int k = 0; k < GANTRY_VIEWS; k++) take_pair(self, (GantryViewKind)k, &task->a[k], &task->b[k]);
  gantry_worker_push(self->with.context->planes_worker, (GantryTask *)task);
}

/* The worst places */

static void worst_found(gpointer owner, GantryTask *task) {
  GantryDifferences *self = owner;
  const GantryWorstTask *found = (const GantryWorstTask *)task;
  if (self->searching != task) return;
  self->searching = NULL;
  if (task->dropped || !self->with.context->window) return;
  const GError *error = found->work.error;
  if (error) gantry_context_show_error(self->with.context, error);
  gantry_window_set_worst(self->with.context->window, found->places, found->count,
                          error || !(found->volume_a || found->pairs) ? NULL
                          : found->volume_a                           ? "in the whole volume"
                                                                      : "in the slices shown");
}

void gantry_differences_find_worst(GantryDifferences *self) {
  GantryResult *a = gantry_shelf_get_result(self->with.shelf), *b = gantry_reference_get_result(self->with.reference);
  const gboolean whole = gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_VOLUME && a && b &&
                         gantry_grids_agree(ct_volume_grid(a->volume), ct_volume_grid(b->volume));
  GantryWorstTask *task = gantry_worst_task_new(G_OBJECT(self), worst_found);
  self->searching = (GantryTask *)task;
  if (whole) {
    task->volume_a = gantry_result_ref(a);
    task->volume_b = gantry_result_ref(b);
  } else {
    for (int k = 0; k < GANTRY_VIEWS; k++) task->pairs += take_pair(self, (GantryViewKind)k, &task->a[k], &task->b[k]);
  }
  gantry_worker_push(whole ? self->with.context->files_worker : self->with.context->planes_worker, (GantryTask *)task);
}
