/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fourth view: a projection, a sinogram, or the oblique plane or the scene in their place. Owns which, and which
 * projection or detector row. */
#pragma once

#include "ui/window/rectangle.h"
#include "ui/window/refresh.h"
#include "ui/window/scales.h"

G_BEGIN_DECLS

typedef struct {
  GtkWidget *window;
  GantryPlanPanel *panel;
  GantryDisplay *display;
  GantryQuad *quad;
  GantryRefresh *refresh;
  GantryScales *scales;
  GantryRectangle *rectangle;
  void (*wanted)(gpointer user, int index, gboolean sinogram); /* another one is wanted than before */
  gpointer user;
} GantryFourthParts;

typedef struct _GantryFourth GantryFourth;
/* Adds the actions fourth, show-arc and projection-values; the parts are borrowed. */
GantryFourth *gantry_fourth_new(const GantryFourthParts *parts);
void gantry_fourth_free(GantryFourth *self);
/* Of another scan. */
void gantry_fourth_reset(GantryFourth *self);

void gantry_fourth_set_range(GantryFourth *self, int views, int rows);
/* Sinograms of a scan whose detector has one row, unless the user has chosen. */
void gantry_fourth_suit(GantryFourth *self, int rows);
/* A projection or sinogram of A arrived. */
void gantry_fourth_arrived(GantryFourth *self, GantryImage *image);
/* In an idle moment: asks for the row that was chosen by the program. */
void gantry_fourth_ask(GantryFourth *self);
/* Views, and the one of which the projection is shown or would be. */
int gantry_fourth_get_projections(GantryFourth *self);
int gantry_fourth_get_projection(GantryFourth *self);
void gantry_fourth_show_projection(GantryFourth *self, int index);
/* The detector row of which the sinogram is shown or would be. */
int gantry_fourth_get_row(GantryFourth *self);
/* Whether the picture is a sinogram; and that of another detector row, where it is. */
gboolean gantry_fourth_is_sinogram(GantryFourth *self);
GantryProjectionValues gantry_fourth_get_values(GantryFourth *self);
/* Whether arc and weights are to be shown beside a sinogram. */
gboolean gantry_fourth_wants_arc(GantryFourth *self);
void gantry_fourth_show_row(GantryFourth *self, int row);
/* Whether the scene has the oblique plane in it. */
void gantry_fourth_set_scene_oblique(GantryFourth *self, gboolean oblique);

G_END_DECLS
