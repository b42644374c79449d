/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linked places: the crosshair in projection and sinogram, the sinogram of the crosshair's slice, and the ray to the
 * pixel that is pointed at in all views. Owns the geometry that says how one goes over into the other. */
#pragma once

#include "recon/geom/twin.h"
#include "ui/window/fourth.h"
#include "ui/window/planes.h"

G_BEGIN_DECLS

typedef struct _GantryLinks GantryLinks;
/* The parts are borrowed. */
GantryLinks *gantry_links_new(GantryDisplay *display, GantryQuad *quad, GantryPlanes *planes, GantryFourth *fourth);
void gantry_links_free(GantryLinks *self);
/* Copied; NULL: there is none. */
void gantry_links_set_geometry(GantryLinks *self, const ct_geometry *geometry, GantryBins bins);
/* The ray through the crosshair in the view that the fourth view stands at; FALSE where there is none. */
gboolean gantry_links_find_cross_ray(GantryLinks *self, GantryRay *ray);
/* A ray's pixel on the whole detector, and its view's gantry angle, degrees. */
void gantry_links_tell_ray(GantryLinks *self, const GantryRay *ray, double pixel[2], double *angle);
/* The ray that measured the same line from the other side, where the state says so; and its view's gantry angle, or
 * the one that it would have, degrees. */
ct_twin gantry_links_find_twin(GantryLinks *self, const GantryRay *ray, GantryRay *twin, double *angle);
/* Marks it in the sinogram; NULL: of no ray. */
void gantry_links_show_twin(GantryLinks *self, const GantryRay *ray);
/* In an idle moment, after crosshair, pictures or geometry changed. */
void gantry_links_refresh(GantryLinks *self);

G_END_DECLS
