/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks beside a sinogram: the angles of its rows and the detector's columns, on screen and in figures. */
#pragma once

#include "ui/image.h"

G_BEGIN_DECLS

typedef struct {
  double at; /* row or column of the picture, in its coordinates */
  char text[24];
} GantryTick;

#define GANTRY_MOST_TICKS 16
/* Round angles between the rows `low` and `high`, `most` of them at the most. Views whose angles go up and down have
 * ticks at round numbers, with the angle of each; those of unknown angles their number. Returns how many. */
guint gantry_sinogram_angles(const GantryImage *sinogram, double low, double high, guint most, GantryTick *ticks);
/* Round columns; the last has the unit. */
guint gantry_sinogram_columns(double low, double high, guint most, GantryTick *ticks);

G_END_DECLS
