/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact filtered back-projection of spirals (Katsevich, SIAM J. Appl. Math. 62 (2002) 2012) on flat detectors, after
 * Noo, Pack, Heuscher: Exact helical reconstruction using native cone-beam geometries, Phys. Med. Biol. 48 (2003) 3787.
 *
 * With h = feed / 2 pi, R = SOD, D = SDD, detector coordinates (u, w) in mm about the central ray, q = u / D, a = atan
 * q:
 *   1. derivative along the source's path at a constant direction of the ray,
 *      g1 = (d/dt + (u^2 + D^2) / D d/du + u w / D d/dw) g, by differences between neighbours in the middle of eight
 *      samples of two views, columns and rows;
 *   2. g2 = D / sqrt(u^2 + w^2 + D^2) g1;
 *   3. on the lines w = (D h / R) (psi + psi / tan(psi) q), |psi| <= pi / 2 + the largest |a|;
 *   4. Hilbert transform along u on each line, times the window of the plan's filter;
 *   5. back to rows: each pixel from the line of least |psi| through it;
 *   6. f(x) = 1 / 2 pi integral over t of g5(u, w) / v, v the distance from the source to x along the central ray, over
 *      the interval in which x lies in the Tam window:
 *      -(pi / 2 + a) <= w R / (D h (1 + q^2)) <= pi / 2 - a.
 *
 * A filtered view stands midway between two views of the scan and for the stretch of t between them: at the ends of its
 * interval a voxel takes it by the share of that stretch that lies within, so that intervals have their lengths.
 * Filtered views whole half turns apart are one group, a view of the stack: [views in it][rows][columns], of the rows
 * that the window needs, times the stretch and 1 / 2 pi. */
#ifndef CT_SOLVE_SPIRAL_KATSEVICH_H
#define CT_SOLVE_SPIRAL_KATSEVICH_H

#include "recon/bp/kernel.h"
#include "recon/data/stack.h"
#include "recon/filter/filter.h"
#include "recon/geom/spiral.h"
#include "recon/solve/spiral/spiral.h"

/* The filtered views: number m = 0 .. count - 1 between views m and m + 1 by angle, in group m % groups; `most` in a
 * group at most. Rows row0 .. row0 + rows - 1 of the detector. */
typedef struct ct_katsevich_views {
  int groups, count, most, row0, rows;
} ct_katsevich_views;
ct_katsevich_views ct_katsevich_arrange(const ct_geometry *spiral);
ct_sorted_size ct_katsevich_size_of(const ct_geometry *spiral);

/* Heights at which all voxels within a radius have their whole interval (low > high: none), and the largest feed whose
 * Tam window lies on the detector; what any view sees. */
ct_spiral_cover ct_katsevich_covers(const ct_geometry *spiral, double radius);
/* Whether it can serve the spiral. CT_ERROR_UNSUPPORTED with what would do, where not. */
bool ct_katsevich_serves(const ct_geometry *spiral, ct_error **error);

/* Steps 1 to 5. CT_ERROR_UNSUPPORTED too for plans without a filter. */
typedef struct ct_katsevich ct_katsevich;
ct_katsevich *ct_katsevich_new(const ct_geometry *spiral, const ct_filter_options *options, ct_error **error);
void ct_katsevich_free(ct_katsevich *filter);
/* `count` groups of the spiral's line integrals, each into [nv][nu] of ct_katsevich_size_of. */
void ct_katsevich_apply(ct_katsevich *filter, const ct_stack *integrals, const int *groups, int count,
                        float *const *out);

/* Step 6; no row of the table of kernels, as ct_spiral_kernel. */
extern const ct_bp_kernel ct_katsevich_kernel;

#endif
