/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A geometry as files of other programs tell it, in their own terms, and as one of ours. */
#ifndef CT_IO_TOLD_PRIVATE_H
#define CT_IO_TOLD_PRIVATE_H

#include "recon/base/error.h"
#include "recon/data/remarks.h"
#include "recon/data/scan.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum { CT_TOLD_NO_BEAM, CT_TOLD_PARALLEL, CT_TOLD_DIVERGENT } ct_told_beam;

/* What a geometry file tells, in its own terms. Lengths mm, angles degrees; 0 or NULL: not told. ct_told_clear. */
typedef struct ct_told {
  int views, columns, rows; /* of the images */
  ct_told_beam beam;
  double sod, sdd;
  double pitch_u, pitch_v; /* at the detector */
  double *angles;          /* [angle_count] */
  size_t angle_count;
  bool has_step; /* angles are first + step * number of the image */
  double first, step;
  /* The column and row in which the isocentre is seen: as places on the detector in mm, counted from its middle, or
   * from where the image's header puts its first pixel (from_origin), or as pixels; NAN: not told. */
  double centre_u_mm, centre_v_mm, centre_u_px, centre_v_px;
  bool from_origin;
  double tilt; /* as in ct_geometry */
  /* [views][12]: source (parallel: direction of the rays), the detector's place that is meant by (0, 0), the steps from
   * it to the next column and row, in the frame of geometry.h, as astra-toolbox has them. */
  double *poses;
  bool per_pixel; /* steps are those of pixels and (0, 0) is the detector's middle; else steps are of 1 mm */
  bool halves;    /* steps lead from the middle to the middle of the detector's edges: half its width and height */
  /* Rows and vertical places count the rows in the order in which the file has them, also where the first is the top of
   * the picture. */
  bool rows_as_stored;
  double white_level; /* counts */
  char images[256];   /* the beginning of their names, or "" */
  char folder[512];   /* where they lie, or "": beside the geometry */
  bool anywhere;      /* to the reader: files outside its folder are read too, where the file leads there */
  ct_remarks remarks;
} ct_told;

void ct_told_init(ct_told *told);
/* Leaves it as ct_told_init does. */
void ct_told_clear(ct_told *told);

/* Poses of all views as a geometry: a named beam where they are one, else matrices. facts->geometry is replaced. */
bool ct_told_apply_poses(const ct_told *told, ct_scan_facts *facts, ct_error **error);

#endif
