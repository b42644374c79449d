/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filtered projections of a spiral, as a pipeline makes them: sorted into parallel views, then filtered. */
#ifndef CT_SOLVE_SPIRAL_STAGE_H
#define CT_SOLVE_SPIRAL_STAGE_H

#include "recon/filter/filter.h"
#include "recon/solve/spiral/spiral.h"

/* Whether a geometry is a spiral, by its feed or by its matrices: its filtered projections are sorted views then. */
bool ct_geometry_is_sorted(const ct_geometry *geometry);
/* The geometry of the filtered projections, to be cleared: of a spiral that spiral itself, whose views in the stack are
 * groups; else what ct_filter_output says. */
bool ct_filtered_geometry(const ct_geometry *integrals, const ct_filter_options *options, ct_geometry *seen,
                          ct_error **error);
/* What the stack of the filtered projections has. */
ct_sorted_size ct_filtered_size(const ct_geometry *seen);
/* The angle that each view of that stack stands for, [views]. */
bool ct_filtered_weights(const ct_geometry *seen, double *weights, ct_error **error);
/* That geometry, the filter, and what sorts the views of a spiral before it (else NULL); all to be ended by the caller.
 * A spiral's filter is one of parallel beams, without redundancy weights and without an outline. */
bool ct_filtered_tools(const ct_geometry *integrals, const ct_filter_options *options, ct_filter **filter,
                       ct_sorter **sorter, ct_geometry *seen, ct_error **error);
/* The natural range of z for an iterative method: all that any view of a spiral sees. False: it is no spiral. */
bool ct_spiral_seen(const ct_geometry *geometry, double *low, double *high);

#endif
