/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which object is told of what: the only place where a change of one reaches those that need not know each other. */
#include "app/session/session-private.h"

/* What the window says */

static void plan_edited(GantryPlanPanel *panel, const char *key, GantrySession *self) {
  gantry_jobs_set_searching(self->jobs, FALSE);
  gantry_probe_begin(self->context->probe, "edit-to-first-plane");
  gantry_plan_editor_take(self->editor, gantry_plan_panel_get_plan(panel), key);
}

static void planes_wanted(GantryWindow *window, GantrySession *self) {
  if (!gantry_pictures_is_showing(self->pictures)) gantry_slices_request(self->slices);
}

static void projection_wanted(GantryWindow *window, int index, gboolean sinogram, GantrySession *self) {
  gantry_pictures_set_projection(self->pictures, index, sinogram);
  gantry_slices_request_projection(self->slices);
  gantry_filter_feed_request(self->filter);
  gantry_spectrum_feed_request(self->spectrum);
}

static void solid_wanted(GantryWindow *window, GantrySession *self) {
  GantryWanted wanted;
  gantry_pictures_get_wanted(self->pictures, &wanted); /* for the run that is under way */
  gantry_solid_feed_request(self->solid);
}

static void ray_wanted(GantryWindow *window, GantrySession *self) {
  gantry_ray_feed_request(self->ray);
}

static void worst_wanted(GantryWindow *window, GantrySession *self) {
  gantry_differences_find_worst(self->differences);
}

static void mode_changed(GantryDisplay *display, GantrySession *self) {
  gantry_differences_update(self->differences);
}

static void file_dropped(GantryWindow *window, GFile *file, GantrySession *self) {
  gantry_opening_open(self->opening, file);
}

static void errors_wanted(GantryWindow *window, GantrySession *self) {
  gantry_analyser_update(self->analyser);
}

static void auto_preview_changed(GSettings *settings, const char *key, GantrySession *self) {
  if (self->context->window && g_settings_get_boolean(settings, key)) gantry_plan_editor_repeat(self->editor);
}

/* What the workers leave in the mailbox */

static void mail_arrived(gpointer user) {
  GantrySession *self = user;
  guint run;
  gsize points;
  g_autofree ct_iteration *curve = gantry_mailbox_take_curve(self->context->mailbox, &run, &points);
  if (curve) gantry_run_show_curve(self->run, run, curve, points);
  guint64 generation;
  GantrySolid *solid = gantry_mailbox_take_solid(self->context->mailbox, &generation);
  if (solid && generation == gantry_pictures_get_generation(self->pictures, GANTRY_A))
    gantry_solid_feed_take(self->solid, solid);
  if (solid) gantry_solid_unref(solid);
  gantry_pictures_fetch(self->pictures);
}

static void pictures_arrived(GantryPictures *pictures, gboolean of_a, GantrySession *self) {
  gantry_statistics_request(self->statistics);
  gantry_differences_update(self->differences);
  gantry_analyser_update(self->analyser);
  gantry_reference_request(self->reference);
  gantry_measurer_renew_pictures(self->measurer);
  if (of_a) gantry_overlay_request(self->overlay);
  if (of_a) gantry_truth_update(self->truth);
  gantry_filter_feed_request(self->filter);
  if (of_a) gantry_growth_feed_request(self->growth);
  if (of_a) gantry_spectrum_feed_request(self->spectrum);
  gantry_context_changed(self->context);
}

/* What the objects say */

static void plan_changed(GantryPlanEditor *editor, GantrySession *self) {
  gantry_banner_end_refused(self->banner);
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  if (scan && self->context->window) {
    g_autofree char *subtitle = gantry_scan_dup_subtitle(scan, gantry_plan_editor_get(editor));
    gantry_window_set_subtitle(self->context->window, subtitle);
    gantry_window_set_units(self->context->window,
                            ct_plan_units(gantry_plan_editor_get(editor), gantry_scan_get(scan)));
  }
  gantry_slices_choose(self->slices);
  gantry_variant_grid_update(self->variants);
  gantry_context_changed(self->context);
}

static void source_chosen(GantrySlices *slices, GantrySession *self) {
  gantry_shelf_set_shown(self->shelf, gantry_slices_get_source(slices) == GANTRY_SOURCE_VOLUME);
  gantry_solid_feed_request(self->solid);
  gantry_measurer_request(self->measurer);
  gantry_ray_feed_request(self->ray);
  gantry_statistics_choose(self->statistics);
  gantry_statistics_list_differences(self->statistics);
  gantry_analyser_update(self->analyser);
}

static void slices_previewed(GantrySlices *slices, const GError *error, GantrySession *self) {
  gantry_ray_feed_request(self->ray);
  gantry_statistics_list_differences(self->statistics);
}

static void update_titles(GantrySession *self) {
  if (!self->context->window) return;
  gantry_session_title_alone(self);
  g_autofree char *a = gantry_slices_dup_title(self->slices), *b = gantry_reference_dup_title(self->reference);
  gantry_window_set_result_titles(self->context->window, a, b);
  gantry_slices_update_outdated(self->slices);
}

static void planes_requested(GantrySlices *slices, GantrySession *self) {
  gantry_reference_request(self->reference);
}

/* Results came, went, or got another name. */
static void shelf_changed(GantryShelf *shelf, GantrySession *self) {
  if (!self->context->window) return;
  gantry_session_count_rows(self);
  gantry_shelf_store_keep(self->store);
  gantry_appraisal_go_on(self->appraisal);
  gantry_overlay_request(self->overlay);
  update_titles(self);
  gantry_context_changed(self->context);
}

static void ticks_changed(GantryShelf *shelf, GantrySession *self) {
  gantry_overlay_request(self->overlay);
  gantry_shelf_store_keep(self->store);
}

static void reference_changed(GantryReference *reference, GantrySession *self) {
  gantry_truth_check(self->truth);
  gantry_measurer_request(self->measurer);
  gantry_ray_feed_request(self->ray);
  update_titles(self);
  gantry_appraisal_renew(self->appraisal);
  gantry_context_changed(self->context);
  gantry_statistics_compare_anew(self->statistics);
  gantry_analyser_forget(self->analyser);
  gantry_analyser_update(self->analyser);
  gantry_variant_grid_update(self->variants);
}

static void record_known(GantryReference *reference, GantrySession *self) {
  gantry_statistics_list_differences(self->statistics);
}

static gboolean output_refused(GantryWindow *window, const char *path, GantrySession *self) {
  return gantry_saver_refuses(self->saver, path);
}

static void volume_chosen(GantryOpening *opening, const char *path, GantrySession *self) {
  gantry_reference_look_at(self->reference, path);
}

static void volume_opened(GantryReference *reference, GantryEntry *entry, GantrySession *self) {
  if (gantry_session_can_show_alone(self)) gantry_session_show_alone(self, entry);
}

static void session_chosen(GantryOpening *opening, const char *path, GantrySession *self) {
  gantry_session_open_file(self, path);
}

static void result_alone(GantryWorkspace *workspace, GantryEntry *entry, GantrySession *self) {
  gantry_session_show_alone(self, entry);
}

static void save_wanted(GantryQuestions *questions, GantryEntry *entry, GantrySession *self) {
  gantry_session_save_entry(self, entry);
}

static void save_ended(GantrySaver *saver, gboolean saved, GantrySession *self) {
  gantry_questions_saved(self->questions, saved);
}

static void target_chosen(GantrySaver *saver, const char *path, GantrySession *self) {
  gantry_run_begin(self->run, path);
}

static char *losses_of_variants(gpointer session) {
  return gantry_variant_grid_dup_losses(((GantrySession *)session)->variants);
}

/* Life */

/* What opens and edits: knows nothing of slices. */
static void make_lower_objects(GantrySession *self) {
  GantryContext *context = self->context;
  context->mailbox = gantry_mailbox_new(mail_arrived, self);
  self->jobs = gantry_jobs_new(context);
  self->banner = gantry_banner_new(context);
  self->shelf = gantry_shelf_new();
  self->store = gantry_shelf_store_new(context, self->shelf, NULL);
  self->dialogs = gantry_dialogs_new(context);
  self->questions = gantry_questions_new(context, self->jobs, self->shelf);
  self->editor = gantry_plan_editor_new(context);
  self->slot = gantry_scan_slot_new(context, self->jobs);
  self->speeds = gantry_kernel_speeds_new(context, self->slot);
  self->devices = gantry_devices_new(context, self->jobs, self->slot);
  self->plans = gantry_plan_files_new(
      &(GantryPlanFilesParts){context, self->jobs, self->editor, self->slot, self->banner, self->dialogs});
  self->opening = gantry_opening_new(&(GantryOpeningParts){context, self->jobs, self->slot, self->banner, self->dialogs,
                                                           self->questions, self->plans});
}

static void make_upper_objects(GantrySession *self) {
  GantryContext *context = self->context;
  self->pictures = gantry_pictures_new(context);
  self->preview =
      gantry_preview_new(&(GantryPreviewParts){context, self->jobs, self->editor, self->slot, self->pictures});
  self->slices = gantry_slices_new(&(GantrySlicesParts){context, self->jobs, self->editor, self->slot, self->shelf,
                                                        self->banner, self->pictures, self->preview});
  self->reference = gantry_reference_new(&(GantryReferenceParts){.context = context,
                                                                 .jobs = self->jobs,
                                                                 .editor = self->editor,
                                                                 .slot = self->slot,
                                                                 .shelf = self->shelf,
                                                                 .banner = self->banner,
                                                                 .dialogs = self->dialogs,
                                                                 .pictures = self->pictures,
                                                                 .preview = self->preview,
                                                                 .slices = self->slices});
  self->truth = gantry_truth_new(
      &(GantryTruthParts){context, self->jobs, self->slot, self->shelf, self->pictures, self->reference});
  self->simulator = gantry_simulator_new(
      &(GantrySimulatorParts){context, self->jobs, self->slot, self->questions, self->shelf, self->slices});
  self->lessons = gantry_lessons_new(&(GantryLessonsParts){context, self->jobs, self->editor, self->slot,
                                                           self->questions, self->dialogs, self->pictures});
  const GantryFilterFeedParts feeds = {context, self->editor, self->slot, self->pictures, self->slices};
  self->filter = gantry_filter_feed_new(&feeds);
  self->growth = gantry_growth_feed_new(&feeds, self->shelf);
  self->spectrum = gantry_spectrum_feed_new(&feeds);
  const GantryFollowerParts followers = {context, self->shelf, self->pictures, self->slices, self->reference};
  self->statistics = gantry_statistics_new(&followers);
  self->differences = gantry_differences_new(&followers);
  self->analyser = gantry_analyser_new(&followers);
  self->appraisal = gantry_appraisal_new(context, self->shelf, self->reference);
  self->overlay = gantry_overlay_new(context, self->shelf, self->pictures);
  self->solid = gantry_solid_feed_new(context, self->shelf, self->slices);
  self->ray = gantry_ray_feed_new(&followers, self->slot);
  self->measurer = gantry_measurer_new(&followers);
  self->centre = gantry_centre_new(&(GantryCentreParts){context, self->jobs, self->editor, self->slot, self->banner,
                                                        self->pictures, self->preview, self->slices});
  self->run = gantry_run_new(&(GantryRunParts){.context = context,
                                               .jobs = self->jobs,
                                               .editor = self->editor,
                                               .slot = self->slot,
                                               .shelf = self->shelf,
                                               .banner = self->banner,
                                               .preview = self->preview,
                                               .slices = self->slices,
                                               .reference = self->reference,
                                               .speeds = self->speeds});
  self->saver = gantry_saver_new(&(GantrySaverParts){context, self->jobs, self->editor, self->slot, self->shelf,
                                                     self->dialogs, self->pictures, self->slices});
  self->variants = gantry_variant_grid_new(&(GantryVariantGridParts){.context = context,
                                                                     .jobs = self->jobs,
                                                                     .editor = self->editor,
                                                                     .slot = self->slot,
                                                                     .shelf = self->shelf,
                                                                     .store = self->store,
                                                                     .dialogs = self->dialogs,
                                                                     .slices = self->slices,
                                                                     .reference = self->reference,
                                                                     .speeds = self->speeds});
  gantry_questions_set_other(self->questions, losses_of_variants, self);
  self->figures = gantry_paper_figures_new(context, self->jobs, self->slot, self->dialogs);
  self->workspace = gantry_workspace_new(&(GantryWorkspaceParts){.context = context,
                                                                 .jobs = self->jobs,
                                                                 .editor = self->editor,
                                                                 .slot = self->slot,
                                                                 .shelf = self->shelf,
                                                                 .store = self->store,
                                                                 .pictures = self->pictures,
                                                                 .slices = self->slices,
                                                                 .reference = self->reference});
  self->session_saver = gantry_session_saver_new(
      &(GantrySessionSaverParts){context, self->shelf, self->dialogs, self->saver, self->workspace});
  self->autosave = gantry_autosave_new(context, self->workspace, NULL);
  self->queue = gantry_queue_new(context, self->editor, self->slot);
  self->processes = gantry_processes_new(context, self->editor, self->slot, self->opening);
}

void gantry_session_make_objects(GantrySession *self) {
  make_lower_objects(self);
  make_upper_objects(self);
}

static void connect(GantrySession *self, gpointer object, const char *signal, GCallback handler) {
  g_signal_connect_object(object, signal, handler, self, 0);
}

/* All that a session keeps. */
static void connect_autosave(GantrySession *self) {
  GantryWindow *window = self->context->window;
  const struct {
    gpointer object;
    const char *signal;
  } changes[] = {{self->editor, "changed"},        {self->shelf, "changed"},
                 {self->shelf, "ticks"},           {self->reference, "changed"},
                 {self->slot, "loaded"},           {self->slices, "chosen"},
                 {self->workspace, "opened"},      {gantry_window_get_display(window), "changed"},
                 {window, "action-state-changed"}, {self->context->settings, "changed::keep-session"}};
  for (gsize i = 0; i < G_N_ELEMENTS(changes); i++)
    g_signal_connect_object(changes[i].object, changes[i].signal, G_CALLBACK(gantry_autosave_touch), self->autosave,
                            G_CONNECT_SWAPPED);
}

void gantry_session_connect_objects(GantrySession *self) {
  gantry_workspace_connect(self->workspace);
  connect_autosave(self);
  GantryContext *context = self->context;
  gantry_variant_grid_connect(self->variants);
  gantry_paper_figures_connect(self->figures);
  connect(self, gantry_context_get_panel(context), "plan-edited", G_CALLBACK(plan_edited));
  connect(self, context->window, "planes-wanted", G_CALLBACK(planes_wanted));
  connect(self, context->window, "projection-wanted", G_CALLBACK(projection_wanted));
  connect(self, context->window, "solid-wanted", G_CALLBACK(solid_wanted));
  gantry_measurer_connect(self->measurer);
  gantry_analyser_connect(self->analyser);
  connect(self, context->window, "ray-wanted", G_CALLBACK(ray_wanted));
  connect(self, context->window, "worst-wanted", G_CALLBACK(worst_wanted));
  connect(self, gantry_window_get_display(context->window), "mode-changed", G_CALLBACK(mode_changed));
  connect(self, context->window, "errors-wanted", G_CALLBACK(errors_wanted));
  connect(self, context->window, "file-dropped", G_CALLBACK(file_dropped));
  connect(self, context->window, "refuses-output", G_CALLBACK(output_refused));
  connect(self, context->settings, "changed::auto-preview", G_CALLBACK(auto_preview_changed));
  g_signal_connect_object(context->settings, "changed::shelf-memory", G_CALLBACK(gantry_shelf_store_keep), self->store,
                          G_CONNECT_SWAPPED);
  connect(self, self->pictures, "arrived", G_CALLBACK(pictures_arrived));
  connect(self, self->editor, "changed", G_CALLBACK(plan_changed));
  connect(self, self->slices, "chosen", G_CALLBACK(source_chosen));
  g_signal_connect_object(self->slices, "retitled", G_CALLBACK(update_titles), self, G_CONNECT_SWAPPED);
  connect(self, self->slices, "previewed", G_CALLBACK(slices_previewed));
  connect(self, self->slices, "requested", G_CALLBACK(planes_requested));
  connect(self, self->shelf, "changed", G_CALLBACK(shelf_changed));
  connect(self, self->shelf, "ticks", G_CALLBACK(ticks_changed));
  connect(self, self->reference, "changed", G_CALLBACK(reference_changed));
  connect(self, self->opening, "volume", G_CALLBACK(volume_chosen));
  connect(self, self->opening, "session", G_CALLBACK(session_chosen));
  connect(self, self->workspace, "alone", G_CALLBACK(result_alone));
  connect(self, self->reference, "opened", G_CALLBACK(volume_opened));
  connect(self, self->reference, "known", G_CALLBACK(record_known));
  connect(self, self->saver, "target-chosen", G_CALLBACK(target_chosen));
  connect(self, self->saver, "volume-ended", G_CALLBACK(save_ended));
  connect(self, self->questions, "save-wanted", G_CALLBACK(save_wanted));
  connect(self, self->slot, "loaded", G_CALLBACK(gantry_session_scan_loaded));
  connect(self, self->slot, "renewed", G_CALLBACK(gantry_session_scan_renewed));
  gantry_simulator_connect(self->simulator);
  gantry_filter_feed_connect(self->filter);
  gantry_growth_feed_connect(self->growth);
  gantry_lessons_connect(self->lessons);
  gantry_spectrum_feed_connect(self->spectrum);
}

/* Last made, first freed. */
void gantry_session_free_objects(GantrySession *self) {
  g_clear_object(&self->processes);
  g_clear_object(&self->queue);
  g_clear_object(&self->autosave);
  g_clear_object(&self->session_saver);
  g_clear_object(&self->workspace);
  g_clear_object(&self->figures);
  g_clear_object(&self->variants);
  g_clear_object(&self->saver);
  g_clear_object(&self->run);
  g_clear_object(&self->centre);
  g_clear_object(&self->differences);
  g_clear_object(&self->analyser);
  g_clear_object(&self->ray);
  g_clear_object(&self->measurer);
  g_clear_object(&self->solid);
  g_clear_object(&self->overlay);
  g_clear_object(&self->appraisal);
  g_clear_object(&self->statistics);
  g_clear_object(&self->spectrum);
  g_clear_object(&self->growth);
  g_clear_object(&self->filter);
  g_clear_object(&self->lessons);
  g_clear_object(&self->simulator);
  g_clear_object(&self->truth);
  g_clear_object(&self->reference);
  g_clear_object(&self->slices);
  g_clear_object(&self->preview);
  g_clear_object(&self->pictures);
  g_clear_object(&self->opening);
  g_clear_object(&self->plans);
  g_clear_object(&self->devices);
  g_clear_object(&self->speeds);
  g_clear_object(&self->slot);
  g_clear_object(&self->editor);
  g_clear_object(&self->questions);
  g_clear_pointer(&self->dialogs, gantry_dialogs_free);
  g_clear_object(&self->store);
  g_clear_object(&self->shelf);
  g_clear_pointer(&self->banner, gantry_banner_free);
  g_clear_pointer(&self->jobs, gantry_jobs_free);
}
