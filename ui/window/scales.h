/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grey windows and the scales of differences, as far as the program chooses them: fitted to the first pictures of
 * a scan and to those that have outgrown them, not to what the user has set. Owns what they were fitted to and what is
 * still to be fitted.
 *
 * The rule for scales of differences: let p be the 99.9th percentile of their size (|A - B|, |A - B| / |B|, or 1 -
 * SSIM) in the planes shown, the largest where that is zero. The scale stays while 0.3 range <= p <= range, so that
 * noise, and a step to the next slice, do not change the colours; else it becomes 1.25 p, two digits, rounded up.
 * Nothing is refitted while the display is locked, nor where A equals B. */
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
/* The windows are set to what was saved with what is shown: they stay while the values have that range. */
void gantry_scales_keep(GantryScales *self);
void gantry_scales_keep_projection(GantryScales *self);
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
/* By command: whatever they are now. That of differences is unlocked. */
void gantry_scales_fit(GantryScales *self);
void gantry_scales_fit_difference(GantryScales *self);

G_END_DECLS
