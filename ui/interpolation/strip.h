/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of one place by every interpolation kernel side by side, and the truth where it is known: all with one
 * contrast, each with its name and its error. */
#pragma once

#include <gtk/gtk.h>

#include "ui/display.h"
#include "ui/interpolation/magnified.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_INTERPOLATION_STRIP (gantry_interpolation_strip_get_type())
G_DECLARE_FINAL_TYPE(GantryInterpolationStrip, gantry_interpolation_strip, GANTRY, INTERPOLATION_STRIP, GtkBox)

/* Errors are told in the display's units. */
GtkWidget *gantry_interpolation_strip_new(GantryDisplay *display);
/* Of the scan, for what the kernels cost in pictures that are taken from now on. */
void gantry_interpolation_strip_set_rows(GantryInterpolationStrip *self, int rows);
/* Takes what is in it. */
void gantry_interpolation_strip_take(GantryInterpolationStrip *self, GantryMagnified *picture);
/* All pictures go, and this is said in their place. */
void gantry_interpolation_strip_clear(GantryInterpolationStrip *self, const char *instead);
/* That of a kernel's picture. */
void gantry_interpolation_strip_get_window(GantryInterpolationStrip *self, int kernel, double *low, double *high);
/* "12 × 12 mm, 20 × 20 pixels in place of a voxel, one contrast; RMSE from the truth in 1/mm"; NULL: there is no
 * picture yet. */
char *gantry_interpolation_strip_dup_words(GantryInterpolationStrip *self);

G_END_DECLS
