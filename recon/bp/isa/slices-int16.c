/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, many slices at once, in 16-bit integers: the interleaved slices of slices.c, in the same parts and
 * tiles. A word holds the samples of one slice in a bin and in the next, so that a voxel loads half as much, and
 * vpdpwssd multiplies both by the weights (1 - t, t) and adds them to a 32-bit sum. Eight views are added so before the
 * sums go to single precision.
 *
 * No sum can overflow, whatever the projections are: a sample is an integer of magnitude up to 32767, the sweep's
 * largest magnitude (columns-int16.h); weights are 2^13 - T and T with 0 <= T <= 2^13; eight views then add up to at
 * most 8 2^13 32767 = 2^31 - 2^16. A ninth would overflow silently. */
#include "recon/bp/isa/columns-int16.h"
#include "recon/bp/isa/isa-kernels.h"
#include "recon/bp/isa/tile.h"
#include "recon/bp/isa/vector.h"
#include "recon/bp/support-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

/* Zero bins on either side: one for the border's fade, one that everything outside reads. A part's sums and the bins
 * that eight views show it fit into the first-level cache; a tile's sums and the bins of a group of views into the
 * second. A few columns more to a tile's row spread its parts over the sets of the cache. */
enum { slab = 64, border = 2, piece_bins = 64, sweep = 8, group = 32 };
enum { part_x = 8, part_y = 8, part_voxels = part_x * part_y, tile_x = 32, tile_y = 32, tile_pitch = tile_x + 8 };
enum { weight_one = 1 << 13 };

struct ct_bp_state {
  ct_bp_request request;
  int slots;
  size_t view;            /* words of one view's bins in the largest slab */
  int32_t *bins;          /* [slots][nu + 2 border][levels]: a bin's sample, in the upper half the next one's */
  float *magnitudes;      /* [slots], of a view at first, then of its sweep */
  double *x, *y, *offset; /* [slots, whole sweeps]: voxel (i, j) lies at bin x i + y j + offset */
  double (*heights)[2];   /* [slots]: slice k lies on row heights[0] k + heights[1] */
  float *tiles;           /* [threads][tile_y][tile_pitch][levels] */
};

/* Slices that the next slab takes of `left`: slabs of about one size, in whole vectors. */
static int level_count(int left) {
  const int slabs = (left + slab - 1) / slab, share = (left + slabs - 1) / slabs;
  return (share + W - 1) / W * W;
}

static size_t view_words(const ct_bp_request *request) {
  return ((size_t)request->geometry->nu + 2 * border) * (size_t)level_count(request->grid.nz);
}

static size_t tile_floats(const ct_bp_request *request) {
  return (size_t)(tile_pitch * tile_y) * (size_t)level_count(request->grid.nz);
}

static int slot_count(const ct_bp_request *request) {
  return ct_tile_slots(request, view_words(request) * sizeof(float), 128);
}

static bool accepts(const ct_bp_request *request, ct_error **error) {
  if (request->geometry->tilt == 0) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "Kernel “Interleaved slices, 16-bit integers” needs a detector without tilt, its columns "
                      "parallel to the rotation axis.");
}

/* A plane of one or two rows leaves most of a tile empty: windows along z come first there. */
static int rank_for(const ct_bp_request *request) {
  return request->grid.ny <= 2 ? CT_ISA_RANK(58) : CT_ISA_RANK(70);
}

static size_t memory(const ct_bp_request *request) {
  return (view_words(request) * (size_t)slot_count(request) + (size_t)request->threads * tile_floats(request)) *
         sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->bins);
  ct_free(state->magnitudes);
  ct_free(state->x);
  ct_free(state->heights);
  ct_free(state->tiles);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->slots = slot_count(request), state->view = view_words(request);
  const size_t places = ((size_t)state->slots + sweep - 1) / sweep * sweep;
  state->bins =
      ct_alloc_zero((size_t)state->slots, state->view * sizeof(int32_t), "the interleaved projections", error);
  state->x = ct_alloc_zero(3 * places, sizeof *state->x, "the views' positions", error);
  state->magnitudes = ct_alloc((size_t)state->slots, sizeof *state->magnitudes, "the views' magnitudes", error);
  state->heights = ct_alloc((size_t)state->slots, sizeof *state->heights, "the views' heights", error);
  state->tiles = ct_alloc((size_t)request->threads, tile_floats(request) * sizeof(float), "the voxel tiles", error);
  if (state->bins && state->magnitudes && state->x && state->heights && state->tiles) {
    state->y = state->x + places, state->offset = state->y + places;
    return state;
  }
  free_state(state);
  return NULL;
}

/* Bins u .. u + 15 of the detector line at row position v in integers; zero outside. */
static vi line_at(const ct_bp_state *state, const float *projection, float units, double v, int u) {
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  if (nearest) v = floor(v + 0.5);
  if (!(v > -1 && v < nv)) return viset(0);
  const int row = ct_bp_row_below(v, nv);
  const float fraction = (float)(v - row);
  const float *at = projection + (ptrdiff_t)row * nu + u;
  const vf low = row >= 0 ? vload_between(at, -u, nu - u) : vset(0);
  const vf high = row + 1 < nv && fraction != 0 ? vload_between(at + nu, -u, nu - u) : vset(0);
  return _mm512_cvtps_epi32(vfma(vset(fraction), high - low, low) * vset(units));
}

/* Resamples and turns `piece_bins` bins of one view, counted from -1, for slices k .. k + levels - 1. */
static void interleave(ct_bp_state *state, int slot, int piece, int k, int levels, const float *projection) {
  const double *height = state->heights[slot];
  const int nu = state->request.geometry->nu, nz = state->request.grid.nz;
  const int first = piece * piece_bins - 1, end = first + piece_bins < nu ? first + piece_bins : nu;
  const size_t bin = (size_t)levels, outside = bin * sizeof(int32_t);
  const float units = ct_int16_units(state->magnitudes[slot]);
  int32_t *view = state->bins + (size_t)slot * state->view;
  if (piece == 0) memset(view, 0, (border - 1) * outside);
  if (end == nu) memset(view + ((size_t)nu + border) * bin, 0, border * outside);
  for (int u = first; u < end; u += W) {
    const int count = end - u < W ? end - u : W;
    for (int level = 0; level < levels; level += W) {
      vf square[W];
      for (int l = 0; l < W; l++) {
        const int slice = k + level + l;
        const double v = height[0] * slice + height[1];
        const vi low = slice < nz ? line_at(state, projection, units, v, u) : viset(0);
        const vi high = slice < nz ? line_at(state, projection, units, v, u + 1) : viset(0);
        square[l] = (vf)_mm512_mask_blend_epi16(0xaaaaaaaa, low, _mm512_slli_epi32(high, 16));
      }
      vtranspose(square);
      int32_t *out = view + (size_t)(u + border) * bin + level;
      for (int n = 0; n < count; n++) _mm512_storeu_si512(out + (size_t)n * bin, (vi)square[n]);
    }
  }
}

/* Where a part's voxels find their bins in the views of a sweep. */
typedef struct places {
  unsigned from[sweep][part_voxels]; /* first word of the bin, counted from the sweep's first view */
  int weights[sweep][part_voxels];   /* of the bin, and in the upper half of the one behind it */
} places;

/* Positions count from the lowest bin that any voxel of the part meets: there float32 tells a millionth of a bin.
 * Beyond the detector everything reads zeros. */
static void find_places(const ct_bp_state *state, int slot, int views, const ct_tile *part, int levels, places *out) {
  const vf scale = vset(state->request.interp == CT_INTERP_NEAREST ? 0 : weight_one);
  const double far = 1e6, last = state->request.geometry->nu + border;
  float start[sweep], low[sweep], high[sweep];
  int from[sweep];
  for (int s = 0; s < sweep; s++) {
    const double x = state->x[slot + s], y = state->y[slot + s];
    const double at = x * part->i + y * part->j + state->offset[slot + s];
    const double lowest = at + (x < 0 ? x : 0) * (part_x - 1) + (y < 0 ? y : 0) * (part_y - 1);
    const double first = floor(lowest < -far ? -far : lowest > far ? far : lowest), rest = at - first;
    start[s] = (float)(rest < -far ? -far : rest > far ? far : rest);
    low[s] = (float)-first, high[s] = (float)(last - first);
    from[s] = (int)first * levels + (int)state->view * s;
  }
  vf column, row;
  for (int l = 0; l < W; l++) column[l] = (float)(l % part_x), row[l] = (float)(l / part_x);
  for (int s = 0; s < views; s++) {
    const float y = (float)state->y[slot + s];
    const vf least = vset(low[s]), most = vset(high[s]);
    const lanes view = (lanes)viset(from[s]);
    vf u = vfma(column, vset((float)state->x[slot + s]), vfma(row, vset(y), vset(start[s])));
    for (int v = 0; v < part_voxels; v += W) {
      const vf inside = vmin(vmax(u, least), most);
      const vi bin = vtrunc(inside);
      const lanes place = (lanes)bin * levels + view;
      const lanes behind = (lanes)_mm512_cvtps_epi32((inside - vfloat(bin)) * scale);
      const lanes weights = weight_one - behind + behind * 0x10000;
      memcpy(&out->weights[s][v], &weights, sizeof weights);
      memcpy(&out->from[s][v], &place, sizeof place);
      u = u + vset(W / part_x * y);
    }
  }
}

/* Adds `views` views to a part, n vectors of slices each. */
CT_INLINE void add_places(int views, int n, const int32_t *view, const places *p, const ct_tile *part, float unit,
                          float *sums) {
  const size_t levels = (size_t)n * W;
  for (int j = 0; j < part->rows; j++)
    for (int i = 0; i < part->columns; i++) {
      float *at = sums + (size_t)(j * tile_pitch + i) * levels;
      const int voxel = j * part_x + i;
      vi sum[slab / W];
      for (int g = 0; g < n; g++) sum[g] = viset(0);
#pragma GCC unroll 8
      for (int s = 0; s < views; s++) {
        const int32_t *from = view + p->from[s][voxel];
        const vi weights = viset(p->weights[s][voxel]);
        for (int g = 0; g < n; g++) sum[g] = _mm512_dpwssd_epi32(sum[g], _mm512_loadu_si512(from + g * W), weights);
      }
      for (int g = 0; g < n; g++) vstore(at + g * W, vfma(vfloat(sum[g]), vset(unit), vload(at + g * W)));
    }
}

CT_INLINE void add_vectors(int n, const ct_bp_state *state, int slot, int views, const ct_tile *part, float *sums) {
  const int32_t *view = state->bins + (size_t)slot * state->view;
  const float magnitude = state->magnitudes[slot];
  if (!(magnitude > 0)) return;
  const float unit = 1 / ct_int16_units(magnitude) / weight_one;
  places p;
  find_places(state, slot, views, part, n * W, &p);
  if (views == sweep)
    add_places(sweep, n, view, &p, part, unit, sums);
  else
    add_places(views, n, view, &p, part, unit, sums);
}

static void add_part(const ct_bp_state *state, int slot, int views, const ct_tile *part, int levels, float *sums) {
#define CASE(n)                                                                                                        \
  case n:                                                                                                              \
    add_vectors(n, state, slot, views, part, sums);                                                                    \
    break
  switch (levels / W) {
    CASE(1);
    CASE(2);
    CASE(3);
    CASE(4);
  }
#undef CASE
}

/* A group of views on all parts of a tile. */
static void add_group(const ct_bp_state *state, int slot, int views, const ct_tile *t, int levels, float *sums) {
  for (int y = 0; y < t->rows; y += part_y)
    for (int x = 0; x < t->columns; x += part_x) {
      const ct_tile part = {t->i + x,
                            t->j + y,
                            t->columns - x < part_x ? t->columns - x : part_x,
                            t->rows - y < part_y ? t->rows - y : part_y,
                            t->k,
                            t->length};
      for (int s = 0; s < views; s += sweep)
        add_part(state, slot + s, views - s < sweep ? views - s : sweep, &part, levels,
                 sums + (size_t)(y * tile_pitch + x) * (size_t)levels);
    }
}

static void do_tile(const ct_bp_state *state, const ct_tile *t, int views, int levels, float *data, const ct_job *job) {
  float *sums = state->tiles + (size_t)ct_team_thread() * tile_floats(&state->request);
  memset(sums, 0, (size_t)(tile_pitch * t->rows) * (size_t)levels * sizeof *sums);
  for (int slot = 0; slot < views; slot += group) {
    if (ct_bp_stopped(job)) return;
    add_group(state, slot, views - slot < group ? views - slot : group, t, levels, sums);
  }
  ct_tile_add(&state->request.grid, t, tile_pitch, t->k, 1, 0, sums, (size_t)levels, data);
}

/* One batch of views on one slab of slices, by the whole team. */
static void do_slab(ct_bp_state *state, const ct_bp_batch *batch, int first, int views, int k, int levels, float *data,
                    const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const int pieces = (state->request.geometry->nu + 1 + piece_bins - 1) / piece_bins;
  const int across = (grid->nx + tile_x - 1) / tile_x, down = (grid->ny + tile_y - 1) / tile_y;
#pragma omp for collapse(2) schedule(dynamic)
  for (int n = 0; n < views; n++)
    for (int piece = 0; piece < pieces; piece++)
      if (!ct_bp_stopped(job)) interleave(state, n, piece, k, levels, batch->projections[first + n]);
#pragma omp for collapse(2) schedule(dynamic)
  for (int y = 0; y < down; y++)
    for (int x = 0; x < across; x++) {
      if (ct_bp_stopped(job)) continue;
      const ct_tile t = ct_tile_at(grid, x * tile_x, tile_x, y * tile_y, tile_y, k, levels);
      do_tile(state, &t, views, levels, data, job);
    }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_bp_request *request = &state->request;
  const double rounding = request->interp == CT_INTERP_NEAREST ? 0.5 : 0;
  const size_t pixels = (size_t)request->geometry->nu * (size_t)request->geometry->nv;
  float *data = ct_volume_data(volume);
  for (int first = 0; first < batch->count; first += state->slots) {
    const int views = batch->count - first < state->slots ? batch->count - first : state->slots;
#pragma omp parallel for num_threads(request->threads) schedule(dynamic)
    for (int n = 0; n < views; n++) {
      double m[12];
      if (ct_bp_stopped(job)) continue;
      ct_bp_index_matrix(request->geometry, batch->views[first + n], &request->grid, m);
      state->x[n] = m[0], state->y[n] = m[1], state->offset[n] = m[3] + border + rounding;
      state->heights[n][0] = m[6], state->heights[n][1] = m[7];
      state->magnitudes[n] = ct_int16_magnitude(batch->projections[first + n], pixels);
    }
    if (ct_bp_stopped(job)) break;
    const int odd = ct_int16_join(state->magnitudes, views, sweep);
    if (odd >= 0) return ct_int16_refuse(batch->views[first + odd], error);
#pragma omp parallel num_threads(request->threads)
    for (int k = 0, levels; k < request->grid.nz; k += levels) {
      levels = level_count(request->grid.nz - k);
      do_slab(state, batch, first, views, k, levels, data, job);
    }
  }
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel ct_bp_slices_int16 = {
    .id = "slices-int16",
    .title = "Interleaved slices, 16-bit integers (AVX-512 VNNI)",
    .explanation = "Parallel beam: interleaved slices with projections rounded to 16-bit integers. A bin and the next "
                   "share a word, so that a voxel loads half as much, and one instruction made for neural networks "
                   "interpolates and adds. After Chilingaryan et al. (2019); the integers are this program's own.",
    .beams = CT_BIT(CT_BEAM_PARALLEL),
    .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_INT16),
    .cpu = CT_ISA_CPU | CT_CPU_AVX512_VNNI,
    .rank = CT_ISA_RANK(70),
    .rank_for = rank_for,
    .tolerance = 2e-4, /* of a filtered scan from 30 views on, whose sums cancel; 5e-5 of noise */
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
