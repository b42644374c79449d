/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes what a window holds one part a frame, so that opening a large one does not hold up the others. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Makes a part, or some rows of it: TRUE where there are more, for which it is called again. */
typedef gboolean (*GantryMakePart)(gpointer widget);

/* Calls them in turn from the widget's frames, as long as it is there; the first frame is left to the widget itself.
 * made(widget): all of it is there. parts is static. */
void gantry_make_in_turn(GtkWidget *widget, const GantryMakePart *parts, guint count, void (*made)(gpointer widget));

G_END_DECLS
