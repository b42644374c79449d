/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures and numbers that arrive from the workers, and the words over them. */
#include "app/session/session-private.h"

#include <string.h>

/* Pictures */

static void adopt_grid(GantrySession *self, const ct_grid *grid) {
  if (self->has_grid && memcmp(&self->grid, grid, sizeof *grid) == 0 && !self->centred) return;
  self->grid = *grid;
  self->has_grid = TRUE;
  self->reference_generation++;
  if (self->centred) {
    const double cross[3] = {ct_grid_plane_position(grid, CT_SAGITTAL, grid->nx / 2),
                             ct_grid_plane_position(grid, CT_CORONAL, grid->ny / 2),
                             ct_grid_plane_position(grid, CT_AXIAL, grid->nz / 2)};
    gantry_display_set_cross(gantry_window_get_display(self->window), cross);
    self->centred = FALSE;
  }
  gantry_window_set_grid(self->window, grid);
}

static gboolean is_current(GantrySession *self, GantrySide side, const GantryImage *image) {
  if (image->kind == GANTRY_VIEW_PROJECTION) return image->generation >= self->scan_generation;
  return image->generation == (side == GANTRY_A ? self->generation : self->reference_generation);
}

static void show_image(GantrySession *self, GantrySide side, GantryImage *image) {
  GantryImage **slot = &self->shown[side][image->kind];
  if (*slot) gantry_image_unref(*slot);
  *slot = gantry_image_ref(image);
  gantry_window_set_image(self->window, side == GANTRY_A ? CTGL_SLOT_A : CTGL_SLOT_B, image);
  if (side == GANTRY_A && image->kind != GANTRY_VIEW_PROJECTION) {
    gantry_probe_end(self->probe, "open-to-first-plane");
    if (self->source == GANTRY_SOURCE_PREVIEW)
      gantry_probe_end(self->probe, "edit-to-first-plane");
    else
      gantry_probe_end(self->probe, "reconstruct-to-first-plane");
  }
}

void gantry_session_pictures_arrived(gpointer data) {
  GantrySession *self = data;
  GantryImage *images[GANTRY_SIDES][GANTRY_VIEWS];
  ct_grid grid;
  guint64 grid_generation = 0;
  const gboolean has_grid = gantry_mailbox_take(self->mailbox, images, &grid, &grid_generation);
  gboolean planes = FALSE;
  guint run;
  gsize points;
  g_autofree ct_iteration *curve = gantry_mailbox_take_curve(self->mailbox, &run, &points);
  if (curve) gantry_session_show_curve(self, run, curve, points);
  self->showing = TRUE;
  if (self->window && has_grid && grid_generation == self->generation) adopt_grid(self, &grid);
  for (int side = 0; side < GANTRY_SIDES; side++) {
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
      GantryImage *image = images[side][kind];
      if (!image) continue;
      if (self->window && self->scan && is_current(self, (GantrySide)side, image)) {
        show_image(self, (GantrySide)side, image);
        planes |= kind != GANTRY_VIEW_PROJECTION;
      }
      gantry_image_unref(image);
    }
  }
  self->showing = FALSE;
  if (!planes) return;
  gantry_session_update_age(self);
  gantry_session_request_statistics(self);
  gantry_session_request_reference(self);
  gantry_session_update_actions(self);
}

void gantry_session_forget_pictures(GantrySession *self) {
  GantryImage *none[GANTRY_SIDES][GANTRY_VIEWS];
  ct_grid grid;
  guint64 generation;
  gantry_mailbox_take(self->mailbox, none, &grid, &generation);
  for (int side = 0; side < GANTRY_SIDES; side++) {
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
      if (none[side][kind]) gantry_image_unref(none[side][kind]);
      g_clear_pointer(&self->shown[side][kind], gantry_image_unref);
    }
  }
  self->has_grid = FALSE;
  gantry_window_clear_images(self->window, CTGL_SLOT_A);
  gantry_window_clear_images(self->window, CTGL_SLOT_B);
}

/* Words */

/* What slices on demand are slices of. */
static const char *preview_words(GantrySession *self) {
  if (!self->has_preview_plan || self->preview_plan.iterative.method == CT_METHOD_DIRECT) return "preview";
  return self->slices_alone ? "preview: axial slice iterated alone" : "preview: filtered back-projection";
}

void gantry_session_update_titles(GantrySession *self) {
  if (!self->window) return;
  g_autofree char *a = NULL;
  const char *earlier = self->earlier_values ? " (earlier values)" : "";
  if (self->source == GANTRY_SOURCE_PREVIEW)
    a = self->preview_failed && gantry_session_lacks_distances(self)
            ? g_strdup("no preview without the distances")
            : g_strdup_printf("%s%s", preview_words(self), earlier);
  if (self->source == GANTRY_SOURCE_RUNNING)
    a = g_strdup_printf("volume in the making%s", gantry_session_run_is_edited(self) ? " (earlier values)" : "");
  if (self->source == GANTRY_SOURCE_VOLUME && self->volume) {
    g_autofree char *title = gantry_result_dup_title(self->volume);
    a = g_strdup_printf("%s%s", title, earlier);
  }
  g_autofree char *b = gantry_session_dup_reference_title(self);
  gantry_window_set_result_titles(self->window, a ? a : "no result yet", b);
  gantry_session_update_age(self);
}

void gantry_session_show_outcome(GantrySession *self, GantryOutcome *outcome, const ct_plan *plan) {
  gantry_outcome_free(self->outcome);
  self->outcome = outcome;
  GantryPlanPanel *panel = gantry_window_get_panel(self->window);
  gantry_plan_panel_set_outcome(panel, &outcome->facts, plan, self->has_estimate ? &self->estimate : NULL);
  gantry_window_set_projection_range(self->window, outcome->geometry.views, outcome->geometry.nv);
}

/* Numbers */

/* A result that has just become the reference differs from itself by nothing: the scale is chosen when A first does
 * differ; not from the first views of a run, which differ from everything, and from whole volumes where they are
 * compared. */
static void fit_difference(GantrySession *self, const ct_metrics *metrics) {
  if (self->difference_fitted || self->source == GANTRY_SOURCE_RUNNING || !(metrics->rmse > 0)) return;
  gantry_display_set_difference_range(gantry_window_get_display(self->window),
                                      MIN(metrics->max_abs, 3 * metrics->rmse));
  self->difference_fitted = TRUE;
}

static void statistics_known(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantryStatisticsTask *statistics = (const GantryStatisticsTask *)task;
  if (task->dropped || !self->window || statistics->a != self->shown[GANTRY_A][GANTRY_VIEW_AXIAL] || self->whole_known)
    return;
  if (statistics->compared && !self->whole_volume) fit_difference(self, &statistics->metrics);
  gantry_window_set_statistics_scope(self->window, "A, this axial slice");
  gantry_window_set_statistics(self->window, &statistics->statistics,
                               statistics->compared ? &statistics->metrics : NULL);
}

/* Of the axial slice on screen, at once; whole volumes follow when they have been compared. */
void gantry_session_request_statistics(GantrySession *self) {
  GantryImage *a = self->shown[GANTRY_A][GANTRY_VIEW_AXIAL], *b = self->shown[GANTRY_B][GANTRY_VIEW_AXIAL];
  if (!a || self->whole_known) return;
  const gboolean comparable = b && b->generation == self->reference_generation && b->index == a->index;
  GantryStatisticsTask *task = gantry_statistics_task_new(G_OBJECT(self), statistics_known, a, comparable ? b : NULL);
  gantry_worker_push(self->planes_worker, (GantryTask *)task);
}

static void volumes_compared(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantryCompareTask *compare = (const GantryCompareTask *)task;
  if (self->whole_volume != task) return;
  self->whole_volume = NULL;
  if (task->dropped || !self->window) return;
  self->whole_known = TRUE;
  if (compare->compared) fit_difference(self, &compare->metrics);
  gantry_window_set_statistics_scope(self->window, "A, whole volume");
  gantry_window_set_statistics(self->window, &compare->statistics, compare->compared ? &compare->metrics : NULL);
}

/* Numbers of the whole volume hold while A's volume is on screen; a preview has only its slices'. */
void gantry_session_compare_volumes(GantrySession *self) {
  self->whole_known = FALSE;
  self->whole_volume = NULL;
  if (self->source != GANTRY_SOURCE_VOLUME || !self->volume) return;
  /* A reference of slices, or on another grid, is compared slice by slice. */
  if (self->reference_is_plan) return;
  if (self->reference &&
      !gantry_grids_agree(ct_volume_grid(self->volume->volume), ct_volume_grid(self->reference->volume)))
    return;
  GantryCompareTask *task = gantry_compare_task_new(G_OBJECT(self), volumes_compared, self->volume, self->reference);
  self->whole_volume = (GantryTask *)task;
  gantry_worker_push(self->files_worker, (GantryTask *)task);
}
