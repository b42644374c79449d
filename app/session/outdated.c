/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes at once replaces its image without a mark: flicker says nothing. */
#include "app/session/outdated.h"

#define LATE_MS 250

struct _GantryOutdated {
  GantryContext *context;
  GantryPictures *pictures;
  void (*late)(gpointer user);
  gpointer user;
  guint timer;
  guint64 late_generation;       /* whose images did not come at once */
  gboolean marked[GANTRY_VIEWS]; /* A's */
};

GantryOutdated *gantry_outdated_new(GantryContext *context, GantryPictures *pictures, void (*late)(gpointer user),
                                    gpointer user) {
  GantryOutdated *self = g_new0(GantryOutdated, 1);
  self->context = gantry_context_ref(context);
  self->pictures = pictures;
  self->late = late;
  self->user = user;
  return self;
}

void gantry_outdated_stop(GantryOutdated *self) {
  g_clear_handle_id(&self->timer, g_source_remove);
}

void gantry_outdated_free(GantryOutdated *self) {
  gantry_outdated_stop(self);
  gantry_context_unref(self->context);
  g_free(self);
}

static gboolean is_late(gpointer data) {
  GantryOutdated *self = data;
  self->timer = 0;
  self->late_generation = gantry_pictures_get_generation(self->pictures, GANTRY_A);
  self->late(self->user);
  return G_SOURCE_REMOVE;
}

void gantry_outdated_begin(GantryOutdated *self) {
  gantry_outdated_stop(self);
  self->timer = g_timeout_add(LATE_MS, is_late, self);
}

void gantry_outdated_update(GantryOutdated *self, gboolean earlier) {
  if (!self->context->window) return;
  const guint64 generation = gantry_pictures_get_generation(self->pictures, GANTRY_A);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
    if (kind == GANTRY_VIEW_PROJECTION) continue;
    const GantryImage *image = gantry_pictures_get(self->pictures, GANTRY_A, (GantryViewKind)kind);
    /* An image that is marked stays so until another one comes. */
    const gboolean late =
        image && image->generation != generation && (self->marked[kind] || self->late_generation == generation);
    self->marked[kind] = image && (earlier || late);
    gantry_window_set_outdated(self->context->window, (GantryViewKind)kind, self->marked[kind]);
  }
}
