/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, single slices: rows of voxels along x. Each view is brought to the slice's one detector line, with
 * zeros on either side; the position is affine along the row, so that the samples of W voxels lie in one, two or four
 * vectors that begin at the lowest of them, and each voxel picks its two by register permutes: the windows of zwindow.c
 * laid along x. Eight views are summed in registers per pass over a row; a piece of 16 rows keeps their lines in the
 * cache. Of a coronal plane each slice has a row or two, and takes its lines sweep by sweep: threads share out slices.
 */
#include "recon/bp/isa/isa-kernels.h"
#include "recon/bp/isa/tile.h"
#include "recon/simd/vector.h"
#include "recon/bp/support-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

enum { piece_rows = 16, sweep = 8, block = 32, pad = 80 };

struct ct_bp_state {
  ct_bp_request request;
  int slots;
  size_t line, room;      /* floats of a padded detector line, of a voxel row's sums */
  float *lines;           /* [slots][line], or [threads][sweep][line] where slices are shared out */
  double (*matrices)[12]; /* [slots] */
  float *sums;            /* [threads][piece_rows][room] */
};

static size_t line_floats(const ct_bp_request *request) {
  return ((size_t)request->geometry->nu + 2 * pad + 15) / 16 * 16;
}

static size_t row_room(const ct_bp_request *request) {
  return ((size_t)request->grid.nx + W - 1) / W * W;
}

/* Where one piece is a whole slice. */
static bool by_slices(const ct_bp_request *request) {
  return request->grid.ny <= piece_rows && request->grid.nz > 1;
}

static int slot_count(const ct_bp_request *request) {
  return by_slices(request) ? request->batch : ct_tile_slots(request, line_floats(request) * sizeof(float), 512);
}

static size_t line_count(const ct_bp_request *request) {
  return (size_t)(by_slices(request) ? request->threads * sweep : slot_count(request));
}

static bool accepts(const ct_bp_request *request, ct_error **error) {
  if (request->geometry->tilt != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Kernel “Windows along rows" CT_ISA_TITLE "” needs a detector without tilt.");
  if (request->grid.nx >= W) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "Kernel “Windows along rows" CT_ISA_TITLE "” is made for at least %d voxels a row.", W);
}

/* Every slice costs the same here; interleaved slices, filled up to whole vectors, cost less from so many on, unless
 * they are no more than a row or two of voxels. */
static int rank_for(const ct_bp_request *request) {
  const ct_grid *grid = &request->grid;
  const bool nearest = request->interp == CT_INTERP_NEAREST;
  const int few = W == 16 ? (nearest ? 7 : 8) : nearest ? 2 : 4;
  return grid->ny <= 2 || grid->nz <= few ? CT_ISA_RANK(90) : CT_ISA_RANK(65);
}

static size_t memory(const ct_bp_request *request) {
  return (line_floats(request) * line_count(request) + (size_t)request->threads * piece_rows * row_room(request)) *
         sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->lines);
  ct_free(state->matrices);
  ct_free(state->sums);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->slots = slot_count(request), state->line = line_floats(request), state->room = row_room(request);
  state->lines = ct_alloc_zero(line_count(request), state->line * sizeof(float), "the slice's projections", error);
  state->matrices = ct_alloc((size_t)state->slots, sizeof *state->matrices, "the views' matrices", error);
  state->sums = ct_alloc((size_t)request->threads * piece_rows, state->room * sizeof(float), "the voxel rows", error);
  if (state->lines && state->matrices && state->sums) return state;
  free_state(state);
  return NULL;
}

/* The detector line at row position v, zero outside. */
static void extract_line(const ct_bp_state *state, const float *projection, double v, float *out) {
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  if (state->request.interp == CT_INTERP_NEAREST) v = floor(v + 0.5);
  if (!(v > -1 && v < nv)) {
    memset(out, 0, (size_t)nu * sizeof *out);
    return;
  }
  const int row = ct_bp_row_below(v, nv);
  const float fraction = (float)(v - row), weight0 = row >= 0 ? 1 - fraction : 0, weight1 = row + 1 < nv ? fraction : 0;
  if (fraction == 0) {
    memcpy(out, projection + (ptrdiff_t)row * nu, (size_t)nu * sizeof *out);
    return;
  }
  const float *low = projection + (ptrdiff_t)(row >= 0 ? row : 0) * nu,
              *high = weight1 != 0 ? projection + (ptrdiff_t)(row + 1) * nu : low;
  for (int u = 0; u < nu; u++) out[u] = weight0 * low[u] + weight1 * high[u];
}

/* Lines up to which `windows` vectors hold both samples of W voxels. */
static double reach(int windows) {
  return (windows * W - 2.0) / (W - 1);
}

typedef struct groups {
  int start[block];      /* window of W voxels: its first sample */
  float fraction[block]; /* of the voxel that lies lowest */
} groups;

CT_INLINE void find_groups(double first, double step, int nu, int count, groups *out) {
  /* A group that lies outside reads zeros, wherever in the border its window is put. */
  const double low = -64, high = nu, stride = step * W;
#pragma omp simd
  for (int g = 0; g < count; g++) {
    const double u = first + g * stride, whole = floor(u), above = whole > low ? whole : low;
    out->fraction[g] = (float)(u - whole);
    out->start[g] = (int)(above < high ? above : high);
  }
}

/* Adds `views` views to `count` vectors of one voxel row; lines: theirs; u: of its first voxel, per view. */
CT_INLINE void add_part(bool nearest, int views, int windows, const ct_bp_state *state, int slot, const float *lines,
                        const double *u, int count, float *sums) {
  groups g[sweep];
  vf ramp[sweep];
  const float *line[sweep];
#pragma GCC unroll 8
  for (int s = 0; s < views; s++) {
    const double step = state->matrices[slot + s][0], back = step < 0 ? (W - 1) * step : 0;
    find_groups(u[s] + back, step, state->request.geometry->nu, count, &g[s]);
    ramp[s] = vfma(vlane(), vset((float)step), vset((float)-back));
    line[s] = lines + (size_t)s * state->line + pad;
  }
  for (int t = 0; t < count; t++) {
    vf sum = vload(sums + t * W);
#pragma GCC unroll 8
    for (int s = 0; s < views; s++) {
      const float *from = line[s] + g[s].start[t];
      const vf position = ramp[s] + vset(g[s].fraction[t]);
      const vi index = vtrunc(position);
      vf table[4];
#pragma GCC unroll 4
      for (int n = 0; n < windows; n++) table[n] = vload(from + n * W);
      const vf low = vlookup(windows, table, index);
      if (nearest) {
        sum = sum + low;
        continue;
      }
      const vf high = vlookup(windows, table, viadd(index, viset(1)));
      sum = vfma(position - vfloat(index), high - low, sum + low);
    }
    vstore(sums + t * W, sum);
  }
}

/* Where samples per voxel are beyond all windows. */
static void add_plainly(const ct_bp_state *state, int slot, const float *padded, double u, int length, float *sums) {
  const double step = state->matrices[slot][0];
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  const float *line = padded + pad;
  for (int i = 0; i < length; i++) {
    const double at = u + i * step;
    if (!(at > -1 && at < state->request.geometry->nu)) continue;
    const int bin = (int)(at + 1) - 1;
    sums[i] += nearest ? line[bin] : line[bin] + (float)(at - bin) * (line[bin + 1] - line[bin]);
  }
}

CT_INLINE void add_windows(bool nearest, int views, double step, const ct_bp_state *state, int slot, const float *lines,
                           const double *u, int count, float *sums) {
  if (step <= reach(1))
    add_part(nearest, views, 1, state, slot, lines, u, count, sums);
  else if (step <= reach(2))
    add_part(nearest, views, 2, state, slot, lines, u, count, sums);
  else
    add_part(nearest, views, 4, state, slot, lines, u, count, sums);
}

/* Adds a sweep of 1 or 8 views to voxels i .. i + length - 1 of row j. */
static void add_sweep(const ct_bp_state *state, int slot, const float *lines, int views, int i, int length, int j,
                      float *sums) {
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  double u[sweep], step = 0;
  for (int s = 0; s < views; s++) {
    const double *m = state->matrices[slot + s];
    u[s] = m[0] * i + m[1] * j + m[3] + (nearest ? 0.5 : 0);
    step = fmax(step, fabs(m[0]));
  }
  const int count = (length + W - 1) / W;
  if (step > reach(4))
    for (int s = 0; s < views; s++) add_plainly(state, slot + s, lines + (size_t)s * state->line, u[s], length, sums);
  else if (views == sweep && nearest)
    add_windows(true, sweep, step, state, slot, lines, u, count, sums);
  else if (views == sweep)
    add_windows(false, sweep, step, state, slot, lines, u, count, sums);
  else
    add_windows(nearest, 1, step, state, slot, lines, u, count, sums);
}

static void add_rows(const ct_bp_state *state, int slot, const float *lines, int views, int j0, int j1, float *sums) {
  const int nx = state->request.grid.nx;
  for (int j = j0; j < j1; j++)
    for (int i = 0; i < nx; i += block * W)
      add_sweep(state, slot, lines, views, i, nx - i < block * W ? nx - i : block * W, j,
                sums + (size_t)(j - j0) * state->room + i);
}

static void add_to_volume(const ct_bp_state *state, const float *sums, int rows, float *out) {
  const size_t nx = (size_t)state->request.grid.nx;
  for (int j = 0; j < rows; j++)
    for (size_t i = 0; i < nx; i++) out[(size_t)j * nx + i] += sums[(size_t)j * state->room + i];
}

static int views_now(int views, int slot) {
  return views - slot >= sweep ? sweep : 1;
}

static void do_piece(const ct_bp_state *state, int views, int j0, int j1, float *slice, const ct_job *job) {
  float *sums = state->sums + (size_t)ct_team_thread() * piece_rows * state->room;
  memset(sums, 0, piece_rows * state->room * sizeof *sums);
  for (int slot = 0; slot < views;) {
    if (ct_bp_stopped(job)) return;
    const int now = views_now(views, slot);
    add_rows(state, slot, state->lines + (size_t)slot * state->line, now, j0, j1, sums);
    slot += now;
  }
  add_to_volume(state, sums, j1 - j0, slice + (size_t)j0 * (size_t)state->request.grid.nx);
}

static void take_line(const ct_bp_state *state, const ct_bp_batch *batch, int first, int n, int k, float *padded) {
  const double *m = state->matrices[n];
  extract_line(state, batch->projections[first + n], m[6] * k + m[7], padded + pad);
}

static void do_slice(ct_bp_state *state, const ct_bp_batch *batch, int first, int views, int k, float *slice,
                     const ct_job *job) {
  const int ny = state->request.grid.ny, pieces = (ny + piece_rows - 1) / piece_rows;
#pragma omp for schedule(dynamic, 8)
  for (int n = 0; n < views; n++) take_line(state, batch, first, n, k, state->lines + (size_t)n * state->line);
#pragma omp for schedule(dynamic)
  for (int piece = 0; piece < pieces; piece++) {
    if (ct_bp_stopped(job)) continue;
    const int j = piece * piece_rows;
    do_piece(state, views, j, j + piece_rows < ny ? j + piece_rows : ny, slice, job);
  }
}

/* Slices k0 .. k1 - 1, of so few rows that their sums fill one piece. */
static void do_slices(const ct_bp_state *state, const ct_bp_batch *batch, int first, int views, int k0, int k1,
                      float *data, const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const size_t rows = (size_t)grid->ny, thread = (size_t)ct_team_thread();
  float *sums = state->sums + thread * piece_rows * state->room, *lines = state->lines + thread * sweep * state->line;
  memset(sums, 0, piece_rows * state->room * sizeof *sums);
  for (int slot = 0; slot < views;) {
    if (ct_bp_stopped(job)) return;
    const int now = views_now(views, slot);
    for (int k = k0; k < k1; k++) {
      for (int s = 0; s < now; s++) take_line(state, batch, first, slot + s, k, lines + (size_t)s * state->line);
      add_rows(state, slot, lines, now, 0, grid->ny, sums + (size_t)(k - k0) * rows * state->room);
    }
    slot += now;
  }
  add_to_volume(state, sums, (k1 - k0) * grid->ny, data + (size_t)k0 * rows * (size_t)grid->nx);
}

static void share_out_slices(const ct_bp_state *state, const ct_bp_batch *batch, int first, int views, float *data,
                             const ct_job *job) {
  const int nz = state->request.grid.nz, slices = piece_rows / state->request.grid.ny;
#pragma omp for schedule(dynamic)
  for (int k = 0; k < nz; k += slices) {
    if (ct_bp_stopped(job)) continue;
    do_slices(state, batch, first, views, k, k + slices < nz ? k + slices : nz, data, job);
  }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_bp_request *request = &state->request;
  const size_t slice = (size_t)request->grid.nx * (size_t)request->grid.ny;
  float *data = ct_volume_data(volume);
  for (int first = 0; first < batch->count; first += state->slots) {
    const int views = batch->count - first < state->slots ? batch->count - first : state->slots;
    for (int n = 0; n < views; n++)
      ct_bp_index_matrix(request->geometry, batch->views[first + n], &request->grid, state->matrices[n]);
#pragma omp parallel num_threads(request->threads)
    if (by_slices(request))
      share_out_slices(state, batch, first, views, data, job);
    else
      for (int k = 0; k < request->grid.nz; k++) do_slice(state, batch, first, views, k, data + (size_t)k * slice, job);
  }
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel CT_ISA_SYMBOL(ct_bp_rows) = {
    .id = "rows" CT_ISA_ID,
    .title = "Windows along rows" CT_ISA_TITLE,
    .explanation = "Parallel beam, single slices: rows of voxels read a window of each projection and pick their "
                   "samples by register "
                   "permutes, eight views at a time." CT_ISA_NOTE,
    .beams = CT_BIT(CT_BEAM_PARALLEL),
    .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .cpu = CT_ISA_CPU,
    .rank = CT_ISA_RANK(90),
    .rank_for = rank_for,
    .tolerance = 5e-6,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
