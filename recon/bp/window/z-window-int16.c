/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of voxels along z in 16-bit integers (z-window-int16-private.h): what the kernel says of itself, memory, and
 * the order of work. */
#include "recon/bp/window/z-window-int16-private.h"

#include "recon/base/memory.h"
#include "recon/bp/layout/int16.h"
#include "recon/bp/support-private.h"
#include "recon/geom/questions.h"

#ifdef __x86_64__

static ct_columns16 plan(const ct_bp_request *request) {
  const ct_geometry *geometry = request->geometry;
  int twice_centre = 0;
  const bool mirror = ct_bp_mirrored(request, 2 * slab, &twice_centre);
  ct_columns16 columns = ct_columns16_plan(geometry->nu, geometry->nv, 1, mirror, twice_centre);
  const int views = ct_tile_views(&request->grid, columns.view, most_views);
  columns.slots = (ct_tile_slots(request, columns.view * sizeof(int16_t), views) + pass - 1) / pass * pass;
  return columns;
}

static ct_tiling tiling_of(const ct_bp_request *request, const ct_columns16 *columns) {
  ct_tiling tiling = ct_tiling_plan(request, tile_x, tile_y, slab, group, columns->mirrored);
  ct_tiling_in_blocks(&tiling, 64);
  return tiling;
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  if (ct_bp_columns_along_z(request)) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "Kernel “%s” needs a detector without tilt, its columns parallel to the rotation axis.",
                      kernel->title);
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_columns16 columns = plan(request);
  const ct_tiling tiling = tiling_of(request, &columns);
  return ct_columns16_bytes(&columns) + (size_t)request->threads * ct_tiling_sums(&tiling) * sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->columns.data);
  ct_free(state->matrices);
  ct_free(state->magnitudes);
  ct_free(state->tiles);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->loops = ct_simd_loops_usable(&kernel->loops);
  state->columns = plan(request);
  state->tiling = tiling_of(request, &state->columns);
  const size_t slots = (size_t)state->columns.slots, threads = (size_t)request->threads;
  state->matrices = ct_alloc(slots, sizeof *state->matrices, "the views' matrices", error);
  state->magnitudes = ct_alloc(slots, sizeof *state->magnitudes, "the views' magnitudes", error);
  state->tiles = ct_alloc(threads, ct_tiling_sums(&state->tiling) * sizeof(float), "the voxel tiles", error);
  if (state->matrices && state->magnitudes && state->tiles && ct_columns16_alloc(&state->columns, error)) return state;
  free_state(state);
  return NULL;
}

static void back_project(const ct_bp_state *state, int views, bool first, float *data, const ct_job *job) {
  const int tiles = ct_tiling_count(&state->tiling);
#pragma omp for schedule(dynamic)
  for (int n = 0; n < tiles; n++)
    if (!ct_bp_stopped(job)) state->loops->tile(state, n, views, first, data, job);
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_bp_request *request = &state->request;
  const size_t pixels = (size_t)request->geometry->nu * (size_t)request->geometry->nv;
  ct_columns16 *columns = &state->columns;
  const int pieces = ct_columns16_pieces(columns);
  float *data = ct_volume_data(volume);
  for (int first = 0; first < batch->count; first += columns->slots) {
    const int views = batch->count - first < columns->slots ? batch->count - first : columns->slots;
    const float *const *projections = batch->projections + first;
    int odd = -1;
#pragma omp parallel num_threads(request->threads)
    {
#pragma omp for schedule(dynamic)
      for (int n = 0; n < views; n++) {
        if (ct_bp_stopped(job)) continue;
        ct_bp_index_matrix(request->geometry, batch->views[first + n], &request->grid, state->matrices[n]);
        state->magnitudes[n] = state->loops->magnitude(projections[n], pixels);
      }
#pragma omp single
      odd = ct_int16_join(state->magnitudes, views, pass);
      if (odd < 0) {
#pragma omp for collapse(2) schedule(dynamic)
        for (int n = 0; n < views; n++)
          for (int piece = 0; piece < pieces; piece++)
            if (!ct_bp_stopped(job)) state->loops->lay(columns, n, piece, projections[n], state->magnitudes[n]);
        back_project(state, views, batch->first && first == 0, data, job);
      }
    }
    if (odd >= 0 && !ct_bp_stopped(job)) return ct_int16_refuse(batch->views[first + odd], error);
  }
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel ct_bp_z_window_int16 = {
    .id = "z-window-int16",
    .family = "z-window-int16",
    .title = "Windows along z, 16-bit integers (AVX-512 VNNI)",
    .explanation =
        "The windows along z with projections rounded to 16-bit integers: 32 rows in a register, and one instruction "
        "made for neural networks interpolates and adds. Symmetry and sharing after Chen et al. (2021); the rest is "
        "this program's own.",
    .geometry = CT_GEOMETRY_ANY,
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_INT16),
    CT_SIMD_LOOPS(VNNI, ct_z_window_int16_loops),
    .tolerance = 2e-4, /* of a filtered scan from 30 views on, whose sums cancel; 5e-5 of noise */
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .rank_for = ct_bp_rank_of_cpu,
    .free = free_state,
};

#endif
