/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Filter" below the views, and the command win.show-filter. */
#pragma once

#include "ui/filter/page.h"
#include "ui/window/plots.h"

G_BEGIN_DECLS

/* wanted(user): the page came on screen, or went; edited: the user chose another cut-off or ramp. */
typedef struct {
  void (*wanted)(gpointer user);
  void (*edited)(gpointer user, double cutoff, ct_ramp ramp);
  gpointer user;
} GantryFilterListener;

typedef struct _GantryFilterPart GantryFilterPart;
GantryFilterPart *gantry_filter_part_new(GtkWidget *window, GantryPlots *plots, const GantryFilterListener *listener);
void gantry_filter_part_free(GantryFilterPart *self);
gboolean gantry_filter_part_is_shown(GantryFilterPart *self);
void gantry_filter_part_refresh(GantryFilterPart *self);
/* What is under way; NULL: nothing. A page with nothing to show says so. */
void gantry_filter_part_wait(GantryFilterPart *self, const char *doing);
/* Without report and reason there is no scan. */
void gantry_filter_part_take(GantryFilterPart *self, GantryFilterReport *report, const char *instead);

G_END_DECLS
