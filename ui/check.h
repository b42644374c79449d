/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check button that assistive technology can tick: GTK 4.8 offers it the actions of buttons and those that a class of
 * widgets declares, and a check button has neither. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_CHECK (gantry_check_get_type())
G_DECLARE_FINAL_TYPE(GantryCheck, gantry_check, GANTRY, CHECK, GtkCheckButton)

GtkWidget *gantry_check_new(void);

G_END_DECLS
