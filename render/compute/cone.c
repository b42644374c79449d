/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running cone.comp: tiles of the volume, groups of views, dispatches short enough to be interrupted. */
#include "render/compute/cone-private.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "render/compute/state-private.h"
#include "render/compute/stream-private.h"

#include <math.h>
#include <stdio.h>

enum { TILE = 0, VIEWS = 1, TURNED = 2, SQUARE = 32 }; /* bindings; voxels of a square of turn.comp */
enum {
  SIZE = 0,
  FIRST = 1,
  PIXELS = 2,
  MIDDLE = 3,
  CORNER = 4,
  STRIPS = 5,
  STEPS = 6,
  UNIT = 7,
  TINY = 8
}; /* uniform locations */

typedef struct cone {
  ct_bp_state shared;
  ctgl_cone_setting setting;
  ctgl_omission omission;
  ctgl_stream stream;
  int half;               /* of the stream, for the next views */
  GLuint turned, turning; /* a tile whose x and y have changed places, zero between groups; the program turn.comp */
} cone;

static cone *cone_of(ct_bp_state *state) {
  return (cone *)state;
}

static ctgl_views_kind kind_of(const ctgl_cone_setting *setting) {
  return setting->texture ? CTGL_VIEWS_TEXTURE : setting->subline ? CTGL_VIEWS_COLUMNS : CTGL_VIEWS_BUFFER;
}

/* Entries of a sub-line: the rows of a projection and its border. */
static int line_of(const ct_bp_request *request) {
  return request->geometry->nv + 2;
}

static bool accepts_subline(const ct_bp_request *request, ct_error **error) {
  const int most = ctgl_device_get_facts(request->device)->shared_memory / (int)sizeof(float);
  if (!ct_bp_columns_along_z(request))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "Sub-lines need detector columns along the rotation axis, which a tilted detector or a C-arm's matrices do not "
        "have.");
  return line_of(request) <= most ||
         ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "A column of %d pixels is too long for this graphics card's shared memory, which holds %d.",
                      request->geometry->nv, most - 2);
}

static int depth_of(const ctgl_cone_setting *setting) {
  return setting->block_z ? setting->block_z : 1;
}

bool ctgl_cone_accepts(const ctgl_cone_setting *setting, const ct_bp_request *request, ct_error **error) {
  if (setting->subline && !accepts_subline(request, error)) return false;
  const int threads = setting->block_x * setting->block_y * depth_of(setting),
            most = ctgl_device_get_facts(request->device)->group_threads;
  if (threads > most)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This kernel needs groups of %d threads, and this graphics card makes groups of %d.", threads,
                        most);
  if (setting->unroll && setting->views % setting->unroll)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%d views a pass cannot be written out %d at a time.",
                        setting->views, setting->unroll);
  if (setting->atomic && !ctgl_device_get_facts(request->device)->atomic_float)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "This kernel adds by atomic operations on numbers with a point, which this graphics card lacks.");
  if (setting->streamed && !ctgl_device_get_facts(request->device)->persistent_map)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This kernel keeps buffers mapped (GL_ARB_buffer_storage), which this graphics driver cannot.");
  if (setting->streamed && !setting->texture)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Projections are streamed into textures only, not into buffers.");
  if (request->precision == CT_PRECISION_FLOAT16 && !setting->texture)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Half precision is kept in textures: a buffer (texture=no) holds projections in single "
                        "precision.");
  return ctgl_views_accepts(request, kind_of(setting), setting->views, error);
}

/* Streamed views come in at least two pieces a batch, so that one is on its way while the other is at work. */
static int slots_of(const ctgl_cone_setting *setting, const ct_bp_request *request) {
  const int slots = ctgl_views_slots(request->device, request, kind_of(setting), setting->views);
  const int half = slots / 2 / setting->views * setting->views;
  return setting->streamed && half >= setting->views ? half : slots;
}

/* Share of the free graphics memory for the volume; 0: unknown. */
static double tile_limit(double room, double views) {
  return room > 0 ? fmax(room - views, 1) : 0;
}

size_t ctgl_cone_memory(const ctgl_cone_setting *setting, const ct_bp_request *request) {
  /* Software devices use main memory. */
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  if (!facts->software) return 0;
  const double views = ctgl_views_bytes(request, slots_of(setting, request));
  const double turned =
      setting->turned ? fmin((double)facts->storage_block, 4.0 * (double)ct_grid_voxels(&request->grid)) : 0;
  return (size_t)(views + turned +
                  ctgl_tiles_bytes(request->device, &request->grid, tile_limit(facts->memory, views), 0));
}

static GLuint make_program(const ct_bp_request *request, const ctgl_cone_setting *s, ct_error **error) {
  char defines[512];
  if (s->subline) {
    snprintf(defines, sizeof defines,
             "#define OMIT %d\n#define VIEWS %d\n#define VOXELS %d\n#define THREADS %d\n#define LINE %d\n",
             (int)ctgl_device_omits(request->device), s->views, s->voxels, s->subline, line_of(request));
    return ctgl_device_program(request->device, "subline.comp", defines, error);
  }
  snprintf(defines, sizeof defines,
           "%s#define OMIT %d\n#define ATOMIC %d\n#define TEXTURE %d\n#define STRIPS %d\n#define NEAREST %d\n#define "
           "VIEWS_OUTSIDE "
           "%d\n#define SYNC %d\n#define FAST_DIVIDE %d\n#define QUOTIENTS %d\n#define TURNED %d\n"
           "#define VIEWS %d\n#define VOXELS %d\n#define BLOCK_X %d\n#define BLOCK_Y %d\n#define BLOCK_Z %d\n#define "
           "UNROLL %d\n",
           s->atomic ? "#extension GL_NV_shader_atomic_float : require\n" : "", (int)ctgl_device_omits(request->device),
           s->atomic, s->texture, s->texture && ctgl_views_has_strips(request), request->interp == CT_INTERP_NEAREST,
           s->views_outside, s->sync, s->fast_divide, s->quotients, s->turned, s->views, s->voxels, s->block_x,
           s->block_y, depth_of(s), s->unroll ? s->unroll : 1);
  return ctgl_device_program(request->device, "cone.comp", defines, error);
}

static void clear(ct_bp_state *state) {
  if (cone_of(state)->turned) glDeleteBuffers(1, &cone_of(state)->turned);
  cone_of(state)->turned = 0;
  ctgl_stream_clear(&cone_of(state)->stream);
}

/* A tile's turned copy, where the setting has one. */
static bool set_up_turned(cone *own, ct_error **error) {
  const ctgl_tile t = ctgl_tiles_at(&own->shared.tiles, 0); /* none is larger */
  if (!own->setting.turned) return true;
  if (!(own->turning = ctgl_device_program(own->shared.request.device, "turn.comp", "", error))) return false;
  glGenBuffers(1, &own->turned);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, own->turned);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)sizeof(float) * own->shared.request.grid.nx * t.rows * t.slices,
               NULL, GL_DYNAMIC_COPY);
  glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32F, GL_RED, GL_FLOAT, NULL);
  return ctgl_device_check(own->shared.request.device, "the volume whose x and y change places", error);
}

static bool set_up(ct_bp_state *state, ct_error **error) {
  const ct_bp_request *request = &state->request;
  const ctgl_cone_setting *setting = &cone_of(state)->setting;
  const int slots = ctgl_state_slots(state, slots_of(setting, request), setting->views);
  /* A turned copy takes no more than the tiles do. */
  const double limit =
      tile_limit(ctgl_device_room(request->device), ctgl_views_bytes(request, slots)) / (setting->turned ? 2 : 1);
  state->program = make_program(request, setting, error);
  return state->program && ctgl_views_init(&state->views, request, kind_of(setting), slots, error) &&
         (!setting->streamed || ctgl_stream_init(&cone_of(state)->stream, request->device, &state->views, error)) &&
         ctgl_tiles_init(&state->tiles, request->device, &request->grid, ctgl_state_limit(state, limit, 0), 0, error) &&
         set_up_turned(cone_of(state), error);
}

/* Some views of a group in the slots, which go into the voxels together. */
typedef struct pass {
  int from, count; /* slots */
  bool swap;
} pass;

/* A group of `count` views, of which the first `along_y` look along y. */
typedef struct group {
  const int *views;
  int along_y, count;
  bool last; /* no views follow */
} group;

static int count_passes(const ctgl_cone_setting *s, const group *g) {
  return (g->along_y + s->views - 1) / s->views + (g->count - g->along_y + s->views - 1) / s->views;
}

static pass pass_at(const ctgl_cone_setting *s, const group *g, int n) {
  const int straight = (g->along_y + s->views - 1) / s->views;
  const bool swap = n >= straight;
  const int from = swap ? g->along_y + (n - straight) * s->views : n * s->views,
            left = (swap ? g->count : g->along_y) - from;
  return (pass){from, left < s->views ? left : s->views, swap};
}

static bool run_pass(ct_bp_state *state, const int *indices, pass p, int n, const ct_job *job) {
  const ctgl_cone_setting *s = &cone_of(state)->setting;
  const ctgl_tile t = ctgl_tiles_at(&state->tiles, n);
  const int nx = state->request.grid.nx, across = p.swap ? t.rows : nx, down = p.swap ? nx : t.rows;
  if (s->turned && p.swap) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, TILE, cone_of(state)->turned);
  ctgl_views_bind(&state->views, &state->request, indices + p.from, p.count, s->views, t.j, t.k, VIEWS);
  glUniform3i(SIZE, nx, t.rows, t.slices);
  ctgl_boxes boxes = {.across = (across + s->block_x - 1) / s->block_x,
                      .down = (down + s->block_y - 1) / s->block_y,
                      .layers = (t.slices + s->voxels - 1) / s->voxels};
  while (!ct_bp_stopped(job) && ctgl_boxes_next(&boxes, &state->pace)) {
    glUniform4i(FIRST, boxes.z * s->voxels, 0, p.from, p.swap);
    glUniform2i(CORNER, boxes.x * s->block_x, boxes.y * s->block_y);
    if (!ctgl_boxes_send(&boxes, &state->pace)) return false;
  }
  return true;
}

static void use_program(ct_bp_state *state) {
  const ctgl_views *views = &state->views;
  float middle[2];
  ctgl_views_middle(views, middle);
  glUseProgram(state->program);
  glUniform2i(PIXELS, views->nu, views->nv);
  glUniform2fv(MIDDLE, 1, middle);
  glUniform1f(UNIT, 1 / views->scale);
  if (cone_of(state)->omission) glUniform1f(TINY, CTGL_TINY);
  if (cone_of(state)->setting.texture && views->across * views->down > 1) {
    glUniform2i(STRIPS, views->across, views->down);
    glUniform2i(STEPS, views->step_u, views->step_v);
  }
}

/* Adds tile n's turned copy to it. */
static bool turn_back(ct_bp_state *state, int n, const ct_job *job) {
  const cone *own = cone_of(state);
  const ctgl_tile t = ctgl_tiles_at(&state->tiles, n);
  const int nx = state->request.grid.nx;
  ctgl_boxes boxes = {.across = (nx + SQUARE - 1) / SQUARE, .down = (t.rows + SQUARE - 1) / SQUARE, .layers = t.slices};
  bool good = true;
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, TILE, ctgl_tiles_buffer(&state->tiles, n));
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, TURNED, own->turned);
  glUseProgram(own->turning);
  glUniform3i(SIZE, nx, t.rows, t.slices);
  state->pace.work = CTGL_WORK_TURNING;
  while (good && !ct_bp_stopped(job) && ctgl_boxes_next(&boxes, &state->pace)) {
    glUniform3i(FIRST, boxes.x, boxes.y, boxes.z);
    good = ctgl_boxes_send(&boxes, &state->pace);
  }
  state->pace.work = CTGL_WORK_ADDING;
  use_program(state);
  return good;
}

/* Adds a group, in slots 0 .. count - 1, to all tiles. *passes: those to be made, then those made: a batch may end
 * early (at the first tile, or after any pass where all tiles stay on the card), and all tiles have then taken the
 * same. */
static bool run_passes(ct_bp_state *state, const group *g, int *passes, const ct_bp_batch *batch, ct_volume *volume,
                       const ct_job *job, ct_error **error) {
  const ctgl_cone_setting *s = &cone_of(state)->setting;
  const int tiles = state->tiles.count;
  /* Tiles that go away, and those with one turned copy for all, take all passes in one visit. */
  const bool visits = g->last || state->tiles.resident < tiles || s->turned;
  const int outer = visits ? tiles : *passes;
  bool good = true;
  use_program(state);
  for (int o = 0; good && o < outer && (visits || o < *passes) && !ct_bp_stopped(job); o++) {
    if (visits) ctgl_tiles_begin(&state->tiles, o, TILE);
    for (int i = 0; good && i < (visits ? *passes : tiles) && !ct_bp_stopped(job); i++) {
      const int tile = visits ? o : i, n = visits ? i : o;
      if (!visits) ctgl_tiles_begin(&state->tiles, tile, TILE);
      good = run_pass(state, g->views, pass_at(s, g, n), tile, job);
      if (!s->transpose && tile == (visits ? 0 : tiles - 1) && ctgl_batch_ends(batch, job)) *passes = n + 1;
    }
    if (good && s->turned && g->along_y < g->count) good = turn_back(state, o, job);
    if (good && visits && !ct_bp_stopped(job)) good = ctgl_tiles_end(&state->tiles, o, g->last, volume, error);
  }
  return good;
}

static bool looks_along_x(const ct_geometry *geometry, int view) {
  double point[3], direction[3];
  return ct_geometry_ray(geometry, view, geometry->centre_u, geometry->centre_v, point, direction) &&
         fabs(direction[0]) > fabs(direction[1]);
}

/* The batch's views in the order in which they are uploaded: piece by piece, and in each piece those that look along y
 * first when the kernel treats the others apart. along_y[piece] counts them. */
static void order_views(const cone *own, const ct_bp_batch *batch, int *views, const float **projections,
                        int *along_y) {
  const ct_geometry *geometry = own->shared.request.geometry;
  const int slots = own->shared.views.slots;
  for (int first = 0; first < batch->count; first += slots) {
    const int end = first + slots < batch->count ? first + slots : batch->count;
    int at = first;
    for (int turn = 0; turn < 2; turn++) {
      for (int n = first; n < end; n++)
        if ((own->setting.transpose && looks_along_x(geometry, batch->views[n])) == turn) {
          views[at] = batch->views[n];
          projections[at++] = batch->projections[n];
        }
      if (!turn) along_y[first / slots] = at - first;
    }
  }
}

static bool upload(ct_bp_state *state, const float *const *projections, int count, int first, const ct_job *job,
                   ct_error **error) {
  cone *own = cone_of(state);
  const int slots = state->views.slots, left = count - first, now = left < slots ? left : slots;
  bool good = true;
  if (!own->setting.streamed) return ctgl_views_send(&state->views, projections + first, now, &state->pace, job, error);
  const int half = own->half, next = first + slots, then = count - next < slots ? count - next : slots;
  own->half = 1 - half;
  if (!first) good = ctgl_stream_fill(&own->stream, half, projections, now);
  if (good) ctgl_stream_upload(&own->stream, half, &state->views);
  return good && (then <= 0 || ctgl_stream_fill(&own->stream, own->half, projections + next, then));
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ctgl_cone_setting *s = &cone_of(state)->setting;
  const int slots = state->views.slots;
  int *views = ct_alloc((size_t)batch->count * 2, sizeof *views, "a batch", error);
  const float **projections = ct_alloc((size_t)batch->count, sizeof *projections, "a batch", error);
  bool good = views && projections, ends = false;
  int *along_y = good ? views + batch->count : NULL;
  if (good) order_views(cone_of(state), batch, views, projections, along_y);
  for (int first = 0; good && !ends && first < batch->count && !ct_bp_stopped(job); first += slots) {
    const int left = batch->count - first, count = left < slots ? left : slots;
    const group g = {.views = views + first,
                     .along_y = along_y[first / slots],
                     .count = count,
                     .last = batch->last && left == count};
    const int all = count_passes(s, &g);
    int passes = all;
    good = upload(state, projections, batch->count, first, job, error) &&
           run_passes(state, &g, &passes, batch, volume, job, error);
    ends = ctgl_batch_ends(batch, job);
    if (ends) *batch->added = first + (passes < all ? passes * s->views : count);
  }
  if (s->streamed) ctgl_stream_settle(&cone_of(state)->stream);
  ct_free(views);
  ct_free(projections);
  return good;
}

static const ctgl_family family = {set_up, run, clear};

ct_bp_state *ctgl_cone_prepare(const ctgl_cone_setting *setting, const ct_bp_request *request, ct_error **error) {
  cone *own = ct_alloc_zero(1, sizeof *own, "the back-projection", error);
  if (!own) return NULL;
  own->setting = *setting;
  if (request->ramp) own->setting.streamed = 0; /* what is filtered first goes into a buffer */
  own->omission = ctgl_device_omits(request->device);
  return ctgl_state_prepare(&own->shared, &family, request, error);
}
