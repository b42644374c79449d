/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running cone.comp: tiles of the volume, groups of views, dispatches short enough to be interrupted. */
#include "render/compute/cone-private.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "render/compute/pace-private.h"
#include "render/compute/tiles-private.h"
#include "render/compute/views-private.h"

#include <stdio.h>

enum { TILE = 0, VIEWS = 1 };                      /* bindings */
enum { SIZE = 0, FIRST = 1, PIXELS = 2, MIDDLE = 3 }; /* uniform locations */

struct ct_bp_state {
  ct_bp_request request;
  ctgl_cone_setting setting;
  ctgl_tiles tiles;
  ctgl_views views;
  ctgl_pace pace;
  GLuint program;
};

static ctgl_views_kind kind_of(const ctgl_cone_setting *setting) {
  return setting->texture ? CTGL_VIEWS_TEXTURE : CTGL_VIEWS_BUFFER;
}

bool ctgl_cone_accepts(const ctgl_cone_setting *setting, const ct_bp_request *request, ct_error **error) {
  if (!request->device)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "This kernel needs a graphics device with OpenGL 4.3.");
  const int threads = setting->block_x * setting->block_y, most = ctgl_device_get_facts(request->device)->group_threads;
  if (threads > most)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This kernel needs groups of %d threads, and this graphics card makes groups of %d.", threads, most);
  return ctgl_views_accepts(request, kind_of(setting), error);
}

static double tile_limit(const ct_bp_request *request, double views) {
  const double memory = ctgl_device_get_facts(request->device)->memory;
  return memory > 0 ? 0.85 * memory - views : 0;
}

size_t ctgl_cone_memory(const ctgl_cone_setting *setting, const ct_bp_request *request) {
  /* A card's own memory is no main memory; a software device's is. */
  if (!ctgl_device_get_facts(request->device)->software) return 0;
  const double views =
      ctgl_views_bytes(request, ctgl_views_slots(request->device, request, kind_of(setting), setting->views));
  return (size_t)(views + ctgl_tiles_bytes(request->device, &request->grid, tile_limit(request, views)));
}

static GLuint make_program(const ct_bp_request *request, const ctgl_cone_setting *s, ct_error **error) {
  char defines[512];
  snprintf(defines, sizeof defines,
           "#define TEXTURE %d\n#define NEAREST %d\n#define VIEWS_OUTSIDE %d\n#define SYNC %d\n#define FAST_DIVIDE %d\n"
           "#define VIEWS %d\n#define VOXELS %d\n#define BLOCK_X %d\n#define BLOCK_Y %d\n",
           s->texture, request->interp == CT_INTERP_NEAREST, s->views_outside, s->sync, s->fast_divide, s->views,
           s->voxels, s->block_x, s->block_y);
  return ctgl_device_program(request->device, "cone.comp", defines, error);
}

static void clear(ct_bp_state *state) {
  ctgl_views_clear(&state->views);
  ctgl_tiles_clear(&state->tiles);
}

static bool set_up(ct_bp_state *state, ct_error **error) {
  const ct_bp_request *request = &state->request;
  const int slots = ctgl_views_slots(request->device, request, kind_of(&state->setting), state->setting.views);
  state->program = make_program(request, &state->setting, error);
  return state->program && ctgl_views_init(&state->views, request, kind_of(&state->setting), slots, error) &&
         ctgl_tiles_init(&state->tiles, request->device, &request->grid,
                         tile_limit(request, ctgl_views_bytes(request, slots)), error);
}

ct_bp_state *ctgl_cone_prepare(const ctgl_cone_setting *setting, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->setting = *setting;
  if (!ctgl_device_enter(request->device, error)) {
    ct_free(state);
    return NULL;
  }
  const bool good = set_up(state, error);
  if (!good) clear(state);
  if (ctgl_device_leave(request->device, good, "preparing the back-projection", error)) return state;
  ctgl_cone_free(state);
  return NULL;
}

/* The views in slots 0 .. count - 1 into one tile. */
static void run_tile(ct_bp_state *state, const int *indices, int count, int n, const ct_job *job) {
  const ctgl_cone_setting *s = &state->setting;
  const ctgl_tile t = ctgl_tiles_at(&state->tiles, n);
  const int nx = state->request.grid.nx, padded = (count + s->views - 1) / s->views * s->views;
  float middle[2];
  ctgl_views_middle(&state->views, middle);
  ctgl_tiles_begin(&state->tiles, n, TILE);
  ctgl_views_bind(&state->views, &state->request, indices, count, padded, t.j, t.k, VIEWS);
  glUseProgram(state->program);
  glUniform3i(SIZE, nx, t.rows, t.levels);
  glUniform2i(PIXELS, state->views.nu, state->views.nv);
  glUniform2fv(MIDDLE, 1, middle);
  const GLuint across = (GLuint)((nx + s->block_x - 1) / s->block_x), down = (GLuint)((t.rows + s->block_y - 1) / s->block_y);
  const int layers = (t.levels + s->voxels - 1) / s->voxels;
  for (int slot = 0; slot < count; slot += s->views)
    for (int layer = 0; layer < layers;) {
      if (ct_bp_stopped(job)) return;
      const int now = ctgl_pace_next(&state->pace, layers - layer);
      glUniform2i(FIRST, layer * s->voxels, slot);
      glDispatchCompute(across, down, (GLuint)now);
      glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
      ctgl_pace_sent(&state->pace, now);
      layer += now;
    }
}

static bool run_views(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  for (int first = 0; first < batch->count; first += state->views.slots) {
    const int left = batch->count - first, count = left < state->views.slots ? left : state->views.slots;
    for (int n = 0; n < count; n++) ctgl_views_upload(&state->views, n, batch->projections[first + n]);
    for (int n = 0; n < state->tiles.count && !ct_bp_stopped(job); n++) {
      run_tile(state, batch->views + first, count, n, job);
      if (!ctgl_tiles_end(&state->tiles, n, volume, error)) return false;
    }
  }
  return true;
}

bool ctgl_cone_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  if (ct_bp_stopped(job)) return ct_bp_conclude(job, error);
  if (!ctgl_device_enter(state->request.device, error)) return false;
  const bool good = run_views(state, batch, volume, job, error);
  ctgl_pace_drain(&state->pace);
  return ctgl_device_leave(state->request.device, good, "back-projecting", error) && ct_bp_conclude(job, error);
}

bool ctgl_cone_finish(ct_bp_state *state, ct_volume *volume, ct_error **error) {
  if (!ctgl_device_enter(state->request.device, error)) return false;
  const bool good = ctgl_tiles_finish(&state->tiles, volume, error);
  return ctgl_device_leave(state->request.device, good, "reading the volume back", error);
}

bool ctgl_cone_read_plane(ct_bp_state *state, const ct_volume *volume, ct_plane plane, int index, float *out,
                          ct_error **error) {
  ct_volume_copy_plane(volume, plane, index, out);
  if (!ctgl_device_enter(state->request.device, error)) return false;
  const bool good = ctgl_tiles_add_plane(&state->tiles, plane, index, out, error);
  return ctgl_device_leave(state->request.device, good, "reading a plane back", error);
}

void ctgl_cone_free(ct_bp_state *state) {
  if (!state) return;
  if (ctgl_device_enter(state->request.device, NULL)) {
    clear(state);
    ctgl_device_leave(state->request.device, true, "freeing graphics memory", NULL);
  }
  ct_free(state);
}
