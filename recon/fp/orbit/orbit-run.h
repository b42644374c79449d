/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layouts of the orbit matrix in floats, and both products.
 * Image: [group][orbit][8][width]. Rays: [block][group][row][8][width]. */
#ifndef CT_FP_ORBIT_RUN_H
#define CT_FP_ORBIT_RUN_H

#include "recon/fp/orbit/orbit-private.h"

static inline int ct_orbit_width_of(const ct_projector_state *state, int group) {
  return state->group_first[group + 1] - state->group_first[group];
}

static inline size_t ct_orbit_image_at(const ct_projector_state *state, int group) {
  return 8 * state->image.orbits * (size_t)state->group_first[group];
}

static inline size_t ct_orbit_rays_at(const ct_projector_state *state, const ct_orbit_block *block, int group) {
  const size_t widths = (size_t)state->group_first[state->groups];
  return 8 * (block->first_row * widths + block->rows * (size_t)state->group_first[group]);
}

/* Lines of one block's turned copies. */
static inline size_t ct_orbit_copied_lines(const ct_projector_state *state) {
  return 8 * (size_t)state->rays.most_rows + 1;
}

void ct_orbit_forward(const ct_projector_state *state, const int *blocks, int count, const float *x, float *y);
void ct_orbit_back(const ct_projector_state *state, const int *blocks, int count, const float *y, float *x);

#endif
