/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed against error of variants: a named point each, seconds to the right and the error against the reference
 * upwards, both logarithmic. What has no error (it is the reference, or equals it) has no place there, and is counted
 * below. A click chooses the nearest point. */
#pragma once

#include <gtk/gtk.h>

#include "recon/base/error.h"
#include "ui/variants/item.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_VARIANTS_SCATTER (gantry_variants_scatter_get_type())
G_DECLARE_FINAL_TYPE(GantryVariantsScatter, gantry_variants_scatter, GANTRY, VARIANTS_SCATTER, GtkWidget)

/* Signal "picked" (GantryVariantItem *): the point of that item was clicked. items: of GantryVariantItem; borrowed. */
GtkWidget *gantry_variants_scatter_new(GListModel *items);
/* Items or their numbers changed. */
void gantry_variants_scatter_refresh(GantryVariantsScatter *self);
/* Ringed; NULL: none. */
void gantry_variants_scatter_choose(GantryVariantsScatter *self, GantryVariantItem *item);
/* How many points are drawn. */
guint gantry_variants_scatter_count(GantryVariantsScatter *self);
/* .png, .svg or .pdf in light colours; CT_ERROR_ARGUMENT: another suffix. */
gboolean gantry_variants_scatter_save(GantryVariantsScatter *self, const char *path, ct_error **error);

G_END_DECLS
