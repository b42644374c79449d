/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Fourier slice theorem as a measurement: the transform of a view's row of line integrals, and the two-dimensional
 * transform of the slice along the line through frequency 0 at that view's angle. For parallel rays the two are the
 * same (Kak & Slaney 1988, section 3.2). Both are sums over all samples, without interpolation between frequencies. */
#ifndef CT_SOLVE_SLICE_THEOREM_H
#define CT_SOLVE_SLICE_THEOREM_H

#include "recon/base/error.h"
#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"
#include "recon/data/stack.h"
#include "recon/solve/plan.h"

#include <stdbool.h>

typedef struct ct_slice_theorem_sample {
  double frequency;     /* cycles per mm */
  double slice[2];      /* real and imaginary part, mm (1/mm times mm^2) */
  double projection[2]; /* of the row, mm */
  double passed;        /* share of the frequency that filter window and interpolation leave in the slice; 1: all */
} ct_slice_theorem_sample;

/* `count` (>= 2) frequencies from 0 to the Nyquist frequency of the detector's columns. slice: [ny][nx] of the grid,
 * 1/mm; row: [nu] line integrals of `view` in that slice. Phases count from the rotation axis. A reconstructed
 * slice has to be masked to the circle that every view sees: outside, it holds the tails of the filter.
 * CT_ERROR_UNSUPPORTED unless the rays are parallel and the detector is not tilted. */
bool ct_slice_theorem(const ct_grid *grid, const float *slice, const ct_geometry *geometry, int view, const float *row,
                      int count, ct_slice_theorem_sample *samples, ct_error **error);
/* The largest difference up to this share of the Nyquist frequency, relative to the row's largest magnitude; NaN where
 * that is 0. */
double ct_slice_theorem_difference(const ct_slice_theorem_sample *samples, int count, double share);

/* Back-projection reads a view between its columns, and the filter has a window: both leave a known share of each
 * frequency (ct_window_value, ct_interp_response). Puts it into samples[].passed, which is 1 before. For parallel rays:
 * those that spread have columns of another width at each place. False: nothing is damped, or nothing is known of it.
 * words: by what, "linear interpolation". */
bool ct_slice_theorem_pass(const ct_plan *plan, const ct_geometry *geometry, ct_slice_theorem_sample *samples,
                           int count, char *words, size_t size);
/* As the difference, of the row's transform times what passes: what damping does not explain. */
double ct_slice_theorem_rest(const ct_slice_theorem_sample *samples, int count, double share);
/* The row of line integrals [nv][nu] in which the grid's slice k is seen, into row[nu]; between two rows it is taken
 * linearly. False where the detector does not see it. */
bool ct_slice_theorem_row(const ct_grid *grid, int k, const ct_geometry *geometry, int view, const float *projection,
                          float *row);

/* The row of parallel rays, in the direction of the view's middle ray, that a view is compared by: of parallel rays its
 * own row in which the grid's slice k is seen, of rays that spread from a source on a circle the row rebinned from all
 * views. There it is made of the rays in the plane of the sources: of a cone beam the slice has to lie there, within
 * half a slice. Each value is taken from the four views and four columns about its ray by cubic interpolation; a ray
 * that was not measured on its way there is taken on its way back. Beyond the detector it is 0. Into row[nu];
 * *parallel: the geometry of that one view, to be cleared. CT_ERROR_UNSUPPORTED: other geometries, slices and tilts,
 * and arcs that leave rays of the row unmeasured; CT_ERROR_ARGUMENT: the view does not see the slice. */
bool ct_slice_theorem_gather(const ct_grid *grid, int k, const ct_geometry *geometry, const ct_stack *integrals,
                             int view, ct_geometry *parallel, float *row, ct_error **error);

#endif
