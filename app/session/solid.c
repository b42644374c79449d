/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of a finished volume one task of the planes' worker; a newer one takes the place of one that waits. A volume in the
 * making comes by the mailbox. */
#include "app/session/solid.h"

#include "app/tasks.h"

struct _GantrySolidFeed {
  GObject parent_instance;
  GantryContext *context;
  GantryShelf *shelf;
  GantrySlices *slices;
  GantryResult *shown; /* that the window has, or will have by the newest task; NULL: none */
  GantryTask *task;    /* answers of others are dropped */
};

G_DEFINE_FINAL_TYPE(GantrySolidFeed, gantry_solid_feed, G_TYPE_OBJECT)

static void gantry_solid_feed_finalize(GObject *object) {
  GantrySolidFeed *self = GANTRY_SOLID_FEED(object);
  gantry_result_unref(self->shown);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_solid_feed_parent_class)->finalize(object);
}

static void gantry_solid_feed_class_init(GantrySolidFeedClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_solid_feed_finalize;
}

static void gantry_solid_feed_init(GantrySolidFeed *self) {}

GantrySolidFeed *gantry_solid_feed_new(GantryContext *context, GantryShelf *shelf, GantrySlices *slices) {
  GantrySolidFeed *self = g_object_new(GANTRY_TYPE_SOLID_FEED, NULL);
  self->context = gantry_context_ref(context);
  self->shelf = shelf;
  self->slices = slices;
  return self;
}

static void made(gpointer owner, GantryTask *task) {
  GantrySolidFeed *self = owner;
  if (task != self->task) return;
  self->task = NULL;
  if (!task->dropped && self->context->window)
    gantry_window_set_solid(self->context->window, ((const GantrySolidTask *)task)->solid);
}

void gantry_solid_feed_take(GantrySolidFeed *self, GantrySolid *solid) {
  if (!self->context->window || !gantry_window_wants_solid(self->context->window) ||
      gantry_slices_get_source(self->slices) != GANTRY_SOURCE_RUNNING)
    return;
  gantry_window_set_solid(self->context->window, solid);
}

void gantry_solid_feed_request(GantrySolidFeed *self) {
  GantryContext *context = self->context;
  if (!context->window || !context->planes_worker) return;
  const gboolean wanted =
      gantry_window_wants_solid(context->window) && gantry_slices_get_source(self->slices) == GANTRY_SOURCE_VOLUME;
  GantryResult *result = wanted ? gantry_shelf_get_result(self->shelf) : NULL;
  if (result && !result->volume) result = NULL; /* it was written to a file */
  if (result == self->shown) return;
  gantry_result_unref(self->shown);
  self->shown = result ? gantry_result_ref(result) : NULL;
  self->task = NULL;
  /* That of a run stays until the finished one is there. */
  if (!result) gantry_window_set_solid(context->window, NULL);
  if (!result) return;
  self->task = (GantryTask *)gantry_solid_task_new(G_OBJECT(self), made, result);
  gantry_worker_push(context->planes_worker, self->task);
}
