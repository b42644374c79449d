/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One place. */
#include "app/session/shelf.h"

struct _GantryShelf {
  GantryResult *result;
  GantryOutcome *outcome;
  ct_estimate estimate;
  gboolean unsaved;
};

GantryShelf *gantry_shelf_new(void) {
  return g_new0(GantryShelf, 1);
}

void gantry_shelf_clear(GantryShelf *self) {
  g_clear_pointer(&self->result, gantry_result_unref);
  g_clear_pointer(&self->outcome, gantry_outcome_free);
  self->unsaved = FALSE;
}

void gantry_shelf_free(GantryShelf *self) {
  gantry_shelf_clear(self);
  g_free(self);
}

void gantry_shelf_put(GantryShelf *self, GantryResult *result, const GantryOutcome *outcome,
                      const ct_estimate *estimate) {
  gantry_shelf_clear(self);
  self->result = result;
  self->outcome = gantry_outcome_copy(outcome);
  self->estimate = *estimate;
  self->unsaved = TRUE;
}

GantryResult *gantry_shelf_get_result(GantryShelf *self) {
  return self->result;
}

const GantryOutcome *gantry_shelf_get_outcome(GantryShelf *self) {
  return self->outcome;
}

const ct_estimate *gantry_shelf_get_estimate(GantryShelf *self) {
  return &self->estimate;
}

gboolean gantry_shelf_is_unsaved(GantryShelf *self) {
  return self->unsaved;
}

void gantry_shelf_mark_saved(GantryShelf *self, const GantryResult *result) {
  if (result == self->result) self->unsaved = FALSE;
}
