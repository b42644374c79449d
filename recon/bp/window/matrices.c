/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any projection matrices (matrices-private.h): what the kernel says of itself, sizes and memory. */
#include "recon/bp/window/matrices-private.h"

#include "recon/base/memory.h"
#include "recon/bp/layout/stored.h"
#include "recon/bp/support-private.h"
#include "recon/geom/questions.h"

/* What stands behind the last voxel is calculated, too. */
static ct_tile whole_segments(int width, ct_tile t) {
  t.length = (t.length + width - 1) / width * width;
  return t;
}

/* The widest windows of all views; 0 where one is not served. */
static int widest_windows(int width, const ct_bp_request *request) {
  const ct_grid *grid = &request->grid;
  const ct_tile whole = whole_segments(width, (ct_tile){0, 0, grid->nx, grid->ny, 0, grid->nz});
  int widest = 1;
  for (int view = 0; view < request->geometry->views; view++) {
    double m[12];
    ct_bp_index_matrix(request->geometry, view, grid, m);
    const int windows = ct_matrices_windows(width, request->geometry, m, &whole);
    if (!windows) return 0;
    if (windows > widest) widest = windows;
  }
  return widest;
}

/* Views transposed and kept at once, within a quarter gigabyte a layout. */
static ct_matrices_views plan(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_geometry *g = request->geometry;
  const int windows = widest_windows(kernel->width, request);
  const size_t sample = ct_stored_bytes(request->precision);
  ct_matrices_views v = {.halved = windows > 0, .windows = windows};
  if (v.halved)
    v.halves = ct_halves_plan(g->nu, g->nv, windows * kernel->width, sample);
  else
    v.columns = ct_columns_plan(g->nu, g->nv, 1, false, 0, false, sample);
  v.slots =
      ct_bp_layout_count(request) * ct_tile_slots(request, (v.halved ? v.halves.view : v.columns.view) * sample, 32);
  v.columns.slots = v.slots;
  return v;
}

static ct_tiling tiling_of(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  ct_tiling tiling = ct_tiling_plan(request, tile_x, tile_y, slab, kernel->width, false);
  ct_tiling_in_blocks(&tiling, 64);
  return tiling;
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_matrices_views v = plan(kernel, request);
  const ct_tiling tiling = tiling_of(kernel, request);
  return (v.halved ? (size_t)v.slots * v.halves.view * v.halves.sample : ct_columns_bytes(&v.columns)) +
         (size_t)request->threads * ct_tiling_sums(&tiling) * sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->views.columns.data);
  ct_free(state->halves);
  ct_free(state->matrices);
  ct_free(state->units);
  ct_free(state->tiles);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->loops = ct_bp_loops(kernel, request->precision);
  state->views = plan(kernel, request);
  state->tiling = tiling_of(kernel, request);
  ct_matrices_views *v = &state->views;
  state->layouts = (ct_bp_layouts){.slots = v->slots / ct_bp_layout_count(request),
                                   .slabs = 1,
                                   .pieces = v->halved ? ct_halves_pieces(&v->halves) : ct_columns_pieces(&v->columns),
                                   .tiles = ct_tiling_count(&state->tiling),
                                   .measure = state->loops->measure,
                                   .lay = state->loops->lay,
                                   .add = state->loops->add};
  bool good = v->halved ? NULL != (state->halves = ct_alloc_zero((size_t)v->slots, v->halves.view * v->halves.sample,
                                                                 "the transposed projections", error))
                        : ct_columns_alloc(&v->columns, error);
  good = good &&
         (state->matrices = ct_alloc((size_t)v->slots, sizeof *state->matrices, "the views' matrices", error)) &&
         (state->units = ct_alloc((size_t)v->slots, sizeof *state->units, "the views' units", error)) &&
         (state->tiles = ct_alloc((size_t)request->threads, ct_tiling_sums(&state->tiling) * sizeof(float),
                                  "the voxel tiles", error));
  for (int slot = 0; good && slot < v->slots; slot++) state->units[slot] = 1;
  if (good) return state;
  free_state(state);
  return NULL;
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_bp_run_layouts(state, &state->request, &state->layouts, batch, volume, job, error);
}

#define ROW(kind, id_end, title_end, note)                                                                             \
  {.id = "free" id_end,                                                                                                \
   .title = "Projection matrices" title_end,                                                                           \
   .family = "free",                                                                                                   \
   .explanation = "For C-arms and tilted detectors: transposed projections and lines of voxels along z, read through " \
                  "windows of two or three detector columns by register permutes." note,                               \
   .geometry = CT_GEOMETRY_ANY,                                                                                        \
   .interps = CT_BIT(CT_INTERP_LINEAR),                                                                                \
   CT_BP_LOOPS(kind, ct_matrices_loops),                                                                               \
   .tolerance = 5e-6,                                                                                                  \
   .lays = true,                                                                                                       \
   .memory = memory,                                                                                                   \
   .prepare = prepare,                                                                                                 \
   .run = run,                                                                                                         \
   .rank_for = ct_bp_rank_of_cpu,                                                                                      \
   .free = free_state},

const ct_bp_kernel ct_bp_matrices[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(ROW)};
