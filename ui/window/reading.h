/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value under the crosshair, in the bar below the views. Owns its label. */
#pragma once

#include "ui/window/planes.h"

G_BEGIN_DECLS

typedef struct _GantryReading GantryReading;
/* quad and planes are borrowed. */
GantryReading *gantry_reading_new(GtkWidget *window, GantryDisplay *display, GantryQuad *quad, GantryPlanes *planes);
void gantry_reading_free(GantryReading *self);
/* reference: there is one, whose value stands beside A's when it has a picture. */
void gantry_reading_show(GantryReading *self, gboolean reference);

G_END_DECLS
