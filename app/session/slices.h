/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where A's slices come from: slices on demand, the volume in the making, or the finished volume. Owns that choice,
 * what is known of what is shown (the outcome, the estimate, whether it is of earlier values), and the marks on
 * outdated images; asks for the planes that are missing. Signals: "chosen": the source may be another one; "retitled":
 * so may what A is called; "requested": A's planes were asked for, B's may have to be; "previewed" (GError *, NULL
 * without): the preview of the present plan was made, or could not be. */
#pragma once

#include "app/session/banner.h"
#include "app/session/preview.h"
#include "app/session/shelf.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SLICES (gantry_slices_get_type())
G_DECLARE_FINAL_TYPE(GantrySlices, gantry_slices, GANTRY, SLICES, GObject)

typedef enum {
  GANTRY_SOURCE_NONE,
  GANTRY_SOURCE_PREVIEW, /* slices on demand */
  GANTRY_SOURCE_VOLUME,
  GANTRY_SOURCE_RUNNING, /* the volume in the making posts them */
} GantrySource;

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryShelf *shelf;
  GantryBanner *banner;
  GantryPictures *pictures;
  GantryPreview *preview;
} GantrySlicesParts;

GantrySlices *gantry_slices_new(const GantrySlicesParts *parts);
/* Of another scan: nothing is known, nothing is shown. */
void gantry_slices_reset(GantrySlices *self);
/* The window is gone. */
void gantry_slices_stop(GantrySlices *self);

GantrySource gantry_slices_get_source(GantrySlices *self);
/* Decides anew, after the plan, the scan or the volume changed. */
void gantry_slices_choose(GantrySlices *self);
/* The scan has been simulated anew: everything is made of it, at once. */
void gantry_slices_take_scan(GantrySlices *self);
/* A is the volume of the run just made, whatever the panel says. */
void gantry_slices_show_volume(GantrySlices *self);
/* A is this one of the shelf, which is in memory, whatever the panel says. */
void gantry_slices_show_entry(GantrySlices *self, GantryEntry *entry);
/* A is the volume that a run of this plan is about to make. */
void gantry_slices_begin_run(GantrySlices *self, const ct_plan *plan);
/* Asks for every plane on screen that is not of the present generation and place; may be repeated at any time. */
void gantry_slices_request(GantrySlices *self);
/* The fourth view. */
void gantry_slices_request_projection(GantrySlices *self);

/* The header of what is shown, JSON; NULL: it is not known. */
const char *gantry_slices_get_record(GantrySlices *self);
/* What was found when the present result was made; NULL: nothing was. */
const GantryOutcome *gantry_slices_get_outcome(GantrySlices *self);
/* Takes the outcome, which is one of that plan. */
void gantry_slices_show_outcome(GantrySlices *self, GantryOutcome *outcome, const ct_plan *plan);
/* What the last plan that was looked at needs; all zero before. */
const ct_estimate *gantry_slices_get_estimate(GantrySlices *self);
void gantry_slices_set_estimate(GantrySlices *self, const ct_estimate *estimate);

/* Whether what is shown was made with values that have been changed since; and that it was. */
gboolean gantry_slices_is_earlier(GantrySlices *self);
void gantry_slices_set_earlier(GantrySlices *self);
/* A result that can become the reference. */
gboolean gantry_slices_has_result(GantrySlices *self);
/* What A is called (g_free): emits "retitled" where that may have changed, also by the caller's doing. */
char *gantry_slices_dup_title(GantrySlices *self);
void gantry_slices_retitle(GantrySlices *self);
/* After the titles were shown. */
void gantry_slices_update_outdated(GantrySlices *self);

G_END_DECLS
