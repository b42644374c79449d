/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens: how far a run is, in the header, where it takes no room from the views; the busy line for work too
 * short for that. Owns the texts below the title and the timer of the busy line. */
#pragma once

#include <gtk/gtk.h>

#include "recon/base/job.h"

G_BEGIN_DECLS

typedef struct _GantryStatus GantryStatus;
/* settled(user): work has ended; its last images may still be on the way. */
GantryStatus *gantry_status_new(GtkWidget *window, void (*settled)(gpointer user), gpointer user);
void gantry_status_free(GantryStatus *self);
/* The window is gone. */
void gantry_status_stop(GantryStatus *self);

/* What the scan is. */
void gantry_status_set_subtitle(GantryStatus *self, const char *subtitle);
/* What the user has to tell before anything can be reconstructed; NULL: nothing. */
void gantry_status_set_missing(GantryStatus *self, const char *text);
/* How far a run, or the opening of a file, is; NULL: it is over. */
void gantry_status_set_progress(GantryStatus *self, const ct_progress *progress, const char *text);
gboolean gantry_status_is_running(GantryStatus *self);
void gantry_status_set_busy(GantryStatus *self, gboolean busy, const char *text);
gboolean gantry_status_shows_busy(GantryStatus *self);
/* After the page changed. */
void gantry_status_show(GantryStatus *self);

G_END_DECLS
