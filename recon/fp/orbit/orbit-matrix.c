/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The projector “orbit-matrix”: a stored system matrix of which one row serves eight rays. orbit-private.h explains it.
 */
#include "recon/fp/orbit/orbit-layout.h"
#include "recon/fp/orbit/orbit-run.h"
#include "recon/fp/projectors-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>

/* Bytes of turned copies, twice as many of interleaved slices; most rows of a block. */
enum { COPIES = 4 << 20, MOST_ROWS = 1 << 17 };

static bool accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  if (!ct_projector_slices(request))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "The orbit matrix serves slices: a fan, or a parallel beam whose rows lie at the volume's slices.");
  if (2 * request->geometry->nu > MOST_ROWS)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "The orbit matrix serves at most %d detector columns, not %d.",
                        MOST_ROWS / 2, request->geometry->nu);
  return ct_model_accepts(request->geometry, &request->grid, request->model, error) &&
         ct_symmetry_holds(request->geometry, &request->grid, CT_SYMMETRY_SQUARE, error);
}

/* Entries of the stored rays, from every eighth view's every eighth ray. */
static double estimate_entries(const ct_projector_request *request, const ct_symmetry *s) {
  double entries = 0, rays = 0;
  for (int slot = 0; slot < s->slots; slot += s->slots < 64 ? 1 : 8) {
    const ct_model_view view = ct_model_view_make(request->geometry, &request->grid, request->model, s->view[slot]);
    for (int u = s->count[slot] / 2 % 8; u < s->count[slot]; u += 8, rays++)
      entries += (double)ct_model_view_count(&view, u);
  }
  return rays > 0 ? entries / rays * (double)s->rays : 0;
}

static ct_orbit_precision precision_of(const ct_projector *self) {
  return self == &ct_projector_orbit_matrix_float ? CT_ORBIT_FLOAT : CT_ORBIT_HALF;
}

static double memory(const ct_projector *self, const ct_projector_request *request) {
  ct_symmetry *s = ct_symmetry_new(request->geometry, &request->grid, CT_SYMMETRY_SQUARE, NULL);
  if (!s) return 0;
  /* A step holds eight weights; the others are 0, where a pair or a row group is not full. */
  const double full = request->model == CT_MODEL_SIDDON ? 0.63 : 0.7;
  const double step = (double)ct_orbit_step_size(precision_of(self)) / (8 * full),
               pixels = (double)request->grid.nx * request->grid.ny;
  const double line = 8 * sizeof(float) * (ct_projector_slices(request) < CT_ORBIT_WIDE / 2 ? 1 : CT_ORBIT_WIDE);
  const double copies = 8 * line * (double)s->rays, most = COPIES * (line > 8 * sizeof(float) ? 2.0 : 1.0);
  const double bytes = 2 * step * estimate_entries(request, s) + 9.2 * pixels + (copies < most ? copies : most) +
                       CT_ORBIT_PARTS * 2.0 * s->nu * line;
  ct_symmetry_free(s);
  return bytes;
}

static void free_state(ct_projector_state *state) {
  if (!state) return;
  ct_orbit_build_clear(state);
  ct_orbit_image_clear(&state->image);
  ct_orbit_rays_clear(&state->rays);
  ct_free(state->group_first);
  ct_free(state->squares);
  ct_free(state->copies);
  ct_free(state->parts);
  free(state);
}

/* Eight slices at a time as long as that is quicker than one by one. */
static bool group_slices(ct_projector_state *state, ct_error **error) {
  const int wide = (state->slices + CT_ORBIT_WIDE / 2) / CT_ORBIT_WIDE, covered = wide * CT_ORBIT_WIDE;
  const int single = covered < state->slices ? state->slices - covered : 0;
  state->groups = wide + single;
  state->group_first = ct_alloc((size_t)state->groups + 1, sizeof *state->group_first, "the groups of slices", error);
  if (!state->group_first) return false;
  for (int n = 0; n <= state->groups; n++) state->group_first[n] = n <= wide ? n * CT_ORBIT_WIDE : covered + (n - wide);
  return true;
}

static void make_tables(ct_projector_state *state) {
  int exponent;
  frexp(state->request.grid.dx, &exponent);
  /* The largest weights, of about the diagonal of a pixel, lie below the largest binary16 number. */
  state->scale = state->precision == CT_ORBIT_HALF ? (float)ldexp(1, exponent - 13) : 1;
  for (int h = 0; h < 8; h++)
    for (int g = 0; g < 8; g++) {
      state->turns[h][g] = ct_symmetry_compose(g, h);
      state->turns[h][8 + g] = 8 + ct_symmetry_compose(g, h);
    }
  state->windows = (int)((8 * state->rays.most_rows + CT_ORBIT_REACH - 1) / CT_ORBIT_REACH);
}

static bool make_room(ct_projector_state *state, ct_error **error) {
  const size_t line = 8 * (size_t)(state->group_first[1] - state->group_first[0]) * sizeof(float);
  const size_t block = ct_orbit_copied_lines(state) * line, fit = (size_t)COPIES * (line > 32 ? 2 : 1) / block;
  state->copied_blocks = fit < 1 ? 1 : fit < (size_t)state->rays.blocks ? (int)fit : state->rays.blocks;
  state->copies = ct_alloc_zero((size_t)state->copied_blocks, block, "the turned rays", error);
  state->parts = ct_alloc_zero(CT_ORBIT_PARTS * (size_t)state->rays.most_rows, line, "the parts of rays", error);
  state->squares = ct_alloc_zero(state->rays.rows, sizeof *state->squares, "the squares of rows", error);
  state->bytes = (double)state->copied_blocks * (double)block +
                 CT_ORBIT_PARTS * (double)state->rays.most_rows * (double)line +
                 (double)state->rays.rows * (sizeof *state->squares + 1.0) +
                 (double)state->image.orbits * (8 * sizeof(uint32_t) + 1.0) +
                 (double)state->image.n * state->image.n * (double)sizeof(uint32_t);
  return state->copies && state->parts && state->squares;
}

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  const double began = ct_now();
  ct_symmetry *symmetry = ct_symmetry_new(request->geometry, &request->grid, CT_SYMMETRY_SQUARE, error);
  ct_projector_state *state = symmetry ? calloc(1, sizeof *state) : NULL;
  if (!state) {
    ct_symmetry_free(symmetry);
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a projector.");
    return NULL;
  }
  state->request = *request;
  state->loops = ct_simd_loops_usable(&self->loops);
  state->precision = precision_of(self);
  state->slices = ct_projector_slices(request);
  bool good = ct_orbit_rays_init(&state->rays, symmetry, error) && group_slices(state, error) &&
              ct_orbit_image_init(&state->image, request->grid.nx, ct_orbit_width_of(state, 0) > 1, error);
  if (good) {
    make_tables(state);
    good = make_room(state, error) && ct_orbit_build(state, job, error);
  }
  state->seconds = ct_now() - began;
  if (good) return state;
  free_state(state);
  return NULL;
}

static size_t widths(const ct_projector_state *state) {
  return (size_t)state->group_first[state->groups];
}

static void shape(const ct_projector_state *state, ct_projector_shape *shape) {
  *shape = (ct_projector_shape){.image = 8 * state->image.orbits * widths(state),
                                .rays = 8 * state->rays.rows * widths(state),
                                .blocks = state->rays.blocks,
                                .entries = state->entries * state->slices,
                                .stored = state->stored,
                                .bytes = state->bytes,
                                .seconds = state->seconds};
}

static void block(const ct_projector_state *state, int index, ct_projector_block *block) {
  const ct_orbit_block *b = state->rays.block + index;
  *block = (ct_projector_block){8 * b->first_row * widths(state), 8 * b->rows * widths(state), b->views, b->view_count};
}

/* All blocks' numbers for NULL; freed by the caller. */
static int *all_blocks(const ct_projector_state *state, ct_error **error) {
  int *all = ct_alloc((size_t)state->rays.blocks, sizeof *all, "the list of blocks", error);
  for (int n = 0; all && n < state->rays.blocks; n++) all[n] = n;
  return all;
}

static bool forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                    ct_error **error) {
  int *all = blocks ? NULL : all_blocks(state, error);
  if (!blocks && !all) return false;
  ct_orbit_forward(state, blocks ? blocks : all, blocks ? count : state->rays.blocks, x, y);
  ct_free(all);
  return true;
}

static bool back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error) {
  int *all = blocks ? NULL : all_blocks(state, error);
  if (!blocks && !all) return false;
  ct_orbit_back(state, blocks ? blocks : all, blocks ? count : state->rays.blocks, y, x);
  ct_free(all);
  return true;
}

/* Measured (docs/iterative.md): where slices fill the vectors several times the matrix is paid after 40 to 200
 * products, with AVX2 and AVX-512 as without. */
static int shared_after(const ct_projector *self, const ct_projector_request *request) {
  enum { LEAST = 16, PAID = 320 };
  return ct_projector_slices(request) >= LEAST ? PAID : 0;
}

static bool row_squares(ct_projector_state *state, float *y, ct_error **error) {
  ct_orbit_row_squares(state, y);
  return true;
}

#define SHARED                                                                                                         \
  .geometry = CT_GEOMETRY_SLICES,                                                                                      \
  .models = CT_FP_BIT(CT_MODEL_JOSEPH) | CT_FP_BIT(CT_MODEL_SIDDON) | CT_FP_BIT(CT_MODEL_AREA), .stored = true,        \
  .matched = true, .ties_views = true, .accepts = accepts, .memory = memory, .prepare = prepare, .shape = shape,       \
  .block = block, .image_in = ct_orbit_image_in, .image_out = ct_orbit_image_out, .rays_in = ct_orbit_rays_in,         \
  .rays_out = ct_orbit_rays_out, .forward = forward, .back = back, .row_squares = row_squares, .free = free_state

#define IDEA                                                                                                           \
  "Stored system matrix of which one row serves the eight rays that the symmetries of the square map onto each "       \
  "other; pixels and rays "                                                                                            \
  "that belong together lie side by side. "

const ct_projector ct_projector_orbit_matrix = {
    .id = "orbit-matrix",
    .title = "Orbit matrix",
    .explanation = IDEA "Weights in half precision, the same ones forward and back.",
    .loops = CT_SIMD_PLAIN(ct_orbit_loops),
    .shared_after = shared_after,
    .tolerance = 2.5e-4,
    SHARED,
};

const ct_projector ct_projector_orbit_matrix_float = {
    .id = "orbit-matrix-float",
    .title = "Orbit matrix (single precision)",
    .explanation = IDEA "Weights in single precision: twice the memory.",
    .loops = CT_SIMD_PLAIN(ct_orbit_loops),
    .tolerance = 2e-6,
    SHARED,
};

const ct_projector ct_projector_orbit_matrix_c8 = {
    .id = "orbit-matrix-c8",
    .title = "Orbit matrix (portable)",
    .explanation = IDEA "Written in the compiler's own vectors, without intrinsics: portable C.",
    CT_SIMD_LOOPS(PORTABLE_8, ct_orbit_loops),
    .tolerance = 2.5e-4,
    SHARED,
};

#ifdef CT_SIMD_AVX2
const ct_projector ct_projector_orbit_matrix_avx2 = {
    .id = "orbit-matrix-avx2",
    .title = "Orbit matrix (AVX2)",
    .explanation = IDEA "The AVX2 form of the orbit matrix, which takes AVX-512 where there is some.",
    CT_SIMD_LOOPS(AVX2, ct_orbit_loops),
    .tolerance = 2.5e-4,
    SHARED,
};
#endif
