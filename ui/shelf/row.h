/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The card of one result in the shelf's list: tick, picture, name, facts, numbers, and the buttons A and B, which say
 * whether it is one of them. Its buttons choose the row and then activate win.shelf-tick, win.shelf-show and
 * win.shelf-reference, which are about the chosen row. */
#pragma once

#include "ui/shelf/item.h"
#include "ui/slice-view.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SHELF_ROW (gantry_shelf_row_get_type())
G_DECLARE_FINAL_TYPE(GantryShelfRow, gantry_shelf_row, GANTRY, SHELF_ROW, GtkListBoxRow)

/* The picture is shown as the display shows slices. */
GtkWidget *gantry_shelf_row_new(GantryShelfItem *item, GantryDisplay *display);
GantryShelfItem *gantry_shelf_row_get_item(GantryShelfRow *self);

G_END_DECLS
