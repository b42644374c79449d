/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The errors of A against B on the Errors page. Owns what they were asked for last; asks only while the page is on
 * screen, for what it is to be of: whole volumes, the axial slice, or the region that is
 * chosen on a slice. */
#pragma once

#include "app/session/reference.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_ANALYSER (gantry_analyser_get_type())
G_DECLARE_FINAL_TYPE(GantryAnalyser, gantry_analyser, GANTRY, ANALYSER, GObject)

GantryAnalyser *gantry_analyser_new(const GantryFollowerParts *parts);
/* Follows the window's regions. */
void gantry_analyser_connect(GantryAnalyser *self);
/* A or B is another one, or there is none: what is shown counts no more. */
void gantry_analyser_forget(GantryAnalyser *self);
/* The page, A's source or the pictures may be others; asks for what is missing. */
void gantry_analyser_update(GantryAnalyser *self);

G_END_DECLS
