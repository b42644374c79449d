/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filtered back-projection of sequences (geom/sequence.h): each position is a circular scan of its own (Feldkamp,
 * Davis, Kress 1984), which makes the slices that lie nearest to it. Slices that the rows of no position reach at the
 * axis are 0.
 *
 * Views of all positions at one angle are a group, as the parallel views of a spiral are: a stack of filtered
 * projections holds a group in each view, [positions][rows][columns], so that every prefix of the order of views is as
 * many views for each position. The rows are the detector's and, below and above, so many copies of the outermost ones
 * that the field of every slice finds a row: next to the source rays of a slice's edge pass beyond the detector. */
#ifndef CT_SOLVE_SEQUENCE_SEQUENCE_H
#define CT_SOLVE_SEQUENCE_SEQUENCE_H

#include "recon/bp/kernel.h"
#include "recon/data/stack.h"
#include "recon/filter/filter.h"
#include "recon/geom/sequence.h"

/* The stack of a sequence's filtered projections, of this geometry (ct_filter_output): rows in all, groups. */
void ct_gathered_size(const ct_geometry *seen, int *rows, int *groups);
/* The angle that each group stands for, [groups]. */
bool ct_gathered_weights(const ct_geometry *seen, double *weights, ct_error **error);
/* Where a view of the scan is found: in this group, its first row in this one. */
void ct_gathered_find(const ct_geometry *seen, int view, int *group, int *row0);

typedef struct ct_gatherer ct_gatherer;
/* integrals, seen: the sequence as measured and as filtered. CT_ERROR_UNSUPPORTED where ct_sequence_of says so. */
ct_gatherer *ct_gatherer_new(const ct_geometry *integrals, const ct_geometry *seen, const ct_filter_options *options,
                             ct_error **error);
void ct_gatherer_free(ct_gatherer *gatherer);
/* Of every position. */
const ct_filter *ct_gatherer_get_filter(const ct_gatherer *gatherer);
/* `count` groups of the line integrals, filtered, each into [rows][columns] of the stack. */
bool ct_gatherer_apply(ct_gatherer *gatherer, const ct_stack *integrals, const int *groups, int count,
                       float *const *out, ct_error **error);

/* The request for the widest position's slices of another request, whose geometry is a sequence: that of a circle, to
 * be cleared. */
bool ct_sequence_request(const ct_bp_request *request, ct_geometry *circle, ct_bp_request *own, ct_error **error);

/* It is no row of the table of kernels: its geometry is a sequence, its views are groups, and each position is made by
 * request.inner, a kernel of the processor. */
extern const ct_bp_kernel ct_sequence_kernel;

#endif
