/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The present plan. Owns it with its undo history, and keeps the side panel in step. Signal "changed": the plan is
 * another one (an edit, undo, redo). */
#pragma once

#include "app/session/context.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PLAN_EDITOR (gantry_plan_editor_get_type())
G_DECLARE_FINAL_TYPE(GantryPlanEditor, gantry_plan_editor, GANTRY, PLAN_EDITOR, GObject)

GantryPlanEditor *gantry_plan_editor_new(GantryContext *context);
const ct_plan *gantry_plan_editor_get(GantryPlanEditor *self);
/* The same as the engine gets it: gantry_context_fill_plan. */
ct_plan gantry_plan_editor_get_filled(GantryPlanEditor *self);

/* An undo step, which the panel shows. key as in gantry_history_push. */
void gantry_plan_editor_take(GantryPlanEditor *self, const ct_plan *plan, const char *key);
/* The same plan is to be carried out anew: "changed". */
void gantry_plan_editor_repeat(GantryPlanEditor *self);
/* Automatic values without history; the panel and the signal are left to who opens a scan. */
void gantry_plan_editor_reset(GantryPlanEditor *self);

gboolean gantry_plan_editor_can_undo(GantryPlanEditor *self);
gboolean gantry_plan_editor_can_redo(GantryPlanEditor *self);
/* By the user: says what was undone. */
void gantry_plan_editor_undo(GantryPlanEditor *self);
void gantry_plan_editor_redo(GantryPlanEditor *self);
/* Undone by the program. */
void gantry_plan_editor_take_back(GantryPlanEditor *self);

G_END_DECLS
