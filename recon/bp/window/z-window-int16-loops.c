/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of columns of voxels along z in 16-bit integers (z-window-int16-private.h): AVX-512 with VNNI. */
#include "recon/bp/layout/ahead.h"
#include "recon/bp/layout/int16-vector.h"
#include "recon/bp/layout/magnitude.h"
#include "recon/bp/layout/tile-add.h"
#include "recon/bp/support-private.h"
#include "recon/bp/window/z-window-int16-private.h"

#include <math.h>
#include <string.h>

/* 16 columns of one row, zeros outside the detector. */
CT_INLINE vi quantise(const ct_columns16 *c, const float *projection, float units, int u, int count, int v) {
  if (v < 0 || v >= c->nv) return viset(0);
  const float *at = projection + (size_t)v * (size_t)c->nu + u;
  return vround((count == W ? vload(at) : vload_first(at, count)) * vset(units));
}

static void turn_block(const ct_columns16 *c, const float *projection, float units, int u, int count, int row, int step,
                       int16_t *out) {
  vf block[W];
  for (int l = 0; l < W; l++) {
    const vi low = quantise(c, projection, units, u, count, row + 2 * l * step);
    const vi high = quantise(c, projection, units, u, count, row + (2 * l + 1) * step);
    block[l] = (vf)vpair(low, high);
  }
  vtranspose(block);
  for (int n = 0; n < count; n++) _mm512_storeu_si512(out + (size_t)n * c->stride, (vi)block[n]);
}

/* Piece `piece` of a view into its slot: two rows are joined to one row of 32-bit words, and 16 x 16 such words, 32
 * rows of 16 columns, transposed at once. No sample may exceed the magnitude. */
static void lay(ct_columns16 *c, int slot, int piece, const float *projection, float magnitude) {
  const int first = piece * ct_columns16_piece,
            end = first + ct_columns16_piece < c->nu ? first + ct_columns16_piece : c->nu;
  const float units = ct_int16_units(magnitude);
  int16_t *view = c->data + (size_t)slot * c->view + CT_COLUMN16_PAD;
  for (int row = 0; row < c->rows; row += ct_columns16_block)
    for (int u = first; u < end; u += W) {
      const int count = end - u < W ? end - u : W;
      int16_t *out = view + ((size_t)u + 1) * c->stride + row;
      turn_block(c, projection, units, u, count, c->base + row, 1, out);
      if (c->mirrored) turn_block(c, projection, units, u, count, c->twice_centre - c->base - row, -1, out + c->half);
    }
}

/* What a pass needs to know of a tile row's voxel columns in one view. */
typedef struct places {
  int column[tile_x]; /* index of column floor(u) in the transposed view; 0, all zero, where the view does not see it */
  int weight0[tile_x]; /* of columns floor(u) and floor(u) + 1, as 16-bit integers, twice in a word */
  int weight1[tile_x];
  float weight[tile_x];   /* 1 / w^2 */
  float fraction[tile_x]; /* of u */
  double v[tile_x];       /* row of the slab's first voxel relative to the columns' base */
  double step[tile_x];    /* rows per voxel */
} places;

/* Places of a tile row from voxel (i0, j, k) on, but for the weights; returns the greatest step. */
static double find_places(const ct_columns16 *c, const double m[12], int i0, int j, int k, places *out) {
  const double a0 = m[1] * j + m[3], b0 = m[5] * j + m[7], w0 = m[9] * j + m[11];
  const double ai = m[0], bi = m[4], wi = m[8], bk = m[6], nu = c->nu, base = c->base;
  double greatest = 0;
#pragma omp simd reduction(max : greatest)
  for (int n = 0; n < tile_x; n++) {
    const double i = i0 + n, w = w0 + wi * i, inverse = 1 / w, u = (a0 + ai * i) * inverse;
    const bool seen = w > 0 && u > -1 && u < nu;
    const double shifted = seen ? u + 1 : 0, whole = floor(shifted);
    const double step = seen ? bk * inverse : 0, v = (b0 + bi * i) * inverse;
    const double size = step < 0 ? -step : step;
    out->column[n] = (int)whole;
    out->fraction[n] = (float)(shifted - whole);
    out->weight[n] = seen ? (float)(inverse * inverse) : 0;
    out->step[n] = step;
    out->v[n] = seen ? v + k * step - base : 0;
    greatest = size > greatest ? size : greatest;
  }
  return greatest;
}

/* Weights as integers: the largest 1 / w^2 of a voxel column, which goes to largest, becomes 32767. */
static void find_weights(int views, places *p, float largest[tile_x]) {
  for (int n = 0; n < tile_x; n++) largest[n] = 0;
  for (int s = 0; s < views; s++)
#pragma omp simd
    for (int n = 0; n < tile_x; n++) largest[n] = p[s].weight[n] > largest[n] ? p[s].weight[n] : largest[n];
  for (int s = 0; s < views; s++)
#pragma omp simd
    for (int n = 0; n < tile_x; n++) {
      const float share = largest[n] > 0 ? p[s].weight[n] / largest[n] : 0, both = 32767 * (share < 1 ? share : 1);
      const int sum = (int)(both + 0.5f), next = (int)(both * p[s].fraction[n] + 0.5f);
      p[s].weight0[n] = (sum - next) * 0x10001;
      p[s].weight1[n] = next * 0x10001;
    }
}

/* Rows per voxel up to which a window of `count` samples holds both rows of `voxels` voxels. */
static double reach(int count, int voxels) {
  return (count - 2.0) / (voxels - 1) - 1e-6;
}

/* Windows of a visit's groups in one view: offsets from row 0 of the column, and the first voxel's position, with half
 * a weight's unit. */
typedef struct windows {
  int start[2 * visit][tile_x], position[2 * visit][tile_x];
} windows;

CT_INLINE vi join(__m256i low, __m256i high) {
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* `count` windows of `voxels` voxels each from voxel `first` of a tile row's columns on; those begin a vector that can,
 * for fewer cache lines. Lanes: voxel columns. */
CT_INLINE void find_windows(int registers, const places *p, double first, int voxels, int count, int rows,
                            windows *out) {
  /* A window that lies outside reads zeros, wherever in the border it is put. */
  const vi low = viset(-CT_COLUMN16_PAD), high = viset(rows);
  const __m512d one = _mm512_set1_pd(1 << position_bits), zero = _mm512_setzero_pd(), last = _mm512_set1_pd(voxels - 1);
  const __m512d half = _mm512_set1_pd(0.5 + (1 << (position_bits - weight_bits - 1)));
  const __m512d most = _mm512_set1_pd((registers * words - 1.001) * (1 << position_bits));
  __m512d begin[2], stride[2], back[2];
  __m256i space[2];
  for (int h = 0; h < 2; h++) {
    const __m512d step = _mm512_loadu_pd(p->step + 8 * h);
    begin[h] = _mm512_fmadd_pd(_mm512_set1_pd(first), step, _mm512_loadu_pd(p->v + 8 * h));
    stride[h] = _mm512_mul_pd(step, _mm512_set1_pd(voxels));
    back[h] = _mm512_mul_pd(_mm512_min_pd(step, zero), last);
    space[h] = _mm512_cvttpd_epi32(_mm512_fnmadd_pd(_mm512_mul_pd(_mm512_max_pd(step, zero), last), one, most));
  }
  const vi room = join(space[0], space[1]);
  for (int g = 0; g < count; g++) {
    __m256i starts[2], positions[2];
    for (int h = 0; h < 2; h++) {
      const __m512d v = _mm512_fmadd_pd(_mm512_set1_pd(g), stride[h], begin[h]);
      const __m512d whole = _mm512_roundscale_pd(_mm512_add_pd(v, back[h]), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
      starts[h] = _mm512_cvttpd_epi32(whole);
      positions[h] = _mm512_cvttpd_epi32(_mm512_fmadd_pd(_mm512_sub_pd(v, whole), one, half));
    }
    const vi start = _mm512_max_epi32(_mm512_min_epi32(join(starts[0], starts[1]), high), low);
    const vi position = join(positions[0], positions[1]);
    const vi beyond = _mm512_and_si512(start, viset(words - 1));
    const vi moved = viadd(position, _mm512_slli_epi32(beyond, position_bits));
    const __mmask16 fits = _mm512_cmplt_epi32_mask(moved, room);
    _mm512_storeu_si512(out->start[g], _mm512_mask_sub_epi32(start, fits, start, beyond));
    _mm512_storeu_si512(out->position[g], _mm512_mask_mov_epi32(position, fits, moved));
  }
}

/* Index pairs (n, n + 1) and weight pairs (1 - t, t) of 16 positions. */
CT_INLINE void split(vi position, vi *index, vi *weights) {
  const vi high = _mm512_shuffle_epi8(position, _mm512_set4_epi32(0x0f0e0f0e, 0x0b0a0b0a, 0x07060706, 0x03020302));
  const vi low = _mm512_shuffle_epi8(position, _mm512_set4_epi32(0x0d0c0d0c, 0x09080908, 0x05040504, 0x01000100));
  *index = viadd(high, viset(0x10000));
  const vi t = _mm512_srli_epi16(low, position_bits - weight_bits);
  *weights = _mm512_mask_sub_epi16(t, 0x55555555, _mm512_set1_epi16(weight_one), t);
}

/* Windows of two columns blended: `registers` vectors. */
CT_INLINE void blend(int registers, const int16_t *from, size_t stride, vi weight0, vi weight1, vi table[2]) {
#pragma GCC unroll 2
  for (int n = 0; n < registers; n++)
    table[n] = _mm512_add_epi16(_mm512_mulhrs_epi16(viload(from + n * words), weight0),
                                _mm512_mulhrs_epi16(viload(from + stride + n * words), weight1));
}

CT_INLINE vi add_pairs(int registers, const vi table[2], vi index, vi weights, vi sum) {
  const vi pairs =
      registers == 1 ? _mm512_permutexvar_epi16(index, table[0]) : _mm512_permutex2var_epi16(table[0], index, table[1]);
  return vdot(sum, pairs, weights);
}

CT_INLINE void add_sums(float *at, vi sum, vf factor) {
  vstore(at, vfma(vfloat(sum), factor, vload(at)));
}

/* Adds `views` views to `count` groups of voxel column n. `per`: voxels per window, W or 2 W; registers: vectors of a
 * window. */
CT_INLINE void add_column(int per, int registers, bool mirror, int views, const ct_columns16 *c, int slot,
                          const places *p, int n, const windows *w, int count, float factor, float *sums,
                          size_t half_sums) {
  const bool single = per == group;
  const size_t stride = c->stride, half = c->half;
  vi weight0[pass], weight1[pass], ramp0[pass], ramp1[pass];
  const int16_t *column[pass];
#pragma GCC unroll 4
  for (int s = 0; s < views; s++) {
    const vf step = vset((float)(p[s].step[n] * (1 << position_bits)));
    weight0[s] = viset(p[s].weight0[n]), weight1[s] = viset(p[s].weight1[n]);
    ramp0[s] = vround(step * vlane());
    if (single) ramp1[s] = vround(step * (vlane() + vset(W)));
    column[s] = c->data + (size_t)(slot + s) * c->view + (size_t)p[s].column[n] * stride + CT_COLUMN16_PAD;
  }
  for (int t = 0; t < count; t++) {
    vi sum0 = viset(0), sum1 = sum0, mirror0 = sum0, mirror1 = sum0;
#pragma GCC unroll 4
    for (int s = 0; s < views; s++) {
      const int at = single ? t : 2 * t;
      const int16_t *from = column[s] + w[s].start[at][n];
      vi index, weights, table[2], opposite[2];
      split(viadd(ramp0[s], viset(w[s].position[at][n])), &index, &weights);
      blend(registers, from, stride, weight0[s], weight1[s], table);
      sum0 = add_pairs(registers, table, index, weights, sum0);
      if (mirror) {
        blend(registers, from + half, stride, weight0[s], weight1[s], opposite);
        mirror0 = add_pairs(registers, opposite, index, weights, mirror0);
      }
      if (single)
        split(viadd(ramp1[s], viset(w[s].position[at][n])), &index, &weights);
      else {
        from = column[s] + w[s].start[at + 1][n];
        split(viadd(ramp0[s], viset(w[s].position[at + 1][n])), &index, &weights);
        blend(registers, from, stride, weight0[s], weight1[s], table);
        if (mirror) blend(registers, from + half, stride, weight0[s], weight1[s], opposite);
      }
      sum1 = add_pairs(registers, table, index, weights, sum1);
      if (mirror) mirror1 = add_pairs(registers, opposite, index, weights, mirror1);
    }
    float *out = sums + (size_t)t * group;
    add_sums(out, sum0, vset(factor)), add_sums(out + W, sum1, vset(factor));
    if (mirror) add_sums(out + half_sums, mirror0, vset(factor)), add_sums(out + half_sums + W, mirror1, vset(factor));
  }
}

/* Adds `views` views to a tile row of voxel columns. */
CT_INLINE void add_columns(int per, int registers, bool mirror, int views, const ct_columns16 *c, int slot,
                           const places *p, const float *factors, const ct_tile *t, ct_ahead *ahead, float *row,
                           size_t column) {
  const int count = (t->length + group - 1) / group, parts = group / per;
  const int fetched = ct_ahead_share(ahead, t->rows * t->columns * ((count + visit - 1) / visit));
  for (int first = 0; first < count; first += visit) {
    const int now = count - first < visit ? count - first : visit;
    windows w[pass];
    for (int s = 0; s < views; s++)
      find_windows(registers, &p[s], (double)first * group, per, now * parts, c->rows, &w[s]);
    for (int n = 0; n < t->columns; n++) {
      ct_fetch_ahead(ahead, fetched);
      if (factors[n] > 0)
        add_column(per, registers, mirror, views, c, slot, p, n, w, now, factors[n],
                   row + (size_t)n * column + (size_t)first * group, column / 2);
    }
  }
}

/* Where rows per voxel are beyond all windows: voxel by voxel. */
static void add_column_plainly(const ct_columns16 *c, int slot, const places *p, int n, int views, int length,
                               float factor, float *sums, size_t half_sums) {
  const float scale = factor / (1 << 15) * weight_one;
  for (int s = 0; s < views; s++) {
    const float weight0 = (float)(p[s].weight0[n] >> 16) * scale, weight1 = (float)(p[s].weight1[n] >> 16) * scale;
    const int16_t *column =
        c->data + (size_t)(slot + s) * c->view + (size_t)p[s].column[n] * c->stride + CT_COLUMN16_PAD;
    for (int t = 0; t < length; t++) {
      const double v = p[s].v[n] + t * p[s].step[n];
      if (!(v > -1 && v < c->rows)) continue;
      const int row = (int)(v + 1) - 1;
      const float fraction = (float)(v - row);
      for (int side = 0; side <= c->mirrored; side++) {
        const int16_t *at = column + row + (side ? c->half : 0);
        const float low = weight0 * (float)at[0] + weight1 * (float)at[c->stride];
        const float high = weight0 * (float)at[1] + weight1 * (float)at[c->stride + 1];
        sums[(size_t)t + (side ? half_sums : 0)] += low + fraction * (high - low);
      }
    }
  }
}

/* Adds a pass of 1 or 4 views to row j of a tile. */
static void add_row(const ct_bp_state *state, int slot, int views, const ct_tile *t, int j, ct_ahead *ahead,
                    float *row) {
  const ct_columns16 *c = &state->columns;
  const bool mirror = c->mirrored;
  places p[pass];
  float factors[tile_x];
  double step = 0;
  for (int s = 0; s < views; s++) {
    const double greatest = find_places(c, state->matrices[slot + s], t->i, t->j + j, t->k, &p[s]);
    step = greatest > step ? greatest : step;
  }
  find_weights(views, p, factors);
  const float unit = 1 / ct_int16_units(state->magnitudes[slot]) / weight_one * (32768.0f / 32767);
  for (int n = 0; n < tile_x; n++) factors[n] *= unit;
  const size_t column = state->tiling.column;
  if (!(step <= reach(2 * words, W) && step <= most_step)) {
    for (int n = 0; n < t->columns; n++)
      if (factors[n] > 0)
        add_column_plainly(c, slot, p, n, views, t->length, factors[n], row + (size_t)n * column, column / 2);
    return;
  }
  const int per = step <= reach(words, group) ? group : W, registers = step <= reach(words, W) ? 1 : 2;
#define CASE(v, m, q, r)                                                                                               \
  if (views == (v) && mirror == (m) && per == (q) && registers == (r))                                                 \
  add_columns(q, r, m, v, c, slot, p, factors, t, ahead, row, column)
#define CASES(v, m)                                                                                                    \
  CASE(v, m, group, 1);                                                                                                \
  CASE(v, m, W, 1);                                                                                                    \
  CASE(v, m, W, 2)
  CASES(1, false);
  CASES(1, true);
  CASES(pass, false);
  CASES(pass, true);
#undef CASES
#undef CASE
}

static void do_tile(const ct_bp_state *state, int n, int views, bool first, float *data, const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const ct_tile t = ct_tiling_tile(&state->tiling, grid, n);
  const size_t row = (size_t)tile_x * state->tiling.column;
  const ct_transposed transposed = ct_columns16_transposed(&state->columns);
  float *sums = state->tiles + (size_t)ct_team_thread() * ct_tiling_sums(&state->tiling);
  ct_tile p;
  float *part_sums;
  for (int part = 0; (part_sums = ct_tiling_begin_part(&state->tiling, &t, part, sums, &p)); part++) {
    for (int slot = 0, now; slot < views; slot += now) {
      if (ct_bp_stopped(job)) return;
      now = views - slot >= pass ? pass : 1;
      if (!(state->magnitudes[slot] > 0)) continue;
      const int later = slot + now;
      ct_ahead ahead =
          ct_look_ahead(&transposed, later, views - later, (const double(*)[12])state->matrices + later, &p);
      for (int j = 0; j < p.rows; j++) add_row(state, slot, now, &p, j, &ahead, part_sums + (size_t)j * row);
    }
  }
  ct_tiling_add(&state->tiling, grid, &t, first, sums, data);
}

const ct_z_window_int16_loops CT_SIMD_TABLE(ct_z_window_int16_loops) = {
    .magnitude = ct_magnitude, .lay = lay, .tile = do_tile};
