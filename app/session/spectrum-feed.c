/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One task at a time waits: a newer one takes its place. */
#include "app/session/spectrum-feed.h"

#include "app/errors.h"
#include "app/tasks-spectrum.h"

struct _GantrySpectrumFeed {
  GObject parent_instance;
  GantryFilterFeedParts with;
  GantrySpectrum *spectrum; /* NULL while the page is away: its memory is given back */
  GantryTask *asked;        /* answers of others are dropped */
};

G_DEFINE_FINAL_TYPE(GantrySpectrumFeed, gantry_spectrum_feed, G_TYPE_OBJECT)

static void gantry_spectrum_feed_finalize(GObject *object) {
  GantrySpectrumFeed *self = GANTRY_SPECTRUM_FEED(object);
  g_clear_pointer(&self->spectrum, gantry_spectrum_unref);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_spectrum_feed_parent_class)->finalize(object);
}

static void gantry_spectrum_feed_class_init(GantrySpectrumFeedClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_spectrum_feed_finalize;
}

static void gantry_spectrum_feed_init(GantrySpectrumFeed *self) {}

GantrySpectrumFeed *gantry_spectrum_feed_new(const GantryFilterFeedParts *parts) {
  GantrySpectrumFeed *self = g_object_new(GANTRY_TYPE_SPECTRUM_FEED, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

static void answered(gpointer owner, GantryTask *task) {
  GantrySpectrumFeed *self = owner;
  GantrySpectrumTask *spectrum = (GantrySpectrumTask *)task;
  GantryWindow *window = self->with.context->window;
  if (task != self->asked) return;
  self->asked = NULL;
  if (!window || task->dropped || gantry_error_is_cancelled(spectrum->work.error)) return;
  if (spectrum->scan != gantry_scan_slot_get(self->with.slot)) return;
  if (spectrum->work.error)
    gantry_window_take_spectrum(window, NULL, spectrum->work.error->message);
  else
    gantry_window_take_spectrum(window, g_steal_pointer(&spectrum->report), NULL);
}

void gantry_spectrum_feed_request(GantrySpectrumFeed *self) {
  GantryContext *context = self->with.context;
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  int view;
  if (!context->window) return;
  if (!gantry_window_get_spectrum_view(context->window, &view)) {
    g_clear_pointer(&self->spectrum, gantry_spectrum_unref);
    self->asked = NULL;
    return;
  }
  if (!scan || gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_RUNNING) {
    self->asked = NULL;
    gantry_window_take_spectrum(context->window, NULL,
                                scan ? "A volume is being made: when it is there, the spectrum of its slice is shown."
                                     : NULL);
    return;
  }
  if (!self->spectrum) self->spectrum = gantry_spectrum_new();
  GantrySpectrumTask *task = gantry_spectrum_task_new(G_OBJECT(self), answered, context->engine, scan, self->spectrum,
                                                      gantry_plan_editor_get(self->with.editor), view);
  gantry_pictures_get_wanted(self->with.pictures, &task->wanted);
  self->asked = (GantryTask *)task;
  gantry_worker_push(context->engine_worker, self->asked);
}

void gantry_spectrum_feed_connect(GantrySpectrumFeed *self) {
  g_signal_connect_object(self->with.context->window, "spectrum-wanted", G_CALLBACK(gantry_spectrum_feed_request), self,
                          G_CONNECT_SWAPPED);
}
