/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the Filter page shows, asked of the engine while the page is on screen; and its edits, which are those of the
 * plan. */
#pragma once

#include "app/session/slices.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_FILTER_FEED (gantry_filter_feed_get_type())
G_DECLARE_FINAL_TYPE(GantryFilterFeed, gantry_filter_feed, GANTRY, FILTER_FEED, GObject)

typedef struct {
  GantryContext *context;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryPictures *pictures;
  GantrySlices *slices;
} GantryFilterFeedParts;

GantryFilterFeed *gantry_filter_feed_new(const GantryFilterFeedParts *parts);
/* Listens to the window. */
void gantry_filter_feed_connect(GantryFilterFeed *self);
/* New pictures of A, or of the projection, are there. */
void gantry_filter_feed_request(GantryFilterFeed *self);

G_END_DECLS
