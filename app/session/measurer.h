/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the window's marks measured in A and in B: on the voxels of volumes, else on the slices on screen. Owns nothing
 * but which answers count. */
#pragma once

#include "app/session/reference.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_MEASURER (gantry_measurer_get_type())
G_DECLARE_FINAL_TYPE(GantryMeasurer, gantry_measurer, GANTRY, MEASURER, GObject)

GantryMeasurer *gantry_measurer_new(const GantryFollowerParts *parts);
/* Follows the marks. */
void gantry_measurer_connect(GantryMeasurer *self);
/* Marks have changed, or A or B may be another. */
void gantry_measurer_request(GantryMeasurer *self);
/* Other slices are on screen. */
void gantry_measurer_renew_pictures(GantryMeasurer *self);

G_END_DECLS
