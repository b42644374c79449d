/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation kernels of four taps (taps-private.h): what the kernel says of itself, the taps' polynomials, memory,
 * and the order of work. */
#include "recon/bp/taps/taps-private.h"

#include "recon/base/memory.h"
#include "recon/bp/interp.h"
#include "recon/bp/layout/tile.h"
#include "recon/bp/support-private.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

/* Weight of one tap, at fraction f of a pixel behind the one below. */
static double tap_at(const ct_interp_shape *shape, int tap, double f) {
  double sum = 0;
  for (int n = 0; n < tap_count && shape->normalise; n++) sum += shape->weight(f - (n - 1));
  const double weight = shape->weight(f - (tap - 1));
  return shape->normalise ? weight / sum : weight;
}

/* Coefficients of the powers of x = 2 f - 1 of the polynomial through the values at Chebyshev's nodes: the sum over
 * Chebyshev's polynomials, multiplied out by T(n + 1) = 2 x T(n) - T(n - 1). */
static void fit(const ct_interp_shape *shape, int tap, int degree, float coefficients[most_degree + 1]) {
  const int nodes = degree + 1;
  double sums[most_degree + 1] = {0}, below[most_degree + 1] = {1}, now[most_degree + 1] = {0, 1};
  for (int n = 0; n <= degree; n++) {
    double series = 0;
    for (int k = 0; k < nodes; k++) {
      const double angle = M_PI * (k + 0.5) / nodes;
      series += tap_at(shape, tap, 0.5 * (1 + cos(angle))) * cos(n * angle);
    }
    series *= (n ? 2.0 : 1.0) / nodes;
    for (int p = 0; p <= degree; p++) sums[p] += series * below[p];
    double next[most_degree + 1] = {0};
    for (int p = 0; p <= degree; p++) next[p] = (p ? 2 * now[p - 1] : 0) - below[p];
    memcpy(below, now, sizeof below);
    memcpy(now, next, sizeof now);
  }
  for (int p = 0; p <= degree; p++) coefficients[p] = (float)sums[p];
}

static ptrdiff_t pitch_of(const ct_geometry *g) {
  return (ptrdiff_t)g->nu + 2 * tap_pad;
}

static ptrdiff_t pixels_of(const ct_geometry *g) {
  return pitch_of(g) * ((ptrdiff_t)g->nv + 2 * tap_pad);
}

/* A batch at a time, or as many views as there is memory for. */
static ct_bp_request taken_at_once(const ct_bp_request *request) {
  ct_bp_request taken = *request;
  taken.batch = ct_tile_slots(request, (size_t)pixels_of(request->geometry) * sizeof(float), request->batch);
  return taken;
}

/* Lines run along x; where that has few voxels, along the longest side. */
static void choose_axes(const ct_grid *grid, int axes[3], int counts[3]) {
  const int sizes[] = {grid->nx, grid->ny, grid->nz};
  int along = 0;
  if (grid->nx < 16)
    for (int n = 1; n < 3; n++)
      if (sizes[n] > sizes[along]) along = n;
  axes[0] = along;
  axes[1] = along == 0 ? 1 : 0;
  axes[2] = along == 2 ? 1 : 2;
  for (int n = 0; n < 3; n++) counts[n] = sizes[axes[n]];
}

static size_t room_of(const ct_bp_request *request, int width) {
  int axes[3], counts[3];
  choose_axes(&request->grid, axes, counts);
  const size_t w = (size_t)width;
  return ((size_t)counts[0] + w - 1) / w * w;
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_bp_request taken = taken_at_once(request);
  return (size_t)taken.batch * (size_t)pixels_of(request->geometry) * sizeof(float) + ct_rounded_memory(&taken) +
         (size_t)request->threads * room_of(request, kernel->width) * sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_rounded_clear(&state->rounded);
  ct_free(state->projections);
  ct_free(state->sums);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  const ct_interp_shape *shape = ct_interp_get_shape(request->interp);
  const ct_bp_request taken = taken_at_once(request);
  state->request = *request;
  state->loops = ct_simd_loops_usable(&kernel->loops);
  state->degree = request->interp == CT_INTERP_CUBIC ? 3 : most_degree;
  for (int tap = 0; tap < tap_count; tap++) fit(shape, tap, state->degree, state->weights[tap]);
  choose_axes(&request->grid, state->axes, state->counts);
  state->room = room_of(request, kernel->width);
  state->pitch = pitch_of(request->geometry);
  state->pixels = pixels_of(request->geometry);
  if (ct_rounded_init(&state->rounded, &taken, error))
    state->projections = ct_alloc_zero((size_t)taken.batch, (size_t)state->pixels * sizeof(float),
                                       "projections with zeros all round", error);
  if (state->projections)
    state->sums = ct_alloc((size_t)request->threads, state->room * sizeof(float), "the voxel lines", error);
  if (state->sums) return state;
  free_state(state);
  return NULL;
}

/* The samples between the zeros, of the rows that the grid can meet: others, of views before, are not read. */
static void copy_views(ct_bp_state *state, int views) {
  const ct_geometry *g = state->request.geometry;
#pragma omp parallel for num_threads(state->request.threads)
  for (int n = 0; n < views; n++) {
    int first, end;
    ct_bp_rows_met(&state->request, state->rounded.views[n], &first, &end);
    for (int row = first; row < end; row++) {
      float *to = state->projections + n * state->pixels + (row + tap_pad) * state->pitch + tap_pad;
      memcpy(to, state->rounded.projections[n] + (ptrdiff_t)row * g->nu, (size_t)g->nu * sizeof *to);
    }
  }
}

static void add(ct_bp_state *state, int views, float *data, const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  copy_views(state, views);
  const ptrdiff_t nx = grid->nx, strides[] = {1, nx, nx * grid->ny};
  const ptrdiff_t along = strides[state->axes[0]], across = strides[state->axes[1]], up = strides[state->axes[2]];
#pragma omp parallel for collapse(2) schedule(dynamic, 4) num_threads(state->request.threads)
  for (int k = 0; k < state->counts[2]; k++)
    for (int j = 0; j < state->counts[1]; j++) {
      if (ct_bp_stopped(job)) continue;
      float *sums = state->sums + (size_t)ct_team_thread() * state->room;
      memset(sums, 0, state->room * sizeof *sums);
      state->loops->line(state, views, j, k, sums);
      float *to = data + k * up + j * across;
      for (int i = 0; i < state->counts[0]; i++) to[i * along] += sums[i];
    }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_rounded_run(&state->rounded, state, add, batch, volume, job, error);
}

#define ROW(kind, id_end, title_end, note)                                                                             \
  {.id = "taps" id_end,                                                                                                \
   .title = "Gathered taps" title_end,                                                                                 \
   .family = "taps",                                                                                                   \
   .explanation = "Cubic and Gaussian interpolation in vectors, any geometry: four taps along each axis, their "       \
                  "weights as polynomials, their samples gathered." note,                                              \
   .geometry = CT_GEOMETRY_ANY,                                                                                        \
   .interps = CT_BIT(CT_INTERP_CUBIC) | CT_BIT(CT_INTERP_GAUSSIAN),                                                    \
   .precisions = CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16) | CT_BIT(CT_PRECISION_INT16),             \
   CT_SIMD_LOOPS(kind, ct_taps_loops),                                                                                 \
   .batch = 64,                                                                                                        \
   .tolerance = 5e-6,                                                                                                  \
   .memory = memory,                                                                                                   \
   .prepare = prepare,                                                                                                 \
   .run = run,                                                                                                         \
   .rank_for = ct_bp_rank_of_cpu,                                                                                      \
   .free = free_state},

const ct_bp_kernel ct_bp_taps[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(ROW)};
