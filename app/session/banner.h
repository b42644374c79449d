/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window's banner says of the present plan. Owns two facts, why it stays up: the plan has no preview, the plan
 * cannot be reconstructed; and whether the memory is short and advice is at hand. Offers the remedies, which are
 * commands (app/session/remedy.h does what they promise). */
#pragma once

#include "app/session/context.h"

G_BEGIN_DECLS

/* What failed: a plan, for the engine, with its error. */
typedef struct {
  const ct_plan *plan;
  const GError *error;
  const ct_estimate *estimate;
  gboolean too_big;       /* the estimate says what would fit */
  gboolean blames_device; /* the processor could do it */
} GantryFailure;

/* Said while fan or cone beam is chosen and its distances are still to be typed. */
#define GANTRY_LACKS_DISTANCES "Type the distances from the source to the axis and to the detector under Geometry."

typedef struct _GantryBanner GantryBanner;
GantryBanner *gantry_banner_new(GantryContext *context);
void gantry_banner_free(GantryBanner *self);
/* Another scan: nothing is known of its plan. The banner itself stays. */
void gantry_banner_reset(GantryBanner *self);

void gantry_banner_set_no_preview(GantryBanner *self);
gboolean gantry_banner_has_no_preview(GantryBanner *self);
/* Forgets that the plan had no preview; also takes the banner down. */
void gantry_banner_forgive_preview(GantryBanner *self);
void gantry_banner_end_no_preview(GantryBanner *self);

void gantry_banner_set_refused(GantryBanner *self);
gboolean gantry_banner_is_refused(GantryBanner *self);
/* The plan was edited: takes the banner down where it said why there is no run. */
void gantry_banner_end_refused(GantryBanner *self);
/* A run was made: nothing is wrong with the plan. */
void gantry_banner_clear(GantryBanner *self);

/* Whether it says nothing of the plan, so that another message may take its place. */
gboolean gantry_banner_is_free(GantryBanner *self);
/* Takes down what is no message of the plan. */
void gantry_banner_make_room(GantryBanner *self);

/* What makes the numbers on screen doubtful, with what helps against the worst of it; NULL: nothing. */
void gantry_banner_show_warnings(GantryBanner *self, const ct_warnings *warnings);

/* present: the plan that a remedy would change. */
void gantry_banner_offer(GantryBanner *self, const GantryFailure *failure, const ct_plan *present);
void gantry_banner_offer_advice(GantryBanner *self, const ct_estimate *estimate, const ct_plan *present);
gboolean gantry_banner_has_advice(GantryBanner *self);
void gantry_banner_end_advice(GantryBanner *self);

G_END_DECLS
