/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels over pictures: along their edges, light on dark, out of the pointer's way. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From the edges, logical pixels. */
#define GANTRY_LABEL_MARGIN 8

/* For who does not see it; a tooltip would lie over the picture. A label's accessible name is its text. */
void gantry_view_label_describe(GtkWidget *label, const char *meaning);
GtkWidget *gantry_view_label_new(GtkAlign across, GtkAlign along, const char *meaning);
/* The box of the title and of what stands behind it, upper left, in the overlay. */
GtkWidget *gantry_view_heading_new(GtkOverlay *overlay);
/* What stands in the middle of an empty picture, in the overlay. */
GtkWidget *gantry_view_empty_new(GtkOverlay *overlay);

G_END_DECLS
