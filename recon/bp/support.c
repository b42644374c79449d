/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the back-projection kernels: matrices in voxel indices, a check of the detector's tilt, the cancel error.
 */
#include "recon/bp/support-private.h"

#include "recon/bp/layout/stored.h"
#include "recon/geom/questions.h"

#include <math.h>

void ct_bp_index_matrix(const ct_geometry *geometry, int view, const ct_grid *grid, double m[12]) {
  double p[12];
  ct_geometry_matrix(geometry, view, p);
  for (int row = 0; row < 3; row++) {
    const double *from = p + 4 * row;
    double *to = m + 4 * row;
    to[0] = from[0] * grid->dx;
    to[1] = from[1] * grid->dy;
    to[2] = from[2] * grid->dz;
    to[3] = from[0] * grid->x0 + from[1] * grid->y0 + from[2] * grid->z0 + from[3];
  }
}

const void *ct_bp_loops(const ct_bp_kernel *kernel, ct_precision precision) {
  const void *stored =
      ct_is_stored(precision) ? ct_simd_loops_usable(&kernel->stored[precision - CT_PRECISION_FLOAT16]) : NULL;
  return stored ? stored : ct_simd_loops_usable(&kernel->loops);
}

bool ct_bp_columns_along_z(const ct_bp_request *request) {
  /* Measured from the world's origin, as the matrices do. */
  const ct_grid *grid = &request->grid;
  const double reach = fmax(fabs(grid->z0), fabs(grid->z0 + (grid->nz - 1) * grid->dz));
  return ct_geometry_columns_along_axis(request->geometry, reach);
}

bool ct_bp_accepts_untilted(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  if (request->geometry->tilt == 0) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "The parallel-beam kernels that interleave slices need a detector without tilt, its columns "
                      "parallel to the rotation axis.");
}

bool ct_bp_mirrored(const ct_bp_request *request, int most, int *twice_centre) {
  const ct_geometry *geometry = request->geometry;
  const ct_grid *grid = &request->grid;
  const double twice = 2 * geometry->centre_v, middle = grid->z0 + (grid->nz - 1) / 2.0 * grid->dz;
  if (!ct_geometry_promises(geometry, CT_TRAIT_CIRCULAR) || grid->nz < 2 || grid->nz > most) return false;
  if (!(twice > 0 && twice < 2 * (geometry->nv - 1))) return false;
  *twice_centre = (int)(twice + 0.5);
  return fabs(twice - *twice_centre) < 1e-9 && fabs(middle) < 1e-9 * grid->dz;
}

bool ct_bp_conclude(const ct_job *job, ct_error **error) {
  if (!ct_bp_stopped(job)) return true;
  return ct_error_set(error, CT_ERROR_CANCELLED, "The back-projection was cancelled.");
}
