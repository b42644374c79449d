/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where A and B differ: the SSIM map of the planes on screen, while the window shows it, and the worst places,
 * when it asks for them. Owns nothing but which tasks are awaited. */
#pragma once

#include "app/session/reference.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_DIFFERENCES (gantry_differences_get_type())
G_DECLARE_FINAL_TYPE(GantryDifferences, gantry_differences, GANTRY, DIFFERENCES, GObject)

GantryDifferences *gantry_differences_new(const GantryFollowerParts *parts);
/* Planes have arrived, or the window shows something else. */
void gantry_differences_update(GantryDifferences *self);
void gantry_differences_find_worst(GantryDifferences *self);

G_END_DECLS
