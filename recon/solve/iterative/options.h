/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of iterative methods, as a plan holds them. */
#ifndef CT_SOLVE_ITERATIVE_OPTIONS_H
#define CT_SOLVE_ITERATIVE_OPTIONS_H

#include "recon/base/choice.h"
#include "recon/base/text.h"
#include "recon/fp/model/ray-model.h"

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
  ROW(CT_METHOD_FISTA_HAAR, "fista-haar", "Haar transform (FISTA)", "FISTA-Haar", ct_solver_fista_haar)                \
  ROW(CT_METHOD_FISTA_SHEARLET, "fista-shearlet", "Shearlets (FISTA)", "FISTA-shearlet", ct_solver_fista_shearlet)     \
  ROW(CT_METHOD_ASD_POCS, "asd-pocs", "Total variation (ASD-POCS)", "ASD-POCS", ct_solver_asd_pocs)
/* Besides them the direct methods, which make no iterations. */
#define CT_DIRECT_METHODS(ROW)                                                                                         \
  ROW(CT_METHOD_DIRECT, "fbp", "Direct: filtered back-projection, FDK", "filtered back-projection", )                  \
  ROW(CT_METHOD_FOURIER, "fourier", "Direct: Fourier, parallel beam", "direct Fourier", )
#define CT_METHOD_LIST(ROW)                                                                                            \
  CT_DIRECT_METHODS(ROW)                                                                                               \
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
#define CT_DIVISORS(ROW) /* M of Eq. 9 of Yu et al. 2018 */                                                            \
  ROW(CT_DIVISOR_RADIUS, "radius", "A bound of the spectral radius", NULL)                                             \
  ROW(CT_DIVISOR_RAYS, "rays", "The number of rays", "divided by the number of rays")
#define CT_STARTS(ROW) /* direct: FBP or FDK */                                                                        \
  ROW(CT_START_ZERO, "zero", "Zero", NULL)                                                                             \
  ROW(CT_START_DIRECT, "direct", "Direct reconstruction", "from the direct result")                                    \
  ROW(CT_START_CURRENT, "current", "The volume that there is", "from the volume before")

typedef enum { CT_METHOD_LIST(CT_CHOICE_VALUE) CT_METHODS } ct_method;
typedef enum { CT_VIEW_ORDERS(CT_CHOICE_VALUE) } ct_view_order;
typedef enum { CT_MOMENTUM_LIST(CT_CHOICE_VALUE) } ct_momentum;
typedef enum { CT_DIVISORS(CT_CHOICE_VALUE) } ct_divisor;
typedef enum { CT_STARTS(CT_CHOICE_VALUE) } ct_start;
/* Whether a method corrects a volume again and again; the direct ones make it at once. */
static inline bool ct_method_iterates(int method) {
  return method != CT_METHOD_DIRECT && method != CT_METHOD_FOURIER;
}
extern const ct_choice ct_method_choices[], ct_order_choices[], ct_momentum_choices[], ct_divisor_choices[],
    ct_start_choices[];

enum { CT_PROJECTOR_TEXT = 64, CT_HAAR_LEVELS = 8, CT_SHEARLET_SCALES = 5 };

/* NaN of relaxation, tv_weight, haar_weight and shearlet_weight: the method's own; of upper: no limit; of
 * region_radius: that of the circle about the axis that every view sees. matched: the adjoint itself goes back, else
 * the fastest back-projector may. stop_residual: at |Ax - b| / |b| below this, stop_change: at |x' - x| / |x'| below
 * this; 0: never. tv_weight: of FISTA-TV the factor of the total variation, as a share of the largest element of A^T b;
 * of ASD-POCS the length of a smoothing step, as a share of what the first sweep changed. haar_weight: of FISTA-Haar
 * the threshold, as tv_weight of FISTA-TV; shearlet_weight: of FISTA-shearlet that of a band with the noise of an
 * image. */
typedef struct ct_iterative_options {
#define CT_PARAM(declaration, ...) declaration;
#define CT_PARAM_MORE(...)
#include "recon/solve/iterative/params.h"
#undef CT_PARAM
#undef CT_PARAM_MORE
} ct_iterative_options;

#endif
