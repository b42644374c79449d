/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any matrices: C-arms, tilted detectors. Lines of voxels along z read the turned projections, where v is contiguous:
 * u changes little along z for all but extreme tilts, so that two or three columns serve W voxels (windows as in
 * line.h). Tiles of 16 x 4 columns take one view after the other. */
#include "recon/bp/isa/columns.h"
#include "recon/bp/isa/isa-kernels.h"
#include "recon/bp/isa/line-inside.h"
#include "recon/bp/isa/tile.h"
#include "recon/bp/support-private.h"

#include "recon/base/memory.h"

#include <string.h>

enum { tile_x = 16, tile_y = 4, slab = 512 };

struct ct_bp_state {
  ct_bp_request request;
  ct_columns columns;
  double (*matrices)[12]; /* [slots] */
  float *tiles;           /* [threads][tile_y][tile_x][column] */
  size_t column;
};

/* Views turned and kept at once, within a quarter gigabyte. */
static ct_columns plan(const ct_bp_request *request) {
  ct_columns columns = ct_columns_plan(request->geometry->nu, request->geometry->nv, 1, false, 0);
  columns.slots = ct_tile_slots(request, columns.view * sizeof(float), 32);
  return columns;
}

static size_t column_room(const ct_bp_request *request) {
  return ((size_t)(request->grid.nz < slab ? request->grid.nz : slab) + W - 1) / W * W;
}

static size_t memory(const ct_bp_request *request) {
  const ct_columns columns = plan(request);
  return ct_columns_bytes(&columns) + (size_t)request->threads * tile_x * tile_y * column_room(request) * sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->columns.data);
  ct_free(state->matrices);
  ct_free(state->tiles);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->columns = plan(request);
  state->column = column_room(request);
  state->matrices = ct_alloc((size_t)state->columns.slots, sizeof *state->matrices, "the views' matrices", error);
  state->tiles =
      ct_alloc((size_t)request->threads * tile_x * tile_y, state->column * sizeof(float), "the voxel tiles", error);
  if (state->matrices && state->tiles && ct_columns_alloc(&state->columns, error)) return state;
  free_state(state);
  return NULL;
}

static void do_tile(const ct_bp_state *state, const ct_tile *t, int views, float *data, float *sums,
                    const ct_job *job) {
  const ct_columns *c = &state->columns;
  memset(sums, 0, tile_x * tile_y * state->column * sizeof *sums);
  for (int n = 0; n < views; n++) {
    if (ct_bp_stopped(job)) return;
    const double *m = state->matrices[n];
    const image im = {c->data + (size_t)n * c->view + c->stride + CT_COLUMN_PAD, c->nv, c->nu, (ptrdiff_t)c->stride};
    for (int j = 0; j < t->rows; j++)
      for (int i = 0; i < t->columns; i++) {
        const int x = t->i + i, y = t->j + j;
        const voxel_line line = {m[4] * x + m[5] * y + m[6] * t->k + m[7],
                                 m[0] * x + m[1] * y + m[2] * t->k + m[3],
                                 m[8] * x + m[9] * y + m[10] * t->k + m[11],
                                 m[6],
                                 m[2],
                                 m[10]};
        add_line(false, &im, &line, t->length, sums + ((size_t)j * tile_x + (size_t)i) * state->column);
      }
  }
  ct_tile_add(&state->request.grid, t, tile_x, t->k, 1, 0, sums, state->column, data);
}

static void back_project(const ct_bp_state *state, int views, float *data, const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const int across = (grid->nx + tile_x - 1) / tile_x, down = (grid->ny + tile_y - 1) / tile_y,
            slabs = (grid->nz + slab - 1) / slab;
#pragma omp for collapse(3) schedule(dynamic)
  for (int s = 0; s < slabs; s++)
    for (int y = 0; y < down; y++)
      for (int x = 0; x < across; x++) {
        if (ct_bp_stopped(job)) continue;
        const ct_tile t = ct_tile_at(grid, x * tile_x, tile_x, y * tile_y, tile_y, s * slab, slab);
        float *sums = state->tiles + (size_t)ct_team_thread() * tile_x * tile_y * state->column;
        do_tile(state, &t, views, data, sums, job);
      }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_bp_request *request = &state->request;
  ct_columns *columns = &state->columns;
  const int pieces = ct_columns_pieces(columns);
  float *data = ct_volume_data(volume);
#pragma omp parallel num_threads(request->threads)
  for (int first = 0; first < batch->count; first += columns->slots) {
    const int views = batch->count - first < columns->slots ? batch->count - first : columns->slots;
#pragma omp for collapse(2) schedule(dynamic)
    for (int n = 0; n < views; n++)
      for (int piece = 0; piece < pieces; piece++) {
        if (ct_bp_stopped(job)) continue;
        if (!piece) ct_bp_index_matrix(request->geometry, batch->views[first + n], &request->grid, state->matrices[n]);
        ct_columns_turn(columns, n, piece, batch->projections[first + n]);
      }
    back_project(state, views, data, job);
  }
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel CT_ISA_SYMBOL(ct_bp_free) = {
    .id = "free" CT_ISA_ID,
    .title = "Free matrices" CT_ISA_TITLE,
    .explanation = "For C-arms and tilted detectors: turned projections and lines of voxels along z, read through "
                   "windows of two or "
                   "three detector columns by register permutes." CT_ISA_NOTE,
    .beams = CT_BIT(CT_BEAM_PARALLEL) | CT_BIT(CT_BEAM_FAN) | CT_BIT(CT_BEAM_CONE) | CT_BIT(CT_BEAM_FREE),
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .cpu = CT_ISA_CPU,
    .rank = CT_ISA_RANK(40),
    .tolerance = 5e-6,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
