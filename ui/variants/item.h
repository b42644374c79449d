/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A variant as the page shows it: its name, what became of it, and its numbers as the table of variants has them.
 * Values alone; who runs variants fills it. Signal "changed": it says something else. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef enum {
  GANTRY_VARIANT_REFUSED, /* known before it is run: `words` say why */
  GANTRY_VARIANT_LISTED,
  GANTRY_VARIANT_RUNNING,
  GANTRY_VARIANT_ENDED,
  GANTRY_VARIANT_BROKEN, /* it has failed: `words` say why */
  GANTRY_VARIANT_LEFT,   /* the run ended before it */
} GantryVariantFate;

/* A column of the table; the first is the variant's name. */
typedef struct {
  const char *key, *title; /* "relative_rmse", "rel. RMSE" */
  const char *unit;        /* "s", "" */
  gboolean text;
} GantryVariantColumn;

#define GANTRY_TYPE_VARIANT_ITEM (gantry_variant_item_get_type())
G_DECLARE_FINAL_TYPE(GantryVariantItem, gantry_variant_item, GANTRY, VARIANT_ITEM, GObject)

/* index: its place in the grid of values; group: those of one colour in the picture, with its title ("Half, 16 bit").
 */
GantryVariantItem *gantry_variant_item_new(guint index, const char *name, int group, const char *group_title);
guint gantry_variant_item_get_index(GantryVariantItem *self);
const char *gantry_variant_item_get_name(GantryVariantItem *self);
int gantry_variant_item_get_group(GantryVariantItem *self);
const char *gantry_variant_item_get_group_title(GantryVariantItem *self);

void gantry_variant_item_set_fate(GantryVariantItem *self, GantryVariantFate fate, const char *words);
GantryVariantFate gantry_variant_item_get_fate(GantryVariantItem *self);
/* NULL: nothing needs to be said. */
const char *gantry_variant_item_get_words(GantryVariantItem *self);

/* Entries [count] and their numbers (NAN: a text, or there is none), column by column; copied. */
void gantry_variant_item_set_entries(GantryVariantItem *self, const char *const *entries, const double *numbers,
                                     gsize count);
const char *gantry_variant_item_get_entry(GantryVariantItem *self, gsize column); /* never NULL */
double gantry_variant_item_get_number(GantryVariantItem *self, gsize column);
/* Its place in the picture, NAN without: seconds, and error against the reference. */
void gantry_variant_item_set_place(GantryVariantItem *self, double seconds, double error);
double gantry_variant_item_get_seconds(GantryVariantItem *self);
double gantry_variant_item_get_error(GantryVariantItem *self);

G_END_DECLS
