/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers against B of every entry on the shelf, by the files' worker, one after another. Owns the task under way. */
#pragma once

#include "app/session/reference.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_APPRAISAL (gantry_appraisal_get_type())
G_DECLARE_FINAL_TYPE(GantryAppraisal, gantry_appraisal, GANTRY, APPRAISAL, GObject)

/* All are borrowed. */
GantryAppraisal *gantry_appraisal_new(GantryContext *context, GantryShelf *shelf, GantryReference *reference);
/* B is another one, or none. */
void gantry_appraisal_renew(GantryAppraisal *self);
/* Entries were added. */
void gantry_appraisal_go_on(GantryAppraisal *self);

G_END_DECLS
