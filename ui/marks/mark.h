/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mark on a slice, orthogonal or oblique: a region, a line, an angle or a point, as one plain value, and its numbers.
 * Places are mm of the world along the slice's horizontal and vertical (recon/metric/region.h), so that a mark means
 * the same on any grid. */
#pragma once

#include <glib.h>

#include "recon/metric/line.h"
#include "ui/oblique.h"

G_BEGIN_DECLS

typedef enum {
  GANTRY_MARK_RECTANGLE, /* two opposite corners */
  GANTRY_MARK_ELLIPSE,   /* of its box */
  GANTRY_MARK_POLYGON,   /* three corners or more */
  GANTRY_MARK_LINE,      /* its ends */
  GANTRY_MARK_ANGLE,     /* three points, the vertex second */
  GANTRY_MARK_POINT,     /* with its name beside it */
  GANTRY_MARK_KINDS
} GantryMarkKind;

#define GANTRY_MOST_POINTS 4096
typedef struct {
  guint id;     /* among those of one list; 0: none */
  guint serial; /* of its place and shape: another one after every change */
  GantryMarkKind kind;
  ct_plane plane;
  gboolean oblique; /* on a plane of this pose, in place of that one */
  GantryPose pose;
  double position;  /* mm along the plane's normal */
  double thickness; /* mm across a line, over which values are averaged */
  char *name;
  guint count;
  double (*points)[2]; /* mm */
} GantryMark;

/* "rectangle": as gantry-cli measure calls it, and as files keep it; and as people read it. */
const char *gantry_mark_kind_id(GantryMarkKind kind);
const char *gantry_mark_kind_title(GantryMarkKind kind);
/* GANTRY_MARK_KINDS: there is none of that name. */
GantryMarkKind gantry_mark_kind_find(const char *id);
/* Points that it has; 0: three or more. */
guint gantry_mark_kind_points(GantryMarkKind kind);
gboolean gantry_mark_is_region(const GantryMark *mark);

/* The view whose pictures it lies in, and how files call its plane: "axial", "oblique". */
GantryViewKind gantry_mark_view(const GantryMark *mark);
const char *gantry_mark_plane_id(const GantryMark *mark);
/* A place in its picture, in the world. */
void gantry_mark_to_world(const GantryMark *mark, const double place[2], double point[3]);

GantryMark *gantry_mark_copy(const GantryMark *mark);
void gantry_mark_free(GantryMark *mark);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantryMark, gantry_mark_free)
/* Its middle: of a box, else of its points. */
void gantry_mark_middle(const GantryMark *mark, double middle[2]);

/* What can be taken hold of: corners of a box, else its points. */
guint gantry_mark_handles(const GantryMark *mark);
void gantry_mark_handle(const GantryMark *mark, guint handle, double place[2]);
/* The points (as many as the mark has) after all of it, or a handle, moved by (dx, dy) mm. */
void gantry_mark_shift(const GantryMark *mark, double dx, double dy, double (*points)[2]);
void gantry_mark_shift_handle(const GantryMark *mark, guint handle, double dx, double dy, double (*points)[2]);

/* What is known of a mark in one result. Values are in the result's unit. */
typedef struct {
  guint serial;      /* of the mark that was measured; 0: nothing is known yet */
  int index;         /* of the slice; -1: an oblique plane has none */
  double pitch;      /* mm, the smaller one of the slice's */
  gboolean preview;  /* measured on the slice on screen: there is no volume */
  char problem[200]; /* why there are no values; empty: there are */
  ct_region_numbers region;
  ct_line_widths widths;
  double value; /* of the voxel that holds a point */
} GantryMarkNumbers;

/* Of a mark that is a region; borrows its points. */
ct_region gantry_mark_get_region(const GantryMark *mark);

/* NAN for other kinds. */
double gantry_mark_length(const GantryMark *mark);
double gantry_mark_angle(const GantryMark *mark);
/* On the slice that holds it. Fills serial, values or problem; the rest is the caller's. */
void gantry_mark_measure(const GantryMark *mark, const ct_slice_image *image, GantryMarkNumbers *numbers);
/* FWHM of a peak, else of an edge's slope; NAN: neither is there. */
double gantry_mark_width(const GantryMarkNumbers *numbers, gboolean *is_edge);

G_END_DECLS
