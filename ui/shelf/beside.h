/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two children beside each other: what is looked at, and on its right what can be put away. Where there is no room for
 * both the second takes the place of the first while it is shown, and is not shown by itself. Properties: "wanted"
 * (boolean): whether it is shown where there is room, which is a preference; "shown" (boolean): whether it is shown as
 * things are. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_BESIDE (gantry_beside_get_type())
G_DECLARE_FINAL_TYPE(GantryBeside, gantry_beside, GANTRY, BESIDE, GtkWidget)

gboolean gantry_beside_get_shown(GantryBeside *self);
void gantry_beside_set_shown(GantryBeside *self, gboolean shown);
/* The first child is to be seen: where the second stands in its place it goes. */
void gantry_beside_give_way(GantryBeside *self);

G_END_DECLS
