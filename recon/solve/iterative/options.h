/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of iterative methods, as a plan holds them. */
#ifndef CT_SOLVE_ITERATIVE_OPTIONS_H
#define CT_SOLVE_ITERATIVE_OPTIONS_H

#include "recon/base/choice.h"
#include "recon/base/text.h"
#include "recon/fp/ray-model.h"

/* ROW(method, id, title, brief, solver). ART is Kaczmarz's method ray by ray; the parallel ones are Eq. 9 of Yu et al.
 * 2018. */
#define CT_ITERATIVE_METHODS(ROW)                                                                                      \
  ROW(CT_METHOD_ART, "art", "ART (Kaczmarz)", "ART", ct_solver_art)                                                    \
  ROW(CT_METHOD_ART_GLOBAL, "art-global", "Parallel ART, all rays at once", "ART of all rays at once",                 \
      ct_solver_art_global)                                                                                            \
  ROW(CT_METHOD_ART_VIEW, "art-view", "Parallel ART, view by view", "ART view by view", ct_solver_art_view)            \
  ROW(CT_METHOD_SIRT, "sirt", "SIRT", "SIRT", ct_solver_sirt)                                                          \
  ROW(CT_METHOD_SART, "sart", "SART", "SART", ct_solver_sart)                                                          \
  ROW(CT_METHOD_OS_SART, "os-sart", "SART in subsets of views", "OS-SART", ct_solver_os_sart)                          \
  ROW(CT_METHOD_CGLS, "cgls", "CGLS (conjugate gradients)", "CGLS", ct_solver_cgls)                                    \
  ROW(CT_METHOD_MLEM, "mlem", "MLEM", "MLEM", ct_solver_mlem)                                                          \
  ROW(CT_METHOD_OSEM, "osem", "OSEM", "OSEM", ct_solver_osem)                                                          \
  ROW(CT_METHOD_FISTA_TV, "fista-tv", "Total variation (FISTA)", "FISTA-TV", ct_solver_fista_tv)                       \
  ROW(CT_METHOD_ASD_POCS, "asd-pocs", "Total variation (ASD-POCS)", "ASD-POCS", ct_solver_asd_pocs)
/* Besides them the direct method, which makes no iterations. */
#define CT_METHOD_LIST(ROW)                                                                                            \
  ROW(CT_METHOD_DIRECT, "fbp", "Direct: filtered back-projection, FDK", "filtered back-projection", )                  \
  CT_ITERATIVE_METHODS(ROW)
#define CT_VIEW_ORDERS(ROW)                                                                                            \
  ROW(CT_ORDER_SEQUENTIAL, "sequential", "One after the other", NULL)                                                  \
  ROW(CT_ORDER_RANDOM, "random", "At random", NULL)                                                                    \
  ROW(CT_ORDER_GOLDEN, "golden", "By the golden angle", NULL)                                                          \
  ROW(CT_ORDER_MULTILEVEL, "multilevel", "Multilevel", NULL)
#define CT_MOMENTUM_LIST(ROW) /* automatic: the method's own */                                                        \
  ROW(CT_MOMENTUM_AUTO, "auto", "Automatic", NULL)                                                                     \
  ROW(CT_MOMENTUM_NO, "no", "No", "no momentum")                                                                       \
  ROW(CT_MOMENTUM_YES, "yes", "Yes", "momentum")
#define CT_STARTS(ROW) /* direct: FBP or FDK */                                                                        \
  ROW(CT_START_ZERO, "zero", "Zero", NULL)                                                                             \
  ROW(CT_START_DIRECT, "direct", "Direct reconstruction", "from the direct result")                                    \
  ROW(CT_START_CURRENT, "current", "The volume that there is", "from the volume before")

typedef enum { CT_METHOD_LIST(CT_CHOICE_VALUE) CT_METHODS } ct_method;
typedef enum { CT_VIEW_ORDERS(CT_CHOICE_VALUE) } ct_view_order;
typedef enum { CT_MOMENTUM_LIST(CT_CHOICE_VALUE) } ct_momentum;
typedef enum { CT_STARTS(CT_CHOICE_VALUE) } ct_start;
extern const ct_choice ct_method_choices[], ct_order_choices[], ct_momentum_choices[], ct_start_choices[];

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
