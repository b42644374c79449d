/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that can go wrong with a scan, a slider for each row of the table, in as many columns as there is room
 * for. Signal "changed": the user chose another value. */
#pragma once

#include "ui/simulation/slider.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SLIDERS (gantry_sliders_get_type())
G_DECLARE_FINAL_TYPE(GantrySliders, gantry_sliders, GANTRY, SLIDERS, GtkBox)

/* columns: at most; views: with a slider for the number of views, too. Without the others. */
GtkWidget *gantry_sliders_new(guint columns, gboolean views);
/* Makes the next sliders, so many at most, which show these values; FALSE: all are there, and the switch behind them.
 */
gboolean gantry_sliders_add(GantrySliders *self, guint most, const ct_simulation *simulation);
/* Nothing is emitted. */
void gantry_sliders_show(GantrySliders *self, const ct_simulation *simulation);
/* What cannot matter with that beam, and a phantom or a file as the object, cannot be moved. */
void gantry_sliders_suit(GantrySliders *self, ct_beam beam, gboolean phantom);
/* Into the simulation; a fault of the detector makes it one of raw counts. */
void gantry_sliders_read(GantrySliders *self, ct_simulation *simulation);

G_END_DECLS
