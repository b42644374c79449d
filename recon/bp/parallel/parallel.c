/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of the parallel-beam techniques: resampling of the detector lines onto the slices, the tables, tiles of
 * voxels shared out among the threads. Chilingaryan et al. (2019), sections 5.2, 6.1 and 6.10: square tiles are best,
 * of 64 x 64 voxels on a CPU; smaller ones here where many slices would not leave their sums in the cache. */
#include "recon/bp/interp.h"
#include "recon/bp/interp.h"
#include "recon/bp/nearest.h"
#include "recon/bp/parallel/parallel-private.h"
#include "recon/bp/support-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { most_slots = 128 };

/* The smallest power of two from `least` to `most` that holds `wanted` slices. */
static int fit_slices(int least, int most, int wanted) {
  int slices = least;
  while (slices < most && slices < wanted) slices *= 2;
  return slices;
}

static int tile_side(int slices) {
  return slices <= 4 ? ct_parallel_side : slices <= 16 ? 32 : 16;
}

/* A table's first bins, which lie outside the detector. */
static size_t border_bytes(const ct_parallel_technique *technique, int slices) {
  return (size_t)(ct_parallel_border * slices * technique->samples) * technique->entry;
}

static size_t line_floats(const ct_bp_request *request, int slices) {
  return ((size_t)request->geometry->nu + 2 * ct_parallel_border) * (size_t)slices;
}

static size_t table_bytes(const ct_bp_request *request, const ct_parallel_technique *technique, int slices) {
  const size_t bytes = line_floats(request, slices) * (size_t)technique->samples * technique->entry;
  return (bytes + CT_ALIGNMENT - 1) / CT_ALIGNMENT * CT_ALIGNMENT;
}

/* A quarter gigabyte of tables at most, but one pass at least. */
static int slot_count(const ct_bp_request *request, const ct_parallel_technique *technique, int slices) {
  const size_t fit = ((size_t)256 << 20) / table_bytes(request, technique, slices);
  int slots = request->batch < most_slots ? request->batch : most_slots;
  if (fit < (size_t)slots) slots = (int)fit;
  return slots < ct_parallel_pass ? ct_parallel_pass : (slots + ct_parallel_pass - 1) & -ct_parallel_pass;
}

static size_t sum_floats(int slices) {
  return (size_t)(tile_side(slices) * tile_side(slices)) * (size_t)slices;
}

size_t ct_parallel_memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_parallel_technique *technique = kernel->setting;
  const int slices = fit_slices(technique->least, technique->slices, request->grid.nz);
  return table_bytes(request, technique, slices) * (size_t)slot_count(request, technique, slices) +
         (size_t)request->threads * (line_floats(request, slices) + sum_floats(slices)) * sizeof(float);
}

void ct_parallel_free(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->tables);
  ct_free(state->scales);
  ct_free(state->views);
  ct_free(state->heights);
  ct_free(state->lines);
  ct_free(state->sums);
  ct_free(state);
}

ct_bp_state *ct_parallel_prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  const ct_parallel_technique *technique = kernel->setting;
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  const int slices = fit_slices(technique->least, technique->slices, request->grid.nz);
  const size_t slots = (size_t)slot_count(request, technique, slices), threads = (size_t)request->threads;
  state->request = *request, state->technique = technique, state->add = technique->add;
  state->slices = slices, state->slots = (int)slots, state->side = tile_side(slices);
  state->table = table_bytes(request, technique, slices);
  if ((state->tables = ct_alloc_zero(slots, state->table, "the interleaved projections", error)) &&
      (state->scales = ct_alloc_zero(slots, sizeof *state->scales, "the projections' scales", error)) &&
      (state->views = ct_alloc(slots / ct_parallel_pass, sizeof *state->views, "the views' coefficients", error)) &&
      (state->heights = ct_alloc(slots, sizeof *state->heights, "the views' heights", error)) &&
      (state->lines =
           ct_alloc(threads, line_floats(request, slices) * sizeof(float), "the lines of a projection", error)) &&
      (state->sums = ct_alloc(threads, sum_floats(slices) * sizeof(float), "the voxel tiles", error)))
    return state;
  ct_parallel_free(state);
  return NULL;
}

/* Where the batch's views find their samples. The last pass is filled up with views that read zeros only. */
static void place_views(ct_bp_state *state, const int *views, int count) {
  const ct_bp_request *request = &state->request;
  const double samples = state->technique->samples,
               rounding = request->interp == CT_INTERP_LINEAR ? 0 : 0.5 + CT_BP_TIE;
  const int whole = (count + ct_parallel_pass - 1) & -ct_parallel_pass;
  for (int n = 0; n < whole; n++) {
    ct_parallel_views *pass = &state->views[n / ct_parallel_pass];
    const int s = n % ct_parallel_pass;
    if (n >= count) {
      pass->x[s] = pass->y[s] = pass->offset[s] = 0;
      memset(state->tables + (size_t)n * state->table, 0, border_bytes(state->technique, state->slices));
      state->scales[n] = 0;
      continue;
    }
    double m[12];
    ct_bp_index_matrix(request->geometry, views[n], &request->grid, m);
    pass->x[s] = m[0] * samples, pass->y[s] = m[1] * samples;
    pass->offset[s] = (m[3] + ct_parallel_border) * samples + rounding;
    state->heights[n][0] = m[6], state->heights[n][1] = m[7];
  }
}

/* One slice's detector line, at row position v, into every `slices`-th float. */
static void extract_line(const ct_bp_request *request, const float *projection, double v, int slices, float *out) {
  const int nu = request->geometry->nu, nv = request->geometry->nv;
  v = ct_bp_nearest(v, ct_interp_get_shape(request->interp)->steps);
  const bool seen = v > -1 && v < nv;
  const int row = seen ? ct_bp_row_below(v, nv) : -1;
  const float fraction = seen ? (float)(v - row) : 0;
  const bool has_low = row >= 0, has_high = seen && row + 1 < nv && fraction > 0;
  const float *low = projection + (ptrdiff_t)row * nu, *high = low + nu;
  if (has_low && !has_high && fraction == 0)
    for (int u = 0; u < nu; u++) out[(size_t)u * (size_t)slices] = low[u];
  else
    for (int u = 0; u < nu; u++) {
      const float a = has_low ? low[u] : 0, b = has_high ? high[u] : 0;
      out[(size_t)u * (size_t)slices] = a + fraction * (b - a);
    }
}

static void fill_table(ct_bp_state *state, int slot, int k, int slices, const float *projection) {
  const ct_bp_request *request = &state->request;
  const int nu = request->geometry->nu;
  const size_t border = (size_t)ct_parallel_border * (size_t)slices,
               end = ((size_t)nu + ct_parallel_border) * (size_t)slices;
  float *line = state->technique->encode
                    ? state->lines + (size_t)omp_get_thread_num() * line_floats(request, state->slices)
                    : (float *)(state->tables + (size_t)slot * state->table);
  memset(line, 0, border * sizeof *line);
  memset(line + end, 0, border * sizeof *line);
  for (int l = 0; l < slices; l++) {
    if (k + l < request->grid.nz)
      extract_line(request, projection, state->heights[slot][0] * (k + l) + state->heights[slot][1], slices,
                   line + border + l);
    else
      for (int u = 0; u < nu; u++) line[border + (size_t)u * (size_t)slices + (size_t)l] = 0;
  }
  if (state->technique->encode) state->technique->encode(state, slot, slices, line);
}

static void do_tile(const ct_bp_state *state, const ct_parallel_tile *t, int views, int k, int slices, float *data,
                    const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  float *sums = state->sums + (size_t)omp_get_thread_num() * sum_floats(state->slices);
  memset(sums, 0, (size_t)(state->side * state->side) * (size_t)slices * sizeof *sums);
  for (int slot = 0; slot < views; slot += ct_parallel_pass) {
    if (ct_bp_stopped(job)) return;
    state->add(state, slot, t, slices, sums);
  }
  for (int l = 0; l < slices && k + l < grid->nz; l++)
    for (int j = 0; j < t->rows; j++) {
      float *row = data + ((size_t)(k + l) * (size_t)grid->ny + (size_t)(t->j + j)) * (size_t)grid->nx + (size_t)t->i;
      const float *from = sums + (size_t)j * (size_t)state->side * (size_t)slices + l;
      for (int i = 0; i < t->columns; i++) row[i] += from[(size_t)i * (size_t)slices];
    }
}

/* The views of all slots on some slices, by the whole team. */
static void do_slices(ct_bp_state *state, const float *const *projections, int views, int k, int slices, float *data,
                      const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const int side = state->side;
#pragma omp for schedule(dynamic)
  for (int n = 0; n < views; n++)
    if (!ct_bp_stopped(job)) fill_table(state, n, k, slices, projections[n]);
#pragma omp for collapse(2) schedule(dynamic)
  for (int j = 0; j < grid->ny; j += side)
    for (int i = 0; i < grid->nx; i += side) {
      if (ct_bp_stopped(job)) continue;
      const ct_parallel_tile t = {i, j, grid->nx - i < side ? grid->nx - i : side,
                                  grid->ny - j < side ? grid->ny - j : side};
      do_tile(state, &t, views, k, slices, data, job);
    }
}

bool ct_parallel_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const int nz = state->request.grid.nz;
  float *data = ct_volume_data(volume);
  for (int first = 0; first < batch->count; first += state->slots) {
    const int views = batch->count - first < state->slots ? batch->count - first : state->slots;
    place_views(state, batch->views + first, views);
#pragma omp parallel num_threads(state->request.threads)
    for (int k = 0; k < nz; k += state->slices)
      do_slices(state, batch->projections + first, views, k, fit_slices(state->technique->least, state->slices, nz - k),
                data, job);
  }
  return ct_bp_conclude(job, error);
}
