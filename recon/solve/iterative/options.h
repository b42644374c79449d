/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of iterative methods, as a plan holds them. */
#ifndef CT_SOLVE_ITERATIVE_OPTIONS_H
#define CT_SOLVE_ITERATIVE_OPTIONS_H

#include "recon/base/text.h"
#include "recon/fp/ray-model.h"

typedef enum {
  CT_METHOD_DIRECT,     /* filtered back-projection: no iterations */
  CT_METHOD_ART,        /* Kaczmarz, ray by ray */
  CT_METHOD_ART_GLOBAL, /* Eq. 9 of Yu et al. 2018 over all rays */
  CT_METHOD_ART_VIEW,   /* Eq. 9 view by view */
  CT_METHOD_SIRT,
  CT_METHOD_SART,    /* view by view */
  CT_METHOD_OS_SART, /* by subsets of views */
  CT_METHOD_CGLS,
  CT_METHOD_MLEM,
  CT_METHOD_OSEM,
  CT_METHOD_FISTA_TV,
  CT_METHOD_ASD_POCS,
  CT_METHODS
} ct_method;

typedef enum { CT_ORDER_SEQUENTIAL, CT_ORDER_RANDOM, CT_ORDER_GOLDEN, CT_ORDER_MULTILEVEL } ct_view_order;
typedef enum { CT_MOMENTUM_AUTO /* the method's own */, CT_MOMENTUM_NO, CT_MOMENTUM_YES } ct_momentum;
typedef enum {
  CT_START_ZERO,
  CT_START_DIRECT /* FBP or FDK */,
  CT_START_CURRENT /* the volume that there is */
} ct_start;

enum { CT_PROJECTOR_TEXT = 64 };

typedef struct ct_iterative_options {
  int method;                        /* ct_method */
  char projector[CT_PROJECTOR_TEXT]; /* id or "auto" */
  int model;                         /* ct_ray_model */
  int matched;                       /* bool: the adjoint itself goes back; 0: the fastest back-projector may */
  int iterations;                    /* of each run: 1 .. */
  double relaxation;                 /* NaN: the method's own */
  int momentum;                      /* ct_momentum */
  int subsets;                       /* OS-SART, OSEM: >= 1 */
  int order;                         /* ct_view_order of rays, views or subsets */
  int nonnegative;                   /* bool */
  double upper;                      /* largest value, 1/mm; NaN: none */
  int region;                        /* bool: voxels outside a circle about (region_x, region_y) stay as they start */
  double region_radius;              /* mm, > 0; NaN: that of the circle about the axis that every view sees */
  double region_x, region_y;         /* mm */
  int start;                         /* ct_start */
  double stop_residual;              /* stops at |Ax - b| / |b| below this; 0: never */
  double stop_change;                /* stops at |x' - x| / |x'| below this; 0: never */
  double tv_weight; /* FISTA-TV: factor of the total variation, as a share of the largest element of A^T b; ASD-POCS:
                     * length of a smoothing step, as a share of what the first sweep changed. NaN: the method's own */
  int tv_steps;     /* inner steps of the total variation per iteration */
  int seed;         /* of random orders, >= 0 */
} ct_iterative_options;

#endif
