/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button whose popover offers the figures of papers: which of them, and how large their phantom is. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_FIGURES_BUTTON (gantry_figures_button_get_type())
G_DECLARE_FINAL_TYPE(GantryFiguresButton, gantry_figures_button, GANTRY, FIGURES_BUTTON, GtkWidget)

typedef struct {
  int number;
  const char *title; /* "half and single precision, ..." */
  gboolean phantom;  /* of the simulated one; else of the open scan */
} GantryFigureChoice;

/* The button inside names the action win.make-figures. All are ticked. */
GtkWidget *gantry_figures_button_new(void);
/* paper: whose figures they are. Copied. Once. */
void gantry_figures_button_set(GantryFiguresButton *self, const char *paper, const GantryFigureChoice *figures,
                               gsize count);
/* Numbers of those that are ticked, ended by 0 (g_free). */
int *gantry_figures_button_dup_chosen(GantryFiguresButton *self);
/* Voxels along the phantom's side. */
int gantry_figures_button_get_size(GantryFiguresButton *self);
void gantry_figures_button_close(GantryFiguresButton *self);

G_END_DECLS
