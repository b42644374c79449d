/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number with a slider, a field, its unit and a button back to the standard value. The slider goes through what is
 * usual, the field takes the whole range. Signal "changed": the user chose another value. */
#pragma once

#include <gtk/gtk.h>

#include "recon/phantom/simulation.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SLIDER (gantry_slider_get_type())
G_DECLARE_FINAL_TYPE(GantrySlider, gantry_slider, GANTRY, SLIDER, GtkBox)

/* Texts are static. The slider has 0 (below `least`, which may be 0), then least to reach, in equal ratios where these
 * are two powers of ten apart; the same below 0 where low is negative. */
typedef struct {
  const char *title, *unit, *explanation;
  double low, high, least, reach, standard;
  gboolean whole;
} GantrySliderRange;

GtkWidget *gantry_slider_new(const GantrySliderRange *range);
double gantry_slider_get(GantrySlider *self);
/* Nothing is emitted. */
void gantry_slider_set(GantrySlider *self, double value);
/* FALSE: it cannot change anything now, and is grey. */
void gantry_slider_allow(GantrySlider *self, gboolean allowed);

/* Of a row of the tables. */
GantrySliderRange gantry_slider_range_of(const ct_imperfection *row, double standard);
/* Where a value lies on the slider, 0 to 1 (below 0: as much on the other side), and back. */
double gantry_slider_place(const GantrySliderRange *range, double value);
double gantry_slider_value(const GantrySliderRange *range, double place);

G_END_DECLS
