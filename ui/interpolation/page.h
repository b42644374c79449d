/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Interpolation": on the left an interpolation kernel, or its frequency response, beside the linear one; on
 * the right a filtered row as back-projection reads it, and the sum that one place in it is. Signal "edited" (int
 * interp): the user chose another kernel. In their place the same part of the slice by every kernel, "magnified"
 * (gboolean): they are wanted, or no longer. */
#pragma once

#include <gtk/gtk.h>

#include "ui/filter/report.h"
#include "ui/interpolation/strip.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_INTERPOLATION_PAGE (gantry_interpolation_page_get_type())
G_DECLARE_FINAL_TYPE(GantryInterpolationPage, gantry_interpolation_page, GANTRY, INTERPOLATION_PAGE, GtkBox)

/* Errors are told in the display's units. */
GtkWidget *gantry_interpolation_page_new(GantryDisplay *display);
/* Copies the filtered row and the plan's kernel; NULL: there is no row, `instead` says why. */
void gantry_interpolation_page_take(GantryInterpolationPage *self, const GantryFilterReport *report,
                                    const char *instead);
/* Gives its first control the keyboard, at once or when there is a row. */
void gantry_interpolation_page_focus(GantryInterpolationPage *self);
gboolean gantry_interpolation_page_is_magnified(GantryInterpolationPage *self);
/* Takes what is in it. */
void gantry_interpolation_page_take_magnified(GantryInterpolationPage *self, GantryMagnified *picture);
void gantry_interpolation_page_clear_magnified(GantryInterpolationPage *self, const char *instead);

G_END_DECLS
