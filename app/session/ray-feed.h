/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ray of the page "Profile": its values in the volumes of A and B, and what its pixel measured. Owns nothing but
 * which answers count. */
#pragma once

#include "app/session/reference.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_RAY_FEED (gantry_ray_feed_get_type())
G_DECLARE_FINAL_TYPE(GantryRayFeed, gantry_ray_feed, GANTRY, RAY_FEED, GObject)

/* The slot is borrowed. */
GantryRayFeed *gantry_ray_feed_new(const GantryFollowerParts *parts, GantryScanSlot *slot);
/* The window wants a ray, or A, B or the projections may be others. */
void gantry_ray_feed_request(GantryRayFeed *self);

G_END_DECLS
