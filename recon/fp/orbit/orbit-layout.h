/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Natural images and rays into orbits and out of them; padding becomes 0. */
#ifndef CT_FP_ORBIT_LAYOUT_H
#define CT_FP_ORBIT_LAYOUT_H

#include "recon/fp/orbit/orbit-private.h"

void ct_orbit_image_in(const ct_projector_state *state, const float *natural, float *own);
void ct_orbit_image_out(const ct_projector_state *state, const float *own, float *natural);
void ct_orbit_rays_in(const ct_projector_state *state, const float *natural, float *own);
void ct_orbit_rays_out(const ct_projector_state *state, const float *own, float *natural);
/* Sums of squares of the rows. */
void ct_orbit_row_squares(const ct_projector_state *state, float *y);

#endif
