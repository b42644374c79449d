/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filtered projections of a spiral, as a pipeline makes them: sorted into parallel views, then filtered; or by
 * Katsevich's filter. And of a sequence, filtered and gathered by angles (solve/sequence). */
#ifndef CT_SOLVE_SPIRAL_STAGE_H
#define CT_SOLVE_SPIRAL_STAGE_H

#include "recon/filter/filter.h"
#include "recon/solve/spiral/spiral.h"

/* Whether a geometry is a spiral, by its feed or by its matrices, or a sequence: its filtered projections are sorted
 * or gathered views then. */
bool ct_geometry_is_sorted(const ct_geometry *geometry);
/* The geometry of the filtered projections, to be cleared: of a spiral that spiral itself, whose views in the stack are
 * groups; else what ct_filter_output says, of a sequence, too. */
bool ct_filtered_geometry(const ct_geometry *integrals, const ct_filter_options *options, ct_geometry *seen,
                          ct_error **error);
/* What the stack of the filtered projections has. */
ct_sorted_size ct_filtered_size(const ct_geometry *seen, ct_spiral_method method);
/* The angle that each view of that stack stands for, [views]. */
bool ct_filtered_weights(const ct_geometry *seen, ct_spiral_method method, double *weights, ct_error **error);
/* The view of the scan that a view of that stack stands for: itself; of a group of a spiral's that which looks in its
 * direction or against it and whose source is nearest to the height z; of a sequence's that of the position which sees
 * the slice at z. */
int ct_filtered_view(const ct_geometry *seen, ct_spiral_method method, int view, double z);

/* What makes them: the filter, and of a spiral what sorts its views before, or Katsevich's filter. A spiral's is one of
 * parallel beams, without redundancy weights and without an outline. */
typedef struct ct_filtering ct_filtering;
/* `seen`: ct_filtered_geometry, to be cleared. */
ct_filtering *ct_filtering_new(const ct_geometry *integrals, const ct_filter_options *options, ct_geometry *seen,
                               ct_error **error);
void ct_filtering_free(ct_filtering *filtering);
/* Whether each filtered view is made of several of the line integrals: they are not read from in[] then. */
bool ct_filtering_sorts(const ct_filtering *filtering);
/* As ct_filter_apply; integrals: where it sorts, all of them. */
bool ct_filtering_apply(ct_filtering *filtering, const ct_stack *integrals, const int *views, int count,
                        const float *const *in, float *const *out, ct_error **error);

/* The filter of its rows, of a sequence that of every turn; NULL: Katsevich's, which is no filter of rows. */
const ct_filter *ct_filtering_get_filter(const ct_filtering *filtering);
/* Where a view of the line integrals is found in the stack of the filtered projections: as itself, in rows 0 to nv - 1;
 * of a spiral as the parallel view in its direction, in these rows of its group; of a sequence in those of its turn. */
typedef struct ct_filtered_place {
  int view, row0, rows;
} ct_filtered_place;
ct_filtered_place ct_filtered_find(const ct_geometry *seen, int view);
/* That view of the stack as it is before the filter, into [nv][nu] of ct_filtered_size: sorted where it sorts. Where
 * there is a filter of its rows. Of a sequence the view of the scan, whose rows are not gathered yet: [nv][nu] of it.
 */
void ct_filtering_sort(const ct_filtering *filtering, const ct_stack *integrals, int view, float *out);

/* The natural range of z for an iterative method: all that any view of a spiral or sequence sees. False: it is none. */
bool ct_spiral_seen(const ct_geometry *geometry, double *low, double *high);
/* That of Katsevich's filter: slices of height dz whose centres it covers, at least one. False: it is no spiral. */
bool ct_spiral_whole(const ct_geometry *geometry, double dz, double *low, double *high);
/* Updates that one of its filtered back-projections really makes on a grid, voxels times views that they are seen by,
 * counted in a part of the voxel columns. */
double ct_spiral_updates(ct_spiral_method method, const ct_geometry *spiral, const ct_grid *grid);
/* What a spiral covers by one of its filtered back-projections. */
ct_spiral_cover ct_spiral_covers_by(ct_spiral_method method, const ct_geometry *spiral, double radius);

#endif
