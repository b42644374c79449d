/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shelf beside the plots: a heading, and a list of cards, the newest at the end. Knows nothing of the window; it
 * activates actions of it: Enter or a double click win.shelf-show, B win.shelf-reference, T win.shelf-tick, P
 * win.shelf-pin, F2 win.shelf-rename, Delete win.shelf-remove; the secondary button, Menu or Shift+F10 the menu of
 * all. Signals: "chosen": another row, or none, is chosen; "renamed" (GantryShelfItem *, char *name). */
#pragma once

#include "ui/shelf/item.h"
#include "ui/slice-view.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SHELF_LIST (gantry_shelf_list_get_type())
G_DECLARE_FINAL_TYPE(GantryShelfList, gantry_shelf_list, GANTRY, SHELF_LIST, GtkWidget)

GtkWidget *gantry_shelf_list_new(void);
/* model: of GantryShelfItem; menu: of a row. Both may be NULL. */
void gantry_shelf_list_set_model(GantryShelfList *self, GListModel *model, GantryDisplay *display);
void gantry_shelf_list_set_menu(GantryShelfList *self, GMenuModel *menu);
/* What the results take in memory, short, and what becomes of them beyond the limit. */
void gantry_shelf_list_set_memory(GantryShelfList *self, const char *text, const char *tip);
/* NULL: none. Borrowed. */
GantryShelfItem *gantry_shelf_list_get_chosen(GantryShelfList *self);
/* Asks for another name of the chosen one. */
void gantry_shelf_list_rename(GantryShelfList *self);

G_END_DECLS
