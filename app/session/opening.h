/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening what the user chose: in a dialog, from the recent ones, by a drop, on the command line. Owns nothing of its
 * own: tells plans and volumes from scans, looks whether a scan can be opened and asks where work would be lost, then
 * leaves it to the scan slot. Signal "elsewhere" (char *path, GantryScan *opened, either may be NULL): to be opened in
 * a new window; "volume", "session" (char *path): a volume, a session was chosen. Shows the dialog that asks what of a
 * file is the scan, and in it a frame of the scan as it is told. */
#pragma once

#include "app/session/plan-files.h"
#include "app/session/questions.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_OPENING (gantry_opening_get_type())
G_DECLARE_FINAL_TYPE(GantryOpening, gantry_opening, GANTRY, OPENING, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryScanSlot *slot;
  GantryBanner *banner;
  GantryDialogs *dialogs;
  GantryQuestions *questions;
  GantryPlanFiles *plans;
} GantryOpeningParts;

GantryOpening *gantry_opening_new(const GantryOpeningParts *parts);
/* A scan, a volume, a plan or a session. */
void gantry_opening_open(GantryOpening *self, GFile *file);
/* The same in a window that is not shown yet: what it is, is known when this returns, so that the next file finds its
 * window. */
void gantry_opening_open_at_once(GantryOpening *self, GFile *file);
void gantry_opening_open_example(GantryOpening *self);
/* Asks for a file, or for a folder of projections. */
void gantry_opening_choose(GantryOpening *self, gboolean folder);
/* Asks what of the open scan's file is the scan: arrays, layout; and opens it so. */
void gantry_opening_ask_source(GantryOpening *self);
/* Of a file that could not be opened and may hold raw samples: asks how they are stored. */
void gantry_opening_describe(GantryOpening *self, const char *path);
/* Of a file that takes its values from others outside its folder: opens it with them, as the description says, and ends
 * the question. */
void gantry_opening_allow(GantryOpening *self, const char *path, const char *description);
/* Asks where work would be lost. */
void gantry_opening_close(GantryOpening *self);

G_END_DECLS
