/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The centre of rotation: found by correlation, which is a preview of a plan that asks for it, or by a sweep, which is
 * a job. Owns whether a search changed the plan, so that a search that ends without a centre is taken back. */
#pragma once

#include "app/session/slices.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_CENTRE (gantry_centre_get_type())
G_DECLARE_FINAL_TYPE(GantryCentre, gantry_centre, GANTRY, CENTRE, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryBanner *banner;
  GantryPictures *pictures;
  GantryPreview *preview;
  GantrySlices *slices;
} GantryCentreParts;

GantryCentre *gantry_centre_new(const GantryCentreParts *parts);
void gantry_centre_find(GantryCentre *self);
void gantry_centre_sweep(GantryCentre *self);
/* Gives up a search, and goes back to the values before. */
void gantry_centre_cancel(GantryCentre *self);

G_END_DECLS
