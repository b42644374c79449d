/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of variants: a line each, sorted by the head that is clicked, one of them chosen. What failed or refuses is
 * grey, with its words below its name, and last in any order. */
#pragma once

#include <gtk/gtk.h>

#include "ui/variants/item.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_VARIANTS_TABLE (gantry_variants_table_get_type())
G_DECLARE_FINAL_TYPE(GantryVariantsTable, gantry_variants_table, GANTRY, VARIANTS_TABLE, GtkWidget)

/* Signals: "chosen": another item, or none; "activated": Return or a double click on it. items: of GantryVariantItem;
 * borrowed. */
GtkWidget *gantry_variants_table_new(GListModel *items);
/* Copies the array, not the texts, which live for good. Once. */
void gantry_variants_table_set_columns(GantryVariantsTable *self, const GantryVariantColumn *columns, gsize count);
/* Borrowed; NULL: none. */
GantryVariantItem *gantry_variants_table_get_chosen(GantryVariantsTable *self);
void gantry_variants_table_choose(GantryVariantsTable *self, GantryVariantItem *item);
/* In the order shown; borrowed. */
GListModel *gantry_variants_table_get_shown(GantryVariantsTable *self);
/* Sorts by a column, as a click on its head does. */
void gantry_variants_table_sort(GantryVariantsTable *self, gsize column, gboolean descending);
/* Items have got numbers or another fate. */
void gantry_variants_table_resort(GantryVariantsTable *self);

G_END_DECLS
