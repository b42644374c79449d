/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of plans with a cursor. A plan is a value of a few hundred bytes, so whole plans are kept rather than
 * differences. */
#include "app/history.h"

#define MERGE_TIME (800 * 1000) /* microseconds between edits of one key that still are one step */
#define STEPS_KEPT 200

typedef struct {
  ct_plan plan;
  char *key; /* of the edit that led here */
  gint64 time;
} Step;

struct _GantryHistory {
  GPtrArray *steps;
  guint present;
  gboolean merge; /* no undo or redo since the last push */
};

static void step_free(gpointer data) {
  Step *step = data;
  g_free(step->key);
  g_free(step);
}

static Step *step_new(const ct_plan *plan, const char *key, gint64 time) {
  Step *step = g_new(Step, 1);
  *step = (Step){.plan = *plan, .key = g_strdup(key), .time = time};
  return step;
}

static Step *step_at(const GantryHistory *history, guint index) {
  return g_ptr_array_index(history->steps, index);
}

GantryHistory *gantry_history_new(const ct_plan *plan) {
  GantryHistory *history = g_new0(GantryHistory, 1);
  history->steps = g_ptr_array_new_with_free_func(step_free);
  gantry_history_reset(history, plan);
  return history;
}

void gantry_history_free(GantryHistory *history) {
  if (!history) return;
  g_ptr_array_unref(history->steps);
  g_free(history);
}

void gantry_history_reset(GantryHistory *history, const ct_plan *plan) {
  Step *step = step_new(plan, NULL, 0);
  g_ptr_array_set_size(history->steps, 0);
  g_ptr_array_add(history->steps, step);
  history->present = 0;
  history->merge = FALSE;
}

const ct_plan *gantry_history_get(const GantryHistory *history) {
  return &step_at(history, history->present)->plan;
}

gboolean gantry_history_push(GantryHistory *history, const ct_plan *plan, const char *key, gint64 now) {
  Step *present = step_at(history, history->present);
  if (ct_plan_equal(&present->plan, plan)) return FALSE;
  g_ptr_array_set_size(history->steps, (int)history->present + 1);
  if (history->merge && history->present > 0 && key && g_strcmp0(present->key, key) == 0 &&
      now - present->time < MERGE_TIME) {
    present->plan = *plan;
    present->time = now;
    return TRUE;
  }
  g_ptr_array_add(history->steps, step_new(plan, key, now));
  if (history->steps->len > STEPS_KEPT) g_ptr_array_remove_index(history->steps, 0);
  history->present = history->steps->len - 1;
  history->merge = TRUE;
  return TRUE;
}

gboolean gantry_history_can_undo(const GantryHistory *history) {
  return history->present > 0;
}

gboolean gantry_history_can_redo(const GantryHistory *history) {
  return history->present + 1 < history->steps->len;
}

gboolean gantry_history_undo(GantryHistory *history, const char **key) {
  if (!gantry_history_can_undo(history)) return FALSE;
  *key = step_at(history, history->present)->key;
  history->present--;
  history->merge = FALSE;
  return TRUE;
}

gboolean gantry_history_redo(GantryHistory *history, const char **key) {
  if (!gantry_history_can_redo(history)) return FALSE;
  history->present++;
  history->merge = FALSE;
  *key = step_at(history, history->present)->key;
  return TRUE;
}
