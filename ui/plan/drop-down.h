/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drop-down whose items have ids and, where they are told, tips of their own. */
#pragma once

#include <gtk/gtk.h>

#include "recon/base/choice.h"

typedef struct {
  GtkWidget *widget;
  GPtrArray *ids, *tips;
} GantryDropDown;

/* With these choices (NULL: none yet), so wide. */
void gantry_drop_down_init(GantryDropDown *self, const ct_choice *choices, int width);
void gantry_drop_down_clear(GantryDropDown *self);
/* Other items; `tips` may be NULL. */
void gantry_drop_down_set_items(GantryDropDown *self, const char *const *ids, const char *const *titles,
                                const char *const *tips, gsize count);
/* Another title of the first item. */
void gantry_drop_down_title_first(GantryDropDown *self, const char *title);
/* NULL: nothing is selected. */
const char *gantry_drop_down_get_id(const GantryDropDown *self);
/* Selects an item, which is added where it is not offered (a plan from another machine, say), so that it shows as what
 * it is. Its title and its tip (NULL without one) live as long as the items. */
void gantry_drop_down_select(GantryDropDown *self, const char *id, const char **title, const char **tip);
