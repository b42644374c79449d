/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window would like to see, as a value: the planes through a crosshair in mm, a projection or a sinogram; and
 * which planes of a grid these are. */
#pragma once

#include <glib.h>

#include "recon/data/volume.h"
#include "recon/geom/geometry.h"
#include "ui/image.h"
#include "ui/oblique.h"

G_BEGIN_DECLS

/* The result, and the reference it is compared with. */
typedef enum { GANTRY_A, GANTRY_B, GANTRY_SIDES } GantrySide;

/* Planes are ct_plane values and the first views of GantryViewKind alike. */
#define GANTRY_PLANES 3
/* In sets of planes (bits of ct_plane) the oblique one. */
#define GANTRY_OBLIQUE (1u << GANTRY_PLANES)
G_STATIC_ASSERT((int)CT_AXIAL == (int)GANTRY_VIEW_AXIAL && (int)CT_CORONAL == (int)GANTRY_VIEW_CORONAL &&
                (int)CT_SAGITTAL == (int)GANTRY_VIEW_SAGITTAL);

/* What the window shows now. */
typedef struct {
  double cross[3];     /* mm */
  gboolean centred;    /* no crosshair yet: the middle of the grid */
  gboolean projection; /* the fourth view is wanted too */
  gboolean sinogram;
  int projection_index; /* view, or detector row of the sinogram */
  GantryProjectionValues values;
  gboolean redundancy; /* the weights beside a sinogram, too */
  gboolean solid;      /* the volume as a whole is wanted, too */
  gboolean oblique;    /* a plane of this pose through the crosshair is wanted, too */
  GantryPose pose;
  guint64 generation; /* of A; written into the images */
} GantryWanted;

/* Index of the plane that shows `position` (mm along the normal), clamped to the grid. */
int gantry_plane_index(const ct_grid *grid, ct_plane plane, double position);
/* The wanted index of a plane on a grid. */
int gantry_wanted_index(const GantryWanted *wanted, const ct_grid *grid, ct_plane plane);

/* The oblique plane that is wanted in a grid; FALSE when none is, or the grid is a single slice. */
gboolean gantry_wanted_oblique(const GantryWanted *wanted, const ct_grid *grid, ct_oblique *oblique);
/* Whether the image (may be NULL) is that plane, or none is wanted. */
gboolean gantry_oblique_is_shown(const GantryWanted *wanted, const ct_grid *grid, const GantryImage *image);
/* Its picture through a volume, pixels to be filled; NULL when memory is short. */
GantryImage *gantry_oblique_new(const GantryWanted *wanted, const ct_oblique *oblique, const ct_grid *volume,
                                guint64 generation);

G_END_DECLS
