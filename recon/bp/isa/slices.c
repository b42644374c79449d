/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, many slices at once: the detector row of a slice is the same for all views and voxels, so that each
 * view is resampled onto the slices once and stored [bin][slice]. A voxel then adds two bins as whole vectors of
 * slices, no gathers and no permutes (Chilingaryan et al. 2019, section 6, carried over to the CPU). Tiles of 16 x 16
 * voxels by four vectors of slices stay in the cache over a batch; eight views are added per visit, so that sums are
 * loaded and stored once for eight. */
#include "recon/bp/isa/isa-kernels.h"
#include "recon/bp/isa/tile.h"
#include "recon/bp/isa/vector.h"
#include "recon/bp/support-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

/* Zero bins on either side: one for the border's fade, one that everything outside reads. */
enum { tile_x = 16, tile_y = 16, sweep = 8, vectors = 4, slab = vectors * W, border = 2, piece_bins = 64 };

struct ct_bp_state {
  ct_bp_request request;
  int slots, levels;      /* levels: slices in a slab, whole vectors */
  size_t view;            /* floats of one view's bins */
  float *bins;            /* [slots][nu + 2 border][levels] */
  double (*matrices)[12]; /* [slots] */
  float *tiles;           /* [threads][tile_y][tile_x][levels] */
};

static int level_count(const ct_bp_request *request) {
  const int whole = (request->grid.nz + W - 1) / W * W;
  return whole < slab ? whole : slab;
}

static size_t view_floats(const ct_bp_request *request) {
  return ((size_t)request->geometry->nu + 2 * border) * (size_t)level_count(request);
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

static size_t memory(const ct_bp_request *request) {
  return (view_floats(request) * (size_t)slot_count(request) +
          (size_t)request->threads * tile_x * tile_y * (size_t)level_count(request)) *
         sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->bins);
  ct_free(state->matrices);
  ct_free(state->tiles);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->slots = slot_count(request), state->levels = level_count(request), state->view = view_floats(request);
  state->bins = ct_alloc_zero((size_t)state->slots, state->view * sizeof(float), "the interleaved projections", error);
  state->matrices = ct_alloc((size_t)state->slots, sizeof *state->matrices, "the views' matrices", error);
  state->tiles = ct_alloc((size_t)request->threads * tile_x * tile_y, (size_t)state->levels * sizeof(float),
                          "the voxel tiles", error);
  if (state->bins && state->matrices && state->tiles) return state;
  free_state(state);
  return NULL;
}

/* Bins u .. u + count - 1 (count <= W) of the detector line at row position v; zero outside. */
static vf line_at(const ct_bp_state *state, const float *projection, double v, int u, int count) {
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  if (nearest) v = floor(v + 0.5);
  if (!(v > -1 && v < nv)) return vset(0);
  const int row = (int)(v + 1) - 1;
  const float fraction = (float)(v - row);
  const vf low = row >= 0 ? vload_first(projection + (ptrdiff_t)row * nu + u, count) : vset(0);
  const vf high =
      row + 1 < nv && fraction != 0 ? vload_first(projection + (ptrdiff_t)(row + 1) * nu + u, count) : vset(0);
  return vfma(vset(fraction), high - low, low);
}

/* Resamples and turns `piece_bins` bins of one view for slices k .. k + levels - 1. */
static void interleave(ct_bp_state *state, int slot, int piece, int k, const float *projection) {
  const double *m = state->matrices[slot];
  const int nu = state->request.geometry->nu, nz = state->request.grid.nz;
  const int first = piece * piece_bins, end = first + piece_bins < nu ? first + piece_bins : nu;
  float *view = state->bins + (size_t)slot * state->view;
  for (int u = first; u < end; u += W) {
    const int count = end - u < W ? end - u : W;
    for (int level = 0; level < state->levels; level += W) {
      vf square[W];
      for (int l = 0; l < W; l++) {
        const int slice = k + level + l;
        square[l] = slice < nz ? line_at(state, projection, m[6] * slice + m[7], u, count) : vset(0);
      }
      vtranspose(square);
      float *out = view + (size_t)(u + border) * (size_t)state->levels + level;
      for (int n = 0; n < count; n++) vstore(out + (size_t)n * (size_t)state->levels, square[n]);
    }
  }
}

/* Where a tile row's voxels find their bins in one view. */
typedef struct places {
  int bin[tile_x];      /* of the view's bins, border included */
  float weight[tile_x]; /* of the bin behind it */
} places;

CT_INLINE void find_places(const ct_bp_state *state, const double m[12], int i0, int j, places *out) {
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  const double start = m[0] * i0 + m[1] * j + m[3] + border + (nearest ? 0.5 : 0), far = 1e8;
  const double whole = floor(start > -far ? start < far ? start : far : -far);
  /* Relative to the first voxel's bin, float32 tells a millionth of a bin. */
  const float fraction = (float)(start - whole), step = (float)m[0];
  const int first = (int)whole, last = state->request.geometry->nu + border;
#pragma omp simd
  for (int n = 0; n < tile_x; n++) {
    const float u = fraction + (float)n * step, down = floorf(u);
    const int bin = first + (int)down, above = bin > 0 ? bin : 0;
    out->bin[n] = above < last ? above : last;
    out->weight[n] = u - down;
  }
}

/* Adds `views` views to one tile row, n vectors of slices. */
CT_INLINE void add_row(bool nearest, int views, int n, const ct_bp_state *state, int slot, const places *p, int columns,
                       float *sums) {
  const float *view = state->bins + (size_t)slot * state->view;
  const size_t pitch = state->view, levels = (size_t)n * W;
  for (int i = 0; i < columns; i++) {
    float *at = sums + (size_t)i * levels;
    vf sum[vectors];
    for (int g = 0; g < n; g++) sum[g] = vload(at + g * W);
#pragma GCC unroll 8
    for (int s = 0; s < views; s++) {
      const float *from = view + (size_t)s * pitch + (size_t)p[s].bin[i] * levels;
      const vf weight1 = vset(p[s].weight[i]), weight0 = vset(1) - weight1;
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

CT_INLINE void add_rows(int n, bool nearest, const ct_bp_state *state, int slot, int views, const places *p,
                        int columns, float *sums) {
  if (views == sweep && nearest)
    add_row(true, sweep, n, state, slot, p, columns, sums);
  else if (views == sweep)
    add_row(false, sweep, n, state, slot, p, columns, sums);
  else
    for (int s = 0; s < views; s++) {
      if (nearest)
        add_row(true, 1, n, state, slot + s, p + s, columns, sums);
      else
        add_row(false, 1, n, state, slot + s, p + s, columns, sums);
    }
}

static void add_sweep(const ct_bp_state *state, int slot, int views, const ct_tile *t, float *sums) {
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  for (int j = 0; j < t->rows; j++) {
    places p[sweep];
    float *row = sums + (size_t)j * tile_x * (size_t)state->levels;
    for (int s = 0; s < views; s++) find_places(state, state->matrices[slot + s], t->i, t->j + j, &p[s]);
    switch (state->levels / W) {
    case 1:
      add_rows(1, nearest, state, slot, views, p, t->columns, row);
      break;
    case 2:
      add_rows(2, nearest, state, slot, views, p, t->columns, row);
      break;
    case 3:
      add_rows(3, nearest, state, slot, views, p, t->columns, row);
      break;
    default:
      add_rows(4, nearest, state, slot, views, p, t->columns, row);
      break;
    }
  }
}

static void do_tile(const ct_bp_state *state, const ct_tile *t, int views, float *data, const ct_job *job) {
  float *sums = state->tiles + (size_t)ct_team_thread() * tile_x * tile_y * (size_t)state->levels;
  memset(sums, 0, tile_x * tile_y * (size_t)state->levels * sizeof *sums);
  for (int slot = 0; slot < views; slot += sweep) {
    if (ct_bp_stopped(job)) return;
    add_sweep(state, slot, views - slot < sweep ? views - slot : sweep, t, sums);
  }
  ct_tile_add(&state->request.grid, t, tile_x, t->k, 1, 0, sums, (size_t)state->levels, data);
}

/* One batch of views on one slab of slices, by the whole team. */
static void do_slab(ct_bp_state *state, const ct_bp_batch *batch, int first, int views, int k, float *data,
                    const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const int pieces = (state->request.geometry->nu + piece_bins - 1) / piece_bins;
  const int across = (grid->nx + tile_x - 1) / tile_x, down = (grid->ny + tile_y - 1) / tile_y;
#pragma omp for collapse(2) schedule(dynamic)
  for (int n = 0; n < views; n++)
    for (int piece = 0; piece < pieces; piece++)
      if (!ct_bp_stopped(job)) interleave(state, n, piece, k, batch->projections[first + n]);
#pragma omp for collapse(2) schedule(dynamic)
  for (int y = 0; y < down; y++)
    for (int x = 0; x < across; x++) {
      if (ct_bp_stopped(job)) continue;
      const ct_tile t = ct_tile_at(grid, x * tile_x, tile_x, y * tile_y, tile_y, k, state->levels);
      do_tile(state, &t, views, data, job);
    }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_bp_request *request = &state->request;
  float *data = ct_volume_data(volume);
  for (int first = 0; first < batch->count; first += state->slots) {
    const int views = batch->count - first < state->slots ? batch->count - first : state->slots;
    for (int n = 0; n < views; n++)
      ct_bp_index_matrix(request->geometry, batch->views[first + n], &request->grid, state->matrices[n]);
#pragma omp parallel num_threads(request->threads)
    for (int k = 0; k < request->grid.nz; k += state->levels) do_slab(state, batch, first, views, k, data, job);
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
    .tolerance = 5e-6,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
