/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any matrices: C-arms, tilted detectors. Lines of voxels along z read the turned projections, where v is contiguous:
 * u changes little along z for all but extreme tilts, so that two or three columns serve W voxels. Where the depth
 * changes little along z in all views, as on C-arms, even and odd rows stand apart (line-halves.h); otherwise windows
 * are as in line.h. A tile of 16 x 16 columns of voxels takes one view after the other: its sums and its part of a view
 * stay in the second-level cache. */
#include "recon/bp/isa/columns.h"
#include "recon/bp/isa/isa-kernels.h"
#include "recon/bp/isa/line-halves.h"
#include "recon/bp/isa/line-inside.h"
#include "recon/bp/isa/tile.h"
#include "recon/bp/layouts.h"
#include "recon/bp/support-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

enum { tile_x = 16, tile_y = 16, slab = longest_line };

/* How views are kept: with even and odd rows apart, or as they are. */
typedef struct views {
  bool halved;
  ct_halves halves;
  ct_columns columns;
  int slots; /* for all layouts */
} views;

struct ct_bp_state {
  ct_bp_request request;
  ct_bp_layouts layouts;
  views views;
  float *halves;          /* [slots][halves.view] */
  double (*matrices)[12]; /* [slots] */
  ct_tiling tiling;
  float *tiles; /* [threads][tile_y][tile_x][tiling.column] */
};

/* Depth of the nearest of the voxels [i, i + nx) x [j, j + ny) x [k, k + nz). */
static double least_depth(const double m[12], const ct_tile *t) {
  const int from[3] = {t->i, t->j, t->k}, count[3] = {t->columns, t->rows, t->length};
  double w = m[11];
  for (int n = 0; n < 3; n++) w += fmin(m[8 + n] * from[n], m[8 + n] * (from[n] + count[n] - 1));
  return w;
}

/* A bound on the rows per voxel that a view with `size` of them sees. */
static double greatest_step(const double m[12], double size, double depth) {
  const double margin = 128, low = m[6] + margin * m[10], high = m[6] - (size + margin) * m[10];
  return fmax(fabs(low), fabs(high)) / depth;
}

/* The widest windows that a view needs, in vectors; 0 where line-halves.h does not serve. */
static int windows_of(const ct_geometry *g, const double m[12], const ct_tile *t) {
  const double depth = least_depth(m, t);
  if (!(depth > 0.01) || fabs(m[10]) * (W - 1) / 2 > segment_limit * depth) return 0;
  const double step = greatest_step(m, g->nv, depth);
  for (int windows = 1; windows <= 4; windows *= 2)
    if (step <= window_reach(windows)) return windows;
  return 0;
}

/* What stands behind the last voxel is calculated, too. */
static ct_tile whole_segments(ct_tile t) {
  t.length = (t.length + W - 1) / W * W;
  return t;
}

/* The widest windows of all views; 0 where one is not served. */
static int widest_windows(const ct_bp_request *request) {
  const ct_grid *grid = &request->grid;
  const ct_tile whole = whole_segments((ct_tile){0, 0, grid->nx, grid->ny, 0, grid->nz});
  int widest = 1;
  for (int view = 0; view < request->geometry->views; view++) {
    double m[12];
    ct_bp_index_matrix(request->geometry, view, grid, m);
    const int windows = windows_of(request->geometry, m, &whole);
    if (!windows) return 0;
    if (windows > widest) widest = windows;
  }
  return widest;
}

/* Views turned and kept at once, within a quarter gigabyte a layout. */
static views plan(const ct_bp_request *request) {
  const ct_geometry *g = request->geometry;
  const int windows = widest_windows(request);
  views v = {.halved = windows > 0};
  if (v.halved)
    v.halves = ct_halves_plan(g->nu, g->nv, windows * W);
  else
    v.columns = ct_columns_plan(g->nu, g->nv, 1, false, 0, false);
  v.slots = ct_bp_layout_count(request) *
            ct_tile_slots(request, (v.halved ? v.halves.view : v.columns.view) * sizeof(float), 32);
  v.columns.slots = v.slots;
  return v;
}

static ct_tiling tiling_of(const ct_bp_request *request) {
  ct_tiling tiling = ct_tiling_plan(request, tile_x, tile_y, slab, W, false);
  ct_tiling_in_blocks(&tiling, 64);
  return tiling;
}

static size_t memory(const ct_bp_request *request) {
  const views v = plan(request);
  const ct_tiling tiling = tiling_of(request);
  return (v.halved ? (size_t)v.slots * v.halves.view * sizeof(float) : ct_columns_bytes(&v.columns)) +
         (size_t)request->threads * ct_tiling_sums(&tiling) * sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->views.columns.data);
  ct_free(state->halves);
  ct_free(state->matrices);
  ct_free(state->tiles);
  ct_free(state);
}

static voxel_line line_at(const double m[12], int x, int y, int z) {
  return (voxel_line){m[4] * x + m[5] * y + m[6] * z + m[7],
                      m[0] * x + m[1] * y + m[2] * z + m[3],
                      m[8] * x + m[9] * y + m[10] * z + m[11],
                      m[6],
                      m[2],
                      m[10]};
}

/* The lines of a tile in the order in which they are swept, lines_at_once a step: inwards along the axis that moves u
 * less, so that the next ones find their columns in the first-level cache. */
typedef struct course {
  bool inwards; /* along j */
  int inner, across, steps;
} course;

static course course_of(const double m[12], const ct_tile *t) {
  const voxel_line first = line_at(m, t->i, t->j, t->k);
  const double u = first.b / first.w;
  const bool inwards = fabs(m[1] - u * m[9]) < fabs(m[0] - u * m[8]);
  const int outer = inwards ? t->columns : t->rows, inner = inwards ? t->rows : t->columns;
  const int across = (inner + lines_at_once - 1) / lines_at_once;
  return (course){inwards, inner, across, outer * across};
}

CT_INLINE void place_step(int windows, const ct_halves *h, const double m[12], const ct_tile *t, const course *c,
                          int step, places *out) {
  const int o = step / c->across, first = step % c->across * lines_at_once;
  for (int l = 0; l < lines_at_once; l++) {
    const voxel_line line = line_at(m, t->i + (c->inwards ? o : first + l), t->j + (c->inwards ? first + l : o), t->k);
    place_halves(windows, h, &line, first + l < c->inner ? t->length / W : 0, out, l * most_segments);
  }
}

/* Each step finds the places of the next one, which are long in coming, and fetches its share of what the tile
 * reads of the next view. */
CT_INLINE void add_halves(int windows, const ct_bp_state *state, int slot, const ct_tile *t, ct_ahead *ahead,
                          float *sums) {
  const ct_halves *h = &state->views.halves;
  const double *m = state->matrices[slot];
  const float *view = state->halves + (size_t)slot * h->view;
  const course c = course_of(m, t);
  const int fetched = ct_ahead_share(ahead, c.steps);
  const size_t row = tile_x * state->tiling.column;
  const size_t outwards = c.inwards ? state->tiling.column : row, along = c.inwards ? row : state->tiling.column;
  places found[2];
  place_step(windows, h, m, t, &c, 0, &found[0]);
  for (int step = 0; step < c.steps; step++) {
    if (step + 1 < c.steps) place_step(windows, h, m, t, &c, step + 1, &found[(step + 1) % 2]);
    ct_fetch_ahead(ahead, fetched);
    add_placed(windows, h, view, &found[step % 2], (float)m[10], (ptrdiff_t)along,
               sums + (size_t)(step / c.across) * outwards + (size_t)(step % c.across * lines_at_once) * along);
  }
}

static void add_halved_view(const ct_bp_state *state, int slot, bool last, const ct_tile *t, float *sums) {
  const ct_turned turned = ct_halves_turned(&state->views.halves, state->halves);
  ct_ahead ahead = ct_look_ahead(&turned, slot + 1, last ? 0 : 1, (const double(*)[12])state->matrices + slot + 1, t);
  switch (windows_of(state->request.geometry, state->matrices[slot], t)) {
  case 1:
    add_halves(1, state, slot, t, &ahead, sums);
    break;
  case 2:
    add_halves(2, state, slot, t, &ahead, sums);
    break;
  default:
    add_halves(4, state, slot, t, &ahead, sums);
  }
}

static void add_view(const ct_bp_state *state, int slot, const ct_tile *t, float *sums) {
  const ct_columns *c = &state->views.columns;
  const image im = {c->data + (size_t)slot * c->view + c->stride + CT_COLUMN_PAD, c->nv, c->nu, (ptrdiff_t)c->stride};
  for (int j = 0; j < t->rows; j++)
    for (int i = 0; i < t->columns; i++) {
      const voxel_line line = line_at(state->matrices[slot], t->i + i, t->j + j, t->k);
      add_line(false, &im, &line, NULL, t->length, sums + ((size_t)j * tile_x + (size_t)i) * state->tiling.column);
    }
}

static void sweep_tile(const ct_bp_state *state, const ct_bp_chunk *chunk, int n, float *data, const ct_job *job) {
  const ct_tile t = ct_tiling_tile(&state->tiling, &state->request.grid, n);
  float *sums = state->tiles + (size_t)ct_team_thread() * ct_tiling_sums(&state->tiling);
  ct_tile p;
  float *part_sums;
  for (int side = 0; (part_sums = ct_tiling_begin_part(&state->tiling, &t, side, sums, &p)); side++) {
    const ct_tile padded = whole_segments(p);
    for (int view = 0; view < chunk->count; view++) {
      if (ct_bp_stopped(job)) return;
      if (state->views.halved)
        add_halved_view(state, chunk->slot + view, view + 1 == chunk->count, &padded, part_sums);
      else
        add_view(state, chunk->slot + view, &p, part_sums);
    }
  }
  ct_tiling_add(&state->tiling, &state->request.grid, &t, chunk->first, sums, data);
}

static void lay(ct_bp_state *state, const ct_bp_chunk *chunk, int n, int piece) {
  const ct_bp_request *request = &state->request;
  views *v = &state->views;
  const int slot = chunk->slot + n;
  if (!piece) ct_bp_index_matrix(request->geometry, chunk->views[n], &request->grid, state->matrices[slot]);
  if (v->halved)
    ct_halves_turn(&v->halves, piece, chunk->projections[n], state->halves + (size_t)slot * v->halves.view);
  else
    ct_columns_turn(&v->columns, slot, piece, chunk->projections[n]);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->views = plan(request);
  state->tiling = tiling_of(request);
  views *v = &state->views;
  state->layouts = (ct_bp_layouts){.slots = v->slots / ct_bp_layout_count(request),
                                   .slabs = 1,
                                   .pieces = v->halved ? ct_halves_pieces(&v->halves) : ct_columns_pieces(&v->columns),
                                   .tiles = ct_tiling_count(&state->tiling),
                                   .lay = lay,
                                   .sweep = sweep_tile};
  bool good = v->halved ? NULL != (state->halves = ct_alloc_zero((size_t)v->slots, v->halves.view * sizeof(float),
                                                                 "the turned projections", error))
                        : ct_columns_alloc(&v->columns, error);
  good = good &&
         (state->matrices = ct_alloc((size_t)v->slots, sizeof *state->matrices, "the views' matrices", error)) &&
         (state->tiles = ct_alloc((size_t)request->threads, ct_tiling_sums(&state->tiling) * sizeof(float),
                                  "the voxel tiles", error));
  if (good) return state;
  free_state(state);
  return NULL;
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_bp_run_layouts(state, &state->request, &state->layouts, batch, volume, job, error);
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
    .lays = true,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
