/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Spectrum" below the views, of the view that the fourth view shows, and the command win.show-spectrum. */
#pragma once

#include "ui/spectrum/page.h"
#include "ui/window/fourth.h"
#include "ui/window/plots.h"

G_BEGIN_DECLS

typedef struct _GantrySpectrumPart GantrySpectrumPart;
/* The parts are borrowed. wanted(user): the page came on screen, or went, or another view was chosen on it. */
GantrySpectrumPart *gantry_spectrum_part_new(GtkWidget *window, GantryPlots *plots, GantryFourth *fourth,
                                             void (*wanted)(gpointer user), gpointer user);
void gantry_spectrum_part_free(GantrySpectrumPart *self);
void gantry_spectrum_part_refresh(GantrySpectrumPart *self);
/* FALSE: the page is not on screen. */
gboolean gantry_spectrum_part_get_view(GantrySpectrumPart *self, int *view);
/* What is under way; NULL: nothing. A page with nothing to show says so. */
void gantry_spectrum_part_wait(GantrySpectrumPart *self, const char *doing);
/* Without report and reason there is no scan. */
void gantry_spectrum_part_take(GantrySpectrumPart *self, GantrySpectrumReport *report, const char *instead);

G_END_DECLS
