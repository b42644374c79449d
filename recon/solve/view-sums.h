/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An axial slice as it grows view by view: sums of the first n filtered (or only weighted) views in an order of choice,
 * what each view adds, and how far the sums are from the slice of all views and from the truth. Made by the kernels
 * that make slices on demand, from the pipeline's own projections. */
#ifndef CT_SOLVE_VIEW_SUMS_H
#define CT_SOLVE_VIEW_SUMS_H

#include "recon/solve/iterative/options.h"
#include "recon/solve/pipeline.h"

#include <stdbool.h>

typedef struct ct_view_sums_options {
  int index;           /* of the axial slice in the plan's grid */
  ct_view_order order; /* of the views by their angles (ct_order_fill); */
  int seed;            /* where it is random */
  bool filtered;       /* false: plain back-projection, scaled as CT_WINDOW_NONE is (filter.h) */
  double memory;       /* bytes for sums that are kept so that stepping back is quick */
} ct_view_sums_options;

/* A sum as it is, or scaled by the views' weights as if its views were all there are. */
typedef enum { CT_SUM_PLAIN, CT_SUM_SCALED, CT_SUM_KINDS } ct_sum_kind;

/* Root mean square differences within the circle that every view sees; NaN: there is nothing to compare with. */
typedef struct ct_view_sums_point {
  int count; /* views */
  double from_final[CT_SUM_KINDS], from_truth[CT_SUM_KINDS];
} ct_view_sums_point;

typedef struct ct_view_sums ct_view_sums;
/* Borrows the pipeline. The plan's direct reconstruction is meant whatever its method, on the processor. Prepares the
 * pipeline, and makes the slice of all views (filtered, whatever the options say). Whatever the pipeline made for other
 * plans meanwhile, the functions below prepare it for this one again. CT_ERROR_UNSUPPORTED: unfiltered views of
 * projections that are filtered in the file or of a spiral; CT_ERROR_MEMORY: of line integrals that were filtered in
 * place. */
ct_view_sums *ct_view_sums_new(ct_pipeline *pipeline, const ct_plan *plan, const ct_view_sums_options *options,
                               ct_job *job, ct_error **error);
void ct_view_sums_free(ct_view_sums *sums);

int ct_view_sums_views(const ct_view_sums *sums);
/* The view of the scan that is taken as the n-th, n from 1. */
int ct_view_sums_view(const ct_view_sums *sums, int n);
/* Of a spiral, whose views are sorted by direction: what counts as a view here is all that see a voxel in one
 * direction, and the view of the scan is the nearest to the slice. */
bool ct_view_sums_directions(const ct_view_sums *sums);
const ct_grid *ct_view_sums_grid(const ct_view_sums *sums); /* of the slice */
const float *ct_view_sums_final(const ct_view_sums *sums);  /* [ny][nx], the slice of all views */
/* What makes the sum of n views absolute: 1 for all. */
double ct_view_sums_scale(const ct_view_sums *sums, int n);
/* What errors are taken against besides the final slice: on the slice's grid, taken; NULL: nothing. Points begin anew.
 */
void ct_view_sums_take_truth(ct_view_sums *sums, ct_volume *truth);

/* The plain sum of the first n views, 1 <= n, and what the n-th added to it, each [ny][nx]. */
bool ct_view_sums_get(ct_view_sums *sums, int n, float *sum, float *last, ct_job *job, ct_error **error);
/* The point of such a sum. */
ct_view_sums_point ct_view_sums_compare(const ct_view_sums *sums, int n, const float *sum);
/* Goes on with the curve for about so long, at least by a point: up to 256 points, every count where there are no more
 * views. *done: it is complete. Points are borrowed until the next call. */
bool ct_view_sums_measure(ct_view_sums *sums, double seconds, bool *done, ct_job *job, ct_error **error);
const ct_view_sums_point *ct_view_sums_points(const ct_view_sums *sums, int *count);

#endif
