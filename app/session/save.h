/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saving the volume, a slice or the plan. Owns nothing: asks where, and has the files' worker write. Signals
 * "target-chosen" (char *path): the file that a volume is to be reconstructed into; "volume-ended" (gboolean): a volume
 * that was to be saved was, or was not. */
#pragma once

#include "app/session/dialogs.h"
#include "app/session/pictures.h"
#include "app/session/plan-editor.h"
#include "app/session/scan-slot.h"
#include "app/session/shelf.h"
#include "app/session/slices.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SAVER (gantry_saver_get_type())
G_DECLARE_FINAL_TYPE(GantrySaver, gantry_saver, GANTRY, SAVER, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryShelf *shelf;
  GantryDialogs *dialogs;
  GantryPictures *pictures;
  GantrySlices *slices;
} GantrySaverParts;

GantrySaver *gantry_saver_new(const GantrySaverParts *parts);
/* Whether writing there would overwrite what the open scan is read from, which is then said. */
gboolean gantry_saver_refuses(GantrySaver *self, const char *path);
/* Each asks for a file. */
void gantry_saver_save_volume(GantrySaver *self);
/* A result of the shelf; name: what it is called there, for its file. */
void gantry_saver_save_result(GantrySaver *self, GantryResult *result, const char *name);
/* Of the view that has the keyboard, else the axial one. */
void gantry_saver_save_slice(GantrySaver *self);
void gantry_saver_save_plan(GantrySaver *self);
/* The scan, where it was simulated: it is known by that file from then on. */
void gantry_saver_save_scan(GantrySaver *self);
void gantry_saver_choose_target(GantrySaver *self);

G_END_DECLS
