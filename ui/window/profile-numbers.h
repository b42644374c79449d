/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands beside the profile's plot: the curves by name with what each differs from the reference by, the figures
 * of A, and how thick the line is. Owns its widgets and sets the thickness in the display. */
#pragma once

#include <gtk/gtk.h>

#include "ui/window/profile-curves.h"

G_BEGIN_DECLS

typedef struct _GantryProfileNumbers GantryProfileNumbers;
GantryProfileNumbers *gantry_profile_numbers_new(GantryDisplay *display);
void gantry_profile_numbers_free(GantryProfileNumbers *self);
/* Borrowed. */
GtkWidget *gantry_profile_numbers_get_widget(GantryProfileNumbers *self);

/* What the numbers are of; NULL curves: of nothing. cursor: x at which values are read, in place of what the curves
 * differ by; NAN: none. */
typedef struct {
  const GPtrArray *curves; /* of GantryProfileCurve */
  const GantryProfileLine *line;
  const char *reference; /* "B" */
  const char *unit, *value_unit;
  double cursor;
} GantryProfileFacts;
void gantry_profile_numbers_show(GantryProfileNumbers *self, const GantryProfileFacts *facts);

G_END_DECLS
