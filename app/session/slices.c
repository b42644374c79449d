/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice follows from the present plan, the result and whether previews are on; each source is then asked in its
 * own way: the planes' worker for the finished volume, the engine's for slices on demand, the run itself while it
 * lasts. */
#include "app/session/slices.h"

#include "app/errors.h"
#include "app/session/outdated.h"
#include "app/tasks.h"
#include "recon/solve/record.h"

struct _GantrySlices {
  GObject parent_instance;
  GantrySlicesParts with;
  GantryOutdated *outdated;
  GantrySource source;
  gboolean earlier_values;
  GantryEntry *shown;    /* weak; the images shown are its, while the source is the volume */
  gboolean chosen;       /* from the shelf: the panel may say something else */
  ct_plan run_plan;      /* of the volume in the making */
  gboolean slices_alone; /* an iterative method makes axial slices alone; else filtered back-projection stands in */
  GantryOutcome *outcome;
  ct_estimate estimate;
  gboolean has_estimate;
};

G_DEFINE_FINAL_TYPE(GantrySlices, gantry_slices, G_TYPE_OBJECT)

enum { CHOSEN, RETITLED, REQUESTED, PREVIEWED, SIGNALS };
static guint signals[SIGNALS];

static void gantry_slices_finalize(GObject *object) {
  GantrySlices *self = GANTRY_SLICES(object);
  gantry_outdated_free(self->outdated);
  g_clear_weak_pointer(&self->shown);
  gantry_outcome_free(self->outcome);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_slices_parent_class)->finalize(object);
}

static guint new_signal(const char *name) {
  return g_signal_new(name, GANTRY_TYPE_SLICES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_slices_class_init(GantrySlicesClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_slices_finalize;
  signals[CHOSEN] = new_signal("chosen");
  signals[RETITLED] = new_signal("retitled");
  signals[REQUESTED] = new_signal("requested");
  signals[PREVIEWED] = g_signal_new("previewed", GANTRY_TYPE_SLICES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void gantry_slices_init(GantrySlices *self) {}

void gantry_slices_reset(GantrySlices *self) {
  g_clear_pointer(&self->outcome, gantry_outcome_free);
  self->source = GANTRY_SOURCE_NONE;
  self->has_estimate = self->earlier_values = self->slices_alone = FALSE;
}

void gantry_slices_stop(GantrySlices *self) {
  gantry_preview_unschedule(self->with.preview);
  gantry_outdated_stop(self->outdated);
}

GantrySource gantry_slices_get_source(GantrySlices *self) {
  return self->source;
}

/* What is known of it */

const char *gantry_slices_get_record(GantrySlices *self) {
  const GantryResult *result = gantry_shelf_get_result(self->with.shelf);
  if (self->source == GANTRY_SOURCE_VOLUME && result) return ct_volume_get_plan(result->volume);
  return self->outcome ? self->outcome->record : NULL;
}

const GantryOutcome *gantry_slices_get_outcome(GantrySlices *self) {
  return self->outcome;
}

void gantry_slices_show_outcome(GantrySlices *self, GantryOutcome *outcome, const ct_plan *plan) {
  gantry_outcome_free(self->outcome);
  self->outcome = outcome;
  GantryPlanPanel *panel = gantry_context_get_panel(self->with.context);
  gantry_plan_panel_set_outcome(panel, &outcome->facts, plan, self->has_estimate ? &self->estimate : NULL);
  gantry_banner_show_warnings(self->with.banner, outcome->facts.warnings);
  gantry_window_set_projection_range(self->with.context->window, outcome->geometry.views, outcome->geometry.nv);
  gantry_window_set_geometry(self->with.context->window, &outcome->geometry,
                             (GantryBins){outcome->facts.bin_u, outcome->facts.bin_v, outcome->facts.row0});
}

const ct_estimate *gantry_slices_get_estimate(GantrySlices *self) {
  return &self->estimate;
}

void gantry_slices_set_estimate(GantrySlices *self, const ct_estimate *estimate) {
  self->estimate = *estimate;
  self->has_estimate = TRUE;
}

gboolean gantry_slices_is_earlier(GantrySlices *self) {
  return self->earlier_values;
}

void gantry_slices_set_earlier(GantrySlices *self) {
  self->earlier_values = TRUE;
}

gboolean gantry_slices_has_result(GantrySlices *self) {
  const gboolean previewed = self->source == GANTRY_SOURCE_PREVIEW && !gantry_banner_has_no_preview(self->with.banner);
  return (self->source == GANTRY_SOURCE_VOLUME || previewed) &&
         gantry_pictures_get(self->with.pictures, GANTRY_A, GANTRY_VIEW_AXIAL);
}

/* Whether the volume in the making is one of values that have been edited since. */
static gboolean run_is_edited(GantrySlices *self) {
  return self->source == GANTRY_SOURCE_RUNNING && gantry_jobs_get_kind(self->with.jobs) == GANTRY_JOB_VOLUME &&
         !gantry_plans_agree(&self->run_plan, gantry_plan_editor_get(self->with.editor));
}

void gantry_slices_update_outdated(GantrySlices *self) {
  gantry_outdated_update(self->outdated, self->earlier_values || run_is_edited(self));
}

static void late(gpointer user) {
  gantry_slices_update_outdated(user);
}

/* What slices on demand are slices of. */
static const char *preview_title(GantrySlices *self) {
  const ct_plan *plan = gantry_preview_get_plan(self->with.preview);
  if (!plan || !ct_method_iterates(plan->iterative.method)) return "preview";
  return self->slices_alone ? "preview: axial slice iterated alone" : "preview: filtered back-projection";
}

static gboolean lacks_distances(GantrySlices *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  return scan && gantry_scan_lacks_distances(scan, gantry_plan_editor_get(self->with.editor));
}

char *gantry_slices_dup_title(GantrySlices *self) {
  const char *earlier = self->earlier_values ? " (earlier values)" : "";
  const GantryResult *result = gantry_shelf_get_result(self->with.shelf);
  if (self->source == GANTRY_SOURCE_PREVIEW)
    return gantry_banner_has_no_preview(self->with.banner) && lacks_distances(self)
               ? g_strdup("no preview without the distances")
               : g_strdup_printf("%s%s", preview_title(self), earlier);
  if (self->source == GANTRY_SOURCE_RUNNING)
    return g_strdup_printf("volume in the making%s", run_is_edited(self) ? " (earlier values)" : "");
  if (self->source != GANTRY_SOURCE_VOLUME || !result) return g_strdup("no result yet");
  g_autofree char *title = gantry_shelf_dup_title(self->with.shelf, result);
  const gboolean other =
      self->chosen && !result->file && !gantry_plans_agree(&result->plan, gantry_plan_editor_get(self->with.editor));
  return g_strdup_printf("%s%s", title, other ? " (the plan has other values)" : earlier);
}

void gantry_slices_retitle(GantrySlices *self) {
  g_signal_emit(self, signals[RETITLED], 0);
}

/* Asking for planes */

static void read_volume(GantrySlices *self, guint planes) {
  GantryResult *result = gantry_shelf_get_result(self->with.shelf);
  const ct_grid *grid = ct_volume_grid(result->volume);
  GantryPlanesTask *task = gantry_planes_task_new(G_OBJECT(self), NULL, self->with.context->mailbox);
  gantry_pictures_get_wanted(self->with.pictures, &task->wanted);
  task->result[GANTRY_A] = gantry_result_ref(result);
  task->planes[GANTRY_A] = planes;
  task->generation[GANTRY_A] = gantry_pictures_get_generation(self->with.pictures, GANTRY_A);
  task->grid = *grid;
  for (int plane = 0; plane < GANTRY_PLANES; plane++)
    task->indices[plane] = gantry_wanted_index(&task->wanted, grid, (ct_plane)plane);
  gantry_worker_push(self->with.context->planes_worker, (GantryTask *)task);
}

void gantry_slices_request(GantrySlices *self) {
  const gboolean possible = gantry_scan_slot_get(self->with.slot) || self->source == GANTRY_SOURCE_VOLUME;
  if (!self->with.context->window || !possible) return;
  const guint missing = gantry_pictures_get_missing(self->with.pictures, GANTRY_A);
  if (self->source == GANTRY_SOURCE_VOLUME && missing) read_volume(self, missing);
  /* During its pause the plan is still moving: it asks by itself. */
  if (self->source == GANTRY_SOURCE_PREVIEW && missing && !gantry_preview_is_scheduled(self->with.preview))
    gantry_preview_request(self->with.preview, missing);
  /* The volume in the making posts what is wanted after each batch; while it is paused it has to be asked. */
  if (self->source == GANTRY_SOURCE_RUNNING && missing) gantry_jobs_look(self->with.jobs);
  g_signal_emit(self, signals[REQUESTED], 0);
}

/* Line integrals or filtered projections once there are some, else frames as stored. The engine's pipeline is the
 * engine worker's; while that one makes a volume its publisher serves this view. */
void gantry_slices_request_projection(GantrySlices *self) {
  GantryContext *context = self->with.context;
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  if (!context->window || !scan) return;
  GantryWanted wanted;
  gantry_pictures_get_wanted(self->with.pictures, &wanted);
  const gboolean stored = wanted.values == GANTRY_VALUES_STORED;
  if (self->source == GANTRY_SOURCE_RUNNING && self->outcome && !stored) {
    gantry_jobs_look(self->with.jobs);
    return;
  }
  GantryEngine *engine = self->outcome && !stored ? context->engine : NULL;
  GantryProjectionTask *task = gantry_projection_task_new(G_OBJECT(self), NULL, engine, scan, context->mailbox,
                                                          gantry_plan_editor_get(self->with.editor), &wanted);
  if (self->outcome)
    task->bins = (GantryBins){self->outcome->facts.bin_u, self->outcome->facts.bin_v, self->outcome->facts.row0};
  gantry_worker_push(engine ? context->engine_worker : context->planes_worker, (GantryTask *)task);
}

/* Previews */

/* Values that are still being typed are no fault. */
static void show_fault(GantrySlices *self, const GError *error) {
  const gboolean incomplete = g_error_matches(error, GANTRY_ERROR, CT_ERROR_ARGUMENT) &&
                              !gantry_jobs_is_searching(self->with.jobs) && lacks_distances(self);
  if (!incomplete) {
    gantry_context_show_error(self->with.context, error);
    return;
  }
  gantry_banner_end_no_preview(self->with.banner);
  gantry_context_toast(self->with.context, GANTRY_ABOUT_PLAN, NULL, NULL, "%s", GANTRY_LACKS_DISTANCES);
}

static void preview_failed(GantrySlices *self, const GantryPreviewTask *preview) {
  const GantryFailure failure = {.plan = &preview->plan,
                                 .error = preview->work.error,
                                 .estimate = &preview->estimate,
                                 .too_big = preview->too_big,
                                 .blames_device = preview->blames_device};
  show_fault(self, preview->work.error);
  self->earlier_values = TRUE;
  gantry_banner_set_no_preview(self->with.banner);
  if (preview->too_big) gantry_slices_set_estimate(self, &preview->estimate);
  gantry_banner_offer(self->with.banner, &failure, gantry_plan_editor_get(self->with.editor));
}

static void previewed(GantryPreview *source, GantryPreviewTask *preview, GantrySlices *self) {
  GantryPlanPanel *panel = gantry_context_get_panel(self->with.context);
  const GError *error = preview->work.error;
  if (error && g_error_matches(error, GANTRY_ERROR, CT_ERROR_CANCELLED)) return;
  gantry_pictures_fetch(self->with.pictures);
  if (preview->work.task.generation != gantry_pictures_get_generation(self->with.pictures, GANTRY_A)) return;
  if (preview->estimated) {
    gantry_slices_set_estimate(self, &preview->estimate);
    gantry_plan_panel_set_estimate(panel, &self->estimate);
  }
  if (preview->outcome) self->slices_alone = preview->slices_alone;
  if (preview->outcome) gantry_slices_show_outcome(self, g_steal_pointer(&preview->outcome), &preview->plan);
  gantry_plan_panel_set_refused(panel, error != NULL);
  if (error) {
    preview_failed(self, preview);
  } else {
    gantry_banner_end_no_preview(self->with.banner);
    self->earlier_values = !gantry_preview_is_present(self->with.preview);
    gantry_slices_request_projection(self);
  }
  g_signal_emit(self, signals[PREVIEWED], 0, error);
  gantry_slices_retitle(self);
  gantry_context_changed(self->with.context);
}

/* The first images of an edit, of a run, or of a scan are there. */
static void arrived(GantryPictures *pictures, gboolean of_a, GantrySlices *self) {
  GantryProbe *probe = self->with.context->probe;
  if (of_a) {
    gantry_probe_end(probe, "open-to-first-plane");
    gantry_probe_end(probe,
                     self->source == GANTRY_SOURCE_PREVIEW ? "edit-to-first-plane" : "reconstruct-to-first-plane");
  }
  gantry_slices_update_outdated(self);
}

GantrySlices *gantry_slices_new(const GantrySlicesParts *parts) {
  GantrySlices *self = g_object_new(GANTRY_TYPE_SLICES, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  self->outdated = gantry_outdated_new(parts->context, parts->pictures, late, self);
  g_signal_connect_object(parts->preview, "due", G_CALLBACK(gantry_slices_request), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(parts->preview, "done", G_CALLBACK(previewed), self, 0);
  g_signal_connect_object(parts->pictures, "arrived", G_CALLBACK(arrived), self, 0);
  return self;
}

/* The choice */

static void chosen(GantrySlices *self) {
  g_signal_emit(self, signals[CHOSEN], 0);
  gantry_slices_retitle(self);
}

static void renew(GantrySlices *self) {
  gantry_pictures_renew(self->with.pictures, GANTRY_A);
}

/* Of a volume that was opened: what was told when it was made. */
static void show_warnings_of(GantrySlices *self, const GantryResult *result) {
  const char *record = ct_volume_get_plan(result->volume);
  ct_warnings warnings = {0};
  if (record) ct_record_read_warnings(record, &warnings, NULL);
  gantry_banner_show_warnings(self->with.banner, &warnings);
}

static void show(GantrySlices *self, gboolean is_chosen) {
  GantryEntry *entry = gantry_shelf_get_a(self->with.shelf);
  const GantryResult *result = gantry_shelf_get_result(self->with.shelf);
  gantry_preview_unschedule(self->with.preview);
  if (self->source != GANTRY_SOURCE_VOLUME || self->shown != entry) renew(self);
  g_set_weak_pointer(&self->shown, entry);
  self->source = GANTRY_SOURCE_VOLUME;
  self->chosen = is_chosen;
  self->earlier_values = !is_chosen && !gantry_plans_agree(&result->plan, gantry_plan_editor_get(self->with.editor));
  gantry_banner_end_no_preview(self->with.banner);
  gantry_preview_cancel(self->with.preview);
  GantryOutcome *outcome = gantry_outcome_copy(gantry_shelf_get_outcome(self->with.shelf));
  if (outcome) {
    gantry_slices_set_estimate(self, gantry_shelf_get_estimate(self->with.shelf));
    gantry_slices_show_outcome(self, outcome, &result->plan);
  } else if (result->file) {
    show_warnings_of(self, result);
  }
  gantry_slices_request(self);
  chosen(self);
}

void gantry_slices_show_volume(GantrySlices *self) {
  show(self, FALSE);
}

void gantry_slices_show_entry(GantrySlices *self, GantryEntry *entry) {
  if (!gantry_entry_get_result(entry) || self->source == GANTRY_SOURCE_RUNNING) return;
  gantry_shelf_set_a(self->with.shelf, entry);
  show(self, TRUE);
}

/* One on the shelf that was made with these values is A again. Where only the way of iterating differs from A's a
 * preview would show none of it: the volume tells more. */
static gboolean volume_serves(GantrySlices *self, const ct_plan *plan) {
  const GantryResult *result = gantry_shelf_get_result(self->with.shelf);
  GantryEntry *a = gantry_shelf_get_a(self->with.shelf);
  if (result && (result->file || (a && gantry_entry_is_bygone(a)))) result = NULL;
  if (result && gantry_plans_agree(&result->plan, plan)) return TRUE;
  GantryEntry *made = gantry_shelf_find_plan(self->with.shelf, plan);
  if (made) gantry_shelf_set_a(self->with.shelf, made);
  return made || (result && ct_method_iterates(plan->iterative.method) && !self->slices_alone &&
                  gantry_plans_agree_directly(&result->plan, plan));
}

/* The side panel follows what is typed, whether or not anything can be made of it. */
static void tell_grid(GantrySlices *self) {
  if (!self->with.context->window) return;
  GantryPlanPanel *panel = gantry_context_get_panel(self->with.context);
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  const ct_plan *plan = gantry_plan_editor_get(self->with.editor);
  ct_geometry geometry;
  ct_grid grid;
  if (!scan || !ct_plan_geometry(plan, gantry_scan_get(scan), &geometry, NULL)) {
    gantry_plan_panel_set_grid(panel, NULL, NULL);
    return;
  }
  const gboolean possible = ct_plan_grid(plan, &geometry, &grid, NULL);
  const gboolean large = MAX(grid.nx, MAX(grid.ny, grid.nz)) > GANTRY_PLANE_SIDE_MAX;
  /* Where the data decide, what the last preview or run found is told. */
  const gboolean told = plan->nx != CT_AUTO_INT || plan->ny != CT_AUTO_INT ||
                        ct_plan_grid_is_told(plan, gantry_scan_get(scan), &geometry);
  /* Until something has been made of the scan the scene shows what the plan says of it. */
  if (possible && !self->outcome) {
    gantry_window_set_geometry(self->with.context->window, &geometry,
                               (GantryBins){MAX(plan->bin, 1), MAX(plan->bin, 1), 0});
    gantry_window_set_scene_grid(self->with.context->window, &grid);
  }
  gantry_plan_panel_set_grid(panel, told ? &grid : NULL,
                             !possible ? "cannot be made"
                             : large   ? "too large for a preview"
                                       : NULL);
  ct_geometry_clear(&geometry);
}

/* Previews are off: what is shown stays, under its own name. A run that left no volume shows nothing any more, nor does
 * one that was removed: what was shown before it comes back. */
static void stay(GantrySlices *self) {
  const gboolean removed = self->source == GANTRY_SOURCE_VOLUME && !gantry_shelf_get_result(self->with.shelf);
  const gboolean ran = self->source == GANTRY_SOURCE_RUNNING || removed;
  if (ran) {
    self->source = gantry_shelf_get_result(self->with.shelf) ? GANTRY_SOURCE_VOLUME : GANTRY_SOURCE_PREVIEW;
    renew(self);
    gantry_outdated_begin(self->outdated);
  }
  const gboolean no_preview = gantry_banner_has_no_preview(self->with.banner);
  const gboolean present =
      self->source == GANTRY_SOURCE_PREVIEW && !no_preview && gantry_preview_is_present(self->with.preview);
  self->earlier_values = self->source != GANTRY_SOURCE_NONE && !present;
  if (ran || !no_preview) gantry_slices_request(self);
}

static void preview(GantrySlices *self) {
  if (self->source != GANTRY_SOURCE_PREVIEW || !gantry_preview_get_plan(self->with.preview) ||
      !gantry_preview_is_present(self->with.preview)) {
    renew(self);
    gantry_outdated_begin(self->outdated);
  }
  self->source = GANTRY_SOURCE_PREVIEW;
  self->earlier_values = FALSE;
  gantry_preview_schedule(self->with.preview);
}

void gantry_slices_choose(GantrySlices *self) {
  tell_grid(self);
  if (self->source == GANTRY_SOURCE_RUNNING && gantry_jobs_get_kind(self->with.jobs) == GANTRY_JOB_VOLUME) {
    gantry_slices_retitle(self);
    return;
  }
  gantry_preview_unschedule(self->with.preview);
  const gboolean automatic = g_settings_get_boolean(self->with.context->settings, "auto-preview");
  if (!gantry_scan_slot_get(self->with.slot)) {
    if (gantry_shelf_get_result(self->with.shelf)) {
      show(self, TRUE);
      return;
    }
    self->source = GANTRY_SOURCE_NONE;
  } else if (volume_serves(self, gantry_plan_editor_get(self->with.editor))) {
    gantry_slices_show_volume(self);
    return;
  } else if (automatic || gantry_jobs_is_searching(self->with.jobs)) {
    preview(self);
  } else {
    stay(self);
  }
  chosen(self);
}

void gantry_slices_take_scan(GantrySlices *self) {
  renew(self);
  gantry_slices_choose(self);
  /* The user is watching what a slider does. */
  gantry_preview_unschedule(self->with.preview);
  gantry_slices_request(self);
}

void gantry_slices_begin_run(GantrySlices *self, const ct_plan *plan) {
  self->run_plan = *plan;
  self->source = GANTRY_SOURCE_RUNNING;
  renew(self);
  self->earlier_values = FALSE;
  GantryWanted wanted;
  gantry_pictures_get_wanted(self->with.pictures, &wanted);
  g_signal_emit(self, signals[CHOSEN], 0);
}
