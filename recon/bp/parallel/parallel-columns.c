/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, value-and-difference tables with cached h_x: Chilingaryan et al. (2019), section 6.8 (the part of a
 * position that depends on the column alone is found once for a tile). With four slices it is what section 6.10 found
 * fastest on CPUs. */
#include "recon/bp/parallel/differences-private.h"

/* As ct_parallel_walk; the columns' part of the positions, with the row's constant part, is kept for the whole tile. */
CT_INLINE void walk_cached(ct_parallel_voxel *voxel, int slices, const ct_bp_state *state, int slot,
                           const ct_parallel_tile *tile, float *sums) {
  const ct_parallel_views *views = &state->views[slot / ct_parallel_pass];
  const double last = ct_parallel_last(state);
  double columns[ct_parallel_side][ct_parallel_pass];
  for (int i = 0; i < tile->columns; i++)
    for (int s = 0; s < ct_parallel_pass; s++) columns[i][s] = views->x[s] * (tile->i + i) + views->offset[s];
  for (int j = 0; j < tile->rows; j++) {
    double row[ct_parallel_pass];
    for (int s = 0; s < ct_parallel_pass; s++) row[s] = views->y[s] * (tile->j + j);
    for (int i = 0; i < tile->columns; i++) {
      int at[ct_parallel_pass];
      float weight[ct_parallel_pass];
      for (int s = 0; s < ct_parallel_pass; s++) ct_parallel_place(columns[i][s] + row[s], last, &at[s], &weight[s]);
      voxel(slices, state, slot, at, weight, sums + ((size_t)j * (size_t)state->side + (size_t)i) * (size_t)slices);
    }
  }
}

static void add_cached(const ct_bp_state *state, int slot, const ct_parallel_tile *tile, int slices, float *sums){
    CT_PARALLEL_FOR_SLICES(walk_cached, ct_differences_add, slices, state, slot, tile, sums)}

CT_DIFFERENCES_SETTING(cached_1, 1, add_cached);
CT_DIFFERENCES_SETTING(cached_4, 4, add_cached);

const ct_bp_kernel ct_bp_columns[2] = {
    {CT_DIFFERENCES_COMMON(cached_1), .id = "columns-1", .title = "Cached column positions, one slice",
     .explanation = "With values and differences: the part of a voxel's position that its column decides (h_x) is "
                    "found once for a tile, so that one addition gives the position (Chilingaryan et al. 2019, "
                    "section 6.8)."},
    {CT_DIFFERENCES_COMMON(cached_4), .id = "columns-4", .title = "Cached column positions, 4 slices",
     .explanation = "Values and differences, cached column positions and four slices together: the setting that "
                    "Chilingaryan et al. (2019, section 6.10, table 21) found fastest on CPUs."},
};
