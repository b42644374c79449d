/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The button that chooses what values are told in: the volume's own unit, 1/cm, or a linear scale on which two regions
 * have given values, for example air 0 and water 1000. */
#pragma once

#include <gtk/gtk.h>

#include "ui/display.h"

G_BEGIN_DECLS

GtkWidget *gantry_values_button_new(GantryDisplay *display);
/* Units or marks may have changed. */
void gantry_values_button_refresh(GtkWidget *button);

G_END_DECLS
