/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analytic phantoms: sums of ellipsoids, elliptic cylinders, boxes and wedges of constant attenuation, voxelised with
 * area averaging and as exact line integrals of any ray. 2-D phantoms are cylinders along z. Shapes are stated on the
 * cube [-1, 1]^3 and scaled by `radius` (mm); attenuation is density * mu (1/mm). */
#ifndef CT_PHANTOM_PHANTOM_H
#define CT_PHANTOM_PHANTOM_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/stack.h"
#include "recon/data/volume.h"
#include "recon/geom/geometry.h"
#include "recon/phantom/materials.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A wedge is a triangle of the plane along z: its tip at -half[0], its far side, 2 half[1] wide, at half[0]. */
typedef enum { CT_SHAPE_ELLIPSOID, CT_SHAPE_CYLINDER, CT_SHAPE_BOX, CT_SHAPE_WEDGE } ct_shape_kind;

typedef struct ct_shape {
  ct_shape_kind kind;
  double centre[3]; /* units of radius */
  double half[3];   /* semi-axes or half sides; half[2] = INFINITY for an endless cylinder or box */
  double phi;       /* turned about z, radians, counter-clockwise */
  double density;   /* added where shapes overlap */
} ct_shape;

typedef struct ct_phantom {
  const char *id;          /* "shepp-logan-3d" */
  const char *title;       /* "Shepp-Logan, 3-D, modified contrast" */
  const char *explanation; /* what it teaches, and the source of its table */
  const ct_shape *shapes;
  size_t count;
  const ct_material *materials; /* [count], what a spectrum takes each shape for; NULL: water */
} ct_phantom;

/* All phantoms, one table (tables.c). */
const ct_phantom *ct_phantoms(size_t *count);
const ct_phantom *ct_phantom_find(const char *id);

/* Density at a point (units of radius), shapes' borders included. */
double ct_phantom_density(const ct_phantom *phantom, const double point[3]);
/* Exact integral of the density along the ray point + s direction, s over all reals (mm; direction of unit length,
 * phantom scaled by radius): density * mm. */
double ct_phantom_line_integral(const ct_phantom *phantom, double radius, const double point[3],
                                const double direction[3]);

/* volume = mu * density, averaged over sub^3 points of each voxel (sub 1: centres only; only voxels at borders are
 * refined). */
bool ct_phantom_voxelise(const ct_phantom *phantom, double radius, double mu, int sub, ct_volume *volume, ct_job *job,
                         ct_error **error);
/* Line integrals of every detector pixel (mean of sub x sub rays over the pixel's area), dimensionless (mu * mm). */
ct_stack *ct_phantom_project(const ct_phantom *phantom, double radius, double mu, const ct_geometry *geometry, int sub,
                             ct_job *job, ct_error **error);

/* The same on a detector that may be curved (recon/geom/curved.h), of an object that may move. */
typedef struct ct_phantom_rays {
  const ct_phantom *phantom;
  double radius, mu;
  const ct_geometry *geometry;
  bool curved;
  int sub;
  double motion; /* mm along x, evenly from the first view to the last */
} ct_phantom_rays;
ct_stack *ct_phantom_project_rays(const ct_phantom_rays *rays, ct_job *job, ct_error **error);

/* Replaces line integrals p by -log(Poisson(i0 exp(-p)) / i0), at least one count; the same numbers for the same seed
 * whatever the number of threads. */
void ct_add_photon_noise(ct_stack *stack, double i0, uint64_t seed);
/* The same for a part of the views and rows of a scan whose frames have `rows` rows: every pixel gets the noise that it
 * has in the whole scan. The stack holds views first, first + step, ... and rows [row0, row0 + nv). */
void ct_add_photon_noise_part(ct_stack *stack, double i0, uint64_t seed, int first, int step, int row0, int rows);
/* The same for `count` pixels of a view, of which `first` is the scan's number of the first, counted through all views.
 */
void ct_add_photon_noise_pixels(float *data, size_t count, double i0, uint64_t seed, uint64_t first);

#endif
