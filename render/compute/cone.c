/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running cone.comp: tiles of the volume, groups of views, dispatches short enough to be interrupted. */
#include "render/compute/cone-private.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "render/compute/pace-private.h"
#include "render/compute/stream-private.h"
#include "render/compute/tiles-private.h"
#include "render/compute/views-private.h"

#include <math.h>
#include <stdio.h>

enum { TILE = 0, VIEWS = 1 };                      /* bindings */
enum { SIZE = 0, FIRST = 1, PIXELS = 2, MIDDLE = 3 }; /* uniform locations */

struct ct_bp_state {
  ct_bp_request request;
  ctgl_cone_setting setting;
  ctgl_tiles tiles;
  ctgl_views views;
  ctgl_stream stream;
  ctgl_pace pace;
  GLuint program;
};

static ctgl_views_kind kind_of(const ctgl_cone_setting *setting) {
  return setting->texture ? CTGL_VIEWS_TEXTURE : CTGL_VIEWS_BUFFER;
}

bool ctgl_cone_accepts(const ctgl_cone_setting *setting, const ct_bp_request *request, ct_error **error) {
  const int threads = setting->block_x * setting->block_y, most = ctgl_device_get_facts(request->device)->group_threads;
  if (threads > most)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This kernel needs groups of %d threads, and this graphics card makes groups of %d.", threads, most);
  if (setting->atomic && !ctgl_device_get_facts(request->device)->atomic_float)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This kernel adds by atomic operations on numbers with a point, which this graphics card lacks.");
  if (setting->streamed && !ctgl_device_get_facts(request->device)->persistent_map)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This kernel keeps buffers mapped (GL_ARB_buffer_storage), which this graphics driver cannot.");
  return ctgl_views_accepts(request, kind_of(setting), error);
}

/* Streamed views come in at least two pieces a batch, so that one is on its way while the other is at work. */
static int slots_of(const ctgl_cone_setting *setting, const ct_bp_request *request) {
  const int slots = ctgl_views_slots(request->device, request, kind_of(setting), setting->views);
  const int half = slots / 2 / setting->views * setting->views;
  return setting->streamed && half >= setting->views ? half : slots;
}

static double tile_limit(const ct_bp_request *request, double views) {
  const double memory = ctgl_device_get_facts(request->device)->memory;
  return memory > 0 ? 0.85 * memory - views : 0;
}

size_t ctgl_cone_memory(const ctgl_cone_setting *setting, const ct_bp_request *request) {
  /* A card's own memory is no main memory; a software device's is. */
  if (!ctgl_device_get_facts(request->device)->software) return 0;
  const double views = ctgl_views_bytes(request, slots_of(setting, request));
  return (size_t)(views + ctgl_tiles_bytes(request->device, &request->grid, tile_limit(request, views)));
}

static GLuint make_program(const ct_bp_request *request, const ctgl_cone_setting *s, ct_error **error) {
  char defines[512];
  snprintf(defines, sizeof defines,
           "%s#define ATOMIC %d\n#define TEXTURE %d\n#define NEAREST %d\n#define VIEWS_OUTSIDE %d\n#define SYNC %d\n#define FAST_DIVIDE %d\n"
           "#define VIEWS %d\n#define VOXELS %d\n#define BLOCK_X %d\n#define BLOCK_Y %d\n",
           s->atomic ? "#extension GL_NV_shader_atomic_float : require\n" : "", s->atomic, s->texture, request->interp == CT_INTERP_NEAREST, s->views_outside, s->sync, s->fast_divide, s->views,
           s->voxels, s->block_x, s->block_y);
  return ctgl_device_program(request->device, "cone.comp", defines, error);
}

static void clear(ct_bp_state *state) {
  ctgl_stream_clear(&state->stream);
  ctgl_views_clear(&state->views);
  ctgl_tiles_clear(&state->tiles);
}

static bool set_up(ct_bp_state *state, ct_error **error) {
  const ct_bp_request *request = &state->request;
  const int slots = slots_of(&state->setting, request);
  state->program = make_program(request, &state->setting, error);
  return state->program && ctgl_views_init(&state->views, request, kind_of(&state->setting), slots, error) &&
         (!state->setting.streamed || ctgl_stream_init(&state->stream, &state->views, error)) &&
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
  if (ctgl_device_leave(request->device, good, "preparing the back-projection", error)) return state;
  ctgl_cone_free(state);
  return NULL;
}

/* Views in slots from .. from + count - 1 into the tile that is bound. */
static void run_group(ct_bp_state *state, const int *indices, int from, int count, bool swap, const ctgl_tile *t,
                      const ct_job *job) {
  const ctgl_cone_setting *s = &state->setting;
  const int nx = state->request.grid.nx, padded = (count + s->views - 1) / s->views * s->views;
  const int across = swap ? t->rows : nx, down = swap ? nx : t->rows;
  const int layers = (t->levels + s->voxels - 1) / s->voxels;
  ctgl_views_bind(&state->views, &state->request, indices, count, padded, t->j, t->k, VIEWS);
  for (int n = 0; n < count; n += s->views)
    for (int layer = 0; layer < layers;) {
      if (ct_bp_stopped(job)) return;
      const int now = ctgl_pace_next(&state->pace, layers - layer);
      glUniform4i(FIRST, layer * s->voxels, n, from + n, swap);
      glDispatchCompute((GLuint)((across + s->block_x - 1) / s->block_x), (GLuint)((down + s->block_y - 1) / s->block_y),
                        (GLuint)now);
      glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
      ctgl_pace_sent(&state->pace, now);
      layer += now;
    }
}

/* The views in slots 0 .. count - 1, of which the first `along_y` look along y, into tile n. */
static void run_tile(ct_bp_state *state, const int *indices, int along_y, int count, int n, const ct_job *job) {
  const ctgl_tile t = ctgl_tiles_at(&state->tiles, n);
  float middle[2];
  ctgl_views_middle(&state->views, middle);
  ctgl_tiles_begin(&state->tiles, n, TILE);
  glUseProgram(state->program);
  glUniform3i(SIZE, state->request.grid.nx, t.rows, t.levels);
  glUniform2i(PIXELS, state->views.nu, state->views.nv);
  glUniform2fv(MIDDLE, 1, middle);
  run_group(state, indices, 0, along_y, false, &t, job);
  run_group(state, indices + along_y, along_y, count - along_y, true, &t, job);
}

static bool looks_along_x(const ct_geometry *geometry, int view) {
  double point[3], direction[3];
  return ct_geometry_ray(geometry, view, geometry->centre_u, geometry->centre_v, point, direction) &&
         fabs(direction[0]) > fabs(direction[1]);
}

/* The batch's views in the order in which they are uploaded: piece by piece, and in each piece those that look along y
 * first when the kernel treats the others apart. along_y[piece] counts them. */
static void order_views(const ct_bp_state *state, const ct_bp_batch *batch, int *views, const float **projections,
                        int *along_y) {
  const ct_geometry *geometry = state->request.geometry;
  const int slots = state->views.slots;
  for (int first = 0; first < batch->count; first += slots) {
    const int end = first + slots < batch->count ? first + slots : batch->count;
    int at = first;
    for (int turn = 0; turn < 2; turn++) {
      for (int n = first; n < end; n++)
        if ((state->setting.transpose && looks_along_x(geometry, batch->views[n])) == turn) {
          views[at] = batch->views[n];
          projections[at++] = batch->projections[n];
        }
      if (!turn) along_y[first / slots] = at - first;
    }
  }
}

static void upload(ct_bp_state *state, const float *const *projections, int count, int first) {
  const int slots = state->views.slots, left = count - first, now = left < slots ? left : slots;
  if (!state->setting.streamed) {
    for (int n = 0; n < now; n++) ctgl_views_upload(&state->views, n, projections[first + n]);
    return;
  }
  const int half = first / slots % 2, next = first + slots, then = count - next < slots ? count - next : slots;
  if (!first) ctgl_stream_fill(&state->stream, half, projections, now);
  ctgl_stream_upload(&state->stream, half, &state->views);
  if (then > 0) ctgl_stream_fill(&state->stream, 1 - half, projections + next, then);
}

static bool run_views(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const int slots = state->views.slots;
  int *views = ct_alloc((size_t)batch->count * 2, sizeof *views, "a batch", error);
  const float **projections = ct_alloc((size_t)batch->count, sizeof *projections, "a batch", error);
  bool good = views && projections;
  int *along_y = good ? views + batch->count : NULL;
  if (good) order_views(state, batch, views, projections, along_y);
  for (int first = 0; good && first < batch->count && !ct_bp_stopped(job); first += slots) {
    const int left = batch->count - first, count = left < slots ? left : slots;
    upload(state, projections, batch->count, first);
    for (int n = 0; good && n < state->tiles.count && !ct_bp_stopped(job); n++) {
      run_tile(state, views + first, along_y[first / slots], count, n, job);
      good = ctgl_tiles_end(&state->tiles, n, batch->last && first + count == batch->count, volume, error);
    }
  }
  if (state->setting.streamed) ctgl_stream_settle(&state->stream);
  ctgl_tiles_settle(&state->tiles);
  ct_free(views);
  ct_free(projections);
  return good;
}

bool ctgl_cone_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  if (ct_bp_stopped(job)) return ct_bp_conclude(job, error);
  if (!ctgl_device_enter(state->request.device, error)) return false;
  const bool good = run_views(state, batch, volume, job, error);
  ctgl_pace_drain(&state->pace);
  return ctgl_device_leave(state->request.device, good, "back-projecting", error) && ct_bp_conclude(job, error);
}

bool ctgl_cone_finish(ct_bp_state *state, ct_volume *volume, ct_error **error) {
  return ctgl_tiles_bring(&state->tiles, volume, error);
}

bool ctgl_cone_read_plane(ct_bp_state *state, const ct_volume *volume, ct_plane plane, int index, float *out,
                          ct_error **error) {
  return ctgl_tiles_show(&state->tiles, volume, plane, index, out, error);
}

void ctgl_cone_free(ct_bp_state *state) {
  if (!state) return;
  if (ctgl_device_enter(state->request.device, NULL)) {
    clear(state);
    ctgl_device_leave(state->request.device, true, "freeing graphics memory", NULL);
  }
  ct_free(state);
}
