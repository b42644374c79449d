/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of columns of voxels along z (z-window-private.h), compiled once per variant and storage of
 * samples. */
#include "recon/bp/layout/ahead.h"
#include "recon/bp/layout/columns-transpose.h"
#include "recon/bp/layout/tile-add.h"
#include "recon/bp/nearest-vector.h"
#include "recon/bp/support-private.h"
#include "recon/bp/window/z-window-private.h"

#include <math.h>
#include <string.h>

/* What a pass needs to know of a tile row's voxel columns in one view. */
typedef struct places {
  int column[tile_x]; /* index of column floor(u) in the transposed view; 0, all zero, where the view does not see it */
  float weight0[tile_x], weight1[tile_x]; /* of columns floor(u) and floor(u) + 1, with 1 / w^2 */
  double v[tile_x];                       /* row of the slab's first voxel relative to the columns' base */
  double step[tile_x];                    /* rows per voxel */
} places;

/* Places of a tile row from voxel (i0, j, k) on, in view slot `slot`; returns the greatest step. */
static double find_places(const ct_bp_state *state, int slot, int i0, int j, int k, places *out) {
  const ct_columns *c = &state->columns;
  const int steps = state->steps;
  const double *m = state->matrices[slot], worth = ct_samples_scaled ? ct_stored_worth(state->units[slot]) : 1;
  const double a0 = m[1] * j + m[3], b0 = m[5] * j + m[7], w0 = m[9] * j + m[11];
  const double ai = m[0], bi = m[4], wi = m[8], bk = m[6], nu = c->nu, base = c->base;
  double greatest = 0;
#pragma omp simd reduction(max : greatest)
  for (int n = 0; n < tile_x; n++) {
    const double i = i0 + n, w = w0 + wi * i, inverse = 1 / w, u = ct_bp_nearest((a0 + ai * i) * inverse, steps);
    const bool seen = w > 0 && u > -1 && u < nu;
    const double shifted = seen ? u + 1 : 0, whole = floor(shifted), fraction = shifted - whole;
    const double weight = seen ? worth * inverse * inverse : 0, step = seen ? bk * inverse : 0,
                 v = (b0 + bi * i) * inverse;
    out->column[n] = (int)whole;
    out->weight0[n] = (float)((1 - fraction) * weight);
    out->weight1[n] = (float)(fraction * weight);
    out->step[n] = step;
    out->v[n] = seen ? v + k * step - base : 0;
    const double size = step < 0 ? -step : step;
    greatest = size > greatest ? size : greatest;
  }
  return greatest;
}

/* Rows within windows, fewer than 64, and parts of rows are counted in 2^-26, whose sums are exact: a voxel's row
 * depends on where its group begins only by the rounding of steps, less than 3e-7 of a row. */
enum { row_bits = 26, row_one = 1 << row_bits };
typedef unsigned words __attribute__((vector_size(4 * W))); /* they go round at 2^32 */

CT_INLINE int row_count(double rows) {
  return (int)floor(rows * row_one + 0.5);
}

/* The window's row below, with more bits than a look-up regards, and what is above it. */
CT_INLINE void take_row(words row, vi *below, vf *fraction) {
#if W == 16
  const words turned = row << (32 - row_bits) | row >> row_bits;
  *below = (vi)turned;
  *fraction = (vf)(__builtin_convertvector(turned, floats) * 0x1p-32f);
#else
  *below = (vi)(row >> row_bits);
  *fraction = vfloat((vi)(row & (row_one - 1))) * vset(1.0f / row_one);
#endif
}

/* Of a tile row's voxel columns in one view. */
typedef struct groups {
  int start[visit][tile_x];    /* where windows begin in the transposed view, from row 0 of its first column on */
  unsigned row[visit][tile_x]; /* of the first voxel within them */
} groups;

/* Where the groups of a tile row's voxel columns begin: the row of the first group's lowest voxel, and the rows from
 * group to group, each as a whole number and the part above it. */
typedef struct starts {
  int column[tile_x]; /* where the column begins */
  int whole[tile_x], stride[tile_x];
  int part[tile_x], stride_part[tile_x];
  int step[tile_x];   /* from voxel to voxel */
  float span[tile_x]; /* rows from a group's lowest voxel to its highest */
} starts;

/* From vector `first` of the columns on; share: of a row, where even and odd ones stand apart; pitch: floats from
 * column to column. */
static void find_starts(const places *p, int first, double share, int pitch, starts *out) {
  const double ahead = first * W;
#pragma omp simd
  for (int n = 0; n < tile_x; n++) {
    const double step = p->step[n] * share, back = step < 0 ? (W - 1) * step : 0, stride = W * step;
    const double v = p->v[n] * share + ahead * step + back, whole = floor(v), rows = floor(stride);
    out->column[n] = p->column[n] * pitch;
    out->whole[n] = (int)whole;
    out->part[n] = row_count(v - whole);
    out->stride[n] = (int)rows;
    out->stride_part[n] = row_count(stride - rows);
    out->step[n] = row_count(step);
    out->span[n] = (float)((W - 1) * (step < 0 ? -step : step));
  }
}

CT_INLINE lanes load_lanes(const int at[W]) {
  lanes a;
  memcpy(&a, at, sizeof a);
  return a;
}

/* `count` groups; lanes: voxel columns. */
CT_INLINE void find_groups(int windows, int count, const starts *from, int pad, int rows, groups *out) {
  const vf first = vset((float)-pad), last = vset((float)rows);
  for (int n = 0; n < tile_x; n += W) {
    const vf room = vset((float)(windows * W) - 1.001f) - vload(from->span + n);
    const lanes part = load_lanes(from->part + n), stride_part = load_lanes(from->stride_part + n);
    const lanes stride = load_lanes(from->stride + n), column = load_lanes(from->column + n);
    const lanes step = load_lanes(from->step + n);
    /* From the lowest voxel to the first: the last one is lowest where rows run downwards. */
    const words back = (words)(step & (step < 0)) * -(W - 1u);
    lanes whole = load_lanes(from->whole + n), v = part;
    for (int g = 0; g < count; g++, whole += stride, v += stride_part) {
      /* A group that lies outside reads zeros, wherever in the border its window is put. */
      const lanes put = (lanes)vtrunc(vclamp(vfloat((vi)(whole + (v >> row_bits))), first, last));
      /* Windows that begin a vector cost fewer cache lines. */
      const lanes lowest = v & (row_one - 1), beyond = put & (W - 1);
      const vf highest = vfma(vfloat((vi)lowest), vset(1.0f / row_one), vfloat((vi)beyond));
      const lanes shift = beyond & ((floats)highest < (floats)room);
      const lanes begin = column + put - shift;
      const words row = (words)lowest + back + ((words)shift << row_bits);
      memcpy(out->start[g] + n, &begin, sizeof begin);
      memcpy(out->row[g] + n, &row, sizeof row);
    }
  }
}

/* Blended from columns that begin so many floats behind `at`. */
CT_INLINE void load_windows(int windows, const ct_sample *at, size_t left, size_t right, vf weight0, vf weight1,
                            vf *table) {
#pragma GCC unroll 4
  for (int n = 0; n < windows; n++)
    table[n] = vfma(weight1, vsample(at + right + n * W), weight0 * vsample(at + left + n * W));
}

CT_INLINE vf add_windows(int windows, const ct_sample *at, size_t left, size_t right, vf weight0, vf weight1, vi index,
                         vf fraction, vf sum) {
  vf table[4];
  load_windows(windows, at, left, right, weight0, weight1, table);
  const vf low = vlookup(windows, table, index), high = vlookup(windows, table, viadd(index, viset(1)));
  return vfma(fraction, high - low, sum + low);
}

/* The same from even and odd rows; the weights are twice those of the columns. */
CT_INLINE vf add_split_windows(int windows, const ct_sample *at, size_t plane, size_t stride, vf weight0, vf weight1,
                               vi nearest, vi below, vf even_share, vf odd_share, vf sum) {
  vf even[2], odd[2];
  load_windows(windows, at, 0, stride, weight0, weight1, even);
  load_windows(windows, at + plane, 0, stride, weight0, weight1, odd);
  sum = vfma(even_share, vlookup(windows, even, nearest), sum);
  return vfma(odd_share, vlookup(windows, odd, below), sum);
}

/* Adds `views` views to vectors first .. first + count - 1 of the sums of voxel column n (and of its mirror image). */
CT_INLINE void add_column(int views, bool mirror, bool apart, int windows, const ct_bp_state *state, int slot,
                          const places *p, int n, const groups *g, int first, int count, float *sums,
                          size_t half_sums) {
  const ct_columns *c = &state->columns;
  const float step = state->steps ? 1 / (float)state->steps : 0;
  vf weight0[pass], weight1[pass];
  words ramp[pass];
  const ct_sample *view[pass];
  const size_t stride = c->stride, half = c->half, plane = c->plane;
  size_t half_right = half + stride;
  CT_OWN_REGISTER(half_right);
  const double share = apart ? 0.5 : 1;
#pragma GCC unroll 4
  for (int s = 0; s < views; s++) {
    const places *q = &p[s * tile_y];
    weight0[s] = vset(q->weight0[n] / (float)share), weight1[s] = vset(q->weight1[n] / (float)share);
    ramp[s] = (words)vtrunc(vlane()) * (unsigned)row_count(q->step[n] * share);
    view[s] = (const ct_sample *)c->data + (size_t)(slot + s) * c->view + ct_columns_first(c);
    CT_OWN_REGISTER(view[s]);
  }
  for (int t = 0; t < count; t++) {
    float *at = sums + (size_t)(first + t) * W, *at_mirror = at + half_sums;
    vf sum = vload(at), sum_mirror = vset(0);
    if (mirror) sum_mirror = vload(at_mirror);
#pragma GCC unroll 4
    for (int s = 0; s < views; s++) {
      const words row = ramp[s] + (words)viset((int)g[s].row[t][n]);
      const ct_sample *from = view[s] + g[s].start[t][n];
      if (apart) {
        const words beyond = row + row_one / 2;
        const vi nearest = (vi)(beyond >> row_bits), below = (vi)(row >> row_bits);
        const vf apart_by = vfma(vfloat((vi)(beyond & (row_one - 1))), vset(1.0f / row_one), vset(-0.5f));
        const vf shown = mirror ? apart_by : ct_vnearest(step * 0.5f, apart_by);
        const vf odd_share = vabs(shown), even_share = vset(0.5f) - odd_share;
#define ADD(from, sum)                                                                                                 \
  add_split_windows(windows, from, plane, stride, weight0[s], weight1[s], nearest, below, even_share, odd_share, sum)
        sum = ADD(from, sum);
        if (mirror) sum_mirror = ADD(from + half, sum_mirror);
#undef ADD
      } else {
        vi index;
        vf above;
        take_row(row, &index, &above);
        const vf fraction = mirror ? above : ct_vnearest(step, above);
        sum = add_windows(windows, from, 0, stride, weight0[s], weight1[s], index, fraction, sum);
        if (mirror)
          sum_mirror =
              add_windows(windows, from, half, half_right, weight0[s], weight1[s], index, fraction, sum_mirror);
      }
    }
    vstore(at, sum);
    if (mirror) vstore(at_mirror, sum_mirror);
  }
}

/* Where rows per voxel are beyond all windows: voxel by voxel. */
static void add_column_plainly(const ct_bp_state *state, int slot, const places *p, int n, int length,
                               size_t mirror_offset, float *sums) {
  const ct_columns *c = &state->columns;
  const ct_sample *column =
      (const ct_sample *)c->data + (size_t)slot * c->view + (size_t)p->column[n] * c->stride + ct_columns_first(c);
  for (int t = 0; t < length; t++) {
    const double v = p->v[n] + t * p->step[n];
    if (!(v > -1 && v < c->rows)) continue;
    const int row = (int)(v + 1) - 1;
    const float fraction = (float)(ct_bp_nearest(v, state->steps) - row);
    for (int side = 0; side <= c->mirrored; side++) {
      const ct_sample *at = column + ct_columns_row(c, row) + (side ? c->half : 0);
      const ct_sample *above = column + ct_columns_row(c, row + 1) + (side ? c->half : 0);
      const float low = p->weight0[n] * ct_sample_number(at[0]) + p->weight1[n] * ct_sample_number(at[c->stride]);
      const float high =
          p->weight0[n] * ct_sample_number(above[0]) + p->weight1[n] * ct_sample_number(above[c->stride]);
      sums[t + (side ? mirror_offset : 0)] += low + fraction * (high - low);
    }
  }
}

CT_INLINE void add_tile(int views, bool mirror, bool apart, int windows, const ct_bp_state *state, int slot,
                        const places *p, const ct_tile *t, ct_ahead *ahead, float *sums) {
  const ct_columns *c = &state->columns;
  const int count = (t->length + W - 1) / W, visits = t->rows * t->columns * ((count + visit - 1) / visit);
  const int fetched = ct_ahead_share(ahead, visits);
  const size_t tc = state->tiling.column, half_sums = tc / 2;
  const double share = apart ? 0.5 : 1;
  const int pad = (int)ct_columns_first(c), rows = apart ? (c->rows + 1) / 2 : c->rows;
  for (int first = 0; first < count; first += visit) {
    const int now = count - first < visit ? count - first : visit;
    for (int j = 0; j < t->rows; j++) {
      groups g[pass];
      for (int s = 0; s < views; s++) {
        starts from;
        find_starts(&p[s * tile_y + j], first, share, (int)c->stride, &from);
        find_groups(windows, now, &from, pad, rows, &g[s]);
      }
      for (int n = 0; n < t->columns; n++) {
        ct_fetch_ahead(ahead, fetched);
        add_column(views, mirror, apart, windows, state, slot, p + j, n, g, first, now,
                   sums + ((size_t)j * tile_x + (size_t)n) * tc, half_sums);
      }
    }
  }
}

static void add_tile_plainly(const ct_bp_state *state, int slot, int views, const places *p, const ct_tile *t,
                             float *sums) {
  for (int s = 0; s < views; s++)
    for (int j = 0; j < t->rows; j++)
      for (int n = 0; n < t->columns; n++)
        add_column_plainly(state, slot + s, &p[s * tile_y + j], n, t->length, state->tiling.column / 2,
                           sums + ((size_t)j * tile_x + (size_t)n) * state->tiling.column);
}

/* Adds a pass of 1 or 4 views to a tile; meanwhile what it reads of the `later` views behind is brought nearer. */
static void add_pass(const ct_bp_state *state, int slot, int views, int later, const ct_tile *t, float *sums) {
  const ct_transposed transposed = ct_columns_transposeed(&state->columns);
  ct_ahead ahead =
      ct_look_ahead(&transposed, slot + views, later, (const double(*)[12])state->matrices + slot + views, t);
  places p[pass * tile_y];
  double step = 0;
  for (int s = 0; s < views; s++)
    for (int j = 0; j < t->rows; j++) {
      const double greatest = find_places(state, slot + s, t->i, t->j + j, t->k, &p[s * tile_y + j]);
      step = greatest > step ? greatest : step;
    }
  const bool apart = state->columns.plane, mirror = state->columns.mirrored;
  const double widest = apart ? ct_z_window_split_reach(W, 2) : ct_z_window_reach(W, 4);
  const int windows = apart                             ? (step <= ct_z_window_split_reach(W, 1) ? 1 : 2)
                      : step <= ct_z_window_reach(W, 1) ? 1
                      : step <= ct_z_window_reach(W, 2) ? 2
                                                        : 4;
  if (!(step <= widest)) {
    add_tile_plainly(state, slot, views, p, t, sums);
    return;
  }
#define CASE(v, m, s, w)                                                                                               \
  if (views == (v) && mirror == (m) && apart == (s) && windows == (w))                                                 \
  add_tile(v, m, s, w, state, slot, p, t, &ahead, sums)
#define CASES(v, m)                                                                                                    \
  CASE(v, m, false, 1);                                                                                                \
  CASE(v, m, false, 2);                                                                                                \
  CASE(v, m, false, 4);                                                                                                \
  if (W == 8) {                                                                                                        \
    CASE(v, m, true, 1);                                                                                               \
    CASE(v, m, true, 2);                                                                                               \
  }
  CASES(1, false)
  CASES(1, true)
  CASES(pass, false)
  CASES(pass, true)
#undef CASES
#undef CASE
}

static void add_chunk(const ct_bp_state *state, const ct_bp_chunk *chunk, int n, float *data, const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const ct_tile t = ct_tiling_tile(&state->tiling, grid, n);
  float *sums = state->tiles + (size_t)ct_team_thread() * ct_tiling_sums(&state->tiling);
  ct_tile p;
  float *part_sums;
  for (int part = 0; (part_sums = ct_tiling_begin_part(&state->tiling, &t, part, sums, &p)); part++) {
    for (int view = 0; view < chunk->count;) {
      if (ct_bp_stopped(job)) return;
      const int now = chunk->count - view >= pass ? pass : 1;
      add_pass(state, chunk->slot + view, now, chunk->count - view - now, &p, part_sums);
      view += now;
    }
  }
  ct_tiling_add(&state->tiling, grid, &t, chunk->first, sums, data);
}

static bool measure(ct_bp_state *state, const ct_bp_chunk *chunk, int n) {
  const ct_geometry *g = state->request.geometry;
  const float units = ct_sample_units(chunk->projections[n], (size_t)g->nu * (size_t)g->nv);
  state->units[chunk->slot + n] = units > 0 ? units : 0;
  return units >= 0;
}

static void lay(ct_bp_state *state, const ct_bp_chunk *chunk, int n, int piece) {
  const ct_bp_request *request = &state->request;
  const int slot = chunk->slot + n;
  double m[12];
  ct_bp_index_matrix(request->geometry, chunk->views[n], &request->grid, m);
  if (!piece) memcpy(state->matrices[slot], m, sizeof m);
  if (ct_columns_met(&state->columns, piece, m, &request->grid))
    ct_columns_transpose(&state->columns, slot, piece, chunk->projections[n], state->units[slot]);
}

const ct_bp_layout_loops CT_SIMD_TABLE(CT_BP_SAMPLED(ct_z_window_loops)) = {
    .measure = ct_samples_scaled ? measure : NULL, .lay = lay, .add = add_chunk};
