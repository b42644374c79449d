/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building the system matrix in two passes over the rays, both parallel: count the entries of every row, which says
 * where each one goes, then make every row in its place. */
#include "recon/fp/matrix/build.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"

#include <stdatomic.h>

enum { CHUNK = 64, ESTIMATE_VIEWS = 12 };

ct_matrix_request ct_matrix_whole(const ct_geometry *geometry, const ct_grid *grid, ct_ray_model model, int threads) {
  return (ct_matrix_request){
      .geometry = geometry, .grid = *grid, .model = model, .view_count = geometry->views, .threads = threads};
}

static int view_of(const ct_matrix_request *request, int k) {
  return request->views ? request->views[k] : k;
}

static int rays_of(const ct_matrix_request *request, int k) {
  return request->rays ? request->rays[k] : request->geometry->nu;
}

size_t ct_matrix_rows(const ct_matrix_request *request) {
  size_t rows = 0;
  for (int k = 0; k < request->view_count; k++) rows += (size_t)rays_of(request, k);
  return rows;
}

static bool check(const ct_matrix_request *request, ct_error **error) {
  if (!ct_model_accepts(request->geometry, &request->grid, request->model, error)) return false;
  if (request->threads < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A matrix needs at least one thread to build it.");
  for (int k = 0; k < request->view_count; k++) {
    const int view = view_of(request, k), rays = rays_of(request, k);
    if (view < 0 || view >= request->geometry->views || rays < 0 || rays > request->geometry->nu)
      return ct_error_set(error, CT_ERROR_ARGUMENT, "The scan has no view %d with %d columns.", view, rays);
  }
  return true;
}

/* first[k]: the row that view k begins with; [view_count + 1]. */
static size_t *first_rows(const ct_matrix_request *request, ct_error **error) {
  size_t *first = ct_alloc((size_t)request->view_count + 1, sizeof *first, "the list of views", error);
  if (!first) return NULL;
  first[0] = 0;
  for (int k = 0; k < request->view_count; k++) first[k + 1] = first[k] + (size_t)rays_of(request, k);
  return first;
}

static uint64_t count_view(const ct_matrix_request *request, int k, uint64_t *counts) {
  const ct_model_view view = ct_model_view_make(request->geometry, &request->grid, request->model, view_of(request, k));
  uint64_t sum = 0;
  for (int u = 0; u < rays_of(request, k); u++) {
    const size_t count = ct_model_view_count(&view, u);
    sum += count;
    if (counts) counts[u] = count;
  }
  return sum;
}

bool ct_matrix_count(const ct_matrix_request *request, uint64_t *starts, uint64_t *entries, ct_job *job,
                     ct_error **error) {
  *entries = 0;
  if (!check(request, error)) return false;
  size_t *first = first_rows(request, error);
  if (!first) return false;
  uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(request->threads) reduction(+ : sum)
  for (int k = 0; k < request->view_count; k++) {
    if (ct_job_requested(job) == CT_JOB_CANCEL) continue;
    sum += count_view(request, k, starts ? starts + 1 + first[k] : NULL);
  }
  if (starts) {
    starts[0] = 0;
    for (size_t r = 0; r < first[request->view_count]; r++) starts[r + 1] += starts[r];
  }
  ct_free(first);
  *entries = sum;
  return ct_job_may_go_on(job, error);
}

double ct_matrix_estimate(const ct_matrix_request *request) {
  if (!check(request, NULL)) return 0;
  const int step = request->view_count > ESTIMATE_VIEWS ? request->view_count / ESTIMATE_VIEWS : 1;
  double sum = 0, rows = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(request->threads) reduction(+ : sum, rows)
  for (int k = 0; k < request->view_count; k += step) {
    sum += (double)count_view(request, k, NULL);
    rows += rays_of(request, k);
  }
  return rows > 0 ? sum / rows * (double)ct_matrix_rows(request) : 0;
}

/* Rows `from` to `to` - 1 of view k. */
static bool fill(const ct_matrix_request *request, int k, int from, int to, size_t first, ct_model_room *room,
                 ct_sparse *matrix, ct_error **error) {
  const ct_model_view view = ct_model_view_make(request->geometry, &request->grid, request->model, view_of(request, k));
  const uint64_t *starts = ct_sparse_starts(matrix) + first;
  for (int u = from; u < to; u++)
    if (!ct_model_view_row(&view, u, room, ct_sparse_indices(matrix) + starts[u], ct_sparse_values(matrix) + starts[u],
                           error))
      return false;
  return true;
}

static bool fill_all(const ct_matrix_request *request, const size_t *first, ct_sparse *matrix, ct_job *job,
                     ct_error **error) {
  const int chunks = (request->geometry->nu + CHUNK - 1) / CHUNK;
  atomic_bool failed = false;
  ct_error *fault = NULL;
#pragma omp parallel num_threads(request->threads)
  {
    ct_error *own = NULL;
    ct_model_room *room = ct_model_room_new(&request->grid, &own);
#pragma omp for collapse(2) schedule(dynamic, 1)
    for (int k = 0; k < request->view_count; k++)
      for (int chunk = 0; chunk < chunks; chunk++) {
        if (!room || atomic_load(&failed) || ct_job_requested(job) == CT_JOB_CANCEL) continue;
        const int rays = rays_of(request, k), from = chunk * CHUNK, to = from + CHUNK < rays ? from + CHUNK : rays;
        if (!fill(request, k, from, to, first[k], room, matrix, &own)) atomic_store(&failed, true);
        if (chunk == chunks - 1) ct_job_advance(job, 1);
      }
    ct_model_room_free(room);
    if (own) {
      atomic_store(&failed, true);
#pragma omp critical(ct_fp_matrix_build)
      if (!fault) {
        fault = own;
        own = NULL;
      }
      ct_error_clear(&own);
    }
  }
  if (fault) {
    ct_error_set(error, fault->code, "%s", fault->message);
    ct_error_clear(&fault);
    return false;
  }
  return ct_job_may_go_on(job, error);
}

static bool check_memory(const ct_matrix_request *request, size_t rows, uint64_t entries, ct_error **error) {
  const double needed = ct_sparse_bytes_for((double)rows, (double)entries);
  const double room = request->memory ? (double)request->memory : (double)ct_memory_available();
  if (room == 0 || needed <= room) return true;
  char need[32], has[32];
  return ct_error_set(error, CT_ERROR_MEMORY,
                      "The system matrix of %.4g million entries takes %s as stored rows, and %s may be used: a "
                      "matrix-free projector (joseph-2d, joseph-3d) needs next to nothing.",
                      (double)entries / 1e6, ct_format_bytes(needed, need, sizeof need),
                      ct_format_bytes(room, has, sizeof has));
}

ct_sparse *ct_matrix_build(const ct_matrix_request *request, ct_job *job, ct_error **error) {
  if (!check(request, error)) return NULL;
  ct_job_begin_stage(job, CT_STAGE_BUILDING, (uint64_t)request->view_count);
  size_t *first = first_rows(request, error);
  if (!first) return NULL;
  const size_t rows = first[request->view_count];
  uint64_t entries;
  uint64_t *starts = ct_alloc(rows + 1, sizeof *starts, "the rows of the system matrix", error);
  ct_sparse *matrix = NULL;
  if (starts && ct_matrix_count(request, starts, &entries, job, error) && check_memory(request, rows, entries, error))
    matrix = ct_sparse_new(rows, (size_t)request->grid.nx * (size_t)request->grid.ny, starts, error);
  else
    ct_free(starts);
  if (matrix && !fill_all(request, first, matrix, job, error)) {
    ct_sparse_free(matrix);
    matrix = NULL;
  }
  ct_free(first);
  return matrix;
}
