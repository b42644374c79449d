/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a plan back. Owns a plan that was opened without a scan, and where that scan is, if it is known: it is
 * offered, looked for beside the plan, or chosen by hand. */
#pragma once

#include "app/session/banner.h"
#include "app/session/dialogs.h"
#include "app/session/plan-editor.h"
#include "app/session/scan-slot.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PLAN_FILES (gantry_plan_files_get_type())
G_DECLARE_FINAL_TYPE(GantryPlanFiles, gantry_plan_files, GANTRY, PLAN_FILES, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryBanner *banner;
  GantryDialogs *dialogs;
} GantryPlanFilesParts;

GantryPlanFiles *gantry_plan_files_new(const GantryPlanFilesParts *parts);
/* Takes the values of a plan; without a scan it asks for that. */
void gantry_plan_files_load(GantryPlanFiles *self, const char *path);
/* Asks for the file. */
void gantry_plan_files_choose(GantryPlanFiles *self);

/* The scan that was opened for a plan is there, or it is not and why. */
void gantry_plan_files_scan_loaded(GantryPlanFiles *self, const char *plan, const GError *error);
void gantry_plan_files_forget(GantryPlanFiles *self);
gboolean gantry_plan_files_can_open_scan(GantryPlanFiles *self);
/* Of the plan without one; asks for it where it is unknown. */
void gantry_plan_files_open_scan(GantryPlanFiles *self);

G_END_DECLS
