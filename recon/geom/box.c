/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes of voxels. */
#include "recon/geom/box.h"

ct_box ct_box_of_grid(const ct_grid *grid) {
  return (ct_box){{0, 0, 0}, {grid->nx, grid->ny, grid->nz}};
}

ct_box ct_box_of_slice(const ct_grid *grid, ct_plane plane, int index) {
  ct_box box = ct_box_of_grid(grid);
  const int axis = plane == CT_AXIAL ? 2 : plane == CT_CORONAL ? 1 : 0;
  box.begin[axis] = index;
  box.end[axis] = index + 1;
  return box;
}

bool ct_box_check(const ct_box *box, int nx, int ny, int nz, ct_error **error) {
  const int n[3] = {nx, ny, nz};
  for (int axis = 0; axis < 3; axis++)
    if (box->begin[axis] < 0 || box->end[axis] > n[axis] || box->begin[axis] >= box->end[axis])
      return ct_error_set(error, CT_ERROR_ARGUMENT,
                          "The region %d:%d along %c is empty or reaches out of the volume, which has %d voxels there: "
                          "0:%d is all of them.",
                          box->begin[axis], box->end[axis], "xyz"[axis], n[axis], n[axis]);
  return true;
}

ct_grid ct_box_grid(const ct_box *box, const ct_grid *grid) {
  ct_grid part = *grid;
  part.nx = box->end[0] - box->begin[0];
  part.ny = box->end[1] - box->begin[1];
  part.nz = box->end[2] - box->begin[2];
  part.x0 += box->begin[0] * grid->dx;
  part.y0 += box->begin[1] * grid->dy;
  part.z0 += box->begin[2] * grid->dz;
  return part;
}
