/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The projectors joseph-3d and fast-pair: Joseph's model along z, and the same with a quicker way back. */
#include "recon/fp/joseph/joseph-3d-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

struct ct_projector_state {
  ct_joseph joseph;
};

static void free_state(ct_projector_state *state) {
  if (!state) return;
  ct_joseph_clear(&state->joseph);
  ct_free(state);
}

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  ct_projector_state *state = ct_alloc_zero(1, sizeof *state, "the projector", error);
  if (state && ct_joseph_init(&state->joseph, self, request, error)) return state;
  ct_free(state);
  return NULL;
}

static void shape(const ct_projector_state *state, ct_projector_shape *shape) {
  ct_joseph_shape(&state->joseph, shape);
}

static void block(const ct_projector_state *state, int index, ct_projector_block *block) {
  const ct_joseph *joseph = &state->joseph;
  const size_t view = (size_t)joseph->request.geometry->nu * joseph->ray;
  *block = (ct_projector_block){(size_t)index * view, view, joseph->views + index, 1};
}

static void image_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_joseph_image_in(&state->joseph, natural, own);
}

static void image_out(const ct_projector_state *state, const float *own, float *natural) {
  ct_joseph_image_out(&state->joseph, own, natural);
}

static void rays_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_joseph_rays_in(&state->joseph, natural, own);
}

static void rays_out(const ct_projector_state *state, const float *own, float *natural) {
  ct_joseph_rays_out(&state->joseph, own, natural);
}

static bool forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                    ct_error **error) {
  state->joseph.loops->forward->run(&state->joseph, blocks, count, x, y);
  return true;
}

static bool back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error) {
  state->joseph.loops->back->run(&state->joseph, blocks, count, y, x);
  return true;
}

static bool back_by_voxels(ct_projector_state *state, const int *blocks, int count, const float *y, float *x,
                           ct_error **error) {
  state->joseph.loops->voxels->run(&state->joseph, blocks, count, y, x);
  return true;
}

static bool row_squares(ct_projector_state *state, float *y, ct_error **error) {
  state->joseph.loops->row_squares(&state->joseph, y);
  return true;
}

#define SHARED(kind)                                                                                                   \
  .geometry = CT_GEOMETRY_VOLUME, .models = CT_FP_BIT(CT_MODEL_JOSEPH), CT_SIMD_LOOPS(kind, ct_joseph_loops),          \
  .tolerance = 5e-6, .accepts = ct_joseph_accepts, .memory = ct_joseph_memory, .prepare = prepare, .shape = shape,     \
  .block = block, .image_in = image_in, .image_out = image_out, .rays_in = rays_in, .rays_out = rays_out,              \
  .forward = forward, .row_squares = row_squares, .free = free_state

#define JOSEPH(kind, id_end, title_end, note)                                                                          \
  {.id = "joseph-3d" id_end,                                                                                           \
   .family = "joseph-3d",                                                                                              \
   .title = "Joseph, 3-D, matrix-free" title_end,                                                                      \
   .explanation = "Lines through planes of voxels, linear in between (Joseph 1982), without a matrix: columns along "  \
                  "z blended in pairs and read through windows by register permutes, mirrored halves together; and "   \
                  "the exact transpose. For detectors whose columns are parallel to the rotation axis." note,          \
   .matched = true,                                                                                                    \
   .back = back,                                                                                                       \
   SHARED(kind)},

#define FAST_PAIR(kind, id_end, title_end, note)                                                                       \
  {.id = "fast-pair" id_end,                                                                                           \
   .family = "fast-pair",                                                                                              \
   .title = "Fast unmatched pair, 3-D" title_end,                                                                      \
   .explanation = "Forward as Joseph in 3-D; back voxel by voxel as filtered back-projection does (Feldkamp et al. "   \
                  "1984), weighted to come near the transpose: quicker, and off it by about two percent for smooth "   \
                  "data, more for noise." note,                                                                        \
   .back = back_by_voxels,                                                                                             \
   SHARED(kind)},

const ct_projector ct_projector_joseph_3d[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(JOSEPH)};
const ct_projector ct_projector_fast_pair[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(FAST_PAIR)};
