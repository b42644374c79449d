/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays out the views: two by two, one large beside the others, all in one row, or two. Children that are not visible
 * take no place. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  GANTRY_LAYOUT_GRID,  /* two by two */
  GANTRY_LAYOUT_LARGE, /* one large, the others in a column beside it */
  GANTRY_LAYOUT_ROW,   /* side by side */
  GANTRY_LAYOUT_PAIR,  /* one slice and the fourth view */
  GANTRY_LAYOUTS
} GantryLayout;

#define GANTRY_TYPE_TILES (gantry_tiles_get_type())
G_DECLARE_FINAL_TYPE(GantryTiles, gantry_tiles, GANTRY, TILES, GtkWidget)

/* Behind those that are there. */
void gantry_tiles_add(GantryTiles *self, GtkWidget *child);
/* large: the child that is; NULL: the first visible one. */
void gantry_tiles_set_layout(GantryTiles *self, GantryLayout layout, GtkWidget *large);

G_END_DECLS
