/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is on screen of A and of B. Owns the images shown, the grid of A's, the number of the generation that each side
 * belongs to (an image of another one is dropped), and which projection the fourth view wants. Tells what is missing;
 * who makes it is decided elsewhere. Signal "arrived" (gboolean of_a: planes of A among them): new planes are on
 * screen. */
#pragma once

#include "app/mailbox.h"
#include "app/session/context.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PICTURES (gantry_pictures_get_type())
G_DECLARE_FINAL_TYPE(GantryPictures, gantry_pictures, GANTRY, PICTURES, GObject)

GantryPictures *gantry_pictures_new(GantryContext *context);
/* Shows what lies in the mailbox. */
void gantry_pictures_fetch(GantryPictures *self);
/* While images are shown the crosshair may move by itself: nothing need be asked for. */
gboolean gantry_pictures_is_showing(GantryPictures *self);

/* Of another scan: nothing is shown, and the crosshair is the middle of the next grid. */
void gantry_pictures_reset(GantryPictures *self);
/* What is made from now on belongs to another generation. */
void gantry_pictures_renew(GantryPictures *self, GantrySide side);
guint64 gantry_pictures_get_generation(GantryPictures *self, GantrySide side);
/* B is something else: its images go, too. */
void gantry_pictures_replace_reference(GantryPictures *self);

/* NULL: none; borrowed. */
GantryImage *gantry_pictures_get(GantryPictures *self, GantrySide side, GantryViewKind kind);
/* A's; NULL before the first image. */
const ct_grid *gantry_pictures_get_grid(GantryPictures *self);

/* The projection, or the detector row of the sinogram, that the fourth view shows. */
void gantry_pictures_set_projection(GantryPictures *self, int index, gboolean sinogram);
/* What the window would like to see now, told to the mailbox as well. */
void gantry_pictures_get_wanted(GantryPictures *self, GantryWanted *wanted);
/* Bits of the planes that are not on screen, or not of the present generation and place. */
guint gantry_pictures_get_missing(GantryPictures *self, GantrySide side);

G_END_DECLS
