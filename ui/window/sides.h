/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A and B: what they are called, and which of them is shown, or how both are. Owns whether there is a reference. */
#pragma once

#include "ui/slice-view.h"
#include "ui/window/refresh.h"

G_BEGIN_DECLS

typedef struct _GantrySides GantrySides;
/* Adds the action mode; refresh is borrowed. */
GantrySides *gantry_sides_new(GtkWidget *window, GantryDisplay *display, GantryRefresh *refresh);
void gantry_sides_free(GantrySides *self);
/* b NULL: there is no reference. */
void gantry_sides_set_titles(GantrySides *self, const char *a, const char *b);
gboolean gantry_sides_have_reference(GantrySides *self);
/* The display was changed elsewhere: the slider of the swipe follows it. */
void gantry_sides_update(GantrySides *self);

G_END_DECLS
