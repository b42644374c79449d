/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page "View by View" shows, asked of the engine while the page is on screen: first the views that are wished,
 * then, piece by piece, the curve of errors; or the iterations that were kept of an iterative volume. */
#pragma once

#include "app/session/filter-feed.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_GROWTH_FEED (gantry_growth_feed_get_type())
G_DECLARE_FINAL_TYPE(GantryGrowthFeed, gantry_growth_feed, GANTRY, GROWTH_FEED, GObject)

/* shelf: borrowed; whose result A is. */
GantryGrowthFeed *gantry_growth_feed_new(const GantryFilterFeedParts *parts, GantryShelf *shelf);
/* Listens to the window. */
void gantry_growth_feed_connect(GantryGrowthFeed *self);
/* New pictures of A are there. */
void gantry_growth_feed_request(GantryGrowthFeed *self);

G_END_DECLS
