/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Spectrum": on the left the slice's spectrum with the line of the present view, on the right the transform
 * of that view over the slice's spectrum along the line. Signal "view-chosen" (int view). */
#pragma once

#include <gtk/gtk.h>

#include "ui/spectrum/report.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SPECTRUM_PAGE (gantry_spectrum_page_get_type())
G_DECLARE_FINAL_TYPE(GantrySpectrumPage, gantry_spectrum_page, GANTRY, SPECTRUM_PAGE, GtkBox)

GtkWidget *gantry_spectrum_page_new(void);
/* Takes the report; NULL: there is none, `instead` says why. */
void gantry_spectrum_page_take(GantrySpectrumPage *self, GantrySpectrumReport *report, const char *instead);
/* Gives its first control the keyboard, at once or when there is a report. */
void gantry_spectrum_page_focus(GantrySpectrumPage *self);

G_END_DECLS
