/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arc and redundancy weights beside a sinogram, on screen and on paper, where the picture brings them. */
#pragma once

#include <pango/pangocairo.h>

#include "ui/image.h"

G_BEGIN_DECLS

typedef struct {
  double place[4]; /* of all its rays: left, top, right, bottom; they may reach beyond what is seen: */
  double seen[4];
  double unit;    /* of a logical pixel of the screen */
  gboolean paper; /* on white */
} GantryRedundancyFrame;

/* What it takes left of the picture and below it. */
double gantry_redundancy_left_room(double unit);
double gantry_redundancy_lower_room(double unit);
/* The image has a redundancy. */
void gantry_redundancy_draw(const GantryImage *image, const GantryRedundancyFrame *frame, cairo_t *cr);
/* Its words, wrapped at that width (of the layout's units); the layout is returned. */
PangoLayout *gantry_redundancy_layout(const GantryRedundancy *redundancy, PangoLayout *layout, double width);

G_END_DECLS
