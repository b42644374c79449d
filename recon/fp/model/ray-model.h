/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a 2-D system matrix: what each pixel of a slice contributes to the line integral of one ray, in mm.
 *
 * The slice is the grid's nx x ny pixels (dx by dy), columns are j nx + i. Rays are those of a parallel or fan beam
 * through the centres of detector columns, taken in the plane z = 0 (v is ignored). Rays end neither at the source nor
 * at the detector.
 *
 * joseph: the ray is sampled once per row (or column, where it is nearer to the x axis: |dx| / size_x > |dy| / size_y
 * of its direction d; ties go to rows), linear between the two pixels at that point, which outside the slice are 0;
 * times the distance between samples (Joseph 1982).
 *
 * siddon: length of the ray within each pixel (Siddon 1985). A ray along a border between pixels belongs half to both.
 *
 * area: overlap of the pixel with the strip between the detector column's edges, divided by the strip's width where the
 * strip's middle passes the pixel's centre: overlap / pixel area (the area integral model of Zhang et al. 2014 and Yu
 * et al. 2018) in mm; for parallel beam the two differ by a constant. Exact but for rounding.
 *
 * The width, exactly: let M be the ray through the detector column's centre and F the foot of the perpendicular from
 * the pixel's centre onto M. The strip is cut at right angles to M at F; the length of this cut between the two edges
 * is the width. It is du (du / cos tilt) for parallel beam and in proportion to the distance from the source to F for
 * divergent ones, where no pixel may reach beyond the source. (A foot nearer to the source than half a pixel counts as
 * half a pixel: only for pixels as large as that distance.)
 *
 * A ray or strip that reaches into a pixel by less than 1e-9 of the pixel's side is taken not to reach it, so that rows
 * that a symmetry maps onto each other have the same entries whatever the rounding of sines and cosines. */
#ifndef CT_FP_RAY_MODEL_H
#define CT_FP_RAY_MODEL_H

#include "recon/base/error.h"
#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { CT_MODEL_JOSEPH, CT_MODEL_SIDDON, CT_MODEL_AREA } ct_ray_model;

/* Room for the entries of one row; grows as needed. */
typedef struct ct_row {
  size_t count, room;
  uint32_t *columns;
  float *values;
} ct_row;
void ct_row_init(ct_row *row);
void ct_row_clear(ct_row *row);
/* Room for `room` entries; those that there are stay. */
bool ct_row_reserve(ct_row *row, size_t room, ct_error **error);

/* Entries (not 0, columns ascending) of the ray through column u of a view; row->count is set, 0 for a ray that misses.
 */
bool ct_model_row(const ct_geometry *geometry, const ct_grid *grid, ct_ray_model model, int view, int u, ct_row *row,
                  ct_error **error);
/* Whether rows can be made at all: parallel or fan beam, or a cone's or parallel beam's slice in the plane z = 0
 * (untilted). */
bool ct_model_accepts(const ct_geometry *geometry, const ct_grid *grid, ct_ray_model model, ct_error **error);

/* One view ready for its rays; made once for many, read by any number of threads. A plain value; the fields are
 * ray-model.c's. */
typedef struct ct_model_view {
  ct_ray_model model;
  bool divergent;
  int nx, ny;
  double dx, dy, x0, y0;
  double cosine, sine;
  double pitch, centre_u; /* of detector columns along the u axis, mm */
  double sod, sdd;
  double magnification;
} ct_model_view;
/* What one thread needs besides; grows as needed. */
typedef struct ct_model_room ct_model_room;

/* Geometry and grid must have passed ct_model_accepts. */
ct_model_view ct_model_view_make(const ct_geometry *geometry, const ct_grid *grid, ct_ray_model model, int view);
/* Entries of the row of column u, counted without being made. */
size_t ct_model_view_count(const ct_model_view *view, int u);
/* The row as ct_model_row gives it; columns and values have room for as many as were counted, and no more are touched.
 * The room is one that was made for a grid of these counts. */
bool ct_model_view_row(const ct_model_view *view, int u, ct_model_room *room, uint32_t *columns, float *values,
                       ct_error **error);
ct_model_room *ct_model_room_new(const ct_grid *grid, ct_error **error);
void ct_model_room_free(ct_model_room *room);

const char *ct_model_id(ct_ray_model model);    /* "joseph" */
const char *ct_model_title(ct_ray_model model); /* "Linear (Joseph)" */

#endif
