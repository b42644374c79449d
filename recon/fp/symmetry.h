/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symmetries of the square, acting on the pixels of a slice and on the rays of a scan. Where a view set is closed
 * under them, one stored row of the system matrix gives eight: A[g ray, g pixel] = A[ray, pixel].
 *
 * The group. g = k + 4 m (k 0..3, m 0..1) stands for R^k M^m, the mirror first:
 *   M: (x, y) -> (-x, y)     R: (x, y) -> (-y, x), a quarter turn counter-clockwise seen from +z.
 * Pixels: with i' = nx - 1 - i for M and (i', j') = (n - 1 - j, i) for R. The grid is centred on the axis; for all
 * eight it is square. Rays, in the conventions of geometry.h (source (SOD sin t, -SOD cos t), u axis (cos t, sin t)): R
 * maps the ray of angle t, column u to angle t + 90 degrees, the same u; M maps it to angle -t and, because it reverses
 * the u axis, to column nu - 1 - u (the detector is centred: centre_u = (nu - 1) / 2). So R^k M^m: (t, u) -> (k 90 deg
 * + t, u) for m = 0, (k 90 deg - t, nu - 1 - u) for m = 1. For parallel beam (t + 180 deg, u) is the line of (t, nu - 1
 * - u), and angles count modulo 180 degrees; otherwise modulo 360. Rows v of a cone or a stack of slices stay what they
 * are. This is Eq. 2 of Yu et al. 2018 for all eight zones.
 *
 * Closed are view sets of a whole circle (parallel beam: or a half one) whose step divides 90 degrees, at k step as at
 * (k + 1/2) step, and any union of such; views that are there several times (several turns, parallel beam over 360
 * degrees) must be so equally often within an orbit. Of every orbit of views the one of smallest angle is stored, which
 * lies in the first eighth of the circle, 0 to 45 degrees. On the two axes there a mirror maps a view onto itself: of
 * these views, and of every view in parallel beam, one half of the rays is stored, u < (nu + 1) / 2, the other half
 * being their images. 720 fan views at k 0.5 deg have 91 stored views, 89 of them whole.
 *
 * Two orbits of rays are short: the middle ray of an odd nu on an axis, and in parallel beam the rays of views on the
 * axes, which a mirror maps onto themselves as lines: two or more g of one stored ray then lead to the same ray
 * (ct_symmetry_is_first tells them apart).
 *
 * Rows agree to the rounding of geometry and weights. Where a ray lies exactly on a border between pixels (Siddon), or
 * is inclined by exactly 45 degrees (Joseph: rows or columns), rounding may decide differently for two images of it;
 * Joseph's weights are the same either way. */
#ifndef CT_FP_SYMMETRY_H
#define CT_FP_SYMMETRY_H

#include "recon/base/error.h"
#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"

#include <stdbool.h>
#include <stddef.h>

/* Tolerances: angles agree within this part of the mean step (files that keep them in single precision pass), the
 * centre within so many columns, the grid within so many pixels. */
#define CT_SYMMETRY_ANGLE 1e-4
#define CT_SYMMETRY_CENTRE 1e-5
#define CT_SYMMETRY_GRID 1e-6

typedef enum {
  CT_SYMMETRY_SQUARE,    /* all eight */
  CT_SYMMETRY_INVERSION, /* the identity and the half turn R^2: any grid centred on the axis; parallel beam: any view
                            set */
} ct_symmetry_group;

typedef struct ct_symmetry_image {
  int view;
  bool mirrored; /* column nu - 1 - u instead of u */
} ct_symmetry_image;

/* The stored view that a view comes from, and by which g: for columns unmirrored and mirrored, -1 where there is none.
 */
typedef struct ct_symmetry_source {
  int slot, straight, mirrored;
} ct_symmetry_source;

/* A ray as an image: g of the stored ray `slot`, `u`. */
typedef struct ct_symmetry_origin {
  int slot, u, g;
} ct_symmetry_origin;

typedef struct ct_symmetry {
  int order;       /* 8 or 2 */
  int elements[8]; /* the g of the group, ascending, the identity first; [order] */
  int nx, ny, nu, views;
  int slots;                     /* stored views, ascending angles (of equal ones: ascending index) */
  size_t rays;                   /* stored rays, slot by slot */
  int *view;                     /* [slots] index of the stored view */
  int *count;                    /* [slots] its stored columns, 0 .. count - 1 */
  size_t *first;                 /* [slots + 1] number of its first stored ray */
  ct_symmetry_image (*image)[8]; /* [slots][g] */
  ct_symmetry_source *source;    /* [views] */
} ct_symmetry;

/* NULL with CT_ERROR_UNSUPPORTED and the reason where the views, the detector or the grid lack the symmetry.
 */
ct_symmetry *ct_symmetry_new(const ct_geometry *geometry, const ct_grid *grid, ct_symmetry_group group,
                             ct_error **error);
void ct_symmetry_free(ct_symmetry *symmetry);
/* The same answer without keeping anything. */
bool ct_symmetry_holds(const ct_geometry *geometry, const ct_grid *grid, ct_symmetry_group group, ct_error **error);

/* g h: first h, then g. */
static inline int ct_symmetry_compose(int g, int h) {
  const int turn = (g & 4) ? -h : h;
  return ((g + turn) & 3) | ((g ^ h) & 4);
}

static inline int ct_symmetry_inverse(int g) {
  return (g & 4) ? g : -g & 3;
}

/* The index of g's pixel is offset + i across + j down for pixel (i, j), of index j nx + i. */
typedef struct ct_symmetry_pixels {
  ptrdiff_t offset, across, down;
} ct_symmetry_pixels;
ct_symmetry_pixels ct_symmetry_pixels_of(int nx, int ny, int g);

static inline size_t ct_symmetry_pixel(const ct_symmetry_pixels *map, int i, int j) {
  return (size_t)(map->offset + i * map->across + j * map->down);
}

/* Column of the ray that g maps stored ray (slot, u) to; its view is image[slot][g].view. */
static inline int ct_symmetry_column(const ct_symmetry *symmetry, int slot, int u, int g) {
  return symmetry->image[slot][g].mirrored ? symmetry->nu - 1 - u : u;
}

/* Every ray is an image of exactly one stored ray; of several g that give it, always the same one is told. */
ct_symmetry_origin ct_symmetry_find(const ct_symmetry *symmetry, int view, int u);
/* Whether g is the one that ct_symmetry_find tells for the ray that it maps this stored ray to. */
bool ct_symmetry_is_first(const ct_symmetry *symmetry, int slot, int u, int g);

#endif
