/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The projector joseph-2d: Joseph's model (1982) in slices, parallel and fan beam, without a matrix. Layouts: image
 * [slice][y][x] with zeros between rows, rays [view][slice][u] padded to whole vectors; blocks are views. */
#include "recon/fp/joseph-2d-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Slices from which on they are kept side by side. */
#define INTERLEAVED 9

struct ct_projector_state {
  ct_j2d j;
};

/* Whether the source of a view lies within the slice. */
static bool source_inside(const ct_geometry *g, const ct_grid *grid, int *view) {
  for (*view = 0; *view < g->views; ++*view) {
    const double i = (g->sod * sin(g->angles[*view]) - grid->x0) / grid->dx,
                 k = (-g->sod * cos(g->angles[*view]) - grid->y0) / grid->dy;
    if (i > -2 && i < grid->nx + 1 && k > -2 && k < grid->ny + 1) return true;
  }
  return false;
}

bool ct_j2d_accepts(const ct_projector_request *request, ct_error **error) {
  const ct_geometry *g = request->geometry;
  int view;
  if (!ct_projector_slices(request))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "Projector “Slices without a matrix” needs a fan and one slice, or an untilted parallel beam whose "
        "rows lie at the volume's levels.");
  if (!ct_model_accepts(g, &request->grid, request->model, error)) return false;
  if (g->beam == CT_BEAM_FAN && source_inside(g, &request->grid, &view))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The source of view %d lies within the slice: the slice must end before the source's orbit.",
                        view);
  const double detector = g->nu * g->du, pixel = fmax(request->grid.dx, request->grid.dy);
  if (g->beam == CT_BEAM_PARALLEL && detector < pixel * (1 - 1e-9))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The whole detector, %g mm, is narrower than one pixel of the slice, %g mm: check both sizes.",
                        detector, pixel);
  return true;
}

double ct_j2d_memory(const ct_projector_request *request) {
  const ct_grid *grid = &request->grid;
  const double rays = (double)request->geometry->views * request->geometry->nu;
  return 4.0 * (grid->nx + 48.0) * (grid->ny + 48.0) + 4.0 * rays * (request->geometry->beam == CT_BEAM_FAN ? 5 : 1);
}

double ct_j2d_memory_eights(const ct_projector_request *request) {
  const ct_grid *grid = &request->grid;
  const ct_geometry *g = request->geometry;
  const bool square = g->beam == CT_BEAM_PARALLEL && grid->nx == grid->ny && ct_projector_slices(request) < INTERLEAVED;
  const double eights = (grid->nx + (double)CT_J2D_MARGIN) * (grid->ny + 1) / 2 * CT_J2D_EIGHT;
  const double rays = g->views / 4.0 * (g->nu + 2.0 * CT_J2D_PAD) * CT_J2D_EIGHT;
  return ct_j2d_memory(request) + (square ? sizeof(float) * (eights + rays) : 0);
}

static void take_sizes(ct_j2d *j) {
  const ct_grid *grid = &j->request.grid;
  j->nx = grid->nx, j->ny = grid->ny;
  j->nu = j->request.geometry->nu, j->views = j->request.geometry->views;
  j->slices = ct_projector_slices(&j->request);
}

static bool make_layouts(ct_j2d *j, ct_error **error) {
  j->pitch = ct_projector_padded((size_t)j->nx + CT_J2D_MARGIN);
  j->turned_pitch = ct_projector_padded((size_t)j->ny + CT_J2D_MARGIN);
  j->slice_image = ct_projector_padded(j->pitch * (size_t)j->ny + CT_J2D_MARGIN);
  j->slice_rays = ct_projector_padded((size_t)j->nu);
  j->view_rays = j->slice_rays * (size_t)j->slices;
  int copies = j->slices;
  if (j->slices >= INTERLEAVED) {
    ct_j2d_bundle_layouts(j);
    copies = j->bundles;
  }
  return ct_size_product((int64_t)j->slice_image, copies, 1, sizeof(float), &j->image) &&
                 ct_size_product((int64_t)j->view_rays, j->views, 1, sizeof(float), &j->rays)
             ? (j->image /= sizeof(float), j->rays /= sizeof(float), true)
             : ct_error_set(error, CT_ERROR_MEMORY, "The image or the rays are too large for this machine.");
}

static bool make_room(ct_j2d *j, ct_error **error) {
  const size_t threads = (size_t)j->threads, nu = (size_t)j->nu, chunks = (size_t)ct_j2d_chunks(j);
  const size_t rays = ct_projector_padded(nu) + 3 * CT_J2D_LANES, band = j->pitch * CT_J2D_LANES + CT_J2D_MARGIN;
  j->strip_size = band;
  j->alone_size = ct_j2d_alone_size(j);
  for (int n = 0; n < j->count; n++)
    if (j->pencils[n].phases > j->most_phases) j->most_phases = j->pencils[n].phases;
  j->sums_size = CT_J2D_TOGETHER * rays;
  if (j->eights) j->sums_size = CT_J2D_TOGETHER * CT_J2D_EIGHT * ct_projector_padded((nu + 1) / 2);
  j->groups_of = (int)(rays / CT_J2D_LANES);
  j->wanted = ct_alloc((size_t)j->views, sizeof *j->wanted, "the list of views", error);
  j->order = ct_alloc((size_t)j->views, sizeof *j->order, "the list of views", error);
  j->listed = ct_alloc((size_t)j->views, sizeof *j->listed, "the list of views", error);
  j->chunks = ct_alloc((size_t)j->count + 1, sizeof *j->chunks, "the list of views", error);
  j->sources = ct_alloc(2 * (size_t)j->phases, sizeof *j->sources, "the list of views", error);
  j->turned =
      ct_alloc_zero((size_t)j->nx * j->turned_pitch + CT_J2D_MARGIN, sizeof(float), "the transposed image", error);
  j->scratch = ct_alloc_zero(j->scratch_size, sizeof(float), "rays", error);
  j->tall = ct_alloc(threads * CT_J2D_TALL * j->pitch, sizeof(float), "a part of the image", error);
  j->strip = ct_alloc_zero(threads * j->strip_size, sizeof(float), "a part of the image", error);
  j->turned_part = ct_alloc_zero(threads * CT_J2D_TURNED * (CT_J2D_CHUNK + 2 * CT_J2D_MARGIN), sizeof(float),
                                 "a part of the image", error);
  j->alone = ct_alloc_zero(threads * j->alone_size, sizeof(float), "the rays of a view", error);
  j->alone_sources = ct_alloc(threads * (size_t)j->most_phases, sizeof *j->alone_sources, "the list of views", error);
  j->alone_places = ct_alloc(threads * (j->pitch / 8), sizeof *j->alone_places, "the list of views", error);
  const size_t alone = 2 * chunks * rays, together = threads * j->sums_size;
  j->sums = ct_alloc_zero(alone > together ? alone : together, sizeof(float), "sums along rays", error);
  j->groups = ct_alloc(threads * CT_J2D_TOGETHER * (size_t)j->groups_of, sizeof *j->groups, "places of rays", error);
  if (!j->wanted || !j->order || !j->listed || !j->chunks || !j->sources || !j->turned || !j->scratch || !j->tall ||
      !j->strip || !j->turned_part || !j->alone || !j->alone_sources || !j->alone_places || !j->sums || !j->groups)
    return false;
  for (int view = 0; view < j->views; view++) j->order[view] = view;
  return true;
}

/* What the transpose needs in a fan. */
static bool make_fan_room(ct_j2d *j, ct_error **error) {
  if (j->request.geometry->beam != CT_BEAM_FAN) return true;
  j->factors = ct_alloc((size_t)j->views * (size_t)j->nu, sizeof(float), "the spacing of rays", error);
  j->even = ct_alloc_zero(j->scratch_size, sizeof *j->even, "sums of rays", error);
  j->slanted = ct_alloc_zero(j->scratch_size, sizeof *j->slanted, "sums of rays", error);
  j->scales = ct_alloc((size_t)j->count, sizeof(float), "sums of rays", error);
  if (!j->factors || !j->even || !j->slanted || !j->scales) return false;
  for (int n = 0; n < j->count; n++) {
    const ct_j2d_pencil *p = j->pencils + n;
    const size_t view = (size_t)p->view * (size_t)j->nu;
    for (int t = 0; t < p->count; t++) {
      const size_t u = view + (size_t)(p->first + p->step * t);
      j->factors[u] = (float)((double)j->lengths[u] * p->phases / fabs(p->r0 + p->r1 * t));
    }
  }
  return true;
}

void ct_j2d_free(ct_projector_state *state) {
  if (!state) return;
  ct_j2d *j = &state->j;
  void *const rooms[] = {j->pencils, j->first_pencil,  j->lengths,     j->factors,        j->even,     j->slanted,
                         j->scales,  j->items,         j->some,        j->wanted,         j->chunks,   j->sources,
                         j->turned,  j->scratch,       j->strip,       j->tall,           j->sums,     j->groups,
                         j->order,   j->listed,        j->eights,      j->eights_of_rays, j->families, j->turned_part,
                         j->alone,   j->alone_sources, j->alone_places};
  for (size_t n = 0; n < sizeof rooms / sizeof *rooms; n++) ct_free(rooms[n]);
  ct_free(state);
}

ct_projector_state *ct_j2d_new(const ct_projector_request *request, const ct_j2d_kernels *kernels, ct_error **error) {
  const double began = ct_now();
  ct_projector_state *state = ct_alloc_zero(1, sizeof *state, "a projector", error);
  if (!state) return NULL;
  ct_j2d *j = &state->j;
  j->request = *request;
  j->threads = request->threads;
  j->kernels = kernels;
  take_sizes(j);
  if (ct_j2d_make_pencils(j, error) && make_layouts(j, error) && ct_j2d_make_items(j, error) &&
      ct_j2d_make_eights(j, error) && make_room(j, error) && make_fan_room(j, error)) {
    j->seconds = ct_now() - began;
    return state;
  }
  ct_j2d_free(state);
  return NULL;
}

const ct_j2d *ct_j2d_of(const ct_projector_state *state) {
  return &state->j;
}

void ct_j2d_shape(const ct_projector_state *state, ct_projector_shape *shape) {
  const ct_j2d *j = &state->j;
  *shape = (ct_projector_shape){.image = j->image,
                                .rays = j->rays,
                                .blocks = j->views,
                                .layers = j->bundles ? j->bundles : j->slices,
                                .apart = CT_J2D_ALONE,
                                .families = j->families,
                                .bytes = j->eights ? ct_j2d_memory_eights(&j->request) : ct_j2d_memory(&j->request),
                                .seconds = j->seconds};
}

void ct_j2d_block(const ct_projector_state *state, int index, ct_projector_block *block) {
  const ct_j2d *j = &state->j;
  *block = (ct_projector_block){(size_t)index * j->view_rays, j->view_rays, j->order + index, 1};
}

void ct_j2d_image_in(const ct_projector_state *state, const float *natural, float *own) {
  const ct_j2d *j = &state->j;
  memset(own, 0, j->image * sizeof *own);
  if (j->bundles) {
    ct_j2d_bundles_in(j, natural, own, false);
    return;
  }
  for (int k = 0; k < j->slices; k++)
    for (int row = 0; row < j->ny; row++, natural += j->nx)
      memcpy(own + (size_t)k * j->slice_image + CT_J2D_MARGIN + (size_t)row * j->pitch, natural,
             (size_t)j->nx * sizeof *own);
}

void ct_j2d_image_out(const ct_projector_state *state, const float *own, float *natural) {
  const ct_j2d *j = &state->j;
  if (j->bundles) {
    ct_j2d_bundles_out(j, own, natural, false);
    return;
  }
  for (int k = 0; k < j->slices; k++)
    for (int row = 0; row < j->ny; row++, natural += j->nx)
      memcpy(natural, own + (size_t)k * j->slice_image + CT_J2D_MARGIN + (size_t)row * j->pitch,
             (size_t)j->nx * sizeof *own);
}

void ct_j2d_rays_in(const ct_projector_state *state, const float *natural, float *own) {
  const ct_j2d *j = &state->j;
  memset(own, 0, j->rays * sizeof *own);
  if (j->bundles) {
    ct_j2d_bundles_in(j, natural, own, true);
    return;
  }
  for (int row = 0; row < j->views * j->slices; row++)
    memcpy(own + (size_t)row * j->slice_rays, natural + (size_t)row * (size_t)j->nu, (size_t)j->nu * sizeof *own);
}

void ct_j2d_rays_out(const ct_projector_state *state, const float *own, float *natural) {
  const ct_j2d *j = &state->j;
  if (j->bundles) {
    ct_j2d_bundles_out(j, own, natural, true);
    return;
  }
  for (int row = 0; row < j->views * j->slices; row++)
    memcpy(natural + (size_t)row * (size_t)j->nu, own + (size_t)row * j->slice_rays, (size_t)j->nu * sizeof *own);
}

bool ct_j2d_run_forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
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

bool ct_j2d_run_back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x,
                     ct_error **error) {
  ct_j2d *j = &state->j;
  if (j->bundles) {
    ct_j2d_back_project_bundles(j, blocks, count, y, x);
    return true;
  }
  for (int k = 0; k < j->slices; k++)
    ct_j2d_back_project(j, blocks, count, y + (size_t)k * j->slice_rays, x + (size_t)k * j->slice_image);
  return true;
}

bool ct_j2d_forward_layer(ct_projector_state *state, int layer, const int *blocks, int count, const float *x, float *y,
                          ct_error **error) {
  ct_j2d *j = &state->j;
  if (j->bundles)
    ct_j2d_project_bundles(j, layer, blocks, count, x, y);
  else
    ct_j2d_project(j, blocks, count, x + (size_t)layer * j->slice_image, y + (size_t)layer * j->slice_rays);
  return true;
}

bool ct_j2d_back_layer(ct_projector_state *state, int layer, const int *blocks, int count, const float *y,
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

bool ct_j2d_sweep_layer(ct_projector_state *state, int layer, const int *blocks, int count, const float *x, float *y,
                        const ct_projector_visit *visit, double *sums, ct_error **error) {
  ct_j2d *j = &state->j;
  if (!j->bundles && j->request.geometry->beam == CT_BEAM_PARALLEL) {
    ct_j2d_sweep_slice(j, layer, blocks, count, x, visit, sums);
    return true;
  }
  for (int n = 0; n < count; n++) {
    const size_t first = (size_t)blocks[n] * j->view_rays + (size_t)layer * j->slice_rays;
    taken t = {visit, n};
    if (!ct_j2d_forward_layer(state, layer, blocks + n, 1, x, y, error)) return false;
    sums[n] = visit->compare(visit->user, first, j->slice_rays, y + first);
    if (!ct_j2d_back_layer(state, layer, blocks + n, 1, y, take_numbered, &t, error)) return false;
  }
  return true;
}
