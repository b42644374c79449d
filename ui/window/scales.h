/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grey windows and the scale of the difference, as far as the program chooses them: fitted to the first pictures of
 * a scan and to those that have outgrown them, not to what the user has set. Owns what they were fitted to and what is
 * still to be fitted. */
#pragma once

#include "ui/window/quad.h"

G_BEGIN_DECLS

typedef struct _GantryScales GantryScales;
/* quad is borrowed. */
GantryScales *gantry_scales_new(GantryDisplay *display, GantryQuad *quad);
void gantry_scales_free(GantryScales *self);
/* Another scan: all of them are to be fitted. */
void gantry_scales_reset(GantryScales *self);

/* The grid has another extent than the pictures that the window was fitted to, so that the values may have, too. */
void gantry_scales_set_rescaled(GantryScales *self);
/* The fourth view shows something else. */
void gantry_scales_renew_projection(GantryScales *self);
/* Whether there is a reference; a new one has another difference. */
void gantry_scales_set_reference(GantryScales *self, gboolean reference);
/* Work has ended: for a moment the window follows what it made last. */
void gantry_scales_settle(GantryScales *self);

/* A projection has arrived. */
void gantry_scales_fit_projection(GantryScales *self, const GantryImage *image);
/* Slices may have arrived; running: they are those of a run that goes on. */
void gantry_scales_update(GantryScales *self, gboolean running);
/* By command: whatever they are now. */
void gantry_scales_fit(GantryScales *self);
void gantry_scales_fit_difference(GantryScales *self);

G_END_DECLS
