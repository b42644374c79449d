/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the pages "Filter" and "Interpolation". The row is the middle one of the view that the fourth view shows. */
#include "app/session/filter-feed.h"

#include "app/errors.h"
#include "app/tasks-filter.h"
#include "app/tasks-magnified.h"
#include "recon/bp/choices.h"

struct _GantryFilterFeed {
  GObject parent_instance;
  GantryFilterFeedParts with;
  GantryTask *magnified; /* the picture that was asked for last: answers of others are dropped */
};

G_DEFINE_FINAL_TYPE(GantryFilterFeed, gantry_filter_feed, G_TYPE_OBJECT)

static void gantry_filter_feed_finalize(GObject *object) {
  gantry_context_unref(GANTRY_FILTER_FEED(object)->with.context);
  G_OBJECT_CLASS(gantry_filter_feed_parent_class)->finalize(object);
}

static void gantry_filter_feed_class_init(GantryFilterFeedClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_filter_feed_finalize;
}

static void gantry_filter_feed_init(GantryFilterFeed *self) {}

GantryFilterFeed *gantry_filter_feed_new(const GantryFilterFeedParts *parts) {
  GantryFilterFeed *self = g_object_new(GANTRY_TYPE_FILTER_FEED, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

/* What was edited since must not be set back. */
static gboolean is_outdated(GantryFilterFeed *self, const GantryFilterTask *task) {
  const ct_filter_options *present = &gantry_plan_editor_get(self->with.editor)->filter, *of = &task->plan.filter;
  return present->cutoff != of->cutoff || present->ramp != of->ramp;
}

static void answered(gpointer owner, GantryTask *task) {
  GantryFilterFeed *self = owner;
  GantryFilterTask *filter = (GantryFilterTask *)task;
  GantryWindow *window = self->with.context->window;
  if (!window || task->dropped || gantry_error_is_cancelled(filter->work.error)) return;
  if (filter->scan != gantry_scan_slot_get(self->with.slot)) return;
  if (filter->report) filter->report->outdated = is_outdated(self, filter);
  if (filter->work.error)
    gantry_window_take_filter(window, NULL, filter->work.error->message);
  else
    gantry_window_take_filter(window, g_steal_pointer(&filter->report), NULL);
}

static void ask_magnified(GantryFilterFeed *self, const GantryMagnifiedWish *wish, int kernel);

/* The truth first, then kernel by kernel, so that slices that are asked for meanwhile never wait for all of them. */
static void magnified(gpointer owner, GantryTask *task) {
  GantryFilterFeed *self = owner;
  GantryMagnifiedTask *made = (GantryMagnifiedTask *)task;
  GantryWindow *window = self->with.context->window;
  if (task != self->magnified) return;
  self->magnified = NULL;
  if (!window || task->dropped || gantry_error_is_cancelled(made->work.error)) return;
  if (made->scan != gantry_scan_slot_get(self->with.slot)) return;
  if (made->work.error) {
    gantry_window_take_magnified(window, NULL, made->work.error->message);
    return;
  }
  const int next = made->picture.kernel + 1;
  const GantryMagnifiedWish wish = made->wish;
  gantry_window_take_magnified(window, &made->picture, NULL);
  if (ct_interp_choices[next].id && !self->magnified) ask_magnified(self, &wish, next);
}

static void ask_magnified(GantryFilterFeed *self, const GantryMagnifiedWish *wish, int kernel) {
  GantryContext *context = self->with.context;
  GantryMagnifiedTask *task =
      gantry_magnified_task_new(G_OBJECT(self), magnified, context->engine, gantry_scan_slot_get(self->with.slot),
                                gantry_plan_editor_get(self->with.editor));
  task->wish = *wish;
  task->picture.kernel = kernel;
  self->magnified = (GantryTask *)task;
  gantry_worker_push(context->engine_worker, self->magnified);
}

void gantry_filter_feed_request(GantryFilterFeed *self) {
  GantryContext *context = self->with.context;
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  if (!context->window || !gantry_window_wants_filter(context->window)) return;
  if (!scan || gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_RUNNING) return;
  GantryWanted wanted;
  gantry_pictures_get_wanted(self->with.pictures, &wanted);
  GantryFilterTask *task =
      gantry_filter_task_new(G_OBJECT(self), answered, context->engine, scan, gantry_plan_editor_get(self->with.editor),
                             wanted.sinogram ? 0 : wanted.projection_index);
  gantry_worker_push(context->engine_worker, (GantryTask *)task);
  GantryMagnifiedWish wish;
  if (gantry_window_get_magnified_wish(context->window, &wish)) ask_magnified(self, &wish, -1);
}

static void edited(GantryWindow *window, double cutoff, int ramp, GantryFilterFeed *self) {
  ct_plan plan = *gantry_plan_editor_get(self->with.editor);
  const gboolean other_ramp = (int)plan.filter.ramp != ramp;
  plan.filter.cutoff = cutoff;
  plan.filter.ramp = (ct_ramp)ramp;
  if (gantry_scan_slot_get(self->with.slot))
    gantry_plan_editor_take(self->with.editor, &plan, other_ramp ? "filter.ramp" : "filter.cutoff");
}

static void interpolation_edited(GantryWindow *window, int interp, GantryFilterFeed *self) {
  ct_plan plan = *gantry_plan_editor_get(self->with.editor);
  plan.interp = interp;
  if (gantry_scan_slot_get(self->with.slot))
    gantry_plan_editor_take(self->with.editor, &plan, "reconstruction.interpolation");
}

void gantry_filter_feed_connect(GantryFilterFeed *self) {
  GantryWindow *window = self->with.context->window;
  g_signal_connect_object(window, "filter-edited", G_CALLBACK(edited), self, 0);
  g_signal_connect_object(window, "interpolation-edited", G_CALLBACK(interpolation_edited), self, 0);
  g_signal_connect_object(window, "filter-wanted", G_CALLBACK(gantry_filter_feed_request), self, G_CONNECT_SWAPPED);
}
