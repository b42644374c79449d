/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands: each is a line to the object that does it. */
#include "app/session/preferences.h"
#include "app/session/frame-commands.h"
#include "app/session/region-commands.h"
#include "app/session/remedy.h"
#include "app/session/session-private.h"

#define COMMAND(name) static void name(GSimpleAction *action, GVariant *parameter, gpointer data)

static GantrySession *of(gpointer data) {
  return data;
}

/* Scans and files */

COMMAND(open_file) {
  gantry_opening_choose(of(data)->opening, FALSE);
}

COMMAND(open_folder) {
  gantry_opening_choose(of(data)->opening, TRUE);
}

COMMAND(open_example) {
  gantry_opening_open_example(of(data)->opening);
}

COMMAND(new_scan) {
  gantry_simulator_ask(of(data)->simulator);
}

COMMAND(open_recent) {
  g_autoptr(GFile) file = g_file_new_for_uri(g_variant_get_string(parameter, NULL));
  gantry_opening_open(of(data)->opening, file);
}

COMMAND(choose_source) {
  gantry_opening_ask_source(of(data)->opening);
}

COMMAND(describe_raw) {
  gantry_opening_describe(of(data)->opening, g_variant_get_string(parameter, NULL));
}

COMMAND(read_elsewhere) {
  const char *path, *description;
  g_variant_get(parameter, "(&s&s)", &path, &description);
  gantry_opening_allow(of(data)->opening, path, description);
}

COMMAND(read_volume) {
  gantry_reference_read_allowed(of(data)->reference, g_variant_get_string(parameter, NULL));
}

COMMAND(close_scan) {
  GantrySession *self = data;
  if (gantry_session_is_alone(self))
    gantry_scan_slot_close(self->slot);
  else
    gantry_opening_close(self->opening);
}

COMMAND(save_volume) {
  gantry_saver_save_volume(of(data)->saver);
}

COMMAND(save_scan) {
  gantry_saver_save_scan(of(data)->saver);
}

COMMAND(save_slice) {
  gantry_saver_save_slice(of(data)->saver);
}

COMMAND(save_plan) {
  gantry_saver_save_plan(of(data)->saver);
}

COMMAND(load_plan) {
  gantry_plan_files_choose(of(data)->plans);
}

COMMAND(open_plan_scan) {
  gantry_plan_files_open_scan(of(data)->plans);
}

/* Runs */

COMMAND(reconstruct) {
  gantry_run_begin(of(data)->run, NULL);
}

COMMAND(reconstruct_to_file) {
  gantry_saver_choose_target(of(data)->saver);
}

COMMAND(continue_run) {
  gantry_run_continue(of(data)->run, parameter ? g_variant_get_int32(parameter) : 0);
}

COMMAND(change_pause) {
  GantrySession *self = data;
  if (gantry_jobs_is_idle(self->jobs)) return;
  gantry_jobs_set_paused(self->jobs, g_variant_get_boolean(parameter));
  g_simple_action_set_state(action, parameter);
}

COMMAND(finish) {
  GantrySession *self = data;
  if (gantry_jobs_get_kind(self->jobs) != GANTRY_JOB_VOLUME) return;
  gantry_probe_begin(self->context->probe, "finish-early");
  gantry_jobs_finish_early(self->jobs);
}

COMMAND(cancel) {
  GantrySession *self = data;
  if (gantry_jobs_is_idle(self->jobs)) {
    if (gantry_jobs_is_opening(self->jobs))
      gantry_jobs_cancel_opening(self->jobs);
    else
      gantry_centre_cancel(self->centre);
    return;
  }
  if (gantry_jobs_get_kind(self->jobs) == GANTRY_JOB_VOLUME) gantry_probe_begin(self->context->probe, "cancel");
  gantry_jobs_cancel(self->jobs);
}

COMMAND(find_centre) {
  gantry_centre_find(of(data)->centre);
}

COMMAND(sweep_centre) {
  gantry_centre_sweep(of(data)->centre);
}

COMMAND(tune_device) {
  gantry_devices_tune(of(data)->devices);
}

/* The plan */

COMMAND(undo) {
  GantrySession *self = data;
  if (!gantry_plan_editor_can_undo(self->editor)) return;
  gantry_jobs_set_searching(self->jobs, FALSE);
  gantry_plan_editor_undo(self->editor);
}

COMMAND(redo) {
  GantrySession *self = data;
  if (!gantry_plan_editor_can_redo(self->editor)) return;
  gantry_jobs_set_searching(self->jobs, FALSE);
  gantry_plan_editor_redo(self->editor);
}

COMMAND(apply_advice) {
  GantrySession *self = data;
  if (!gantry_banner_has_advice(self->banner)) return;
  ct_plan plan = *gantry_plan_editor_get(self->editor);
  gantry_remedy_advice(&plan, gantry_slices_get_estimate(self->slices));
  gantry_banner_end_advice(self->banner);
  gantry_window_clear_error(self->context->window);
  gantry_plan_editor_take(self->editor, &plan, NULL);
}

/* Changes the plan that could not be carried out; where it was a run, it is made now. */
static void use(GantrySession *self, void (*remedy)(ct_plan *plan, const ct_backend *backend), const char *key) {
  if (!gantry_scan_slot_get(self->slot) || !gantry_jobs_is_idle(self->jobs)) return;
  const gboolean run = gantry_banner_is_refused(self->banner);
  ct_plan plan = *gantry_plan_editor_get(self->editor);
  remedy(&plan, gantry_backend_get(self->context->backend));
  gantry_window_clear_error(self->context->window);
  gantry_plan_editor_take(self->editor, &plan, key);
  if (run) gantry_run_begin(self->run, NULL);
}

COMMAND(use_processor) {
  use(data, gantry_remedy_processor, NULL);
}

COMMAND(use_kernel) {
  use(data, gantry_remedy_kernel, "reconstruction.kernel");
}

COMMAND(use_projector) {
  use(data, gantry_remedy_projector, "iterative.projector");
}

COMMAND(take_values) {
  GantrySession *self = data;
  if (!gantry_scan_slot_get(self->slot) || !gantry_jobs_is_idle(self->jobs)) return;
  ct_plan plan = *gantry_plan_editor_get(self->editor);
  if (!ct_plan_set_text(&plan, "scan.values", g_variant_get_string(parameter, NULL), NULL)) return;
  gantry_window_expect_other_values(self->context->window);
  gantry_plan_editor_take(self->editor, &plan, "scan.values");
}

COMMAND(remove_outliers) {
  use(data, gantry_remedy_outliers, "corrections.outliers");
}

/* The reference */

COMMAND(preferences) {
  gantry_preferences_show(of(data)->context);
}

COMMAND(queue) {
  gantry_queue_show(of(data)->queue);
}

COMMAND(reconstruct_by_processes) {
  gantry_processes_show(of(data)->processes);
}

COMMAND(set_reference) {
  gantry_reference_set(of(data)->reference);
}

COMMAND(open_reference) {
  gantry_reference_open(of(data)->reference);
}

COMMAND(open_stored_reference) {
  gantry_reference_open_stored(of(data)->reference);
}

COMMAND(clear_reference) {
  gantry_reference_clear(of(data)->reference);
}

COMMAND(compare_direct) {
  gantry_reference_set_direct(of(data)->reference);
}

void gantry_session_add_actions(GantrySession *self) {
  static const GActionEntry entries[] = {
      {.name = "open", .activate = open_file},
      {.name = "open-folder", .activate = open_folder},
      {.name = "open-example", .activate = open_example},
      {.name = "new-scan", .activate = new_scan},
      {.name = "save-scan", .activate = save_scan},
      {.name = "open-recent", .activate = open_recent, .parameter_type = "s"},
      {.name = "choose-source", .activate = choose_source},
      {.name = "describe-raw", .activate = describe_raw, .parameter_type = "s"},
      {.name = "read-elsewhere", .activate = read_elsewhere, .parameter_type = "(ss)"},
      {.name = "read-volume", .activate = read_volume, .parameter_type = "s"},
      {.name = "close-scan", .activate = close_scan},
      {.name = "save-volume", .activate = save_volume},
      {.name = "save-slice", .activate = save_slice},
      {.name = "save-plan", .activate = save_plan},
      {.name = "load-plan", .activate = load_plan},
      {.name = "open-plan-scan", .activate = open_plan_scan},
      {.name = "reconstruct", .activate = reconstruct},
      {.name = "reconstruct-to-file", .activate = reconstruct_to_file},
      {.name = "pause", .state = "false", .change_state = change_pause},
      {.name = "finish", .activate = finish},
      {.name = "cancel", .activate = cancel},
      {.name = "find-centre", .activate = find_centre},
      {.name = "sweep-centre", .activate = sweep_centre},
      {.name = "tune-device", .activate = tune_device},
      {.name = "reconstruct-by-processes", .activate = reconstruct_by_processes},
      {.name = "queue", .activate = queue},
      {.name = "preferences", .activate = preferences},
      {.name = "undo", .activate = undo},
      {.name = "redo", .activate = redo},
      {.name = "set-reference", .activate = set_reference},
      {.name = "open-reference", .activate = open_reference},
      {.name = "open-stored-reference", .activate = open_stored_reference},
      {.name = "clear-reference", .activate = clear_reference},
      {.name = "apply-advice", .activate = apply_advice},
      {.name = "use-processor", .activate = use_processor},
      {.name = "continue", .activate = continue_run},
      {.name = "continue-for", .activate = continue_run, .parameter_type = "i"},
      {.name = "use-kernel", .activate = use_kernel},
      {.name = "use-projector", .activate = use_projector},
      {.name = "remove-outliers", .activate = remove_outliers},
      {.name = "take-values", .activate = take_values, .parameter_type = "s"},
      {.name = "compare-direct", .activate = compare_direct},
  };
  GActionMap *map = G_ACTION_MAP(self->context->window);
  g_action_map_add_action_entries(map, entries, G_N_ELEMENTS(entries), self);
  g_autoptr(GAction) automatic = g_settings_create_action(self->context->settings, "auto-preview");
  g_action_map_add_action(map, automatic);
  gantry_session_add_shelf_actions(self);
  gantry_session_add_variant_actions(self);
  gantry_session_add_region_actions(self);
  gantry_session_add_frame_actions(self);
  gantry_session_add_session_actions(self);
}

/* When each makes sense */

static GSimpleAction *find(GantrySession *self, const char *name) {
  return G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->context->window), name));
}

static void enable(GantrySession *self, const char *name, gboolean enabled) {
  g_simple_action_set_enabled(find(self, name), enabled);
}

static void enable_all(GantrySession *self, const char *const *names, gboolean enabled) {
  for (; *names; names++) enable(self, *names, enabled);
}

static gboolean shows(GantrySession *self, GantryViewKind kind) {
  return gantry_pictures_get(self->pictures, GANTRY_A, kind) != NULL;
}

static void update_job_actions(GantrySession *self) {
  const GantryJobKind kind = gantry_jobs_get_kind(self->jobs);
  enable(self, "pause", kind == GANTRY_JOB_VOLUME || kind == GANTRY_JOB_SWEEP);
  enable(self, "finish", gantry_jobs_can_finish(self->jobs));
  enable(self, "cancel",
         !gantry_jobs_is_idle(self->jobs) || gantry_jobs_is_opening(self->jobs) ||
             gantry_jobs_is_searching(self->jobs));
  g_simple_action_set_state(find(self, "pause"), g_variant_new_boolean(gantry_jobs_is_paused(self->jobs)));
}

void gantry_session_update_actions(GantrySession *self) {
  static const char *const of_scan[] = {"close-scan", "save-plan", "load-plan", "open-reference", NULL},
                           *const of_volume[] = {"close-scan", "open-reference", NULL};
  static const char *const of_idle_scan[] = {
      "reconstruct", "reconstruct-to-file", "find-centre",     "sweep-centre", "use-processor",
      "use-kernel",  "use-projector",       "remove-outliers", "take-values",  NULL};
  const gboolean scan = gantry_scan_slot_get(self->slot) != NULL, idle = gantry_jobs_is_idle(self->jobs);
  const int continues = gantry_run_get_continue(self->run);
  enable_all(self, of_scan, scan);
  enable(self, "choose-source", scan && !gantry_scan_get_simulation(gantry_scan_slot_get(self->slot)));
  enable(self, "save-scan", scan && gantry_scan_get_simulation(gantry_scan_slot_get(self->slot)));
  if (gantry_session_is_alone(self)) enable_all(self, of_volume, TRUE);
  enable_all(self, of_idle_scan, scan && idle);
  enable(self, "save-volume", gantry_shelf_get_result(self->shelf) != NULL);
  enable(self, "save-slice", shows(self, GANTRY_VIEW_AXIAL) || shows(self, GANTRY_VIEW_PROJECTION));
  enable(self, "open-plan-scan", gantry_plan_files_can_open_scan(self->plans));
  update_job_actions(self);
  enable(self, "undo", scan && gantry_plan_editor_can_undo(self->editor));
  enable(self, "redo", scan && gantry_plan_editor_can_redo(self->editor));
  enable(self, "set-reference", gantry_slices_has_result(self->slices));
  enable(self, "open-stored-reference", gantry_reference_is_stored(self->reference));
  enable(self, "clear-reference", gantry_reference_exists(self->reference));
  enable(self, "compare-direct", gantry_reference_can_set_direct(self->reference));
  enable(self, "apply-advice", gantry_banner_has_advice(self->banner));
  enable(self, "tune-device", gantry_devices_can_tune(self->devices));
  enable(self, "continue", continues > 0);
  enable(self, "continue-for", continues > 0);
  gantry_window_set_continue(self->context->window, continues);
  const gboolean lacking =
      scan && gantry_scan_lacks_distances(gantry_scan_slot_get(self->slot), gantry_plan_editor_get(self->editor));
  gantry_window_set_missing(self->context->window, lacking ? GANTRY_LACKS_DISTANCES : NULL);
  gantry_session_update_shelf_actions(self);
  gantry_session_update_variant_actions(self);
  gantry_session_update_region_actions(self);
  gantry_session_update_frame_actions(self);
  gantry_session_update_session_actions(self);
}
