/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images of before a change: they stay on screen until those of the new values come, and are marked when these take
 * their time, cannot be made, or are not to be made. Owns the marks and the timer. */
#pragma once

#include "app/session/pictures.h"

G_BEGIN_DECLS

typedef struct _GantryOutdated GantryOutdated;
/* late(user): new images did not come at once; gantry_outdated_update is to be called. pictures is borrowed. */
GantryOutdated *gantry_outdated_new(GantryContext *context, GantryPictures *pictures, void (*late)(gpointer user),
                                    gpointer user);
void gantry_outdated_free(GantryOutdated *self);
/* Another generation of A's images is wanted, after an edit. */
void gantry_outdated_begin(GantryOutdated *self);
void gantry_outdated_stop(GantryOutdated *self);
/* Marks A's images that were made with other values than the present ones. earlier: all of them were. */
void gantry_outdated_update(GantryOutdated *self, gboolean earlier);

G_END_DECLS
