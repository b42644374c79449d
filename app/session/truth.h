/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a simulated scan is a scan of. Owns which entry of the shelf that is, while it is B by itself: of a scan that
 * was simulated by the user it becomes B as soon as A's grid is known, and is made anew where that grid changes, until
 * the user takes another B or none. */
#pragma once

#include "app/session/reference.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_TRUTH (gantry_truth_get_type())
G_DECLARE_FINAL_TYPE(GantryTruth, gantry_truth, GANTRY, TRUTH, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryScanSlot *slot;
  GantryShelf *shelf;
  GantryPictures *pictures;
  GantryReference *reference;
} GantryTruthParts;

GantryTruth *gantry_truth_new(const GantryTruthParts *parts);
/* Another scan is open. */
void gantry_truth_reset(GantryTruth *self);
/* New pictures of A are there. */
void gantry_truth_update(GantryTruth *self);
/* B is another one. */
void gantry_truth_check(GantryTruth *self);

/* Onto the shelf, on the grid of what is shown. */
gboolean gantry_truth_can_add(GantryTruth *self);
void gantry_truth_add(GantryTruth *self);

G_END_DECLS
