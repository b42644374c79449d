/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of any projection matrices (matrices-private.h), compiled once per variant and storage of
 * samples. */
#include "recon/bp/layout/ahead.h"
#include "recon/bp/layout/columns-transpose.h"
#include "recon/bp/layout/halves-transpose.h"
#include "recon/bp/layout/tile-add.h"
#include "recon/bp/support-private.h"
#include "recon/bp/window/line-halves.h"
#include "recon/bp/window/matrices-private.h"

#include <math.h>
#include <string.h>

static voxel_line line_at(const double m[12], int x, int y, int z) {
  return (voxel_line){m[4] * x + m[5] * y + m[6] * z + m[7],
                      m[0] * x + m[1] * y + m[2] * z + m[3],
                      m[8] * x + m[9] * y + m[10] * z + m[11],
                      m[6],
                      m[2],
                      m[10]};
}

/* The lines of a tile in the order in which they are taken, lines_at_once a step: inwards along the axis that moves u
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
  const ct_sample *view = (const ct_sample *)state->halves + (size_t)slot * h->view;
  const course c = course_of(m, t);
  const int fetched = ct_ahead_share(ahead, c.steps);
  const size_t row = tile_x * state->tiling.column;
  const size_t outwards = c.inwards ? state->tiling.column : row, along = c.inwards ? row : state->tiling.column;
  places found[2];
  found[0].worth = found[1].worth = ct_stored_worth(state->units[slot]);
  place_step(windows, h, m, t, &c, 0, &found[0]);
  for (int step = 0; step < c.steps; step++) {
    if (step + 1 < c.steps) place_step(windows, h, m, t, &c, step + 1, &found[(step + 1) % 2]);
    ct_fetch_ahead(ahead, fetched);
    add_placed(windows, h, view, &found[step % 2], (float)m[10], (ptrdiff_t)along,
               sums + (size_t)(step / c.across) * outwards + (size_t)(step % c.across * lines_at_once) * along);
  }
}

static void add_halved_view(const ct_bp_state *state, int slot, bool last, const ct_tile *t, float *sums) {
  const ct_transposed transposed = ct_halves_transposed(&state->views.halves, state->halves);
  ct_ahead ahead =
      ct_look_ahead(&transposed, slot + 1, last ? 0 : 1, (const double(*)[12])state->matrices + slot + 1, t);
  /* No more than the layout was planned for. */
  const int windows = ct_matrices_windows(W, state->request.geometry, state->matrices[slot], t);
  switch (windows < state->views.windows ? windows : state->views.windows) {
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
  const image im = {(const ct_sample *)c->data + (size_t)slot * c->view + c->stride + CT_COLUMN_PAD,
                    c->nv,
                    c->nu,
                    (ptrdiff_t)c->stride,
                    0,
                    0,
                    ct_stored_worth(state->units[slot])};
  for (int j = 0; j < t->rows; j++)
    for (int i = 0; i < t->columns; i++) {
      const voxel_line line = line_at(state->matrices[slot], t->i + i, t->j + j, t->k);
      add_line(false, &im, &line, NULL, t->length, sums + ((size_t)j * tile_x + (size_t)i) * state->tiling.column);
    }
}

static void add_chunk(const ct_bp_state *state, const ct_bp_chunk *chunk, int n, float *data, const ct_job *job) {
  const ct_tile t = ct_tiling_tile(&state->tiling, &state->request.grid, n);
  float *sums = state->tiles + (size_t)ct_team_thread() * ct_tiling_sums(&state->tiling);
  ct_tile p;
  float *part_sums;
  for (int side = 0; (part_sums = ct_tiling_begin_part(&state->tiling, &t, side, sums, &p)); side++) {
    /* What stands behind the last voxel is calculated, too. */
    ct_tile padded = p;
    padded.length = (p.length + W - 1) / W * W;
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

static bool measure(ct_bp_state *state, const ct_bp_chunk *chunk, int n) {
  const ct_geometry *g = state->request.geometry;
  const float units = ct_sample_units(chunk->projections[n], (size_t)g->nu * (size_t)g->nv);
  state->units[chunk->slot + n] = units > 0 ? units : 0;
  return units >= 0;
}

static void lay(ct_bp_state *state, const ct_bp_chunk *chunk, int n, int piece) {
  const ct_bp_request *request = &state->request;
  ct_matrices_views *v = &state->views;
  const int slot = chunk->slot + n;
  if (!piece) ct_bp_index_matrix(request->geometry, chunk->views[n], &request->grid, state->matrices[slot]);
  if (v->halved)
    ct_halves_transpose(&v->halves, piece, chunk->projections[n], state->units[slot],
                        (ct_sample *)state->halves + (size_t)slot * v->halves.view);
  else
    ct_columns_transpose(&v->columns, slot, piece, chunk->projections[n], state->units[slot]);
}

const ct_bp_layout_loops CT_SIMD_TABLE(CT_BP_SAMPLED(ct_matrices_loops)) = {
    .measure = ct_samples_scaled ? measure : NULL, .lay = lay, .add = add_chunk};
