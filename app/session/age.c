/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of before a change: slices stay on screen until those of the new values come, and say so when these take
 * their time, cannot be made, or are not to be made. */
#include "app/session/session-private.h"

#define AGEING_MS 250 /* what comes sooner replaces its picture without a flicker */

static gboolean aged(gpointer data) {
  GantrySession *self = data;
  self->ageing = 0;
  self->aged = self->generation;
  gantry_session_update_age(self);
  return G_SOURCE_REMOVE;
}

void gantry_session_begin_ageing(GantrySession *self) {
  g_clear_handle_id(&self->ageing, g_source_remove);
  self->ageing = g_timeout_add(AGEING_MS, aged, self);
}

gboolean gantry_session_run_is_edited(GantrySession *self) {
  return self->source == GANTRY_SOURCE_RUNNING && self->job && self->job_kind == GANTRY_JOB_VOLUME &&
         !gantry_plans_agree(&((const GantryVolumeTask *)self->job)->plan, gantry_session_get_plan(self));
}

void gantry_session_update_age(GantrySession *self) {
  if (!self->window) return;
  const gboolean earlier = self->earlier_values || gantry_session_run_is_edited(self);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
    const GantryImage *image = self->shown[GANTRY_A][kind];
    if (kind == GANTRY_VIEW_PROJECTION) continue;
    /* A picture that is marked stays so until another one comes. */
    const gboolean late =
        image && image->generation != self->generation && (self->outdated[kind] || self->aged == self->generation);
    self->outdated[kind] = image && (earlier || late);
    gantry_window_set_outdated(self->window, (GantryViewKind)kind, self->outdated[kind]);
  }
}
