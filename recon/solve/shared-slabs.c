/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How an iterative method's volume and views are shared out: a slab of the slices for each column, and the detector
 * rows that its rays hit; the views in groups where the method corrects the image after all of them. */
#include "recon/solve/shared-iterated-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/solve/share-private.h"

/* Slices of a slab, by itself: layouts take sixteen together, and the rows beside a thin one cost as much as a thick
 * one's. */
enum { SLAB_SLICES = 16 };

bool ct_method_takes_all_views(int method) {
  return method == CT_METHOD_SIRT || method == CT_METHOD_CGLS;
}

bool ct_method_is_shared(int method) {
  return ct_method_takes_all_views(method) || method == CT_METHOD_SART || method == CT_METHOD_OS_SART;
}

static bool check_method(const ct_plan *plan, ct_error **error) {
  if (!ct_method_is_shared(plan->iterative.method))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Of the iterative methods several processes make SIRT, SART, SART in subsets, and CGLS; start "
                        "the others without mpirun.");
  return plan->iterative.start == CT_START_ZERO ||
         ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "Several processes iterate from zero: set iterative.start to zero, or start it without mpirun.");
}

/* Why all views have to be in one group; NULL: they need not. */
static const char *one_group(const ct_plan *plan) {
  if (!ct_method_takes_all_views(plan->iterative.method)) return "The image is corrected after some of the views";
  return plan->prep.rings != CT_RINGS_NONE ? "Rings are removed from all views" : NULL;
}

bool ct_iteration_grid(const ct_shared_iteration *r, int ranks, int views, int *groups, int *columns,
                       ct_error **error) {
  const ct_plan *plan = &r->found->plan;
  const char *together = one_group(plan);
  const int nz = r->found->grid.nz;
  if (!check_method(plan, error)) return false;
  *groups = r->groups;
  *columns = r->columns;
  if (!r->groups) {
    *columns = together ? ranks : 1;
    for (int n = 2; n <= ranks && !together; n++)
      if (ranks % n == 0 && nz >= n * SLAB_SLICES) *columns = n;
    *groups = ranks / *columns;
  }
  if (*groups * *columns != ranks)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A grid of %d x %d (view groups x slab columns) takes %d processes, and there are %d.", *groups,
                        *columns, *groups * *columns, ranks);
  if (together && *groups > 1)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s, which are not shared out then: take a grid of 1 x %d (one view group).", together, ranks);
  if (*columns > nz)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There are %d slices for %d slabs: take fewer processes.", nz,
                        *columns);
  return *groups <= views ||
         ct_error_set(error, CT_ERROR_ARGUMENT, "There are %d views for %d processes: each needs one of its own.",
                      views, *groups);
}

ct_slices ct_iteration_slices(int nz, int columns, int column) {
  ct_slices slices;
  slices.count = ct_share_views(nz, columns, column, &slices.first);
  return slices;
}

ct_grid ct_iteration_slab(const ct_grid *whole, int columns, int column) {
  const ct_slices slices = ct_iteration_slices(whole->nz, columns, column);
  ct_grid slab = *whole;
  slab.nz = slices.count;
  slab.z0 += slices.first * whole->dz;
  return slab;
}

/* Every voxel has a part in rays that pass it by less than a voxel. */
static ct_grid reach_of(const ct_grid *g) {
  ct_grid reach = *g;
  reach.x0 -= g->dx, reach.y0 -= g->dy, reach.z0 -= g->dz;
  reach.nx += 2, reach.ny += 2, reach.nz += 2;
  return reach;
}

static int end_of(ct_row_range r) {
  return r.first + r.count;
}

static ct_row_range between(int first, int end) {
  return (ct_row_range){first, end - first};
}

/* That each slab's rows begin and end no sooner than those of the one before it, and that all rows are some slab's. */
static void settle(ct_row_range *rows, int columns, ct_row_range all) {
  const bool up = rows[0].first + end_of(rows[0]) <= rows[columns - 1].first + end_of(rows[columns - 1]);
  const int step = up ? 1 : -1, low = up ? 0 : columns - 1, high = up ? columns - 1 : 0;
  rows[low] = between(all.first, end_of(rows[low]));
  rows[high] = between(rows[high].first, end_of(all));
  for (int n = 1; n < columns; n++) {
    ct_row_range *before = &rows[high - step * (n - 1)], *here = &rows[high - step * n];
    if (here->first > before->first) *here = between(before->first, end_of(*here));
  }
  for (int n = 1; n < columns; n++) {
    ct_row_range *before = &rows[low + step * (n - 1)], *here = &rows[low + step * n];
    if (here->first > end_of(*before)) *here = between(end_of(*before), end_of(*here));
    if (end_of(*here) < end_of(*before)) *here = between(here->first, end_of(*before));
  }
}

bool ct_iteration_rows(const ct_geometry *g, const ct_grid *whole, int columns, ct_row_range *rows, ct_row_range *all,
                       ct_error **error) {
  int row0;
  *all = (ct_row_range){0, g->nv};
  if (ct_geometry_rows_of_slices(g, whole, &row0)) {
    *all = (ct_row_range){row0, whole->nz};
    for (int c = 0; c < columns; c++) {
      const ct_slices slices = ct_iteration_slices(whole->nz, columns, c);
      rows[c] = (ct_row_range){row0 + slices.first, slices.count};
    }
    return true;
  }
  if (g->tilt == 0 && !ct_grid_detector_rows(whole, g, &all->first, &all->count))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "No view sees the volume: its shadow falls beside the detector.");
  for (int c = 0; c < columns; c++) {
    const ct_grid slab = ct_iteration_slab(whole, columns, c), reach = reach_of(&slab);
    if (!ct_grid_detector_rows(&reach, g, &rows[c].first, &rows[c].count)) rows[c] = (ct_row_range){all->first, 1};
    const int first = rows[c].first > all->first ? rows[c].first : all->first,
              end = end_of(rows[c]) < end_of(*all) ? end_of(rows[c]) : end_of(*all);
    rows[c] = first < end ? between(first, end) : (ct_row_range){first < end_of(*all) ? first : end_of(*all) - 1, 1};
  }
  settle(rows, columns, *all);
  return true;
}
