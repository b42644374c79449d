/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page "Spectrum" shows, asked of the engine while the page is on screen. */
#pragma once

#include "app/session/filter-feed.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SPECTRUM_FEED (gantry_spectrum_feed_get_type())
G_DECLARE_FINAL_TYPE(GantrySpectrumFeed, gantry_spectrum_feed, GANTRY, SPECTRUM_FEED, GObject)

GantrySpectrumFeed *gantry_spectrum_feed_new(const GantryFilterFeedParts *parts);
/* Listens to the window. */
void gantry_spectrum_feed_connect(GantrySpectrumFeed *self);
/* New pictures of A are there, or another view is shown. */
void gantry_spectrum_feed_request(GantrySpectrumFeed *self);

G_END_DECLS
