/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drop-down whose items have ids and, where they are told, tips of their own; in its list headings, and below a title
 * a note about it. */
#pragma once

#include <gtk/gtk.h>

#include "recon/base/choice.h"

/* What stands below an item's title (g_free); NULL: nothing. grey: it is of no use as things are. */
typedef char *(*GantryDropDownNote)(gpointer user, const char *id, gboolean *grey);

/* Stays where it is from init to clear. */
typedef struct {
  GtkWidget *widget;
  GPtrArray *ids, *tips, *headings;
  GPtrArray *bound; /* GtkListItem of the list that shows an item now, borrowed */
  GantryDropDownNote note;
  gpointer user;
} GantryDropDown;

/* With these choices (NULL: none yet), so wide. */
void gantry_drop_down_init(GantryDropDown *self, const ct_choice *choices, int width);
void gantry_drop_down_clear(GantryDropDown *self);
/* Other items; `tips` may be NULL. */
void gantry_drop_down_set_items(GantryDropDown *self, const char *const *ids, const char *const *titles,
                                const char *const *tips, gsize count);
/* Headings [count of the items] above their titles; NULL: none. Before the items are set. */
void gantry_drop_down_set_headings(GantryDropDown *self, const char *const *headings, gsize count);
/* Who tells the notes; asked whenever the list opens. */
void gantry_drop_down_set_note(GantryDropDown *self, GantryDropDownNote note, gpointer user);
/* Another title of the first item. */
void gantry_drop_down_title_first(GantryDropDown *self, const char *title);
/* NULL: nothing is selected. */
const char *gantry_drop_down_get_id(const GantryDropDown *self);
/* Selects an item, which is added where it is not offered (a plan from another machine, say), so that it shows as what
 * it is. Its title and its tip (NULL without one) live as long as the items. */
void gantry_drop_down_select(GantryDropDown *self, const char *id, const char **title, const char **tip);
