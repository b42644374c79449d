/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which pictures are wanted, and who makes them: the volume in the making, the finished volume (planes worker), or
 * slices on demand (engine worker). A request asks for every plane on screen that is not of the present generation and
 * place, so it may be repeated at any time. */
#include "app/session/session-private.h"

#include "app/errors.h"
#include "recon/geom/questions.h"

#include <math.h>

#define PREVIEW_DELAY_MS 50

void gantry_session_update_wanted(GantrySession *self, GantryWanted *wanted) {
  *wanted = (GantryWanted){.centred = self->centred,
                           .projection = TRUE,
                           .sinogram = self->sinogram,
                           .projection_index = self->projection_index,
                           .generation = self->generation};
  GantryDisplay *display = gantry_window_get_display(self->window);
  gantry_display_get_cross(display, wanted->cross);
  wanted->oblique = gantry_display_get_oblique(display, &wanted->pose);
  gantry_mailbox_set_wanted(self->mailbox, wanted);
}

guint gantry_session_missing_planes(GantrySession *self, GantrySide side) {
  GantryWanted wanted;
  gantry_session_update_wanted(self, &wanted);
  const guint64 generation = side == GANTRY_A ? self->generation : self->reference_generation;
  guint missing = 0;
  for (int plane = 0; plane < GANTRY_PLANES; plane++) {
    const GantryImage *image = self->shown[side][plane];
    if (!image || image->generation != generation ||
        (self->has_grid && image->index != gantry_wanted_index(&wanted, &self->grid, (ct_plane)plane)))
      missing |= 1u << plane;
  }
  const GantryImage *oblique = self->shown[side][GANTRY_VIEW_OBLIQUE];
  if (oblique && oblique->generation != generation) oblique = NULL;
  if (self->has_grid ? !gantry_oblique_is_shown(&wanted, &self->grid, oblique) : wanted.oblique)
    missing |= GANTRY_OBLIQUE;
  return missing;
}

/* Volumes */

static void read_volume(GantrySession *self, guint planes) {
  GantryWanted wanted;
  gantry_session_update_wanted(self, &wanted);
  const ct_grid *grid = ct_volume_grid(self->volume->volume);
  GantryPlanesTask *task = gantry_planes_task_new(G_OBJECT(self), NULL, self->mailbox);
  task->result[GANTRY_A] = gantry_result_ref(self->volume);
  task->planes[GANTRY_A] = planes;
  task->generation[GANTRY_A] = self->generation;
  task->wanted = wanted;
  task->grid = *grid;
  for (int plane = 0; plane < GANTRY_PLANES; plane++)
    task->indices[plane] = gantry_wanted_index(&wanted, grid, (ct_plane)plane);
  gantry_worker_push(self->planes_worker, (GantryTask *)task);
}

/* Previews */

gboolean gantry_session_lacks_distances(GantrySession *self) {
  const ct_plan *plan = gantry_session_get_plan(self);
  const ct_geometry *told = self->scan ? &gantry_scan_get_facts(self->scan)->geometry : NULL;
  if (!told) return FALSE;
  const ct_beam beam = ct_plan_beam(plan, told->beam, gantry_scan_get_facts(self->scan)->known, told->nv);
  if (!ct_beam_takes(beam, CT_TAKES_DISTANCES)) return FALSE;
  const double sod = isnan(plan->sod) ? told->sod : plan->sod, sdd = isnan(plan->sdd) ? told->sdd : plan->sdd;
  return !(sod > 0) || !(sdd > 0);
}

/* Values that are still being typed are no fault. */
static void show_fault(GantrySession *self, const GError *error) {
  const gboolean incomplete = g_error_matches(error, GANTRY_ERROR, CT_ERROR_ARGUMENT) && !self->centre_asked &&
                              gantry_session_lacks_distances(self);
  if (!incomplete) {
    gantry_session_show_error(self, error);
    return;
  }
  if (self->preview_failed) gantry_window_clear_error(self->window);
  gantry_session_toast(self, GANTRY_ABOUT_PLAN, NULL, NULL, "%s", GANTRY_TYPE_DISTANCES);
}

/* Whether slices on demand are, or will be, those of the present values. */
static gboolean preview_is_present(GantrySession *self) {
  ct_plan wanted = *gantry_session_get_plan(self);
  gantry_session_engine_plan(self, &wanted);
  return !self->has_preview_plan || gantry_plans_agree(&wanted, &self->preview_plan);
}

static void previewed(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  GantryPreviewTask *preview = (GantryPreviewTask *)task;
  if (self->preview == task) self->preview = NULL;
  if (!self->window || task->dropped || preview->scan != self->scan) return;
  const GError *error = preview->work.error;
  if (error && g_error_matches(error, GANTRY_ERROR, CT_ERROR_CANCELLED)) return;
  gantry_session_pictures_arrived(self);
  if (task->generation != self->generation) return;
  if (preview->estimated) {
    self->estimate = preview->estimate;
    self->has_estimate = TRUE;
    gantry_plan_panel_set_estimate(gantry_window_get_panel(self->window), &self->estimate);
  }
  if (preview->outcome) self->slices_alone = preview->slices_alone;
  if (preview->outcome) gantry_session_show_outcome(self, g_steal_pointer(&preview->outcome), &preview->plan);
  gantry_plan_panel_set_refused(gantry_window_get_panel(self->window), error != NULL);
  if (error) {
    show_fault(self, error);
    self->earlier_values = self->preview_failed = TRUE;
    if (preview->too_big) gantry_session_offer_advice(self, &preview->estimate);
    if (preview->blames_device) gantry_session_offer_processor(self);
    if (!preview->too_big && !preview->blames_device) {
      gantry_session_offer_kernel(self, &preview->plan, error);
      gantry_session_offer_projector(self, &preview->plan);
    }
  } else {
    if (self->preview_failed) gantry_window_clear_error(self->window);
    self->preview_failed = FALSE;
    self->earlier_values = !preview_is_present(self);
    gantry_session_request_projection(self);
  }
  gantry_session_preview_ended(self, error);
  gantry_session_update_titles(self);
  gantry_session_update_actions(self);
}

void gantry_session_request_preview(GantrySession *self, guint planes) {
  const gboolean automatic = g_settings_get_boolean(self->settings, "auto-preview");
  ct_plan plan =
      self->has_preview_plan && !automatic && !self->centre_asked ? self->preview_plan : *gantry_session_get_plan(self);
  gantry_session_engine_plan(self, &plan);
  GantryPreviewTask *task =
      gantry_preview_task_new(G_OBJECT(self), previewed, self->engine, self->scan, self->mailbox, GANTRY_A, &plan);
  task->planes = planes;
  task->work.task.generation = self->generation;
  gantry_session_update_wanted(self, &task->wanted);
  self->preview_plan = plan;
  self->has_preview_plan = TRUE;
  self->preview = (GantryTask *)task;
  gantry_worker_push(self->engine_worker, (GantryTask *)task);
  gantry_session_watch(self);
}

static gboolean preview_due(gpointer data) {
  GantrySession *self = data;
  self->debounce = 0;
  gantry_session_request_planes(self);
  return G_SOURCE_REMOVE;
}

void gantry_session_schedule_preview(GantrySession *self) {
  g_clear_handle_id(&self->debounce, g_source_remove);
  self->debounce = g_timeout_add(PREVIEW_DELAY_MS, preview_due, self);
}

/* Numbers of the whole volume hold while it is on screen. */
static void choose_statistics(GantrySession *self) {
  if (self->source != GANTRY_SOURCE_VOLUME) {
    if (self->whole_known) gantry_window_set_statistics(self->window, NULL, NULL);
    self->whole_known = FALSE;
    self->whole_volume = NULL;
  } else if (!self->whole_known && !self->whole_volume) {
    gantry_session_compare_volumes(self);
  }
}

void gantry_session_show_volume(GantrySession *self) {
  g_clear_handle_id(&self->debounce, g_source_remove);
  if (self->source != GANTRY_SOURCE_VOLUME) self->generation++;
  self->source = GANTRY_SOURCE_VOLUME;
  self->earlier_values = !gantry_plans_agree(&self->volume->plan, gantry_session_get_plan(self));
  if (self->preview_failed) gantry_window_clear_error(self->window);
  self->preview_failed = FALSE;
  gantry_worker_cancel_slot(self->engine_worker, GANTRY_SLOT_PREVIEW);
  GantryOutcome *outcome = gantry_outcome_copy(self->volume_outcome);
  if (outcome) {
    self->estimate = self->volume_estimate;
    self->has_estimate = TRUE;
    gantry_session_show_outcome(self, outcome, &self->volume->plan);
  }
  gantry_session_request_planes(self);
  choose_statistics(self);
  gantry_session_update_titles(self);
}

/* Only the way of iterating differs from the volume's, and a preview would show none of it: the volume tells more. */
static gboolean tells_more(GantrySession *self, const ct_plan *plan) {
  return self->volume && plan->iterative.method != CT_METHOD_DIRECT && !self->slices_alone &&
         gantry_plans_agree_directly(&self->volume->plan, plan);
}

/* The side panel follows what is typed, whether or not anything can be made of it. */
static void tell_grid(GantrySession *self) {
  if (!self->window) return;
  GantryPlanPanel *panel = gantry_window_get_panel(self->window);
  ct_geometry geometry;
  ct_grid grid;
  if (!self->scan || !ct_plan_geometry(gantry_session_get_plan(self), gantry_scan_get(self->scan), &geometry, NULL)) {
    gantry_plan_panel_set_grid(panel, NULL, NULL);
    return;
  }
  const gboolean possible = ct_plan_grid(gantry_session_get_plan(self), &geometry, &grid, NULL);
  const gboolean large = MAX(grid.nx, MAX(grid.ny, grid.nz)) > GANTRY_PLANE_SIDE_MAX;
  gantry_plan_panel_set_grid(panel, &grid, !possible ? "cannot be made" : large ? "too large for a preview" : NULL);
  ct_geometry_clear(&geometry);
}

/* Previews are off: what is shown stays, under its own name. A run that left no volume shows nothing any more: what was
 * shown before it comes back. */
static void stay(GantrySession *self) {
  const gboolean ran = self->source == GANTRY_SOURCE_RUNNING;
  if (ran) {
    self->source = self->volume ? GANTRY_SOURCE_VOLUME : GANTRY_SOURCE_PREVIEW;
    self->generation++;
    gantry_session_begin_ageing(self);
  }
  const gboolean present = self->source == GANTRY_SOURCE_PREVIEW && !self->preview_failed && preview_is_present(self);
  self->earlier_values = self->source != GANTRY_SOURCE_NONE && !present;
  if (ran || !self->preview_failed) gantry_session_request_planes(self);
}

/* The plan, the scan or the volume changed: decides where A comes from now. */
void gantry_session_choose_source(GantrySession *self) {
  tell_grid(self);
  if (self->source == GANTRY_SOURCE_RUNNING && self->job_kind == GANTRY_JOB_VOLUME) {
    gantry_session_update_titles(self);
    return;
  }
  g_clear_handle_id(&self->debounce, g_source_remove);
  const ct_plan *plan = gantry_session_get_plan(self);
  const gboolean automatic = g_settings_get_boolean(self->settings, "auto-preview");
  if (!self->scan) {
    self->source = GANTRY_SOURCE_NONE;
  } else if (self->volume && (gantry_plans_agree(&self->volume->plan, plan) || tells_more(self, plan))) {
    gantry_session_show_volume(self);
    return;
  } else if (automatic || self->centre_asked) {
    if (self->source != GANTRY_SOURCE_PREVIEW || !self->has_preview_plan || !preview_is_present(self)) {
      self->generation++;
      gantry_session_begin_ageing(self);
    }
    self->source = GANTRY_SOURCE_PREVIEW;
    self->earlier_values = FALSE;
    gantry_session_schedule_preview(self);
  } else {
    stay(self);
  }
  choose_statistics(self);
  gantry_session_update_titles(self);
}

/* The volume in the making posts what is wanted after each batch; while it is paused it has to be asked. */
static void look_at_run(GantrySession *self) {
  if (self->job_kind == GANTRY_JOB_VOLUME && self->paused) ct_job_look(self->job->job);
}

void gantry_session_request_planes(GantrySession *self) {
  if (!self->window || !self->scan || self->closing) return;
  const guint missing = gantry_session_missing_planes(self, GANTRY_A);
  if (self->source == GANTRY_SOURCE_VOLUME && missing) read_volume(self, missing);
  /* While the debounce timer runs the plan is still moving: it asks by itself. */
  if (self->source == GANTRY_SOURCE_PREVIEW && missing && !self->debounce)
    gantry_session_request_preview(self, missing);
  if (self->source == GANTRY_SOURCE_RUNNING && missing) look_at_run(self);
  gantry_session_request_reference(self);
}

/* The fourth view: line integrals once there are some, else frames as stored. The engine's pipeline is the engine
 * worker's; while that one makes a volume its publisher serves this view. */
void gantry_session_request_projection(GantrySession *self) {
  if (!self->window || !self->scan || self->closing) return;
  GantryWanted wanted;
  gantry_session_update_wanted(self, &wanted);
  if (self->source == GANTRY_SOURCE_RUNNING && self->outcome) {
    look_at_run(self);
    return;
  }
  GantryEngine *engine = self->outcome ? self->engine : NULL;
  GantryProjectionTask *task = gantry_projection_task_new(G_OBJECT(self), NULL, engine, self->scan, self->mailbox,
                                                          gantry_session_get_plan(self), &wanted);
  gantry_worker_push(engine ? self->engine_worker : self->planes_worker, (GantryTask *)task);
}
