/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Borders are taken at faces of the grid's own voxels, so that with `finer` 1 the voxels are those that were there. */
#include "recon/solve/plan-region.h"

#include <math.h>

enum { MOST_VOXELS = 65536 };

typedef struct axis {
  double low, step; /* mm: lower face of the first voxel, size of one */
  int count, first, end;
} axis;

/* The voxels that a stretch touches; false: it lies beside. */
static bool touch(axis *a, double low, double high) {
  const double slack = 1e-6, first = floor((low - a->low) / a->step + slack),
               end = ceil((high - a->low) / a->step - slack);
  a->first = (int)fmin(fmax(first, 0), a->count);
  a->end = (int)fmin(fmax(end, 0), a->count);
  return a->end > a->first;
}

static bool refuse_beside(const axis *a, const axis *b, ct_error **error) {
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "The rectangle lies beside the volume, which reaches from (%.6g, %.6g) to (%.6g, %.6g) mm there.",
                      a->low, b->low, a->low + a->count * a->step, b->low + b->count * b->step);
}

bool ct_plan_set_region(ct_plan *plan, const ct_grid *grid, const ct_plan_region *region, ct_error **error) {
  static const int order[3][3] = {[CT_AXIAL] = {0, 1, 2}, [CT_CORONAL] = {0, 2, 1}, [CT_SAGITTAL] = {1, 2, 0}};
  const int *const to = order[region->plane];
  const double(*const p)[2] = region->points;
  axis axes[3] = {{grid->x0 - grid->dx / 2, grid->dx, grid->nx, 0, 0},
                  {grid->y0 - grid->dy / 2, grid->dy, grid->ny, 0, 0},
                  {grid->z0 - grid->dz / 2, grid->dz, grid->nz, 0, 0}};
  double side[2];
  if (region->finer < 1 || region->finer > CT_MOST_FINER)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "Voxels can be 1 to %d times finer, not %d.", CT_MOST_FINER,
                        region->finer);
  for (int i = 0; i < 2; i++) {
    side[i] = fabs(p[1][i] - p[0][i]);
    if (!isfinite(side[i]) || !touch(&axes[to[i]], fmin(p[0][i], p[1][i]), fmax(p[0][i], p[1][i])))
      return refuse_beside(&axes[to[0]], &axes[to[1]], error);
  }
  const double depth = isnan(region->depth) ? fmin(side[0], side[1]) : region->depth;
  const double half = fmax(depth, axes[to[2]].step) / 2;
  if (!touch(&axes[to[2]], region->position - half, region->position + half))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The slice of the rectangle lies beside the volume.");
  int count[3];
  for (int i = 0; i < 3; i++) {
    const bool flat = i == 2 && grid->nz == 1;
    count[i] = (axes[i].end - axes[i].first) * (flat ? 1 : region->finer);
    if (count[i] > MOST_VOXELS)
      return ct_error_set(
          error, CT_ERROR_ARGUMENT,
          "That would be %d voxels along %c; at most %d can be made. Take a smaller rectangle or larger "
          "voxels.",
          count[i], "xyz"[i], MOST_VOXELS);
  }
  plan->nx = count[0], plan->ny = count[1], plan->nz = count[2];
  plan->voxel = grid->dx / region->finer;
  plan->voxel_z = grid->nz == 1 ? grid->dz : grid->dz == grid->dx ? NAN : grid->dz / region->finer;
  for (int i = 0; i < 3; i++) plan->centre_mm[i] = axes[i].low + 0.5 * (axes[i].first + axes[i].end) * axes[i].step;
  return true;
}
