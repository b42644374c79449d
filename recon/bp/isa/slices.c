/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, many slices at once: the detector row of a slice is the same for all views and voxels, so that each
 * view is resampled onto the slices once and stored [bin][slice]. A voxel then adds two bins as whole vectors of
 * slices, no gathers and no permutes (Chilingaryan et al. 2019, section 6, carried over to the CPU): up to 64 slices,
 * whose sums eight views at a time are added to in registers. Voxels are taken in parts of 8 x 8, sized for the
 * first-level cache, of tiles of 32 x 32, sized for the second. Two loads of a vector an update are the bound: trials
 * that share them between neighbouring voxels, or keep values beside differences, pay as much in arithmetic. */
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

struct ct_bp_state {
  ct_bp_request request;
  int slots;
  size_t view;            /* floats of one view's bins in the largest slab */
  float *bins;            /* [slots][nu + 2 border][levels] */
  double *x, *y, *offset; /* [slots, whole sweeps]: voxel (i, j) lies at bin x i + y j + offset */
  double (*heights)[2];   /* [slots]: slice k lies on row heights[0] k + heights[1] */
  float *tiles;           /* [threads][tile_y][tile_pitch][levels] */
};

/* Slices that the next slab takes of `left`: slabs of about one size, in whole vectors. */
static int level_count(int left) {
  const int slabs = (left + slab - 1) / slab, share = (left + slabs - 1) / slabs;
  return (share + W - 1) / W * W;
}

static size_t view_floats(const ct_bp_request *request) {
  return ((size_t)request->geometry->nu + 2 * border) * (size_t)level_count(request->grid.nz);
}

static size_t tile_floats(const ct_bp_request *request) {
  return (size_t)(tile_pitch * tile_y) * (size_t)level_count(request->grid.nz);
}

static int slot_count(const ct_bp_request *request) {
  return ct_tile_slots(request, view_floats(request) * sizeof(float), 128);
}

static bool accepts(const ct_bp_request *request, ct_error **error) {
  if (request->geometry->tilt == 0) return true;
  return ct_error_set(
      error, CT_ERROR_UNSUPPORTED,
      "Kernel “Interleaved slices” needs a detector without tilt, its columns parallel to the rotation axis.");
}

/* Up to eight slices fill half of a wide vector. */
static int rank_for(const ct_bp_request *request) {
  return W == 8 && request->grid.nz <= W ? CT_ISA_RANK(76) : CT_ISA_RANK(70);
}

static size_t memory(const ct_bp_request *request) {
  return (view_floats(request) * (size_t)slot_count(request) + (size_t)request->threads * tile_floats(request)) *
         sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->bins);
  ct_free(state->x);
  ct_free(state->heights);
  ct_free(state->tiles);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->slots = slot_count(request), state->view = view_floats(request);
  const size_t places = ((size_t)state->slots + sweep - 1) / sweep * sweep;
  state->bins = ct_alloc_zero((size_t)state->slots, state->view * sizeof(float), "the interleaved projections", error);
  state->x = ct_alloc_zero(3 * places, sizeof *state->x, "the views' positions", error);
  state->heights = ct_alloc((size_t)state->slots, sizeof *state->heights, "the views' heights", error);
  state->tiles = ct_alloc((size_t)request->threads, tile_floats(request) * sizeof(float), "the voxel tiles", error);
  if (state->bins && state->x && state->heights && state->tiles) {
    state->y = state->x + places, state->offset = state->y + places;
    return state;
  }
  free_state(state);
  return NULL;
}

/* Bins u .. u + count - 1 (count <= W) of the detector line at row position v; zero outside. */
static vf line_at(const ct_bp_state *state, const float *projection, double v, int u, int count) {
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  if (nearest) v = floor(v + 0.5);
  if (!(v > -1 && v < nv)) return vset(0);
  const int row = ct_bp_row_below(v, nv);
  const float fraction = (float)(v - row);
  const vf low = row >= 0 ? vload_first(projection + (ptrdiff_t)row * nu + u, count) : vset(0);
  const vf high =
      row + 1 < nv && fraction != 0 ? vload_first(projection + (ptrdiff_t)(row + 1) * nu + u, count) : vset(0);
  return vfma(vset(fraction), high - low, low);
}

/* Resamples and turns `piece_bins` bins of one view for slices k .. k + levels - 1. */
static void interleave(ct_bp_state *state, int slot, int piece, int k, int levels, const float *projection) {
  const double *height = state->heights[slot];
  const int nu = state->request.geometry->nu, nz = state->request.grid.nz;
  const int first = piece * piece_bins, end = first + piece_bins < nu ? first + piece_bins : nu;
  const size_t bin = (size_t)levels, outside = border * bin * sizeof(float);
  float *view = state->bins + (size_t)slot * state->view;
  if (piece == 0) memset(view, 0, outside);
  if (end == nu) memset(view + ((size_t)nu + border) * bin, 0, outside);
  for (int u = first; u < end; u += W) {
    const int count = end - u < W ? end - u : W;
    for (int level = 0; level < levels; level += W) {
      vf square[W];
      for (int l = 0; l < W; l++) {
        const int slice = k + level + l;
        square[l] = slice < nz ? line_at(state, projection, height[0] * slice + height[1], u, count) : vset(0);
      }
      vtranspose(square);
      float *out = view + (size_t)(u + border) * bin + level;
      for (int n = 0; n < count; n++) vstore(out + (size_t)n * bin, square[n]);
    }
  }
}

/* Where a part's voxels find their bins in the views of a sweep. */
typedef struct places {
  unsigned from[sweep][part_voxels]; /* first float of the bin, counted from the sweep's first view */
  float weight[sweep][part_voxels];  /* of the bin behind it */
} places;

/* Positions count from the lowest bin that any voxel of the part meets: there float32 tells a millionth of a bin.
 * Beyond the detector everything reads zeros. */
static void find_places(const ct_bp_state *state, int slot, int views, const ct_tile *part, int levels, places *out) {
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
      vstore(&out->weight[s][v], inside - vfloat(bin));
      memcpy(&out->from[s][v], &place, sizeof place);
      u = u + vset(W / part_x * y);
    }
  }
}

/* Adds `views` views to a part, n vectors of slices each. */
CT_INLINE void add_places(bool nearest, int views, int n, const float *view, const places *p, const ct_tile *part,
                          float *sums) {
  const size_t levels = (size_t)n * W;
  for (int j = 0; j < part->rows; j++)
    for (int i = 0; i < part->columns; i++) {
      float *at = sums + (size_t)(j * tile_pitch + i) * levels;
      const int voxel = j * part_x + i;
      vf sum[slab / W];
      for (int g = 0; g < n; g++) sum[g] = vload(at + g * W);
#pragma GCC unroll 8
      for (int s = 0; s < views; s++) {
        const float *from = view + p->from[s][voxel];
        const vf weight1 = vset(p->weight[s][voxel]), weight0 = vset(1) - weight1;
        for (int g = 0; g < n; g++) {
          if (nearest)
            sum[g] = sum[g] + vload(from + g * W);
          else
            sum[g] = vfma(weight1, vload(from + levels + g * W), vfma(weight0, vload(from + g * W), sum[g]));
        }
      }
      for (int g = 0; g < n; g++) vstore(at + g * W, sum[g]);
    }
}

CT_INLINE void add_vectors(int n, const ct_bp_state *state, int slot, int views, const ct_tile *part, float *sums) {
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  const float *view = state->bins + (size_t)slot * state->view;
  places p;
  find_places(state, slot, views, part, n * W, &p);
  if (views == sweep && nearest)
    add_places(true, sweep, n, view, &p, part, sums);
  else if (views == sweep)
    add_places(false, sweep, n, view, &p, part, sums);
  else
    add_places(nearest, views, n, view, &p, part, sums);
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
#if W == 8
    CASE(5);
    CASE(6);
    CASE(7);
    CASE(8);
#endif
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
  const int pieces = (state->request.geometry->nu + piece_bins - 1) / piece_bins;
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
  float *data = ct_volume_data(volume);
  for (int first = 0; first < batch->count; first += state->slots) {
    const int views = batch->count - first < state->slots ? batch->count - first : state->slots;
    for (int n = 0; n < views; n++) {
      double m[12];
      ct_bp_index_matrix(request->geometry, batch->views[first + n], &request->grid, m);
      state->x[n] = m[0], state->y[n] = m[1], state->offset[n] = m[3] + border + rounding;
      state->heights[n][0] = m[6], state->heights[n][1] = m[7];
    }
#pragma omp parallel num_threads(request->threads)
    for (int k = 0, levels; k < request->grid.nz; k += levels) {
      levels = level_count(request->grid.nz - k);
      do_slab(state, batch, first, views, k, levels, data, job);
    }
  }
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel CT_ISA_SYMBOL(ct_bp_slices) = {
    .id = "slices" CT_ISA_ID,
    .title = "Interleaved slices" CT_ISA_TITLE,
    .explanation = "Parallel beam: all slices of a voxel share bin and weight, so that projections are stored slice by "
                   "slice beside "
                   "each other and read as whole vectors. After Chilingaryan et al. (2019)." CT_ISA_NOTE,
    .beams = CT_BIT(CT_BEAM_PARALLEL),
    .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .cpu = CT_ISA_CPU,
    .rank = CT_ISA_RANK(70),
    .rank_for = rank_for,
    .tolerance = 5e-6,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
