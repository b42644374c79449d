/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One task of the planes' worker for all of them; a newer one takes the place of one that waits. */
#include "app/session/overlay.h"

#include "app/tasks.h"

struct _GantryOverlay {
  GObject parent_instance;
  GantryContext *context;
  GantryShelf *shelf;
  GantryPictures *pictures;
  GPtrArray *entries; /* that the newest task is about, in its order */
  GantryTask *task;   /* answers of others are dropped */
  gboolean empty;     /* the window was told that none is ticked */
};

G_DEFINE_FINAL_TYPE(GantryOverlay, gantry_overlay, G_TYPE_OBJECT)

static void gantry_overlay_finalize(GObject *object) {
  GantryOverlay *self = GANTRY_OVERLAY(object);
  g_ptr_array_unref(self->entries);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_overlay_parent_class)->finalize(object);
}

static void gantry_overlay_class_init(GantryOverlayClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_overlay_finalize;
}

static void gantry_overlay_init(GantryOverlay *self) {
  self->entries = g_ptr_array_new_with_free_func(g_object_unref);
  self->empty = TRUE;
}

GantryOverlay *gantry_overlay_new(GantryContext *context, GantryShelf *shelf, GantryPictures *pictures) {
  GantryOverlay *self = g_object_new(GANTRY_TYPE_OVERLAY, NULL);
  self->context = gantry_context_ref(context);
  self->shelf = shelf;
  self->pictures = pictures;
  return self;
}

static void planes_read(gpointer owner, GantryTask *task) {
  GantryOverlay *self = owner;
  const GantryVariantsTask *read = (const GantryVariantsTask *)task;
  if (task != self->task) return;
  self->task = NULL;
  if (task->dropped || !self->context->window) return;
  const guint count = read->images->len / GANTRY_VIEWS;
  g_autofree GantryVariant *variants = g_new0(GantryVariant, count);
  for (guint i = 0; i < count; i++) {
    const GantryCard *card = gantry_shelf_item_get_card(self->entries->pdata[i]);
    variants[i] =
        (GantryVariant){.name = card->name,
                        .colour = MAX(card->colour, 0),
                        .is_a = card->is_a,
                        .is_b = card->is_b,
                        .resampled = !gantry_grids_agree(gantry_entry_get_grid(self->entries->pdata[i]), &read->grid)};
    for (guint kind = 0; kind < GANTRY_VIEWS; kind++)
      variants[i].images[kind] = read->images->pdata[i * GANTRY_VIEWS + kind];
  }
  gantry_window_set_variants(self->context->window, variants, count);
}

static void add_ticked(GantryOverlay *self, GantryVariantsTask *task) {
  g_ptr_array_set_size(self->entries, 0);
  for (guint i = 0; i < gantry_shelf_count(self->shelf); i++) {
    GantryEntry *entry = gantry_shelf_get(self->shelf, i);
    GantryResult *result = gantry_entry_get_result(entry);
    if (gantry_entry_get_colour(entry) < 0 || !result) continue;
    g_ptr_array_add(self->entries, g_object_ref(entry));
    g_ptr_array_add(task->results, gantry_result_ref(result));
  }
}

void gantry_overlay_request(GantryOverlay *self) {
  const ct_grid *grid = gantry_pictures_get_grid(self->pictures);
  if (!self->context->window || !self->context->planes_worker) return;
  GantryVariantsTask *task = gantry_variants_task_new(G_OBJECT(self), planes_read);
  add_ticked(self, task);
  if (!grid || !self->entries->len) {
    self->task = NULL;
    task->work.task.free((GantryTask *)task);
    if (!self->empty) gantry_window_set_variants(self->context->window, NULL, 0);
    self->empty = TRUE;
    return;
  }
  self->empty = FALSE;
  task->grid = *grid;
  task->planes = GANTRY_OBLIQUE - 1;
  gantry_pictures_get_wanted(self->pictures, &task->wanted);
  for (int plane = 0; plane < GANTRY_PLANES; plane++) {
    task->indices[plane] = gantry_wanted_index(&task->wanted, grid, (ct_plane)plane);
    task->positions[plane] = ct_grid_plane_position(grid, (ct_plane)plane, task->indices[plane]);
  }
  self->task = (GantryTask *)task;
  gantry_worker_push(self->context->planes_worker, self->task);
}
