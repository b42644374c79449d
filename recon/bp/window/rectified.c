/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rectified views (rectified-private.h): what the kernel says of itself, the virtual detectors, and the order of work.
 */
#include "recon/bp/window/rectified-private.h"

#include "recon/base/memory.h"
#include "recon/bp/support-private.h"
#include "recon/geom/questions.h"

#include <math.h>

/* Virtual pixels a real one, along u and v. */
static const double finer_u = 2, finer_v = 1;
/* Most views resampled at once. */
enum { most_views = 32 };

/* The frame of a view's virtual detector. */
typedef struct frame {
  double source[3], d[3], e[3], depth; /* depth: D */
  double focal_u, focal_v;             /* F, F' */
  double low_u, high_u, low_v, high_v; /* of the real detector, about the foot of d */
} frame;

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Pixels that the rays' tangent of 1 takes in the direction of a row of the matrix. */
static double focal_length(const double row[3], const double axis[3]) {
  const double size = dot(axis, axis), along = dot(row, axis) / size;
  return sqrt(fmax(dot(row, row) - along * along * size, 0) / size);
}

/* False where the virtual detector would not see the whole real one from the front, or many times its size. */
static bool find_frame(const ct_geometry *g, int view, frame *f) {
  double p[12], ray[3];
  ct_geometry_matrix(g, view, p);
  const double level = hypot(p[8], p[9]), axis = sqrt(level * level + p[10] * p[10]);
  if (!(level > 0.5 * axis) || !ct_geometry_ray(g, view, 0, 0, f->source, ray)) return false;
  f->d[0] = p[8] / level, f->d[1] = p[9] / level, f->d[2] = 0;
  f->e[0] = -f->d[1], f->e[1] = f->d[0], f->e[2] = 0;
  if (dot(p, f->e) < 0) f->e[0] = -f->e[0], f->e[1] = -f->e[1];
  f->depth = -dot(f->d, f->source);
  f->focal_u = finer_u * focal_length(p, p + 8), f->focal_v = finer_v * focal_length(p + 4, p + 8);
  f->low_u = f->low_v = INFINITY, f->high_u = f->high_v = -INFINITY;
  for (int corner = 0; corner < 4; corner++) {
    double point[3];
    if (!ct_geometry_ray(g, view, corner & 1 ? g->nu : -1, corner & 2 ? g->nv : -1, point, ray)) return false;
    const double ahead = dot(ray, f->d);
    if (!(ahead > 0.1)) return false;
    const double u = f->focal_u * dot(ray, f->e) / ahead, v = f->focal_v * ray[2] / ahead;
    f->low_u = fmin(f->low_u, u), f->high_u = fmax(f->high_u, u);
    f->low_v = fmin(f->low_v, v), f->high_v = fmax(f->high_v, v);
  }
  return f->depth > 0 && isfinite(f->focal_u) && isfinite(f->focal_v);
}

/* The virtual detector that holds all views: whole vectors of columns. */
static bool find_size(int lanes, const ct_geometry *g, int *nu, int *nv) {
  double width = 0, height = 0;
  for (int view = 0; view < g->views; view++) {
    frame f;
    if (!find_frame(g, view, &f)) return false;
    width = fmax(width, f.high_u - f.low_u), height = fmax(height, f.high_v - f.low_v);
  }
  if (!(width < 4 * finer_u * (g->nu + 16) && height < 4 * finer_v * (g->nv + 16))) return false;
  *nu = ((int)width + 3 + lanes - 1) / lanes * lanes, *nv = (int)height + 3;
  return true;
}

static void find_view(const ct_geometry *g, int view, ct_rectified_view *v, double matrix[12]) {
  frame f;
  double p[12];
  find_frame(g, view, &f);
  ct_geometry_matrix(g, view, p);
  const double u = 1 - f.low_u, row = 1 - f.low_v, z[3] = {0, 0, 1};
  for (int n = 0; n < 3; n++) {
    const double *m = p + 4 * n;
    v->along_u[n] = f.depth * dot(m, f.e) / f.focal_u;
    v->along_v[n] = f.depth * m[2] / f.focal_v;
    v->origin[n] = f.depth * dot(m, f.d) - u * v->along_u[n] - row * v->along_v[n];
    matrix[n] = (f.focal_u * f.e[n] + u * f.d[n]) / f.depth;
    matrix[4 + n] = (f.focal_v * z[n] + row * f.d[n]) / f.depth;
    matrix[8 + n] = f.d[n] / f.depth;
  }
  for (int n = 0; n < 3; n++) matrix[4 * n + 3] = -dot(matrix + 4 * n, f.source);
}

static bool refuse(const ct_bp_kernel *kernel, ct_error **error) {
  return ct_error_set(
      error, CT_ERROR_UNSUPPORTED,
      "Kernel “%s” needs a source beside the object and a detector that turns less than 60° away from it.",
      kernel->title);
}

bool ct_rectified_geometry(const ct_bp_kernel *kernel, const ct_geometry *from, ct_geometry *to,
                           ct_rectified_view *views, ct_error **error) {
  int nu, nv;
  if (!find_size(kernel->width, from, &nu, &nv)) return refuse(kernel, error);
  if (!ct_geometry_init_matrices(to, nu, nv, from->views, error)) return false;
  for (int view = 0; view < from->views; view++) find_view(from, view, &views[view], to->matrices + 12 * (size_t)view);
  return true;
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  int nu, nv;
  if (find_size(kernel->width, request->geometry, &nu, &nv)) return true;
  return refuse(kernel, error);
}

/* The kernel for untilted detectors of the same variant. */
static const ct_bp_kernel *inner_of(const ct_bp_kernel *kernel) {
  return &ct_bp_z_window[kernel - ct_bp_rectified];
}

static int slots_of(const ct_bp_request *request) {
  return request->batch < most_views ? request->batch : most_views;
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  int nu, nv;
  if (!find_size(kernel->width, request->geometry, &nu, &nv)) return 0;
  const ct_bp_kernel *inner = inner_of(kernel);
  ct_rectified_view view;
  double matrix[12];
  find_view(request->geometry, 0, &view, matrix);
  const ct_geometry g = ct_geometry_of_matrix(nu, nv, matrix);
  ct_bp_request within = *request;
  within.geometry = &g;
  within.batch = slots_of(request);
  within.ahead = false;
  return inner->memory(inner, &within) + (size_t)within.batch * (size_t)nu * (size_t)nv * sizeof(float) +
         (size_t)request->geometry->views * (sizeof(ct_rectified_view) + 12 * sizeof(double));
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  if (state->inner_state) state->inner->free(state->inner_state);
  ct_geometry_clear(&state->geometry);
  ct_free(state->views);
  ct_free(state->pixels);
  ct_free(state->projections);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  const ct_geometry *g = request->geometry;
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->loops = ct_simd_loops_usable(&kernel->loops);
  state->inner = inner_of(kernel);
  state->request.geometry = &state->geometry;
  state->request.batch = state->slots = slots_of(request);
  state->request.ahead = false;
  state->nu = g->nu, state->nv = g->nv;
  state->views = ct_alloc((size_t)g->views, sizeof *state->views, "the views' virtual detectors", error);
  bool good = state->views && ct_rectified_geometry(kernel, g, &state->geometry, state->views, error);
  if (good) {
    const size_t pixels = (size_t)state->geometry.nu * (size_t)state->geometry.nv;
    state->pixels = ct_alloc((size_t)state->slots, pixels * sizeof(float), "the rectified projections", error);
    state->projections = ct_alloc((size_t)state->slots, sizeof *state->projections, "a batch", error);
    good = state->pixels && state->projections &&
           (state->inner_state = state->inner->prepare(state->inner, &state->request, error));
    for (int n = 0; good && n < state->slots; n++) state->projections[n] = state->pixels + (size_t)n * pixels;
  }
  if (good) return state;
  free_state(state);
  return NULL;
}

static void resample(const ct_bp_state *state, const int *views, const float *const *projections, int count,
                     const ct_job *job) {
  const size_t nu = (size_t)state->geometry.nu, nv = (size_t)state->geometry.nv;
#pragma omp parallel for collapse(2) schedule(dynamic, 64) num_threads(state->request.threads)
  for (int n = 0; n < count; n++)
    for (int row = 0; row < (int)nv; row++) {
      if (ct_bp_stopped(job)) continue;
      state->loops->row(state, &state->views[views[n]], projections[n], row,
                        state->pixels + ((size_t)n * nv + (size_t)row) * nu);
    }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  for (int first = 0; first < batch->count; first += state->slots) {
    const int count = batch->count - first < state->slots ? batch->count - first : state->slots;
    resample(state, batch->views + first, batch->projections + first, count, job);
    if (ct_bp_stopped(job)) break;
    const ct_bp_batch part = {.count = count,
                              .views = batch->views + first,
                              .projections = state->projections,
                              .first = batch->first && first == 0,
                              .last = batch->last && first + count == batch->count};
    if (!state->inner->run(state->inner_state, &part, volume, job, error)) return false;
  }
  return ct_bp_conclude(job, error);
}

#define ROW(kind, id_end, title_end, note)                                                                             \
  {.id = "rectified" id_end,                                                                                           \
   .title = "Rectified views" title_end,                                                                               \
   .family = "rectified",                                                                                              \
   .explanation = "For C-arms: each view is resampled once onto a virtual detector whose columns run along the "       \
                  "rotation axis, so that the fast kernel for such detectors applies; the resampling costs accuracy, " \
                  "and so the automatic choice passes it by." note,                                                    \
   .geometry = CT_GEOMETRY_MATRICES,                                                                                   \
   .interps = CT_BIT(CT_INTERP_LINEAR),                                                                                \
   .precisions = CT_BP_STORES_##kind,                                                                                  \
   CT_SIMD_LOOPS(kind, ct_rectified_loops),                                                                            \
   .tolerance = 1e-2,                                                                                                  \
   .resamples = true,                                                                                                  \
   .accepts = accepts,                                                                                                 \
   .memory = memory,                                                                                                   \
   .prepare = prepare,                                                                                                 \
   .run = run,                                                                                                         \
   .rank_for = ct_bp_rank_of_cpu,                                                                                      \
   .free = free_state},

const ct_bp_kernel ct_bp_rectified[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(ROW)};
