/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of the profile page: A, B and every ticked result of the shelf along one line, and what each differs from
 * the reference by, which is B, or A where there is no B. Values, without widgets. */
#pragma once

#include "ui/display.h"
#include "ui/window/variants.h"

G_BEGIN_DECLS

/* A's picture is always there; b may be NULL. */
typedef struct {
  const GantryImage *a, *b;
  const GantryVariant *variants;
  gsize variant_count;
} GantryProfilePictures;

/* The points that are read: `count` along the line, from one end to the other, and at each the mean of `lines` places
 * across it, a pixel of A apart. x: mm (px) from the first end. */
typedef struct {
  ctgl_point from, to;
  int lines;
  double pitch;
  gsize count;
  double *x;
} GantryProfileLine;

typedef struct {
  guint number;         /* among the plot's curves; above them all: there is no place for it */
  char *name;           /* "A: half", "nearest (resampled)" */
  double *y;            /* [count]; NAN where a place across the line lies outside the picture */
  double *difference;   /* [count], y less the reference's; NULL: it is the reference, or there is nothing else */
  double rmse, largest; /* of the difference, over its finite points; NAN without one */
  double largest_at;    /* x of the largest magnitude */
  gboolean resampled;   /* its voxels are not A's */
} GantryProfileCurve;

/* At most 4096 points, a pixel of A apart if that is enough. Free x by g_free. */
GantryProfileLine gantry_profile_line(const GantryImage *a, ctgl_point from, ctgl_point to, int lines);
/* Of GantryProfileCurve: A, B, then the others in the shelf's order. Pictures of another plane than A's are left out:
 * those of this one are on their way. */
GPtrArray *gantry_profile_curves_new(const GantryProfilePictures *pictures, const GantryProfileLine *line);
/* "B" or "A"; NULL: there is nothing to differ from. */
const char *gantry_profile_reference_name(const GantryProfilePictures *pictures, const GPtrArray *curves);

G_END_DECLS
