/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices on demand of A. Owns the plan that they were asked for with last, which is the present one or, while previews
 * are off, an earlier one; and the pause that waits for an edit to end. Signals: "due": the pause is over, the missing
 * planes are to be asked for; "done" (GantryPreviewTask *): slices of the present scan were made, or could not be. */
#pragma once

#include "app/session/jobs.h"
#include "app/session/pictures.h"
#include "app/session/plan-editor.h"
#include "app/session/scan-slot.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PREVIEW (gantry_preview_get_type())
G_DECLARE_FINAL_TYPE(GantryPreview, gantry_preview, GANTRY, PREVIEW, GObject)

/* What it works with, borrowed; the same in the other headers of this folder. */
typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryPictures *pictures;
} GantryPreviewParts;

GantryPreview *gantry_preview_new(const GantryPreviewParts *parts);
/* Of another scan: no plan was previewed. */
void gantry_preview_reset(GantryPreview *self);

/* After a moment without another edit. */
void gantry_preview_schedule(GantryPreview *self);
void gantry_preview_unschedule(GantryPreview *self);
gboolean gantry_preview_is_scheduled(GantryPreview *self);
/* Of planes (bits, as gantry_pictures_get_missing tells them). */
void gantry_preview_request(GantryPreview *self, guint planes);
void gantry_preview_cancel(GantryPreview *self);

/* NULL: none was previewed. */
const ct_plan *gantry_preview_get_plan(GantryPreview *self);
/* Whether slices on demand are, or will be, those of the present values. */
gboolean gantry_preview_is_present(GantryPreview *self);

G_END_DECLS
