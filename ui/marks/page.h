/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of the marks with what is measured, above it what is done with the chosen one. It knows nothing of the
 * window but the names of its actions. */
#pragma once

#include <gtk/gtk.h>

#include "ui/marks/table.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_MARKS_PAGE (gantry_marks_page_get_type())
G_DECLARE_FINAL_TYPE(GantryMarksPage, gantry_marks_page, GANTRY, MARKS_PAGE, GtkWidget)

/* Buttons activate win.draw-mark, win.mark-there, win.remove-mark, win.copy-marks and win.save-marks. */
GtkWidget *gantry_marks_page_new(GantryDisplay *display);
/* Whether there is a B to measure in, too. */
void gantry_marks_page_set_b(GantryMarksPage *self, gboolean has_b);
/* Marks or their numbers have changed; not while they do. */
void gantry_marks_page_refresh(GantryMarksPage *self);
/* What the list shows, as CSV; g_free. */
char *gantry_marks_page_to_csv(GantryMarksPage *self);

G_END_DECLS
