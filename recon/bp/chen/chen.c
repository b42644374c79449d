/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels of Chen et al. (2021) share (see chen-private.h): turning the projections, the parallel loop over
 * pairs (i, j), and adding the transposed volume [x][y][z] to the program's [z][y][x]. */
#include "recon/bp/chen/chen-private.h"
#include "recon/bp/support-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Blocks that are transposed at once: whole cache lines on both sides. */
enum { block = 16 };

bool ct_chen_accepts_columns(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  return ct_bp_columns_along_z(request) ||
         ct_error_set(
             error, CT_ERROR_UNSUPPORTED,
             "Chen's kernels need detector columns along the rotation axis, which a tilted detector or a C-arm's "
             "matrices do not have.");
}

/* b(k) + b(nz - 1 - k) = mirror w for all i, j: three equations for the mirror of a view, of which the constant one
 * gives it, in pixels, and the others have to agree. */
static bool find_mirror(const ct_bp_request *request, int view, double *mirror) {
  const ct_grid *g = &request->grid;
  double m[12];
  ct_bp_index_matrix(request->geometry, view, g, m);
  const double ci = (g->nx - 1) / 2.0, cj = (g->ny - 1) / 2.0;
  const double w = m[8] * ci + m[9] * cj + m[11];
  const double sum = 2 * (m[4] * ci + m[5] * cj + m[7]) + m[6] * (g->nz - 1);
  if (fabs(w) < 1e-6) return false;
  *mirror = sum / w;
  const double off = fabs(2 * m[4] - *mirror * m[8]) * g->nx + fabs(2 * m[5] - *mirror * m[9]) * g->ny;
  return isfinite(*mirror) && off < 1e-7;
}

bool ct_chen_accepts_mirror(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  if (!ct_chen_accepts_columns(kernel, request, error)) return false;
  double mirror;
  for (int view = 0; view < request->geometry->views; view++)
    if (!find_mirror(request, view, &mirror))
      return ct_error_set(
          error, CT_ERROR_UNSUPPORTED,
          "Chen's kernels with symmetry mirror the upper half of the volume to the lower one, and need a grid that "
          "reaches as far above the source's plane as below it.");
  return true;
}

size_t ct_chen_stride(const ct_bp_request *request) {
  return ((size_t)request->geometry->nv + 3 + 15) / 16 * 16;
}

int ct_chen_views(const ct_bp_request *request) {
  return request->batch < CT_CHEN_VIEWS ? request->batch : CT_CHEN_VIEWS;
}

static size_t view_size(const ct_bp_request *request) {
  return ((size_t)request->geometry->nu + 3) * ct_chen_stride(request);
}

static size_t scratch_floats(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_chen_setting *setting = kernel->setting;
  return setting->scratch ? setting->scratch(request) : 0;
}

size_t ct_chen_memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return (ct_grid_voxels(&request->grid) + (size_t)ct_chen_views(request) * view_size(request) +
          (size_t)request->threads * scratch_floats(kernel, request)) *
         sizeof(float);
}

void ct_chen_free(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->transposed);
  ct_free(state->volume);
  ct_free(state->threads);
  ct_free(state->matrices);
  ct_free(state->mirrors);
  ct_free(state);
}

static bool allocate(ct_bp_state *s, ct_error **error) {
  const size_t views = (size_t)s->views;
  size_t bytes;
  if (!ct_size_product(s->views, s->request.geometry->nu + 3LL, (int64_t)s->stride, sizeof(float), &bytes))
    return ct_error_set(error, CT_ERROR_MEMORY, "The transposed projections are too large for this machine's memory.");
  s->transposed = ct_alloc_zero(bytes, 1, "the transposed projections", error);
  if (s->transposed)
    s->volume = ct_alloc_zero(ct_grid_voxels(&s->request.grid), sizeof(float), "the transposed volume", error);
  if (s->volume)
    s->threads = ct_alloc_zero((size_t)s->request.threads, s->scratch * sizeof(float), "the blended lines", error);
  if (s->threads) s->matrices = ct_alloc(views, sizeof *s->matrices, "the views' matrices", error);
  if (s->matrices) s->mirrors = ct_alloc(views, sizeof *s->mirrors, "the views' mirror rows", error);
  return s->mirrors;
}

ct_bp_state *ct_chen_prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  const ct_chen_setting *setting = kernel->setting;
  const char *loops = ct_simd_loops_usable(&kernel->loops);
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  memcpy(&state->column, loops + setting->column, sizeof state->column);
  state->views = ct_chen_views(request);
  state->pass = setting->batch ? state->views : 1;
  state->stride = ct_chen_stride(request);
  state->view = view_size(request);
  /* Whole cache lines, so that no two threads share one. */
  state->scratch = (scratch_floats(kernel, request) / 16 + 1) * 16;
  if (allocate(state, error)) return state;
  ct_chen_free(state);
  return NULL;
}

/* Columns first .. first + block - 1. */
static void transpose(const ct_bp_state *state, int slot, int first, const float *projection) {
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  const int end = first + block < nu ? first + block : nu;
  float *out = state->transposed + (size_t)slot * state->view + state->stride + 1;
  for (int row = 0; row < nv; row += block) {
    const int last = row + block < nv ? row + block : nv;
    for (int u = first; u < end; u++)
      for (int v = row; v < last; v++)
        out[(size_t)u * state->stride + (size_t)v] = projection[(size_t)v * (size_t)nu + (size_t)u];
  }
}

static void turn_views(ct_bp_state *state, const ct_bp_batch *batch, int first, int views, const ct_job *job) {
  const ct_bp_request *request = &state->request;
  for (int n = 0; n < views; n++) {
    const int view = batch->views[first + n];
    double mirror;
    ct_bp_index_matrix(request->geometry, view, &request->grid, state->matrices[n]);
    /* Both rows are counted from the border. */
    state->mirrors[n] = find_mirror(request, view, &mirror) ? mirror + 2 : NAN;
  }
#pragma omp parallel for collapse(2) schedule(dynamic) num_threads(request->threads)
  for (int n = 0; n < views; n++)
    for (int u = 0; u < request->geometry->nu; u += block)
      if (!ct_bp_stopped(job)) transpose(state, n, u, batch->projections[first + n]);
}

static void pass_over(const ct_bp_state *state, int first, int count, const ct_job *job) {
  const ct_grid *g = &state->request.grid;
#pragma omp parallel for collapse(2) schedule(dynamic, 16) num_threads(state->request.threads)
  for (int i = 0; i < g->nx; i++)
    for (int j = 0; j < g->ny; j++)
      if (!ct_bp_stopped(job))
        state->column(state, first, count, i, j, state->threads + (size_t)omp_get_thread_num() * state->scratch);
}

bool ct_chen_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const int pass = state->pass;
  for (int first = 0; first < batch->count && !ct_bp_stopped(job); first += state->views) {
    const int views = batch->count - first < state->views ? batch->count - first : state->views;
    turn_views(state, batch, first, views, job);
    for (int n = 0; n < views && !ct_bp_stopped(job); n += pass)
      pass_over(state, n, views - n < pass ? views - n : pass, job);
  }
  return ct_bp_conclude(job, error);
}

/* Adds voxels (i .. , j, k .. ) of one block and clears them, so that further batches start anew. */
static void add_block(const ct_bp_state *state, int i, int j, int k, float *data) {
  const ct_grid *g = &state->request.grid;
  const int end_i = i + block < g->nx ? i + block : g->nx, end_k = k + block < g->nz ? k + block : g->nz;
  for (; k < end_k; k++) {
    float *row = data + ((size_t)k * (size_t)g->ny + (size_t)j) * (size_t)g->nx;
    for (int x = i; x < end_i; x++) {
      float *from = ct_chen_column_at(state, x, j) + k;
      row[x] += *from;
      *from = 0;
    }
  }
}

bool ct_chen_finish(ct_bp_state *state, ct_volume *volume, ct_error **error) {
  const ct_grid *g = &state->request.grid;
  float *data = ct_volume_data(volume);
#pragma omp parallel for schedule(static) num_threads(state->request.threads)
  for (int j = 0; j < g->ny; j++)
    for (int k = 0; k < g->nz; k += block)
      for (int i = 0; i < g->nx; i += block) add_block(state, i, j, k, data);
  return true;
}

bool ct_chen_read_plane(ct_bp_state *state, const ct_volume *volume, ct_plane plane, int index, float *out,
                        ct_error **error) {
  const ct_grid *g = &state->request.grid;
  int width, height, count;
  ct_grid_plane_size(g, plane, &width, &height, &count);
  index = index < 0 ? 0 : index < count ? index : count - 1;
  ct_volume_copy_plane(volume, plane, index, out);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const int i = plane == CT_SAGITTAL ? index : x, j = plane == CT_AXIAL ? y : plane == CT_CORONAL ? index : x;
      const int k = plane == CT_AXIAL ? index : y;
      out[(size_t)y * (size_t)width + (size_t)x] += ct_chen_column_at(state, i, j)[k];
    }
  return true;
}
