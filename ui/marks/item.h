/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of the list of marks: its texts. Signal "changed". */
#pragma once

#include "ui/marks/table.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_MARK_ITEM (gantry_mark_item_get_type())
G_DECLARE_FINAL_TYPE(GantryMarkItem, gantry_mark_item, GANTRY, MARK_ITEM, GObject)

/* Besides one for each GantryMarkColumn. */
enum {
  GANTRY_MARK_ITEM_NAME = GANTRY_MARK_COLUMNS,
  GANTRY_MARK_ITEM_PLACE,
  GANTRY_MARK_ITEM_NOTE,
  GANTRY_MARK_ITEM_TEXTS
};

GantryMarkItem *gantry_mark_item_new(guint id);
guint gantry_mark_item_get_id(GantryMarkItem *self);
void gantry_mark_item_fill(GantryMarkItem *self, const GantryMarkTable *table, const GantryMark *mark);
const char *gantry_mark_item_get(GantryMarkItem *self, int text);

G_END_DECLS
