/* SPDX-License-Identifier: GPL-3.0-or-later */
/* History first, then the panel, then the signal. */
#include "app/session/plan-editor.h"

#include "app/history.h"

struct _GantryPlanEditor {
  GObject parent_instance;
  GantryContext *context;
  GantryHistory *history;
};

G_DEFINE_FINAL_TYPE(GantryPlanEditor, gantry_plan_editor, G_TYPE_OBJECT)

static guint changed_signal;

static void gantry_plan_editor_finalize(GObject *object) {
  GantryPlanEditor *self = GANTRY_PLAN_EDITOR(object);
  gantry_history_free(self->history);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_plan_editor_parent_class)->finalize(object);
}

static void gantry_plan_editor_class_init(GantryPlanEditorClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_plan_editor_finalize;
  changed_signal =
      g_signal_new("changed", GANTRY_TYPE_PLAN_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_plan_editor_init(GantryPlanEditor *self) {
  ct_plan plan;
  ct_plan_init(&plan);
  self->history = gantry_history_new(&plan);
}

GantryPlanEditor *gantry_plan_editor_new(GantryContext *context) {
  GantryPlanEditor *self = g_object_new(GANTRY_TYPE_PLAN_EDITOR, NULL);
  self->context = gantry_context_ref(context);
  return self;
}

const ct_plan *gantry_plan_editor_get(GantryPlanEditor *self) {
  return gantry_history_get(self->history);
}

ct_plan gantry_plan_editor_get_filled(GantryPlanEditor *self) {
  ct_plan plan = *gantry_plan_editor_get(self);
  gantry_context_fill_plan(self->context, &plan);
  return plan;
}

void gantry_plan_editor_repeat(GantryPlanEditor *self) {
  GantryPlanPanel *panel = self->context->window ? gantry_context_get_panel(self->context) : NULL;
  if (panel) gantry_plan_panel_hold(panel);
  if (panel) gantry_plan_panel_set_plan(panel, gantry_plan_editor_get(self));
  g_signal_emit(self, changed_signal, 0);
  if (panel) gantry_plan_panel_release(panel);
}

void gantry_plan_editor_take(GantryPlanEditor *self, const ct_plan *plan, const char *key) {
  if (gantry_history_push(self->history, plan, key, g_get_monotonic_time())) gantry_plan_editor_repeat(self);
}

void gantry_plan_editor_reset(GantryPlanEditor *self) {
  ct_plan plan;
  ct_plan_init(&plan);
  g_autofree char *device = g_settings_get_string(self->context->settings, "device");
  /* A name cut short might mean another device. */
  if (device && strlen(device) < sizeof plan.device) g_strlcpy(plan.device, device, sizeof plan.device);
  gantry_history_reset(self->history, &plan);
}

gboolean gantry_plan_editor_can_undo(GantryPlanEditor *self) {
  return gantry_history_can_undo(self->history);
}

gboolean gantry_plan_editor_can_redo(GantryPlanEditor *self) {
  return gantry_history_can_redo(self->history);
}

static void say(GantryPlanEditor *self, const char *verb, const char *key) {
  const ct_param *param = key ? ct_param_find(key) : NULL;
  gantry_context_toast(self->context, GANTRY_ABOUT_PLAN, NULL, NULL, "%s: %s", verb,
                       param ? param->title : "several values");
}

void gantry_plan_editor_undo(GantryPlanEditor *self) {
  const char *key;
  if (!gantry_history_undo(self->history, &key)) return;
  say(self, "Undone", key);
  gantry_plan_editor_repeat(self);
}

void gantry_plan_editor_redo(GantryPlanEditor *self) {
  const char *key;
  if (!gantry_history_redo(self->history, &key)) return;
  say(self, "Redone", key);
  gantry_plan_editor_repeat(self);
}

void gantry_plan_editor_take_back(GantryPlanEditor *self) {
  const char *key;
  if (!gantry_history_undo(self->history, &key)) return;
  gantry_plan_editor_repeat(self);
}
