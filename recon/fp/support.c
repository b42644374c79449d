/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What projectors share. */
#include "recon/fp/projectors-private.h"

#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

void ct_projector_copy_in(const float *natural, size_t count, float *own) {
  memcpy(own, natural, count * sizeof *own);
  memset(own + count, 0, (ct_projector_padded(count) - count) * sizeof *own);
}

int ct_projector_slices(const ct_projector_request *request) {
  const ct_geometry *g = request->geometry;
  const ct_grid *grid = &request->grid;
  int row0;
  if (!ct_geometry_promises(g, CT_TRAIT_SPATIAL)) return grid->nz == 1 ? 1 : 0;
  return g->nv == grid->nz && ct_geometry_rows_of_slices(g, grid, &row0) ? g->nv : 0;
}
