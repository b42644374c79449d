/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result: the volume of the run made last. Owns it with what was found when it was made and what it needed, and
 * knows whether it has been saved. */
#pragma once

#include "app/engine.h"
#include "app/result.h"

G_BEGIN_DECLS

typedef struct _GantryShelf GantryShelf;
GantryShelf *gantry_shelf_new(void);
void gantry_shelf_free(GantryShelf *self);
void gantry_shelf_clear(GantryShelf *self);
/* Takes the result, unsaved, and copies the rest; outcome may be NULL. */
void gantry_shelf_put(GantryShelf *self, GantryResult *result, const GantryOutcome *outcome,
                      const ct_estimate *estimate);
/* NULL: there is none; borrowed. */
GantryResult *gantry_shelf_get_result(GantryShelf *self);
/* NULL also when memory was short. */
const GantryOutcome *gantry_shelf_get_outcome(GantryShelf *self);
const ct_estimate *gantry_shelf_get_estimate(GantryShelf *self);
gboolean gantry_shelf_is_unsaved(GantryShelf *self);
/* A result was written to a file; nothing changes if another one has been made since. */
void gantry_shelf_mark_saved(GantryShelf *self, const GantryResult *result);

G_END_DECLS
