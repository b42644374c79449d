/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the views, to a file: the focused one, or all that are on screen. Owns nothing but the actions save-figure
 * and save-figures. */
#pragma once

#include "ui/window/messages.h"
#include "ui/window/quad.h"

G_BEGIN_DECLS

typedef struct {
  GtkWidget *window;
  GantryDisplay *display;
  GantryQuad *quad;
  GantryMessages *messages;
} GantryFiguresParts;

typedef struct _GantryFigures GantryFigures;
/* The parts are borrowed. */
GantryFigures *gantry_figures_new(const GantryFiguresParts *parts);
void gantry_figures_free(GantryFigures *self);

G_END_DECLS
