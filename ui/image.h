/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture to show: float32 pixels with their place in the world, immutable and reference-counted, so that the worker
 * can hand it to the main loop and views can share it. */
#pragma once

#include <glib-object.h>

#include "recon/geom/oblique.h"
#include "ui/redundancy.h"

G_BEGIN_DECLS

typedef enum {
  GANTRY_VIEW_AXIAL,
  GANTRY_VIEW_CORONAL,
  GANTRY_VIEW_SAGITTAL,
  GANTRY_VIEW_PROJECTION, /* a projection (u, v) or a sinogram (u, view) */
  GANTRY_VIEW_OBLIQUE,    /* a plane of any pose: ui/oblique.h */
  GANTRY_VIEWS
} GantryViewKind;

/* What projections and sinograms show. */
typedef enum {
  GANTRY_VALUES_INTEGRALS, /* line integrals, once there are some; before, values as stored */
  GANTRY_VALUES_STORED,    /* frames as the file has them */
  GANTRY_VALUES_FILTERED,  /* weighted and filtered, as they are back-projected */
  GANTRY_VALUES_WEIGHTS,   /* redundancy weights of the rays, in place of values */
  GANTRY_VALUES_WEIGHTED   /* line integrals times these and the cosine of the ray: what is filtered */
} GantryProjectionValues;

#define GANTRY_TYPE_IMAGE (gantry_image_get_type())
typedef struct _GantryImage {
  /*< public, read only >*/
  int width, height;
  double spacing_x, spacing_y; /* mm; of projections pixels of the detector: the binning */
  double origin_x, origin_y;   /* mm (px), centre of pixel (0, 0), which is the lower left one */
  GantryViewKind kind;
  int index;             /* slice, view or row */
  double position;       /* mm along the normal; degrees for a projection */
  double rotation, tilt; /* of an oblique plane, radians */
  ct_oblique oblique;    /* where an oblique plane lies */
  ct_grid volume;        /* that an oblique plane cuts: its picture has corners that are none of it */
  guint64 generation;
  gboolean stands_in;            /* a direct reconstruction in place of the iterative one that the plan asks for */
  GantryProjectionValues values; /* of a projection */
  gboolean integrals;            /* of a projection: line integrals */
  gboolean counts;               /* of values as they are stored: a detector's counts */
  gboolean sinogram;             /* its rows are views; those of a projection are the detector's */
  double *angles;                /* degrees of a sinogram's rows; NULL: not known */
  GantryRedundancy *redundancy;  /* of a sinogram's rays; NULL: not wanted, or there are no weights */
  gboolean has_grey;             /* the grey range below is known */
  double grey[2];
  float *pixels; /* [height][width] */
} GantryImage;

GType gantry_image_get_type(void);
/* pixels uninitialised; NULL when memory is short (g_try_malloc). */
GantryImage *gantry_image_new(int width, int height);
/* The frame of one plane of a grid, pixels to be filled. */
GantryImage *gantry_image_new_for_plane(const ct_grid *grid, ct_plane plane, int index);
/* What the values of a projection or sinogram are: "counts", "line integral". */
const char *gantry_image_values_words(const GantryImage *image);
/* Makes it a sinogram: rows are views `first`, `first + step`, ... of a geometry (NULL: angles are not known). */
void gantry_image_set_sinogram(GantryImage *image, const ct_geometry *geometry, int first, int step);
/* Finds the range to show it in (ct_grey_range), tens of milliseconds for millions of pixels: by the worker that made
 * it, before it is handed on. */
void gantry_image_find_grey(GantryImage *image);
/* That range, found here where nobody did before. */
void gantry_image_get_grey(const GantryImage *image, double grey[2]);
GantryImage *gantry_image_ref(GantryImage *image);
void gantry_image_unref(GantryImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantryImage, gantry_image_unref)

/* Whether they have the same pixels at the same places, to within a thousandth of a pixel: neither is resampled where
 * they are compared. */
gboolean gantry_image_shares_pixels(const GantryImage *a, const GantryImage *b);

/* Pixels of a row that hold a value, [*first, *end): all, but of an oblique plane those within the volume. */
void gantry_image_row_held(const GantryImage *image, int row, int *first, int *end);
/* Whether there is a value at (x, y) mm: within the picture, and of an oblique plane within the volume. */
gboolean gantry_image_holds(const GantryImage *image, double x, double y);
/* Bilinear value at (x, y) mm, between those pixels that hold one; NAN outside. */
double gantry_image_sample(const GantryImage *image, double x, double y);
/* The value that is seen at (x, y): that of the pixel, or with a smooth display the one between pixels. */
double gantry_image_shown_value(const GantryImage *image, double x, double y, gboolean smooth);

G_END_DECLS
