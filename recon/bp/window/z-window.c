/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of voxels along z (z-window-private.h): what the kernel says of itself, sizes and memory. */
#include "recon/bp/window/z-window-private.h"

#include "recon/base/memory.h"
#include "recon/bp/interp.h"
#include "recon/bp/layout/stored.h"
#include "recon/bp/support-private.h"
#include "recon/bp/window/conditions-private.h"
#include "recon/geom/questions.h"

#include <math.h>

/* Rows between neighbouring voxels in the middle of the grid. */
static double middle_step(const ct_bp_request *request) {
  const ct_grid *grid = &request->grid;
  double m[12];
  ct_bp_index_matrix(request->geometry, 0, grid, m);
  const double w = m[8] * (grid->nx - 1) / 2 + m[9] * (grid->ny - 1) / 2 + m[10] * (grid->nz - 1) / 2 + m[11];
  return fabs(m[6] / w);
}

/* Whether most voxel columns take more than a row per voxel or so. A permute from two registers of 16 costs as much as
 * one from one register; of 8 there is none. */
static bool worth_splitting(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return kernel->width == 8 && middle_step(request) > 0.95 * ct_z_window_reach(8, 1);
}

static ct_columns plan(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_geometry *geometry = request->geometry;
  int twice_centre = 0;
  /* Rounded positions are no mirror images: what lies midway goes up on both sides. */
  const bool mirror = request->interp == CT_INTERP_LINEAR && ct_bp_mirrored(request, 2 * slab, &twice_centre);
  ct_columns columns = ct_columns_plan(geometry->nu, geometry->nv, 1, mirror, twice_centre,
                                       worth_splitting(kernel, request), ct_stored_bytes(request->precision));
  columns.slots = ct_bp_layout_count(request) * ct_tile_slots(request, columns.view * columns.sample,
                                                              ct_tile_views(&request->grid, columns.view, most_views));
  return columns;
}

/* Where voxels are coarser than pixels, a tile reads many times more of the views than it adds to the volume, and
 * blocks of 64 x 64 voxel columns find most of it in the last cache. Else rows of tiles are better, which add to whole
 * rows of the volume. */
static ct_tiling tiling_of(const ct_bp_kernel *kernel, const ct_bp_request *request, const ct_columns *columns) {
  ct_tiling tiling = ct_tiling_plan(request, tile_x, tile_y, slab, kernel->width, columns->mirrored);
  if (middle_step(request) > 1) ct_tiling_in_blocks(&tiling, 64);
  return tiling;
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  if (ct_bp_columns_along_z(request)) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "Kernel “%s” needs a detector without tilt, its columns parallel to the rotation axis.",
                      kernel->title);
}

bool ct_z_window_is_exceeded(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const int width = kernel->width;
  const double widest =
      worth_splitting(kernel, request) ? ct_z_window_split_reach(width, 2) : ct_z_window_reach(width, 4);
  return middle_step(request) > widest;
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_columns columns = plan(kernel, request);
  const ct_tiling tiling = tiling_of(kernel, request, &columns);
  return ct_columns_bytes(&columns) + (size_t)request->threads * ct_tiling_sums(&tiling) * sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->columns.data);
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
  state->steps = ct_interp_get_shape(request->interp)->steps;
  state->columns = plan(kernel, request);
  state->tiling = tiling_of(kernel, request, &state->columns);
  state->layouts = (ct_bp_layouts){.slots = state->columns.slots / ct_bp_layout_count(request),
                                   .slabs = 1,
                                   .pieces = ct_columns_pieces(&state->columns),
                                   .tiles = ct_tiling_count(&state->tiling),
                                   .measure = state->loops->measure,
                                   .lay = state->loops->lay,
                                   .add = state->loops->add};
  state->matrices = ct_alloc((size_t)state->columns.slots, sizeof *state->matrices, "the views' matrices", error);
  state->units = ct_alloc_zero((size_t)state->columns.slots, sizeof *state->units, "the views' units", error);
  state->tiles =
      ct_alloc((size_t)request->threads, ct_tiling_sums(&state->tiling) * sizeof(float), "the voxel tiles", error);
  if (state->matrices && state->units && state->tiles && ct_columns_alloc(&state->columns, error)) return state;
  free_state(state);
  return NULL;
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_bp_run_layouts(state, &state->request, &state->layouts, batch, volume, job, error);
}

#define ROW(kind, id_end, title_end, note)                                                                             \
  {.id = "z-window" id_end,                                                                                            \
   .title = "Windows along z" title_end,                                                                               \
   .family = "z-window",                                                                                               \
   .explanation =                                                                                                      \
       "Transposed projections, columns of voxels along z, register permutes in place of gathers, mirrored "           \
       "halves and four views at a time: for circular scans whose detector is not tilted. Symmetry and "               \
       "sharing after Chen et al. (2021); the windows are this program's own." note,                                   \
   .geometry = CT_GEOMETRY_ANY,                                                                                        \
   .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR) | CT_BIT(CT_INTERP_OVERSAMPLED),                    \
   CT_BP_LOOPS(kind, ct_z_window_loops),                                                                               \
   .tolerance = 5e-6,                                                                                                  \
   .batch = most_views,                                                                                                \
   .lays = true,                                                                                                       \
   .accepts = accepts,                                                                                                 \
   .memory = memory,                                                                                                   \
   .prepare = prepare,                                                                                                 \
   .run = run,                                                                                                         \
   .rank_for = ct_bp_rank_of_cpu,                                                                                      \
   .free = free_state},

const ct_bp_kernel ct_bp_z_window[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(ROW)};
