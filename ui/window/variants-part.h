/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Compare Variants" in the window, in place of the views, with the commands that go there and back. */
#pragma once

#include "ui/variants/page.h"

G_BEGIN_DECLS

typedef struct _GantryVariantsPart GantryVariantsPart;
/* Adds the actions compare-variants and show-views. */
GantryVariantsPart *gantry_variants_part_new(GtkWidget *window);
void gantry_variants_part_free(GantryVariantsPart *self);
GantryVariantsPage *gantry_variants_part_get_page(GantryVariantsPart *self);
/* The views, where the page is on screen. */
void gantry_variants_part_leave(GantryVariantsPart *self);

G_END_DECLS
