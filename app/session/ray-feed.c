/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One task of the planes' worker for the volumes and one of the engine's for the projections; newer ones take the place
 * of those that wait. */
#include "app/session/ray-feed.h"

#include "ui/window/twin.h"

#include "app/tasks.h"

struct _GantryRayFeed {
  GObject parent_instance;
  GantryFollowerParts with;
  GantryScanSlot *slot;
  GantryTask *volumes, *projections; /* answers of others are dropped */
};

G_DEFINE_FINAL_TYPE(GantryRayFeed, gantry_ray_feed, G_TYPE_OBJECT)

static void gantry_ray_feed_finalize(GObject *object) {
  gantry_context_unref(GANTRY_RAY_FEED(object)->with.context);
  G_OBJECT_CLASS(gantry_ray_feed_parent_class)->finalize(object);
}

static void gantry_ray_feed_class_init(GantryRayFeedClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_ray_feed_finalize;
}

static void gantry_ray_feed_init(GantryRayFeed *self) {}

GantryRayFeed *gantry_ray_feed_new(const GantryFollowerParts *parts, GantryScanSlot *slot) {
  GantryRayFeed *self = g_object_new(GANTRY_TYPE_RAY_FEED, NULL);
  self->with = *parts;
  self->slot = slot;
  gantry_context_ref(parts->context);
  return self;
}

static void take_volumes(gpointer owner, GantryTask *task) {
  GantryRayFeed *self = owner;
  if (task != self->volumes) return;
  self->volumes = NULL;
  if (!task->dropped && self->with.context->window)
    gantry_window_set_ray_values(self->with.context->window, &((const GantryRayTask *)task)->values);
}

static void read_twin(GantryRayFeed *self, const GantryRay *before);

static void take_measured(gpointer owner, GantryTask *task) {
  GantryRayFeed *self = owner;
  if (task != self->projections) return;
  self->projections = NULL;
  const GantryRayValues *values = &((const GantryRayTask *)task)->values;
  if (!task->dropped && self->with.context->window)
    gantry_window_set_ray_measured(self->with.context->window, &values->ray, values->measured);
  read_twin(self, &values->ray);
}

static void read_volumes(GantryRayFeed *self, const GantryRay *ray) {
  GantryRayTask *task = gantry_ray_task_new(G_OBJECT(self), take_volumes, ray);
  GantryResult *results[GANTRY_SIDES] = {[GANTRY_B] = gantry_reference_get_result(self->with.reference)};
  if (gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_VOLUME)
    results[GANTRY_A] = gantry_shelf_get_result(self->with.shelf);
  for (int side = 0; side < GANTRY_SIDES; side++)
    if (results[side] && results[side]->volume) task->results[side] = gantry_result_ref(results[side]);
  self->volumes = (GantryTask *)task;
  gantry_worker_push(self->with.context->planes_worker, self->volumes);
}

static void read_measured(GantryRayFeed *self, const GantryRay *ray) {
  GantryContext *context = self->with.context;
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  if (!scan || !context->engine_worker) return;
  GantryRayTask *task = gantry_ray_task_new(G_OBJECT(self), take_measured, ray);
  task->engine = context->engine;
  task->scan = gantry_scan_ref(scan);
  self->projections = (GantryTask *)task;
  gantry_worker_push(context->engine_worker, self->projections);
}

/* After the ray: tasks of the ray take each other's place. */
static void read_twin(GantryRayFeed *self, const GantryRay *before) {
  GantryWindow *window = self->with.context->window;
  const GantryRay *ray = window ? gantry_window_get_wanted_ray(window) : NULL,
                  *twin = ray ? gantry_window_get_wanted_twin(window) : NULL;
  if (twin && gantry_ray_equal(before, ray) && !gantry_ray_equal(before, twin)) read_measured(self, twin);
}

void gantry_ray_feed_request(GantryRayFeed *self) {
  GantryContext *context = self->with.context;
  self->volumes = self->projections = NULL;
  const GantryRay *ray =
      context->window && context->planes_worker ? gantry_window_get_wanted_ray(context->window) : NULL;
  if (!ray) return;
  read_volumes(self, ray);
  read_measured(self, ray);
}
