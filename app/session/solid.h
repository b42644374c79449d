/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The volume of A for the scene, while the window wants it: made of the finished volume that A's slices come from. Owns
 * nothing but which request counts, and what the window shows. */
#pragma once

#include "app/session/slices.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SOLID_FEED (gantry_solid_feed_get_type())
G_DECLARE_FINAL_TYPE(GantrySolidFeed, gantry_solid_feed, GANTRY, SOLID_FEED, GObject)

/* All are borrowed. */
GantrySolidFeed *gantry_solid_feed_new(GantryContext *context, GantryShelf *shelf, GantrySlices *slices);
/* A is another, or the window's wish. */
/* The volume in the making. */
void gantry_solid_feed_take(GantrySolidFeed *self, GantrySolid *solid);
void gantry_solid_feed_request(GantrySolidFeed *self);

G_END_DECLS
