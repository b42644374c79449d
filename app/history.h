/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Undo and redo of plan edits. Rapid edits of the same parameter (a spin button held down) become one step. */
#pragma once

#include <glib.h>

#include "recon/solve/plan.h"

G_BEGIN_DECLS

typedef struct _GantryHistory GantryHistory;

GantryHistory *gantry_history_new(const ct_plan *plan);
void gantry_history_free(GantryHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantryHistory, gantry_history_free)

/* Forgets all steps and begins again from `plan`. */
void gantry_history_reset(GantryHistory *history, const ct_plan *plan);
const ct_plan *gantry_history_get(const GantryHistory *history);
/* Adds a step; key: the parameter that was edited, NULL for a change of several at once (never merged). now:
 * microseconds of a monotonic clock. Returns FALSE when the plan is the present one. */
gboolean gantry_history_push(GantryHistory *history, const ct_plan *plan, const char *key, gint64 now);
gboolean gantry_history_can_undo(const GantryHistory *history);
gboolean gantry_history_can_redo(const GantryHistory *history);
/* Step and return the key of the edit that was undone or redone (NULL: several), for the text of a toast. */
gboolean gantry_history_undo(GantryHistory *history, const char **key);
gboolean gantry_history_redo(GantryHistory *history, const char **key);

G_END_DECLS
