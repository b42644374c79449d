/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of voxels through the projections as they are (lines-private.h): what the kernel says of itself, memory, and
 * the order of work. */
#include "recon/bp/window/lines-private.h"

#include "recon/base/memory.h"
#include "recon/bp/interp.h"
#include "recon/bp/layout/stored.h"
#include "recon/bp/layout/tile.h"
#include "recon/bp/support-private.h"
#include "recon/bp/window/conditions-private.h"
#include "recon/geom/questions.h"

static size_t line_room(int width, int length) {
  const size_t w = (size_t)width;
  return ((size_t)length + w - 1) / w * w;
}

/* Grids so coarse that laying views out for other kernels takes longer than these take to read them. */
bool ct_lines_is_coarse(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_geometry *g = request->geometry;
  return !ct_geometry_promises(g, CT_TRAIT_PARALLEL) && (double)ct_grid_voxels(&request->grid) < 7.0 * g->nu * g->nv;
}

/* The kernels that run along z, or through all slices, are faster on thick grids where they apply. */
bool ct_lines_is_made_for(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_grid *grid = &request->grid;
  if (ct_lines_is_coarse(kernel, request)) return true;
  const bool slices = ct_geometry_promises(request->geometry, CT_TRAIT_PARALLEL);
  return !ct_bp_columns_along_z(request) || grid->ny <= 2 || grid->nx <= 2 || grid->nz <= (slices ? 4 : 12);
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  const ct_grid *grid = &request->grid;
  if (ct_lines_is_made_for(kernel, request)) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "Kernel “%s” is made for planes, for tilted detectors and, but for parallel beams, for grids of "
                      "less than 7 voxels a pixel; this grid has %d x %d x %d voxels and the detector is not tilted.",
                      kernel->title, grid->nx, grid->ny, grid->nz);
}

/* A batch at a time; rounded to 16 bits, as many as there is memory for. */
static ct_bp_request taken_at_once(const ct_bp_request *request) {
  const ct_geometry *g = request->geometry;
  ct_bp_request taken = *request;
  if (ct_is_stored(request->precision))
    taken.batch = ct_tile_slots(request, (size_t)g->nu * (size_t)g->nv * sizeof(float), request->batch);
  return taken;
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_grid *grid = &request->grid;
  const ct_bp_request taken = taken_at_once(request);
  return ct_rounded_memory(&taken) + ct_skew_memory(grid) +
         (size_t)request->threads * piece_lines * line_room(kernel->width, grid->nx > grid->ny ? grid->nx : grid->ny) *
             sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_skew_clear(&state->skew);
  ct_rounded_clear(&state->rounded);
  ct_free(state->sums);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->loops = ct_simd_loops_usable(&kernel->loops);
  state->steps = ct_interp_get_shape(request->interp)->steps;
  if (ct_skew_init(&state->skew, request, kernel->width, error)) {
    state->line_room = line_room(kernel->width, state->skew.length);
    const ct_bp_request taken = taken_at_once(request);
    if (ct_rounded_init(&state->rounded, &taken, error))
      state->sums =
          ct_alloc((size_t)request->threads * piece_lines, state->line_room * sizeof(float), "the voxel lines", error);
  }
  if (state->sums) return state;
  free_state(state);
  return NULL;
}

static void add(ct_bp_state *state, int views, float *data, const ct_job *job) {
  const long lines = (long)state->skew.lines * state->request.grid.nz, pieces = (lines + piece_lines - 1) / piece_lines;
#pragma omp parallel for schedule(dynamic) num_threads(state->request.threads)
  for (long n = 0; n < pieces; n++) {
    if (ct_bp_stopped(job)) continue;
    state->loops->piece(state, views, n * piece_lines,
                        state->sums + (size_t)ct_team_thread() * piece_lines * state->line_room, data, job);
  }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_rounded_run(&state->rounded, state, add, batch, volume, job, error);
}

#define ROW(kind, id_end, title_end, note)                                                                             \
  {.id = "lines" id_end,                                                                                               \
   .title = "Windows along lines" title_end,                                                                           \
   .family = "lines",                                                                                                  \
   .explanation = "For planes on demand, coarse grids, tilted detectors and C-arms, any geometry: lines of voxels "    \
                  "read the projections as they are, through windows of detector rows and register permutes." note,    \
   .geometry = CT_GEOMETRY_ANY,                                                                                        \
   .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR) | CT_BIT(CT_INTERP_OVERSAMPLED),                    \
   .precisions = CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16) | CT_BIT(CT_PRECISION_INT16),             \
   CT_SIMD_LOOPS(kind, ct_lines_loops),                                                                                \
   .batch = 256,                                                                                                       \
   .tolerance = 5e-6,                                                                                                  \
   .accepts = accepts,                                                                                                 \
   .memory = memory,                                                                                                   \
   .prepare = prepare,                                                                                                 \
   .run = run,                                                                                                         \
   .rank_for = ct_bp_rank_of_cpu,                                                                                      \
   .free = free_state},

const ct_bp_kernel ct_bp_lines[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(ROW)};
