/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots to the clipboard and to files: as a table or as a picture. Owns nothing: plain functions, which say what came
 * of it. */
#pragma once

#include "ui/plot/plot.h"
#include "ui/window/messages.h"

G_BEGIN_DECLS

typedef struct {
  const char *name; /* "profile" */
  GantryPlot *plot;
  char *(*to_csv)(gpointer source); /* g_free */
  gpointer source;
} GantryPlotSource;

/* As a table, to the clipboard. */
void gantry_plot_source_copy(const GantryPlotSource *source, GantryMessages *messages);
/* Asks for a file; the plot outlives the window's dialogs. */
void gantry_plot_source_save(const GantryPlotSource *source, GtkWindow *window, GantryMessages *messages);

G_END_DECLS
