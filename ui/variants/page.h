/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Compare Variants": what varies and what errors are taken against on the left; the table of variants, the
 * commands about the chosen one, and the picture of speed against error on the right. It runs nothing: who does fills
 * its items. Buttons name the actions win.run-variants, win.cancel, win.show-views, win.variant-show,
 * win.variant-reference, win.variant-shelf, win.variant-values, win.save-variants, win.save-variants-picture. */
#pragma once

#include <gio/gio.h>

#include "ui/variants/axis.h"
#include "ui/variants/figures.h"
#include "ui/variants/item.h"
#include "ui/variants/scatter.h"
#include "ui/variants/table.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_VARIANTS_PAGE (gantry_variants_page_get_type())
G_DECLARE_FINAL_TYPE(GantryVariantsPage, gantry_variants_page, GANTRY, VARIANTS_PAGE, GtkWidget)

typedef enum { GANTRY_EXTENT_SHOWN, GANTRY_EXTENT_MIDDLE, GANTRY_EXTENT_VOLUME } GantryExtent;

/* Signals: "edited": what varies, against what, or of what, is another; "chosen": another item of the table, or none;
 * "activated": that item is to be shown. */
GtkWidget *gantry_variants_page_new(void);
/* Values of kernels and projectors are the backend's, which lives for good; once. */
void gantry_variants_page_set_backend(GantryVariantsPage *self, const ct_backend *backend);
void gantry_variants_page_set_ask(GantryVariantsPage *self, GantryAskValue ask, gpointer user);
GantryVariantsTable *gantry_variants_page_get_table(GantryVariantsPage *self);
GantryVariantsScatter *gantry_variants_page_get_scatter(GantryVariantsPage *self);
GantryFiguresButton *gantry_variants_page_get_figures(GantryVariantsPage *self);

/* What varies. The plan that all else is taken from: values of parameters that begin to vary. Without any yet, kernel,
 * interpolation and precision do. */
void gantry_variants_page_set_plan(GantryVariantsPage *self, const ct_plan *plan);
/* A list of "KEY=A,B,C" (g_strfreev), without parameters of no value. */
char **gantry_variants_page_dup_axes(GantryVariantsPage *self);
/* The parameter varies with these values, "A,B,C". */
void gantry_variants_page_vary(GantryVariantsPage *self, const ct_param *param, const char *values);
/* Of kernels all that serve are ticked, of interpolation and precision what the plan has; nothing else varies. */
void gantry_variants_page_vary_kernels(GantryVariantsPage *self);
GantryExtent gantry_variants_page_get_extent(GantryVariantsPage *self);
void gantry_variants_page_set_extent(GantryVariantsPage *self, GantryExtent extent);
int gantry_variants_page_get_repeat(GantryVariantsPage *self);

/* What errors can be taken against; the one that was chosen stays where it is among them, else it is the first. */
void gantry_variants_page_set_references(GantryVariantsPage *self, const char *const *ids, const char *const *titles,
                                         gsize count);
const char *gantry_variants_page_get_reference(GantryVariantsPage *self);

/* The rows, of GantryVariantItem: to be filled by who runs them. */
GListStore *gantry_variants_page_get_items(GantryVariantsPage *self);
/* Items, their numbers or fates changed: the table's order and the picture follow. */
void gantry_variants_page_refresh(GantryVariantsPage *self);
/* How many there are to run, "24 variants, 3 of them refuse", beside the button. */
void gantry_variants_page_set_summary(GantryVariantsPage *self, const char *text);
/* Of a run; fraction below 0: not known. text NULL: nothing runs. */
void gantry_variants_page_set_progress(GantryVariantsPage *self, double fraction, const char *text);
/* What there is to say of the table below it; fault: it is an error. NULL: nothing. */
void gantry_variants_page_set_note(GantryVariantsPage *self, const char *text, gboolean fault);

G_END_DECLS
