/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One parameter of the plan as a row: title, control with unit, a mark and a reset button when changed, and a line that
 * says why typed text was not taken. A value that is left to the program is the empty field's placeholder. */
#pragma once

#include <gtk/gtk.h>

#include "recon/solve/plan.h"
#include "ui/plan/drop-down.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PLAN_ROW (gantry_plan_row_get_type())
G_DECLARE_FINAL_TYPE(GantryPlanRow, gantry_plan_row, GANTRY, PLAN_ROW, GtkListBoxRow)

/* Signals: "edited" (const char *text): the user wants this value, in the form of ct_plan_set_text. "reset": back to
 * the default. */
GtkWidget *gantry_plan_row_new(const ct_param *param);
const ct_param *gantry_plan_row_get_param(GantryPlanRow *self);
/* Of lengths and values, from the next gantry_plan_row_show on. */
void gantry_plan_row_set_units(GantryPlanRow *self, ct_units units);
/* Words for a text parameter; `tips` may be NULL. To be called before the first show. */
void gantry_plan_row_set_words(GantryPlanRow *self, const char *const *ids, const char *const *titles,
                               const char *const *tips, gsize count);
/* Headings and notes of these words (drop-down.h). */
void gantry_plan_row_set_headings(GantryPlanRow *self, const char *const *headings, gsize count);
void gantry_plan_row_set_note(GantryPlanRow *self, GantryDropDownNote note, gpointer user);
/* Shows the plan's value without emitting; `automatic`: the value is left to the program, which takes `automatic_value`
 * (NAN: not known yet). */
void gantry_plan_row_show(GantryPlanRow *self, const ct_plan *plan, gboolean automatic, double automatic_value);
/* Without a value nothing can be made, and the program has none to go by; from the next gantry_plan_row_show on. */
void gantry_plan_row_set_needed(GantryPlanRow *self, gboolean needed);
/* Shown, but without effect at present, for that reason; NULL: it has effect. After the show. */
void gantry_plan_row_set_idle(GantryPlanRow *self, const char *reason);
/* Tells why the last edit was not taken. */
void gantry_plan_row_refuse(GantryPlanRow *self, const char *why);

G_END_DECLS
