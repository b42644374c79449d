/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One task at a time waits: a newer wish takes its place. */
#include "app/session/growth-feed.h"

#include "app/errors.h"
#include "app/tasks-growth.h"

struct _GantryGrowthFeed {
  GObject parent_instance;
  GantryFilterFeedParts with;
  GantryShelf *shelf;
  GantryGrowth *growth; /* NULL while the page is away: its memory is given back */
  GantryTask *asked;    /* answers of others are dropped */
};

G_DEFINE_FINAL_TYPE(GantryGrowthFeed, gantry_growth_feed, G_TYPE_OBJECT)

static void gantry_growth_feed_finalize(GObject *object) {
  GantryGrowthFeed *self = GANTRY_GROWTH_FEED(object);
  g_clear_pointer(&self->growth, gantry_growth_unref);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_growth_feed_parent_class)->finalize(object);
}

static void gantry_growth_feed_class_init(GantryGrowthFeedClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_growth_feed_finalize;
}

static void gantry_growth_feed_init(GantryGrowthFeed *self) {}

GantryGrowthFeed *gantry_growth_feed_new(const GantryFilterFeedParts *parts, GantryShelf *shelf) {
  GantryGrowthFeed *self = g_object_new(GANTRY_TYPE_GROWTH_FEED, NULL);
  self->with = *parts;
  self->shelf = shelf;
  gantry_context_ref(parts->context);
  return self;
}

static void ask(GantryGrowthFeed *self, const GantryGrowthWish *wish, gboolean measures);

/* A, where it was iterated and slices of its iterations are kept. */
static GantryResult *get_iterated(GantryGrowthFeed *self) {
  const gboolean shown = gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_VOLUME;
  GantryResult *result = shown ? gantry_shelf_get_result(self->shelf) : NULL;
  int count = 0;
  if (result && result->kept) gantry_kept_iterations_get(result->kept, &count);
  return count ? result : NULL;
}

static void answered(gpointer owner, GantryTask *task) {
  GantryGrowthFeed *self = owner;
  GantryGrowthTask *growth = (GantryGrowthTask *)task;
  GantryContext *context = self->with.context;
  if (task != self->asked) return;
  self->asked = NULL;
  if (!context->window || task->dropped || gantry_error_is_cancelled(growth->work.error)) return;
  if (growth->scan != gantry_scan_slot_get(self->with.slot)) return;
  if (growth->work.error) {
    gantry_window_take_growth(context->window, NULL, growth->work.error->message);
    return;
  }
  if (!growth->measures) gantry_probe_end(context->probe, "view-by-view");
  const GantryGrowthWish wish = growth->wish;
  const gboolean complete = growth->report->complete;
  growth->report->has_iterations = get_iterated(self) != NULL;
  gantry_window_take_growth(context->window, g_steal_pointer(&growth->report), NULL);
  if (!complete && !self->asked) ask(self, &wish, TRUE);
}

static void ask(GantryGrowthFeed *self, const GantryGrowthWish *wish, gboolean measures) {
  GantryContext *context = self->with.context;
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  if (!self->growth) self->growth = gantry_growth_new();
  GantryGrowthTask *task = gantry_growth_task_new(G_OBJECT(self), answered, context->engine, scan, self->growth,
                                                  gantry_plan_editor_get(self->with.editor));
  gantry_pictures_get_wanted(self->with.pictures, &task->wanted);
  task->wish = *wish;
  task->measures = measures;
  GantryResult *iterated = wish->iterations ? get_iterated(self) : NULL;
  if (iterated) task->iterated = gantry_result_ref(iterated);
  if (!measures) gantry_probe_begin(context->probe, "view-by-view");
  self->asked = (GantryTask *)task;
  gantry_worker_push(context->engine_worker, self->asked);
}

void gantry_growth_feed_request(GantryGrowthFeed *self) {
  GantryContext *context = self->with.context;
  GantryGrowthWish wish;
  if (!context->window) return;
  if (!gantry_window_get_growth_wish(context->window, &wish)) {
    g_clear_pointer(&self->growth, gantry_growth_unref);
    self->asked = NULL;
    return;
  }
  if (!gantry_scan_slot_get(self->with.slot)) {
    gantry_window_take_growth(context->window, NULL, NULL);
    return;
  }
  if (gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_RUNNING) {
    self->asked = NULL;
    gantry_window_take_growth(context->window, NULL, "A volume is being made: when it is there, its slice grows here.");
    return;
  }
  ask(self, &wish, FALSE);
}

void gantry_growth_feed_connect(GantryGrowthFeed *self) {
  g_signal_connect_object(self->with.context->window, "growth-wanted", G_CALLBACK(gantry_growth_feed_request), self,
                          G_CONNECT_SWAPPED);
}
