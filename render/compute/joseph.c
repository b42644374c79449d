/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joseph's pair of projectors on the card: what it serves, its memory, and the layouts. */
#include "render/compute/joseph-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/fp/joseph/view-rays.h"
#include "recon/geom/questions.h"
#include "render/compute/projectors-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SLOTS = 64 };
/* A group of views: large enough that uploads are no matter, small enough that one is on its way while another is at
 * work. */
static const double most_group = 64 << 20;
/* Of the card's memory, the image's part. */
static const double image_share = 0.5;
/* Halvings after which memory counts as too small for anything. */
enum { MOST_SHRINKS = 10 };

static bool source_is_outside(const ct_geometry *geometry, const ct_grid *grid, int view, ct_error **error) {
  ct_view_rays rays;
  ct_view_rays_find(geometry, grid, view, &rays);
  const double *w = rays.matrix + 8;
  for (int corner = 0; corner < 8; corner++) {
    const double i = corner & 1 ? grid->nx + 1 : -2, j = corner & 2 ? grid->ny + 1 : -2,
                 k = corner & 4 ? grid->nz + 1 : -2;
    if (!(w[0] * i + w[1] * j + w[2] * k + w[3] > 0))
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "This projector needs the source outside the volume; in view %d it is within, or beside it.",
                          view);
  }
  return true;
}

/* As projector.h asks. */
static size_t padded(size_t count) {
  return (count + 15) & ~(size_t)15;
}

static ctgl_joseph_layout find_layout(const ct_projector_request *request, double memory, int shrunk) {
  const ct_geometry *g = request->geometry;
  const ct_grid *grid = &request->grid;
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  const bool flat = ct_projector_slices(request) > 0;
  ctgl_joseph_layout l = {
      .flat = flat, .row = (size_t)grid->nx + 2, .overlap = !flat, .slices = flat ? grid->nz : grid->nz + 2};
  l.plane = l.row * ((size_t)grid->ny + 2);
  l.image = padded((size_t)l.slices * l.plane);
  l.view = (size_t)g->nu * (size_t)g->nv;
  double image = (double)facts->storage_block, group = fmin(most_group, (double)facts->storage_block);
  if (memory > 0) image = fmin(image, image_share * memory), group = fmin(group, 0.1 * memory);
  const double slices = ldexp(fmin(image / ((double)l.plane * sizeof(float)), l.slices), -shrunk);
  const double slots = ldexp(fmin(group / ((double)l.view * sizeof(float)), fmin(g->views, MOST_SLOTS)), -shrunk);
  l.thick = (int)fmax(slices, 1 + l.overlap);
  l.slots = (int)fmax(slots, 1);
  return l;
}

/* Floats of each half of the buffer through which results go back. */
static size_t way_back(const ctgl_joseph_layout *l) {
  const size_t group = (size_t)l->slots * l->view;
  return group > l->plane ? group : l->plane;
}

static double bytes_of(const ct_projector_request *request) {
  /* Software devices use main memory. */
  if (!request->device) return 0;
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  if (!facts->software) return 0;
  const ctgl_joseph_layout l = find_layout(request, facts->memory, 0);
  return sizeof(float) *
         ((double)l.thick * (double)l.plane + 2.0 * l.slots * (double)l.view + 2.0 * (double)way_back(&l));
}

static double memory(const ct_projector *self, const ct_projector_request *request) {
  return bytes_of(request);
}

static bool accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  const ct_geometry *g = request->geometry;
  const ct_grid *grid = &request->grid;
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  const bool flat = ct_projector_slices(request) > 0;
  if (!facts->persistent_map)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "This projector keeps buffers mapped (GL_ARB_buffer_storage), which this graphics driver cannot.");
  if (!ct_geometry_promises(g, CT_TRAIT_SPATIAL) && !flat)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "The rays of a fan lie in one slice: choose a grid of one slice.");
  /* Shaders count floats of an image or of a group of views in 31 bits. */
  const double plane = ((double)grid->nx + 2) * ((double)grid->ny + 2), view = (double)g->nu * g->nv;
  if ((2 * plane > view ? 2 * plane : view) * sizeof(float) > (double)facts->storage_block)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "A slice of %d x %d voxels or a projection of %d x %d pixels is larger than a buffer of this graphics card.",
        grid->nx, grid->ny, g->nu, g->nv);
  for (int view_index = 0; view_index < g->views; view_index++)
    if ((!flat && !ct_view_rays_are_flat(g, grid, view_index, error)) || !source_is_outside(g, grid, view_index, error))
      return false;
  return true;
}

static void clear(ct_projector_state *state) {
  ctgl_carry_clear(&state->carry);
  glDeleteBuffers(2, state->rays);
  glDeleteBuffers(2, state->descriptions);
  glDeleteBuffers(1, &state->slab);
  memset(state->rays, 0, sizeof state->rays);
  memset(state->descriptions, 0, sizeof state->descriptions);
  state->slab = 0;
}

static GLuint make_program(const ct_projector_state *state, int back, ct_error **error) {
  char defines[160];
  snprintf(defines, sizeof defines,
           "#define BACK %d\n#define FLAT %d\n#define BLOCK_X %d\n#define BLOCK_Y %d\n#define VOXELS %d\n", back,
           state->layout.flat, CTGL_JOSEPH_X, CTGL_JOSEPH_Y, CTGL_JOSEPH_VOXELS);
  return ctgl_device_program(state->device, "joseph.comp", defines, error);
}

static void make_buffer(GLuint *buffer, size_t floats) {
  glGenBuffers(1, buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, *buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(floats * sizeof(float)), NULL, GL_DYNAMIC_COPY);
}

static bool make_buffers(ct_projector_state *state, ct_error **error) {
  const ctgl_joseph_layout *l = &state->layout;
  make_buffer(&state->slab, (size_t)l->thick * l->plane);
  for (int n = 0; n < 2; n++) {
    make_buffer(&state->rays[n], (size_t)l->slots * l->view);
    make_buffer(&state->descriptions[n], (size_t)l->slots * CTGL_JOSEPH_VIEW);
  }
  return ctgl_device_check(state->device, "the projector", error) &&
         ctgl_carry_init(&state->carry, state->device, way_back(l), ctgl_joseph_take, state, error);
}

/* In smaller and smaller pieces while the memory is too small. */
static bool set_up(ct_projector_state *state, ct_error **error) {
  const double room = ctgl_device_room(state->device);
  for (int shrunk = 0;; shrunk++) {
    ct_error *fault = NULL;
    state->layout = find_layout(&state->request, room, shrunk);
    const bool programs =
        (state->programs[0] = make_program(state, 0, &fault)) && (state->programs[1] = make_program(state, 1, &fault));
    if (programs && make_buffers(state, &fault)) return true;
    clear(state);
    if (fault->code != CT_ERROR_MEMORY || shrunk == MOST_SHRINKS) {
      ct_error_set(error, fault->code, "%s", fault->message);
      ct_error_clear(&fault);
      return false;
    }
    ct_error_clear(&fault);
    ctgl_device_forget(state->device);
  }
}

static void free_state(ct_projector_state *state) {
  if (!state) return;
  if (ctgl_device_enter_to_delete(state->device)) {
    clear(state);
    ctgl_device_leave(state->device, true, "freeing graphics memory", NULL);
  }
  ct_free(state->views);
  ct_free(state);
}

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  const double began = ct_now();
  const int views = request->geometry->views;
  ct_projector_state *state = ct_alloc_zero(1, sizeof *state, "the projector", error);
  if (!state) return NULL;
  state->request = *request;
  state->device = state->paces[0].device = state->paces[1].device = request->device;
  state->views = ct_alloc((size_t)views, sizeof *state->views, "the list of views", error);
  bool good = state->views && ctgl_device_enter(state->device, error);
  if (good) {
    good = set_up(state, error);
    good = ctgl_device_leave(state->device, good, "preparing the projector", error);
  }
  if (!good) {
    free_state(state);
    return NULL;
  }
  for (int view = 0; view < views; view++) state->views[view] = view;
  state->seconds = ct_now() - began;
  return state;
}

static void shape(const ct_projector_state *state, ct_projector_shape *shape) {
  const ctgl_joseph_layout *l = &state->layout;
  *shape = (ct_projector_shape){.image = l->image,
                                .rays = padded((size_t)state->request.geometry->views * l->view),
                                .blocks = state->request.geometry->views,
                                .bytes = bytes_of(&state->request),
                                .seconds = state->seconds};
}

static void block(const ct_projector_state *state, int index, ct_projector_block *block) {
  *block = (ct_projector_block){(size_t)index * state->layout.view, state->layout.view, state->views + index, 1};
}

/* Floats from an image's beginning to voxel (0, y, z). */
static size_t row_at(const ctgl_joseph_layout *l, int y, int z) {
  return (size_t)(z + l->overlap) * l->plane + (size_t)(y + 1) * l->row + 1;
}

static void image_in(const ct_projector_state *state, const float *natural, float *own) {
  const ct_grid *grid = &state->request.grid;
  const size_t nx = (size_t)grid->nx;
  memset(own, 0, state->layout.image * sizeof *own);
  for (int z = 0; z < grid->nz; z++)
    for (int y = 0; y < grid->ny; y++, natural += nx)
      memcpy(own + row_at(&state->layout, y, z), natural, nx * sizeof *own);
}

static void image_out(const ct_projector_state *state, const float *own, float *natural) {
  const ct_grid *grid = &state->request.grid;
  const size_t nx = (size_t)grid->nx;
  for (int z = 0; z < grid->nz; z++)
    for (int y = 0; y < grid->ny; y++, natural += nx)
      memcpy(natural, own + row_at(&state->layout, y, z), nx * sizeof *own);
}

static size_t ray_count(const ct_projector_state *state) {
  return (size_t)state->request.geometry->views * state->layout.view;
}

static void rays_in(const ct_projector_state *state, const float *natural, float *own) {
  memcpy(own, natural, ray_count(state) * sizeof *own);
  memset(own + ray_count(state), 0, (padded(ray_count(state)) - ray_count(state)) * sizeof *own);
}

static void rays_out(const ct_projector_state *state, const float *own, float *natural) {
  memcpy(natural, own, ray_count(state) * sizeof *own);
}

const ct_projector ctgl_projector_joseph = {
    .id = "gl-joseph",
    .title = "GPU, Joseph",
    .explanation =
        "Lines through planes of voxels, linear in between (Joseph 1982), in compute shaders: a thread "
        "follows a ray, and for the exact transpose a thread gathers its voxels' rays with the same weights. "
        "Slices, cones, tilted detectors and projection matrices; image and projections travel to the card "
        "and back for every product.",
    .geometry = CT_GEOMETRY_ANY,
    .models = CT_BIT(CT_MODEL_JOSEPH),
    .gpu = true,
    .matched = true,
    .tolerance = 2e-5,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .shape = shape,
    .block = block,
    .image_in = image_in,
    .image_out = image_out,
    .rays_in = rays_in,
    .rays_out = rays_out,
    .forward = ctgl_joseph_forward,
    .back = ctgl_joseph_back,
    .free = free_state,
};
