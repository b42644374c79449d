/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots and labels follow what is on screen in the next idle moment, however many changes arrive. Owns the idle
 * source. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _GantryRefresh GantryRefresh;
GantryRefresh *gantry_refresh_new(void (*refresh)(gpointer user), gpointer user);
void gantry_refresh_free(GantryRefresh *self);
/* The window is gone: nothing is queued any more. */
void gantry_refresh_stop(GantryRefresh *self);
void gantry_refresh_queue(GantryRefresh *self);

G_END_DECLS
