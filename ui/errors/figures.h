/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of the Errors page: columns of labels that can be selected and read out. */
#pragma once

#include <gtk/gtk.h>

#include "ui/errors/report.h"

G_BEGIN_DECLS

typedef struct _GantryErrorFigures GantryErrorFigures;
GantryErrorFigures *gantry_error_figures_new(void);
void gantry_error_figures_free(GantryErrorFigures *self);
/* Borrowed; holds the tables side by side where there is room. */
GtkWidget *gantry_error_figures_get_widget(GantryErrorFigures *self);
/* unit: of values. NULL: no numbers. */
void gantry_error_figures_show(GantryErrorFigures *self, const GantryErrorReport *report, const char *unit);
/* A row for each number, at full precision: g_free. */
char *gantry_error_figures_to_csv(const GantryErrorReport *report, const char *unit);

G_END_DECLS
