/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers on the statistics page. Owns whether those of the whole volumes are known or on their way. Those of the
 * axial slice on screen come at once. */
#pragma once

#include "app/session/reference.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_STATISTICS (gantry_statistics_get_type())
G_DECLARE_FINAL_TYPE(GantryStatistics, gantry_statistics, GANTRY, STATISTICS, GObject)

GantryStatistics *gantry_statistics_new(const GantryFollowerParts *parts);
/* Of another scan: none. */
void gantry_statistics_reset(GantryStatistics *self);
/* A's source may be another one: numbers of the whole volume hold while it is on screen. */
void gantry_statistics_choose(GantryStatistics *self);
/* B is another one. */
void gantry_statistics_compare_anew(GantryStatistics *self);
/* What A and B differ in that nobody asked for: to be told anew, one of them is another. */
void gantry_statistics_list_differences(GantryStatistics *self);
/* Of the axial slice on screen. */
void gantry_statistics_request(GantryStatistics *self);

G_END_DECLS
