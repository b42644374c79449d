/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the work of an iterative method is cut (shared-slabs.c). */
#ifndef CT_SOLVE_SHARED_ITERATED_PRIVATE_H
#define CT_SOLVE_SHARED_ITERATED_PRIVATE_H

#include "recon/solve/shared.h"

/* View groups and slab columns: as asked for, or the most columns whose slabs are thick enough, all ranks where the
 * views must stay together. CT_ERROR_UNSUPPORTED with the reason for what is for one process. */
bool ct_iteration_grid(const ct_shared_iteration *request, int ranks, int views, int *groups, int *columns,
                       ct_error **error);
/* The slices of a column, as even as they can be. */
ct_grid ct_iteration_slab(const ct_grid *whole, int columns, int column);
/* The detector rows (of the geometry, which is not cropped) that one process would take, and those that the rays of
 * each slab hit, in a monotone order, together all of them. */
bool ct_iteration_rows(const ct_geometry *geometry, const ct_grid *whole, int columns, ct_row_range *rows,
                       ct_row_range *all, ct_error **error);

#endif
