/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of the profiles along the measuring line, of A, B and every ticked result, and its commands. Owns its plot
 * and the numbers beside it. */
#pragma once

#include "ui/plot/plot.h"
#include "ui/window/messages.h"
#include "ui/window/plots.h"
#include "ui/window/quad.h"
#include "ui/window/ray.h"
#include "ui/window/variants.h"

G_BEGIN_DECLS

typedef struct {
  GtkWidget *window;
  GantryDisplay *display;
  GantryQuad *quad;
  GantryPlots *plots;
  GantryMessages *messages;
  GantryVariants *variants;
  GantryRayPart *ray;
} GantryProfileParts;

typedef struct _GantryProfile GantryProfile;
/* Adds the actions profile, remove-profile, copy-profile and save-profile; the parts are borrowed. */
GantryProfile *gantry_profile_new(const GantryProfileParts *parts);
void gantry_profile_free(GantryProfile *self);
/* In an idle moment. */
void gantry_profile_refresh(GantryProfile *self);
GantryPlot *gantry_profile_get_plot(GantryProfile *self);

G_END_DECLS
