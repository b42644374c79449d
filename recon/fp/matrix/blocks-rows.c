/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No blocking: a lane for each stored row, in the order of the rays, so that sixteen neighbours of a view are a chunk
 * as long as the longest of them. It is what section 4 of Yu et al. 2018 starts from. */
#include "recon/fp/matrix/dense-private.h"

static bool add_lanes(ct_dense_plan *plan, const ct_projector_state *state, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
  bool good = true;
  for (int slot = 0; good && slot < s->slots; slot++) {
    for (size_t row = s->first[slot]; good && row < s->first[slot + 1]; row++)
      good = ct_dense_plan_lane(plan, error) && ct_dense_plan_piece(plan, row, ct_scsr_count(state, row), error);
    good = good && ct_dense_plan_align(plan, error);
  }
  return good && ct_dense_plan_block(plan, error);
}

void *ct_dense_plan_rows(ct_projector_state *state, ct_error **error) {
  ct_dense_plan plan;
  if (!ct_dense_plan_init(&plan, state->symmetry->rays, error)) return NULL;
  if (add_lanes(&plan, state, error)) return ct_dense_plan_finish(&plan, state, true, error);
  ct_dense_plan_abandon(&plan);
  return NULL;
}
