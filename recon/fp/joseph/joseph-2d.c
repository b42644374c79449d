/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The projector joseph-2d: Joseph's model (1982) in slices, parallel and fan beam, without a matrix. Layouts: image
 * [slice][y][x] with zeros between rows, rays [view][slice][u] padded to whole vectors; blocks are views. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether the source of a view lies within the slice. */
static bool source_inside(const ct_geometry *g, const ct_grid *grid, int *view) {
  for (*view = 0; *view < g->views; ++*view) {
    const double i = (g->sod * sin(g->angles[*view]) - grid->x0) / grid->dx,
                 k = (-g->sod * cos(g->angles[*view]) - grid->y0) / grid->dy;
    if (i > -2 && i < grid->nx + 1 && k > -2 && k < grid->ny + 1) return true;
  }
  return false;
}

static bool accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  const ct_geometry *g = request->geometry;
  int view;
  if (!ct_projector_slices(request))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "Projector “Slices without a matrix” needs a fan and one slice, or an untilted parallel beam whose "
        "rows lie at the volume's slices.");
  if (!ct_model_accepts(g, &request->grid, request->model, error)) return false;
  if (ct_j2d_is_fan(g) && source_inside(g, &request->grid, &view))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The source of view %d lies within the slice: the slice must end before the source's orbit.",
                        view);
  const double detector = g->nu * g->du, pixel = fmax(request->grid.dx, request->grid.dy);
  if (!ct_j2d_is_fan(g) && detector < pixel * (1 - 1e-9))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The whole detector, %g mm, is narrower than one pixel of the slice, %g mm: check both sizes.",
                        detector, pixel);
  return true;
}

/* Eight images side by side: loops for vectors of 8 floats. */
static double bytes_of_eights(const ct_projector_request *request) {
  const ct_grid *grid = &request->grid;
  const ct_geometry *g = request->geometry;
  const double eights = (grid->nx + (double)CT_J2D_MARGIN) * (grid->ny + 1) / 2 * CT_J2D_EIGHT;
  const double rays = g->views / 4.0 * (g->nu + 2.0 * CT_J2D_PAD) * CT_J2D_EIGHT;
  return sizeof(float) * (eights + rays);
}

static double bytes_of(const ct_projector_request *request, bool eights) {
  const ct_grid *grid = &request->grid;
  const double rays = (double)request->geometry->views * request->geometry->nu;
  return 4.0 * (grid->nx + 48.0) * (grid->ny + 48.0) + 4.0 * rays * (ct_j2d_is_fan(request->geometry) ? 5 : 1) +
         (eights ? bytes_of_eights(request) : 0);
}

static double memory(const ct_projector *self, const ct_projector_request *request) {
  const ct_grid *grid = &request->grid;
  return bytes_of(request, self->width == 8 && !ct_j2d_is_fan(request->geometry) && grid->nx == grid->ny &&
                               ct_projector_slices(request) < CT_J2D_INTERLEAVED);
}

static void free_state(ct_projector_state *state) {
  if (!state) return;
  ct_j2d_clear(&state->j);
  ct_free(state);
}

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  ct_projector_state *state = ct_alloc_zero(1, sizeof *state, "a projector", error);
  if (!state || ct_j2d_init(&state->j, self, request, error)) return state;
  free_state(state);
  return NULL;
}

static void shape(const ct_projector_state *state, ct_projector_shape *shape) {
  const ct_j2d *j = &state->j;
  *shape = (ct_projector_shape){.image = j->image,
                                .rays = j->rays,
                                .blocks = j->views,
                                .layers = j->bundles ? j->bundles : j->slices,
                                .apart = CT_J2D_ALONE,
                                .families = j->families,
                                .bytes = bytes_of(&j->request, j->eights != NULL),
                                .seconds = j->seconds};
}

static void block(const ct_projector_state *state, int index, ct_projector_block *block) {
  const ct_j2d *j = &state->j;
  *block = (ct_projector_block){(size_t)index * j->view_rays, j->view_rays, j->order + index, 1};
}

static bool forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                    ct_error **error) {
  ct_j2d *j = &state->j;
  if (j->bundles) {
    ct_j2d_project_bundles(j, -1, blocks, count, x, y);
    return true;
  }
  for (int k = 0; k < j->slices; k++)
    ct_j2d_project(j, blocks, count, x + (size_t)k * j->slice_image, y + (size_t)k * j->slice_rays);
  return true;
}

static bool back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error) {
  ct_j2d *j = &state->j;
  if (j->bundles) {
    ct_j2d_back_project_bundles(j, blocks, count, y, x);
    return true;
  }
  for (int k = 0; k < j->slices; k++)
    ct_j2d_back_project(j, blocks, count, y + (size_t)k * j->slice_rays, x + (size_t)k * j->slice_image);
  return true;
}

static bool forward_layer(ct_projector_state *state, int layer, const int *blocks, int count, const float *x, float *y,
                          ct_error **error) {
  ct_j2d *j = &state->j;
  if (j->bundles)
    ct_j2d_project_bundles(j, layer, blocks, count, x, y);
  else
    ct_j2d_project(j, blocks, count, x + (size_t)layer * j->slice_image, y + (size_t)layer * j->slice_rays);
  return true;
}

static bool back_layer(ct_projector_state *state, int layer, const int *blocks, int count, const float *y,
                       ct_projector_take *take, void *user, ct_error **error) {
  ct_j2d *j = &state->j;
  if (j->bundles)
    ct_j2d_hand_bundle(j, layer, blocks, count, y, take, user);
  else
    ct_j2d_hand_slice(j, blocks, count, y + (size_t)layer * j->slice_rays, (size_t)layer * j->slice_image, take, user);
  return true;
}

/* One by one, where a view alone is no work for a team's single region: fans, and slices side by side. */
typedef struct taken {
  const ct_projector_visit *visit;
  int number;
} taken;

static void take_numbered(void *user, size_t first, size_t count, const float *values) {
  const taken *t = user;
  t->visit->take(t->visit->user, t->number, first, count, values);
}

static bool sweep_layer(ct_projector_state *state, const ct_projector_sweep *sweep, ct_error **error) {
  ct_j2d *j = &state->j;
  if (!j->bundles && !ct_j2d_is_fan(j->request.geometry)) {
    ct_j2d_sweep_slice(j, sweep);
    return true;
  }
  const ct_projector_visit *visit = sweep->visit;
  for (int n = 0; n < sweep->count; n++) {
    const int *block = sweep->blocks + n;
    const size_t first = (size_t)*block * j->view_rays + (size_t)sweep->layer * j->slice_rays;
    taken t = {visit, n};
    if (!forward_layer(state, sweep->layer, block, 1, sweep->x, sweep->y, error)) return false;
    sweep->sums[n] = visit->compare(visit->user, first, j->slice_rays, sweep->y + first);
    if (!back_layer(state, sweep->layer, block, 1, sweep->y, take_numbered, &t, error)) return false;
  }
  return true;
}

#define ROW(kind, id_end, title_end, note)                                                                             \
  {.id = "joseph-2d" id_end,                                                                                           \
   .family = "joseph-2d",                                                                                              \
   .title = "Slices without a matrix" title_end,                                                                       \
   .explanation =                                                                                                      \
       "Joseph's linear model (1982) computed on the fly, for parallel and fan beam: rays side by side read "          \
       "the image through windows and register permutes, and views that mirror each other share positions "            \
       "and weights; the way back is the exact transpose." note,                                                       \
   .geometry = CT_GEOMETRY_SLICES,                                                                                     \
   .models = CT_FP_BIT(CT_MODEL_JOSEPH),                                                                               \
   CT_SIMD_LOOPS(kind, ct_j2d_loops),                                                                                  \
   .matched = true,                                                                                                    \
   .tolerance = 5e-6,                                                                                                  \
   .accepts = accepts,                                                                                                 \
   .memory = memory,                                                                                                   \
   .prepare = prepare,                                                                                                 \
   .shape = shape,                                                                                                     \
   .block = block,                                                                                                     \
   .image_in = ct_j2d_image_in,                                                                                        \
   .image_out = ct_j2d_image_out,                                                                                      \
   .rays_in = ct_j2d_rays_in,                                                                                          \
   .rays_out = ct_j2d_rays_out,                                                                                        \
   .forward = forward,                                                                                                 \
   .back = back,                                                                                                       \
   .forward_layer = forward_layer,                                                                                     \
   .back_layer = back_layer,                                                                                           \
   .sweep_layer = sweep_layer,                                                                                         \
   .row_squares = ct_j2d_row_squares,                                                                                  \
   .free = free_state},

const ct_projector ct_projector_joseph_2d[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(ROW)};
