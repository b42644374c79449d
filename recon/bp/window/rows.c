/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of voxels along x (rows-private.h): what the kernel says of itself, memory, and the order of work. */
#include "recon/bp/window/rows-private.h"

#include "recon/base/memory.h"
#include "recon/bp/layout/tile.h"
#include "recon/bp/support-private.h"
#include "recon/geom/questions.h"

#include <string.h>

static size_t line_floats(const ct_bp_request *request) {
  return ((size_t)request->geometry->nu + 2 * pad + 15) / 16 * 16;
}

static size_t row_room(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const size_t width = (size_t)kernel->width;
  return ((size_t)request->grid.nx + width - 1) / width * width;
}

/* Where one piece is a whole slice. */
static bool by_slices(const ct_bp_request *request) {
  return request->grid.ny <= piece_rows && request->grid.nz > 1;
}

static int slot_count(const ct_bp_request *request) {
  return by_slices(request) ? request->batch : ct_tile_slots(request, line_floats(request) * sizeof(float), 512);
}

static size_t line_count(const ct_bp_request *request) {
  return (size_t)(by_slices(request) ? request->threads * pass : slot_count(request));
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  if (request->geometry->tilt != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” needs a detector without tilt.", kernel->title);
  if (request->grid.nx >= kernel->width) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” is made for at least %d voxels a row.", kernel->title,
                      kernel->width);
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return (line_floats(request) * line_count(request) +
          (size_t)request->threads * piece_rows * row_room(kernel, request)) *
         sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->lines);
  ct_free(state->matrices);
  ct_free(state->sums);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->loops = ct_simd_loops_usable(&kernel->loops);
  state->slots = slot_count(request), state->line = line_floats(request), state->room = row_room(kernel, request);
  state->lines = ct_alloc_zero(line_count(request), state->line * sizeof(float), "the slice's projections", error);
  state->matrices = ct_alloc((size_t)state->slots, sizeof *state->matrices, "the views' matrices", error);
  state->sums = ct_alloc((size_t)request->threads * piece_rows, state->room * sizeof(float), "the voxel rows", error);
  if (state->lines && state->matrices && state->sums) return state;
  free_state(state);
  return NULL;
}

static int views_now(int views, int slot) {
  return views - slot >= pass ? pass : 1;
}

static void do_piece(const ct_bp_state *state, int views, int j0, int j1, float *slice, const ct_job *job) {
  float *sums = state->sums + (size_t)ct_team_thread() * piece_rows * state->room;
  memset(sums, 0, piece_rows * state->room * sizeof *sums);
  for (int slot = 0; slot < views;) {
    if (ct_bp_stopped(job)) return;
    const int now = views_now(views, slot);
    state->loops->add(state, slot, state->lines + (size_t)slot * state->line, now, j0, j1, sums);
    slot += now;
  }
  state->loops->store(state, sums, j1 - j0, slice + (size_t)j0 * (size_t)state->request.grid.nx);
}

static void take_line(const ct_bp_state *state, const ct_bp_batch *batch, int first, int n, int k, float *padded) {
  state->loops->line(state, batch->projections[first + n], n, k, padded);
}

static void do_slice(ct_bp_state *state, const ct_bp_batch *batch, int first, int views, int k, float *slice,
                     const ct_job *job) {
  const int ny = state->request.grid.ny, pieces = (ny + piece_rows - 1) / piece_rows;
#pragma omp for schedule(dynamic, 8)
  for (int n = 0; n < views; n++) take_line(state, batch, first, n, k, state->lines + (size_t)n * state->line);
#pragma omp for schedule(dynamic)
  for (int piece = 0; piece < pieces; piece++) {
    if (ct_bp_stopped(job)) continue;
    const int j = piece * piece_rows;
    do_piece(state, views, j, j + piece_rows < ny ? j + piece_rows : ny, slice, job);
  }
}

/* Slices k0 .. k1 - 1, of so few rows that their sums fill one piece. */
static void do_slices(const ct_bp_state *state, const ct_bp_batch *batch, int first, int views, int k0, int k1,
                      float *data, const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const size_t rows = (size_t)grid->ny, thread = (size_t)ct_team_thread();
  float *sums = state->sums + thread * piece_rows * state->room, *lines = state->lines + thread * pass * state->line;
  memset(sums, 0, piece_rows * state->room * sizeof *sums);
  for (int slot = 0; slot < views;) {
    if (ct_bp_stopped(job)) return;
    const int now = views_now(views, slot);
    for (int k = k0; k < k1; k++) {
      for (int s = 0; s < now; s++) take_line(state, batch, first, slot + s, k, lines + (size_t)s * state->line);
      state->loops->add(state, slot, lines, now, 0, grid->ny, sums + (size_t)(k - k0) * rows * state->room);
    }
    slot += now;
  }
  state->loops->store(state, sums, (k1 - k0) * grid->ny, data + (size_t)k0 * rows * (size_t)grid->nx);
}

static void share_out_slices(const ct_bp_state *state, const ct_bp_batch *batch, int first, int views, float *data,
                             const ct_job *job) {
  const int nz = state->request.grid.nz, slices = piece_rows / state->request.grid.ny;
#pragma omp for schedule(dynamic)
  for (int k = 0; k < nz; k += slices) {
    if (ct_bp_stopped(job)) continue;
    do_slices(state, batch, first, views, k, k + slices < nz ? k + slices : nz, data, job);
  }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_bp_request *request = &state->request;
  const size_t slice = (size_t)request->grid.nx * (size_t)request->grid.ny;
  float *data = ct_volume_data(volume);
  for (int first = 0; first < batch->count; first += state->slots) {
    const int views = batch->count - first < state->slots ? batch->count - first : state->slots;
    for (int n = 0; n < views; n++)
      ct_bp_index_matrix(request->geometry, batch->views[first + n], &request->grid, state->matrices[n]);
#pragma omp parallel num_threads(request->threads)
    if (by_slices(request))
      share_out_slices(state, batch, first, views, data, job);
    else
      for (int k = 0; k < request->grid.nz; k++) do_slice(state, batch, first, views, k, data + (size_t)k * slice, job);
  }
  return ct_bp_conclude(job, error);
}

#define ROW(kind, id_end, title_end, note)                                                                             \
  {.id = "rows" id_end,                                                                                                \
   .title = "Windows along rows" title_end,                                                                            \
   .family = "rows",                                                                                                   \
   .explanation = "Parallel beam, single slices: rows of voxels read a window of each projection and pick their "      \
                  "samples by register permutes, eight views at a time." note,                                         \
   .geometry = CT_GEOMETRY_PARALLEL,                                                                                   \
   .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR),                                                    \
   .precisions = CT_BIT(CT_PRECISION_FLOAT32),                                                                         \
   CT_SIMD_LOOPS(kind, ct_rows_loops),                                                                                 \
   .tolerance = 5e-6,                                                                                                  \
   .accepts = accepts,                                                                                                 \
   .memory = memory,                                                                                                   \
   .prepare = prepare,                                                                                                 \
   .run = run,                                                                                                         \
   .rank_for = ct_bp_rank_of_cpu,                                                                                      \
   .free = free_state},

const ct_bp_kernel ct_bp_rows[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(ROW)};
