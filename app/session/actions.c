/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The "win." actions that the window's buttons and menus name, and when each of them makes sense. */
#include "app/session/session-private.h"

static void open_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_ask_open(data, FALSE);
}

static void open_folder_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_ask_open(data, TRUE);
}

static void open_example_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_open_example(data);
}

static void open_recent_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_open_recent(data, g_variant_get_string(parameter, NULL));
}

static void close_scan_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_close_scan(data);
}

static void save_volume_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_save_volume(data);
}

static void save_slice_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_save_slice(data);
}

static void save_plan_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_save_plan(data);
}

static void load_plan_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_load_plan(data);
}

static void open_plan_scan_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_open_lone_scan(data);
}

static void reconstruct_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_reconstruct(data, NULL);
}

static void reconstruct_to_file_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_reconstruct_to_file(data);
}

static void pause_change(GSimpleAction *action, GVariant *state, gpointer data) {
  GantrySession *self = data;
  if (!self->job) return;
  self->paused = g_variant_get_boolean(state);
  ct_job_set_paused(self->job->job, self->paused);
  g_simple_action_set_state(action, state);
}

static void finish_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  GantrySession *self = data;
  if (!self->job || self->job_kind != GANTRY_JOB_VOLUME) return;
  gantry_probe_begin(self->probe, "finish-early");
  ct_job_finish_early(self->job->job);
}

static void cancel_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  GantrySession *self = data;
  if (!self->job) {
    gantry_session_cancel_search(self);
    return;
  }
  if (self->job_kind == GANTRY_JOB_VOLUME) gantry_probe_begin(self->probe, "cancel");
  ct_job_cancel(self->job->job);
}

static void find_centre_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_find_centre(data);
}

static void sweep_centre_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_sweep_centre(data);
}

static void tune_device_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_tune(data);
}

static void step(GantrySession *self, gboolean (*move)(GantryHistory *, const char **), const char *word) {
  const char *key;
  if (!move(self->history, &key)) return;
  self->centre_asked = FALSE;
  gantry_plan_panel_set_plan(gantry_window_get_panel(self->window), gantry_session_get_plan(self));
  const ct_param *param = key ? ct_param_find(key) : NULL;
  g_autofree char *text = g_strdup_printf("%s: %s", word, param ? param->title : "several values");
  gantry_window_toast(self->window, GANTRY_ABOUT_PLAN, text, NULL, NULL);
  gantry_session_plan_changed(self);
}

static void undo_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  step(data, gantry_history_undo, "Undone");
}

static void redo_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  step(data, gantry_history_redo, "Redone");
}

static void set_reference_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_set_reference(data);
}

static void open_reference_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_open_reference(data);
}

static void clear_reference_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_clear_reference(data);
}

static void apply_advice_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_apply_advice(data);
}

static void use_processor_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_use_processor(data);
}

static void continue_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_continue(data, parameter ? g_variant_get_int32(parameter) : 0);
}

static void use_kernel_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_use_kernel(data);
}

static void use_projector_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_use_projector(data);
}

static void compare_direct_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  gantry_session_compare_direct(data);
}

void gantry_session_add_actions(GantrySession *self) {
  static const GActionEntry entries[] = {
      {.name = "open", .activate = open_action},
      {.name = "open-folder", .activate = open_folder_action},
      {.name = "open-example", .activate = open_example_action},
      {.name = "open-recent", .activate = open_recent_action, .parameter_type = "s"},
      {.name = "close-scan", .activate = close_scan_action},
      {.name = "save-volume", .activate = save_volume_action},
      {.name = "save-slice", .activate = save_slice_action},
      {.name = "save-plan", .activate = save_plan_action},
      {.name = "load-plan", .activate = load_plan_action},
      {.name = "open-plan-scan", .activate = open_plan_scan_action},
      {.name = "reconstruct", .activate = reconstruct_action},
      {.name = "reconstruct-to-file", .activate = reconstruct_to_file_action},
      {.name = "pause", .state = "false", .change_state = pause_change},
      {.name = "finish", .activate = finish_action},
      {.name = "cancel", .activate = cancel_action},
      {.name = "find-centre", .activate = find_centre_action},
      {.name = "sweep-centre", .activate = sweep_centre_action},
      {.name = "tune-device", .activate = tune_device_action},
      {.name = "undo", .activate = undo_action},
      {.name = "redo", .activate = redo_action},
      {.name = "set-reference", .activate = set_reference_action},
      {.name = "open-reference", .activate = open_reference_action},
      {.name = "clear-reference", .activate = clear_reference_action},
      {.name = "apply-advice", .activate = apply_advice_action},
      {.name = "use-processor", .activate = use_processor_action},
      {.name = "continue", .activate = continue_action},
      {.name = "continue-for", .activate = continue_action, .parameter_type = "i"},
      {.name = "use-kernel", .activate = use_kernel_action},
      {.name = "use-projector", .activate = use_projector_action},
      {.name = "compare-direct", .activate = compare_direct_action},
  };
  g_action_map_add_action_entries(G_ACTION_MAP(self->window), entries, G_N_ELEMENTS(entries), self);
  g_autoptr(GAction) automatic = g_settings_create_action(self->settings, "auto-preview");
  g_action_map_add_action(G_ACTION_MAP(self->window), automatic);
}

static GSimpleAction *find(GantrySession *self, const char *name) {
  return G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->window), name));
}

static void enable(GantrySession *self, const char *name, gboolean enabled) {
  g_simple_action_set_enabled(find(self, name), enabled);
}

void gantry_session_update_actions(GantrySession *self) {
  if (!self->window) return;
  const gboolean scan = self->scan != NULL, idle = self->job == NULL;
  const gboolean slices = self->shown[GANTRY_A][GANTRY_VIEW_AXIAL] || self->shown[GANTRY_A][GANTRY_VIEW_PROJECTION];
  enable(self, "close-scan", scan);
  enable(self, "save-volume", self->volume != NULL);
  enable(self, "save-slice", slices);
  enable(self, "save-plan", scan);
  enable(self, "load-plan", scan);
  enable(self, "open-plan-scan", gantry_session_can_open_lone_scan(self));
  enable(self, "reconstruct", scan && idle);
  enable(self, "reconstruct-to-file", scan && idle);
  enable(self, "find-centre", scan && idle);
  enable(self, "sweep-centre", scan && idle);
  enable(self, "pause", self->job_kind == GANTRY_JOB_VOLUME || self->job_kind == GANTRY_JOB_SWEEP);
  enable(self, "finish", self->job_kind == GANTRY_JOB_VOLUME && !self->finish_is_late);
  enable(self, "cancel", !idle || self->centre_asked);
  enable(self, "undo", scan && gantry_history_can_undo(self->history));
  enable(self, "redo", scan && gantry_history_can_redo(self->history));
  const gboolean result =
      self->source == GANTRY_SOURCE_VOLUME || (self->source == GANTRY_SOURCE_PREVIEW && !self->preview_failed);
  enable(self, "set-reference", result && self->shown[GANTRY_A][GANTRY_VIEW_AXIAL]);
  enable(self, "open-reference", scan);
  enable(self, "clear-reference", self->reference || self->reference_is_plan);
  enable(self, "apply-advice", self->too_big);
  enable(self, "use-processor", scan && idle);
  enable(self, "tune-device", gantry_session_can_tune(self));
  enable(self, "use-kernel", scan && idle);
  enable(self, "use-projector", scan && idle);
  const gboolean continues = gantry_session_can_continue(self);
  enable(self, "continue", continues);
  enable(self, "continue-for", continues);
  gantry_window_set_continue(self->window, continues ? self->run_step : 0);
  enable(self, "compare-direct", gantry_session_can_compare_direct(self));
  g_simple_action_set_state(find(self, "pause"), g_variant_new_boolean(self->paused));
}
