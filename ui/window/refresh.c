/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Before the next frame: where frames are slow and something pulses, idle moments are rare. */
#include "ui/window/refresh.h"

struct _GantryRefresh {
  void (*refresh)(gpointer user);
  gpointer user;
  guint source;
  gboolean stopped;
};

GantryRefresh *gantry_refresh_new(void (*refresh)(gpointer user), gpointer user) {
  GantryRefresh *self = g_new0(GantryRefresh, 1);
  self->refresh = refresh;
  self->user = user;
  return self;
}

void gantry_refresh_stop(GantryRefresh *self) {
  g_clear_handle_id(&self->source, g_source_remove);
  self->stopped = TRUE;
}

void gantry_refresh_free(GantryRefresh *self) {
  gantry_refresh_stop(self);
  g_free(self);
}

static gboolean run(gpointer data) {
  GantryRefresh *self = data;
  self->source = 0;
  self->refresh(self->user);
  return G_SOURCE_REMOVE;
}

void gantry_refresh_queue(GantryRefresh *self) {
  if (!self->source && !self->stopped) self->source = g_idle_add_full(GTK_PRIORITY_RESIZE, run, self, NULL);
}
