/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of curves of iterative runs, its commands, and the button that goes on with a run. Owns the page. */
#pragma once

#include "ui/convergence-page.h"
#include "ui/slice-view.h"
#include "ui/window/messages.h"
#include "ui/window/plots.h"

G_BEGIN_DECLS

typedef struct _GantryRuns GantryRuns;
/* Adds the actions show-, clear-, copy- and save-convergence; plots and messages are borrowed. */
GantryRuns *gantry_runs_new(GtkWidget *window, GantryDisplay *display, GantryPlots *plots, GantryMessages *messages);
void gantry_runs_free(GantryRuns *self);
/* A run begins: its number. */
guint gantry_runs_add(GantryRuns *self, const char *name, const char *recipe);
GantryConvergencePage *gantry_runs_get_page(GantryRuns *self);
/* What the button Continue adds; 0: there is nothing to go on with. */
void gantry_runs_set_continue(GantryRuns *self, int iterations);

G_END_DECLS
