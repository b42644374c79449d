/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part below the views: a stack of pages with their buttons. Owns which is shown and what their buttons are; what
 * is hidden need not be kept up to date. */
#pragma once

#include <gtk/gtk.h>

#include "ui/window/refresh.h"

G_BEGIN_DECLS

typedef struct _GantryPlots GantryPlots;
/* refresh is borrowed. */
GantryPlots *gantry_plots_new(GtkWidget *window, GantryRefresh *refresh);
void gantry_plots_free(GantryPlots *self);
/* In the order of their tabs. */
void gantry_plots_add(GantryPlots *self, GtkWidget *page, const char *id, const char *title);
/* One that does not compare A and B: the line that names them gives it its room. */
void gantry_plots_add_alone(GantryPlots *self, GtkWidget *page, const char *id, const char *title);
/* A page that is not always there; another one is chosen where it goes. */
void gantry_plots_set_present(GantryPlots *self, const char *id, gboolean present);
/* Shows the plots as well. */
void gantry_plots_show(GantryPlots *self, const char *id);
/* The same without showing them. */
void gantry_plots_choose(GantryPlots *self, const char *id);
/* NULL: there is none yet. */
const char *gantry_plots_get_chosen(GantryPlots *self);
/* The part of the height that the plots have of views and plots, where the user has moved the bar between; 0: as it
 * comes. */
double gantry_plots_get_share(GantryPlots *self);
void gantry_plots_set_share(GantryPlots *self, double share);
/* Whether the page is the chosen one; and whether it is on screen. */
gboolean gantry_plots_is_chosen(GantryPlots *self, const char *id);
gboolean gantry_plots_is_shown(GantryPlots *self, const char *id);

G_END_DECLS
