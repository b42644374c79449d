/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ray on the page "Profile": values along it, their integral, what its pixel measured, and the difference. It is the
 * ray through the crosshair, or the last one that was pointed at since crosshair or view changed. Owns that ray and
 * what is known of it; the plot is the profile's. */
#pragma once

#include "ui/plot/plot.h"
#include "ui/ray-values.h"
#include "ui/window/links.h"
#include "ui/window/plots.h"

G_BEGIN_DECLS

typedef struct _GantryRayPart GantryRayPart;
/* Adds the action profile-ray; wanted(user): another ray is, or none any more. The parts are borrowed. */
GantryRayPart *gantry_ray_part_new(GtkWidget *window, GantryDisplay *display, GantryPlots *plots, GantryLinks *links,
                                   GantryRefresh *refresh, void (*wanted)(gpointer user), gpointer user);
void gantry_ray_part_free(GantryRayPart *self);
/* The window is gone. */
void gantry_ray_part_stop(GantryRayPart *self);
/* Of another scan: there is none. */
void gantry_ray_part_reset(GantryRayPart *self);
/* Two lines below the plot; borrowed. */
GtkWidget *gantry_ray_part_get_numbers(GantryRayPart *self);
/* NULL: none is wanted. */
const GantryRay *gantry_ray_part_get_wanted(GantryRayPart *self);
/* The ray that measured the same line; NULL: none is wanted, or there is none. */
const GantryRay *gantry_ray_part_get_twin(GantryRayPart *self);
/* Copied. Of another ray than the wanted one and its twin: passed over. */
void gantry_ray_part_set_values(GantryRayPart *self, const GantryRayValues *values);
void gantry_ray_part_set_measured(GantryRayPart *self, const GantryRay *ray, double measured);
/* In an idle moment, after crosshair, view, grid or geometry changed: before the page is drawn. */
void gantry_ray_part_refresh(GantryRayPart *self);
gboolean gantry_ray_part_is_on(GantryRayPart *self);
/* Whether the page shows the ray in place of the line; draws it if so. */
gboolean gantry_ray_part_draw(GantryRayPart *self, GantryPlot *plot);

G_END_DECLS
