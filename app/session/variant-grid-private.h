/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the page's variants share: variant-grid.c runs them, variant-list.c lists them, variant-rows.c does
 * what is asked of a row and saves the table. */
#pragma once

#include "app/session/variant-grid.h"

#include "app/tasks.h"
#include "app/variants-run.h"
#include "app/variants-table.h"
#include "ui/number-text.h"

G_BEGIN_DECLS

/* Of the page's table: the name, the kernel, and all numbers. */
enum { GANTRY_SHOWN_COLUMNS = 16 };

struct _GantryVariantGrid {
  GObject parent_instance;
  GantryVariantGridParts with;
  GantryPlansTask *task; /* of the run under way; NULL: none */
  gantry_variants made;  /* of the run made last; no rows: none */
  ct_plan *asked;        /* [asked_count] their plans before automatic values were replaced */
  gsize asked_count;
  GPtrArray *results; /* GantryResult of each, without its volume once that lies on the shelf; NULL: none was kept */
  char *against;      /* in words */
  gboolean textbook;  /* that is textbook in double precision */
  gboolean saved;     /* the table */
  char frozen[GANTRY_FROZEN_TEXT];
  gsize listed; /* what the page's choice makes; 0: nothing that could run */
  guint timer;
};

/* NULL once the window is closed. */
static inline GantryVariantsPage *gantry_variant_grid_page(GantryVariantGrid *self) {
  GantryWindow *window = self->with.context->window;
  return window ? gantry_window_get_variants_page(window) : NULL;
}
/* Of the run under way, else of the last. */
static inline const gantry_variants *gantry_variant_grid_rows(GantryVariantGrid *self) {
  return self->task ? &self->task->variants : &self->made;
}

/* variant-list.c: returns how many. */
gsize gantry_variant_grid_columns(const gantry_column *columns[GANTRY_SHOWN_COLUMNS]);
/* variant-kept.c: "3 volumes (12 MB) of its rows are not on the shelf" (g_free); NULL: all that were kept are. */
char *gantry_variant_grid_dup_unkept(GantryVariantGrid *self);
/* The item of a row (g_object_unref). */
GantryVariantItem *gantry_variant_grid_item(const gantry_variants *rows, size_t row);
/* What the page's choice makes, with this value alone of that parameter (NULL: as chosen). */
gboolean gantry_variant_grid_list(GantryVariantGrid *self, const char *key, const char *value, gantry_variants *rows,
                                  ct_error **error);
gantry_variants_request gantry_variant_grid_request(GantryVariantGrid *self);
/* The plan, or a volume (borrowed), that errors are taken against; in words (g_free). */
gboolean gantry_variant_grid_find_reference(GantryVariantGrid *self, const gantry_variants *rows, ct_plan *plan,
                                            GantryResult **volume, ct_error **error);
char *gantry_variant_grid_reference_words(GantryVariantGrid *self);
gboolean gantry_variant_grid_is_against_textbook(GantryVariantGrid *self);

G_END_DECLS
