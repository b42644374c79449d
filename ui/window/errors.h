/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Errors page and its commands. Owns the page and what it is to be of; what it shows is given. */
#pragma once

#include "ui/errors/errors-page.h"
#include "ui/slice-view.h"
#include "ui/window/messages.h"
#include "ui/window/plots.h"

G_BEGIN_DECLS

typedef struct {
  GtkWidget *window;
  GantryDisplay *display;
  GantryPlots *plots;
  GantryMessages *messages;
  void (*wanted)(gpointer user); /* other errors are, or none: gantry_errors_get_scope */
  gpointer user;
} GantryErrorsParts;

typedef struct _GantryErrors GantryErrors;
/* Adds the actions show-errors, errors-scope(s: volume, slice, region), errors-curve(s: its id), copy-errors,
 * save-errors and copy-error-numbers; the parts are borrowed. */
GantryErrors *gantry_errors_new(const GantryErrorsParts *parts);
void gantry_errors_free(GantryErrors *self);
/* In an idle moment: the page may have come or gone. */
void gantry_errors_refresh(GantryErrors *self);
GantryErrorsScope gantry_errors_get_scope(GantryErrors *self);
GantryErrorsPage *gantry_errors_get_page(GantryErrors *self);
/* Takes the report: gantry_errors_page_take. */
void gantry_errors_take(GantryErrors *self, GantryErrorReport *report, const char *instead);

G_END_DECLS
