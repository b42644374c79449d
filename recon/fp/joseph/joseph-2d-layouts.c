/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts of the projector joseph-2d: image [slice][y][x] with zeros between rows, rays [view][slice][u] padded to
 * whole vectors; those of many slices side by side are in joseph-2d-slices.c. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include <string.h>

void ct_j2d_image_in(const ct_projector_state *state, const float *natural, float *own) {
  const ct_j2d *j = &state->j;
  memset(own, 0, j->image * sizeof *own);
  if (j->bundles) {
    ct_j2d_bundles_in(j, natural, own, false);
    return;
  }
  for (int k = 0; k < j->slices; k++)
    for (int row = 0; row < j->ny; row++, natural += j->nx)
      memcpy(own + (size_t)k * j->slice_image + CT_J2D_MARGIN + (size_t)row * j->pitch, natural,
             (size_t)j->nx * sizeof *own);
}

void ct_j2d_image_out(const ct_projector_state *state, const float *own, float *natural) {
  const ct_j2d *j = &state->j;
  if (j->bundles) {
    ct_j2d_bundles_out(j, own, natural, false);
    return;
  }
  for (int k = 0; k < j->slices; k++)
    for (int row = 0; row < j->ny; row++, natural += j->nx)
      memcpy(natural, own + (size_t)k * j->slice_image + CT_J2D_MARGIN + (size_t)row * j->pitch,
             (size_t)j->nx * sizeof *own);
}

void ct_j2d_rays_in(const ct_projector_state *state, const float *natural, float *own) {
  const ct_j2d *j = &state->j;
  memset(own, 0, j->rays * sizeof *own);
  if (j->bundles) {
    ct_j2d_bundles_in(j, natural, own, true);
    return;
  }
  for (int row = 0; row < j->views * j->slices; row++)
    memcpy(own + (size_t)row * j->slice_rays, natural + (size_t)row * (size_t)j->nu, (size_t)j->nu * sizeof *own);
}

void ct_j2d_rays_out(const ct_projector_state *state, const float *own, float *natural) {
  const ct_j2d *j = &state->j;
  if (j->bundles) {
    ct_j2d_bundles_out(j, own, natural, true);
    return;
  }
  for (int row = 0; row < j->views * j->slices; row++)
    memcpy(natural + (size_t)row * (size_t)j->nu, own + (size_t)row * j->slice_rays, (size_t)j->nu * sizeof *own);
}
