/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a 2-D system matrix: what each pixel of a slice contributes to the line integral of one ray, in mm.
 *
 * The slice is the grid's nx x ny pixels (dx by dy), columns are j nx + i. Rays are those of a parallel or fan beam through the
 * centres of detector columns, taken in the plane z = 0 (v is ignored). Rays end neither at the source nor at the detector.
 *   joseph  The ray is sampled once per row (or column, where it is nearer to the x axis: |dx| / size_x > |dy| / size_y of its direction
 *           d; ties go to rows), linear between the two pixels at that point, which outside the slice are 0; times the distance between samples
 *           (Joseph 1982).
 *   siddon  Length of the ray within each pixel (Siddon 1985). A ray along a border between pixels belongs half to both.
 *   area    Overlap of the pixel with the strip between the detector column's edges, divided by the strip's width where the strip's
 *           middle passes the pixel's centre: overlap / pixel area (the area integral model of Zhang et al. 2014 and Yu et al. 2018)
 *           in mm; for parallel beam the two differ by a constant. By clipping polygons, exact but for rounding. */
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

/* Entries (not 0, columns ascending) of the ray through column u of a view; row->count is set, 0 for a ray that misses. */
bool ct_model_row(const ct_geometry *geometry, const ct_grid *grid, ct_ray_model model, int view, int u, ct_row *row, ct_error **error);
/* Whether rows can be made at all: parallel or fan beam, or a cone's or parallel beam's slice in the plane z = 0 (untilted). */
bool ct_model_accepts(const ct_geometry *geometry, const ct_grid *grid, ct_ray_model model, ct_error **error);

const char *ct_model_id(ct_ray_model model);    /* "joseph" */
const char *ct_model_title(ct_ray_model model); /* "Linear (Joseph)" */

#endif
