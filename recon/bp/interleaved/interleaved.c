/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interleaved slices: memory, tiles, and their sharing out among threads. Any order of the tiles gives the same sums.
 */
#include "recon/bp/interleaved/interleaved-private.h"
#include "recon/bp/nearest.h"

#include "recon/base/memory.h"
#include "recon/bp/layout/int16.h"
#include "recon/bp/support-private.h"

#include <string.h>

/* Slices that the next slab takes of `left`: slabs of about one size, in whole vectors. */
static int slice_count(int width, int left) {
  const int slabs = (left + slab - 1) / slab, share = (left + slabs - 1) / slabs;
  return (share + width - 1) / width * width;
}

static size_t view_words(int width, const ct_bp_request *request) {
  return ((size_t)request->geometry->nu + 2 * border) * (size_t)slice_count(width, request->grid.nz);
}

static int joined_tiles(const ct_bp_request *request) {
  return ct_tiles_joined(request, tile_x, tile_y, 2);
}

static size_t tile_floats(int width, const ct_bp_request *request) {
  return (size_t)(tile_pitch * tile_y) * (size_t)slice_count(width, request->grid.nz);
}

static int slot_count(int width, const ct_bp_request *request) {
  return ct_tile_slots(request, view_words(width, request) * sizeof(uint32_t), CT_INTERLEAVED_VIEWS);
}

size_t ct_interleaved_memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const int width = kernel->width;
  return view_words(width, request) * (size_t)slot_count(width, request) * sizeof(uint32_t) +
         (size_t)(request->threads * joined_tiles(request)) * tile_floats(width, request) * sizeof(float);
}

void ct_interleaved_free(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->bins);
  ct_free(state->x);
  ct_free(state->heights);
  ct_free(state->magnitudes);
  ct_free(state->tiles);
  ct_free(state);
}

ct_bp_state *ct_interleaved_prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  const int width = kernel->width;
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request, state->technique = ct_simd_loops_usable(&kernel->loops);
  state->width = width;
  state->slots = slot_count(width, request), state->view = view_words(width, request);
  const size_t slots = (size_t)state->slots, places = (slots + pass - 1) / pass * pass;
  state->bins = ct_alloc_zero(slots, state->view * sizeof *state->bins, "the interleaved projections", error);
  state->x = ct_alloc_zero(3 * places, sizeof *state->x, "the views' positions", error);
  state->heights = ct_alloc(slots, sizeof *state->heights, "the views' heights", error);
  state->magnitudes = ct_alloc(slots, sizeof *state->magnitudes, "the views' magnitudes", error);
  state->joined = joined_tiles(request);
  const size_t tiles = (size_t)request->threads * (size_t)state->joined;
  state->tiles = ct_alloc(tiles, tile_floats(width, request) * sizeof(float), "the voxel tiles", error);
  if (state->bins && state->x && state->heights && state->magnitudes && state->tiles) {
    state->y = state->x + places, state->offset = state->y + places;
    return state;
  }
  ct_interleaved_free(state);
  return NULL;
}

/* A group of views on all parts of a tile. */
static void add_group(const ct_bp_state *state, int slot, int views, const ct_tile *t, int slices, float *sums) {
  for (int y = 0; y < t->rows; y += part_y)
    for (int x = 0; x < t->columns; x += part_x) {
      const ct_tile part = {t->i + x,
                            t->j + y,
                            t->columns - x < part_x ? t->columns - x : part_x,
                            t->rows - y < part_y ? t->rows - y : part_y,
                            t->k,
                            t->length};
      for (int s = 0; s < views; s += pass)
        state->technique->add(state, slot + s, views - s < pass ? views - s : pass, &part, slices,
                              sums + (size_t)(y * tile_pitch + x) * (size_t)slices);
    }
}

/* `t`: of state->joined tiles side by side. */
static void do_tiles(const ct_bp_state *state, const ct_tile *t, int views, int slices, bool first, float *data,
                     const ct_job *job) {
  const size_t size = tile_floats(state->width, &state->request);
  float *sums = state->tiles + (size_t)(ct_team_thread() * state->joined) * size;
  for (int x = 0; x < t->columns; x += tile_x) {
    ct_tile one = *t;
    one.i += x, one.columns = t->columns - x < tile_x ? t->columns - x : tile_x;
    float *at = sums + (size_t)(x / tile_x) * size;
    memset(at, 0, (size_t)(tile_pitch * t->rows) * (size_t)slices * sizeof *at);
    for (int slot = 0; slot < views; slot += group) {
      if (ct_bp_stopped(job)) return;
      add_group(state, slot, views - slot < group ? views - slot : group, &one, slices, at);
    }
  }
  const ct_tile_sums all = {sums, tile_x, tile_pitch, (size_t)slices, size, first};
  state->technique->add_tile(&state->request.grid, t, &all, t->k, 1, 0, data);
}

/* One batch of views on one slab of slices, by the whole team. */
static void do_slab(ct_bp_state *state, const ct_bp_batch *batch, int first, int views, int k, int slices, float *data,
                    const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const int pieces = (state->request.geometry->nu + state->technique->before + piece_bins - 1) / piece_bins;
  const int wide = state->joined * tile_x;
  const int across = (grid->nx + wide - 1) / wide, down = (grid->ny + tile_y - 1) / tile_y;
  const ct_blocks order = {across, down, block_x / wide, block_y / tile_y};
#pragma omp for collapse(2) schedule(dynamic)
  for (int n = 0; n < views; n++)
    for (int piece = 0; piece < pieces; piece++)
      if (!ct_bp_stopped(job)) state->technique->lay(state, n, piece, k, slices, batch->projections[first + n]);
#pragma omp for schedule(dynamic)
  for (int n = 0; n < across * down; n++) {
    if (ct_bp_stopped(job)) continue;
    int x, y;
    ct_blocks_place(&order, n, &x, &y);
    const ct_tile t = ct_tile_at(grid, x * wide, wide, y * tile_y, tile_y, k, slices);
    do_tiles(state, &t, views, slices, batch->first && first == 0, data, job);
  }
}

/* The largest magnitudes of the passes. */
static bool find_magnitudes(ct_bp_state *state, const ct_bp_batch *batch, int first, int views, const ct_job *job,
                            ct_error **error) {
  const ct_bp_request *request = &state->request;
  const size_t pixels = (size_t)request->geometry->nu * (size_t)request->geometry->nv;
#pragma omp parallel for num_threads(request->threads) schedule(dynamic)
  for (int n = 0; n < views; n++)
    if (!ct_bp_stopped(job)) state->magnitudes[n] = state->technique->magnitude(batch->projections[first + n], pixels);
  if (ct_bp_stopped(job)) return true;
  const int odd = ct_int16_join(state->magnitudes, views, pass);
  return odd < 0 || ct_int16_refuse(batch->views[first + odd], error);
}

bool ct_interleaved_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job,
                        ct_error **error) {
  const ct_bp_request *request = &state->request;
  const double rounding = request->interp == CT_INTERP_NEAREST ? 0.5 + CT_BP_TIE : 0;
  float *data = ct_volume_data(volume);
  for (int first = 0; first < batch->count && !ct_bp_stopped(job); first += state->slots) {
    const int views = batch->count - first < state->slots ? batch->count - first : state->slots;
    for (int n = 0; n < views; n++) {
      double m[12];
      ct_bp_index_matrix(request->geometry, batch->views[first + n], &request->grid, m);
      state->x[n] = m[0], state->y[n] = m[1], state->offset[n] = m[3] + border + rounding;
      state->heights[n][0] = m[6], state->heights[n][1] = m[7];
    }
    if (state->technique->magnitude && !find_magnitudes(state, batch, first, views, job, error)) return false;
#pragma omp parallel num_threads(request->threads)
    for (int k = 0, slices; k < request->grid.nz; k += slices) {
      slices = slice_count(state->width, request->grid.nz - k);
      do_slab(state, batch, first, views, k, slices, data, job);
    }
  }
  return ct_bp_conclude(job, error);
}
