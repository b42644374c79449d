/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running parallel.comp: compound sinograms of each tile's slices, then packs of slices in dispatches short enough to be
 * interrupted. */
#include "render/compute/parallel-private.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "render/compute/sinogram-private.h"
#include "render/compute/state-private.h"

#include <math.h>
#include <stdio.h>

enum { TILE = 0, SINOGRAMS = 1 };
enum { SIZE = 0, FIRST = 1, MIDDLE = 2 };

typedef struct parallel {
  ct_bp_state shared;
  ctgl_parallel_setting setting;
  ctgl_sinogram sinogram;
  GLuint constants;
} parallel;

static parallel *parallel_of(ct_bp_state *state) {
  return (parallel *)state;
}

static int scale_of(const ct_bp_request *request) {
  return request->interp == CT_INTERP_OVERSAMPLED ? CTGL_OVERSAMPLE : 1;
}

/* Samples that an area's pixels need in any view: its shadow, a sample of room below and two above. */
static double bins_of(const ctgl_parallel_setting *setting, const ct_bp_request *request) {
  double widest = 0;
  for (int view = 0; view < request->geometry->views; view++) {
    double m[12];
    ct_bp_index_matrix(request->geometry, view, &request->grid, m);
    widest = fmax(widest, fabs(m[0]) + fabs(m[1]));
  }
  return ceil(scale_of(request) * widest * (setting->area - 1)) + 4;
}

static int arrays_of(const ctgl_parallel_setting *setting) {
  return setting->arrays ? setting->arrays : 1;
}

/* The nearest sample has no use for the difference to the next. */
static bool has_differences(const ctgl_parallel_setting *setting, const ct_bp_request *request) {
  return setting->differences && request->interp == CT_INTERP_LINEAR;
}

/* Bytes of a bin in all arrays; a number in half precision takes a word where it is alone. */
static size_t entry_bytes(const ctgl_parallel_setting *setting, const ct_bp_request *request) {
  const int arrays = arrays_of(setting);
  const size_t numbers = (size_t)(setting->slices / arrays * (has_differences(setting, request) ? 2 : 1));
  const size_t bytes = numbers * (setting->half_cache ? 2 : 4);
  return (size_t)arrays * (bytes > 4 ? bytes : 4);
}

/* Views that shared memory holds at a time; 0: not one. */
static int cached_of(const ctgl_parallel_setting *s, const ct_bp_request *request) {
  const double view = bins_of(s, request) * (double)entry_bytes(s, request) + sizeof(float) +
                      (s->columns ? (double)s->area * sizeof(float) : 0);
  const double fit = ctgl_device_get_facts(request->device)->shared_memory / view;
  return fit < s->cached ? (int)fit : s->cached;
}

bool ctgl_parallel_accepts(const ctgl_parallel_setting *setting, const ct_bp_request *request, ct_error **error) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  const bool whole = setting->area * setting->area % setting->threads == 0 && (!setting->curve || setting->threads % 16 == 0);
  const bool quarters = !setting->quarters || (setting->texture_share == 8 && setting->area == 16 && setting->threads == 256 && setting->curve);
  if (!whole || !quarters)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%d threads cannot share %d x %d pixels this way.", setting->threads,
                        setting->area, setting->area);
  if (arrays_of(setting) > setting->slices)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%d slices cannot be spread over %d arrays.", setting->slices, setting->arrays);
  if (setting->half_cache && request->precision != CT_PRECISION_FLOAT16)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "A cache in half precision serves projections in half precision only.");
  if (request->geometry->tilt != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "This kernel needs a detector without tilt.");
  if (setting->threads > facts->group_threads)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This kernel needs groups of %d threads, and this graphics card makes groups of %d.",
                        setting->threads, facts->group_threads);
  if (setting->texture_share < 8 && cached_of(setting, request) < 1)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "One view's shadow of %d x %d voxels, %.0f pixels, is too wide for this graphics card's shared memory.",
                        setting->area, setting->area, bins_of(setting, request));
  if (ctgl_sinogram_width(request) > facts->texture_side)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Sinograms of %d samples are wider than a texture of this graphics card (%d). The kernel “gl-tuned” serves instead.",
                        ctgl_sinogram_width(request), facts->texture_side);
  return ctgl_views_accepts(request, CTGL_VIEWS_BUFFER, 1, error);
}

/* Of the graphics memory, the volume's part; views and sinograms take the rest. */
static const double tile_share = 0.5;

/* Of a tile: an array texture holds its sinograms. */
static int most_levels(const ctgl_parallel_setting *setting, const ct_bp_request *request) {
  const int most = setting->slices * ctgl_device_get_facts(request->device)->texture_layers;
  return most < request->grid.nz ? most : request->grid.nz;
}

static int slots_of(const ct_bp_request *request) {
  return ctgl_views_slots(request->device, request, CTGL_VIEWS_BUFFER, 1);
}

size_t ctgl_parallel_memory(const ctgl_parallel_setting *setting, const ct_bp_request *request) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  if (!facts->software) return 0;
  return (size_t)(ctgl_views_bytes(request, slots_of(request)) +
                  ctgl_tiles_bytes(request->device, &request->grid, tile_share * facts->memory, most_levels(setting, request)) +
                  ctgl_sinogram_bytes(request, setting->slices, most_levels(setting, request)));
}

static GLuint make_program(const ct_bp_request *request, const ctgl_parallel_setting *s, ct_error **error) {
  char defines[512];
  const bool caches = s->texture_share < 8;
  snprintf(defines, sizeof defines,
           "#define SLICES %d\n#define TEXTURE_SHARE %d\n#define THREADS %d\n#define AREA %d\n#define CURVE %d\n"
           "#define QUARTERS %d\n#define CACHED %d\n#define BINS %.0f\n#define DIFFERENCES %d\n#define COLUMNS %d\n"
           "#define FLOAT_ROUND %d\n#define HALF_CACHE %d\n#define NEAREST %d\n#define ARRAYS %d\n#define UNROLL %d\n",
           s->slices, s->texture_share, s->threads, s->area, s->curve, s->quarters,
           caches ? cached_of(s, request) : 1, caches ? bins_of(s, request) : 1, has_differences(s, request), s->columns,
           s->float_round, s->half_cache, request->interp != CT_INTERP_LINEAR, arrays_of(s), s->unroll ? s->unroll : 1);
  return ctgl_device_program(request->device, "parallel.comp", defines, error);
}

static void clear(ct_bp_state *state) {
  parallel *own = parallel_of(state);
  ctgl_sinogram_clear(&own->sinogram);
  if (own->constants) glDeleteBuffers(1, &own->constants);
  own->constants = 0;
}

static bool set_up(ct_bp_state *state, ct_error **error) {
  const ct_bp_request *request = &state->request;
  parallel *own = parallel_of(state);
  const int levels = most_levels(&own->setting, request);
  const double limit = ctgl_state_limit(state, tile_share * ctgl_device_room(request->device), levels);
  state->program = make_program(request, &own->setting, error);
  if (!state->program ||
      !ctgl_views_init(&state->views, request, CTGL_VIEWS_BUFFER, ctgl_state_slots(state, slots_of(request), 1), error) ||
      !ctgl_tiles_init(&state->tiles, request->device, &request->grid, limit, levels, error))
    return false;
  glGenBuffers(1, &own->constants);
  glBindBuffer(GL_UNIFORM_BUFFER, own->constants);
  glBufferData(GL_UNIFORM_BUFFER, CTGL_MATRICES * 4 * sizeof(float), NULL, GL_DYNAMIC_DRAW);
  const bool linear = own->setting.texture_share > 0 && request->interp == CT_INTERP_LINEAR;
  return ctgl_sinogram_init(&own->sinogram, request, own->setting.slices, state->tiles.levels, linear, error);
}

/* Positions in samples of the sinogram, counted from the detector's middle and from the first voxel of a tile. */
static void send_constants(ct_bp_state *state, const int *views, int count, int j) {
  const ct_bp_request *request = &state->request;
  float constants[CTGL_MATRICES][4] = {{0}}, middle[2];
  const int scale = scale_of(request);
  ctgl_views_middle(&state->views, middle);
  for (int n = 0; n < count; n++) {
    double m[12];
    ct_bp_index_matrix(request->geometry, views[n], &request->grid, m);
    constants[n][0] = (float)(scale * m[0]);
    constants[n][1] = (float)(scale * m[1]);
    constants[n][2] = (float)(scale * (m[1] * j + m[3] - middle[0]));
  }
  glBindBuffer(GL_UNIFORM_BUFFER, parallel_of(state)->constants);
  glBufferSubData(GL_UNIFORM_BUFFER, 0, (GLsizeiptr)((size_t)count * sizeof *constants), constants);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, parallel_of(state)->constants);
}

static bool run_tile(ct_bp_state *state, const int *views, int count, int n, const ct_job *job, ct_error **error) {
  parallel *own = parallel_of(state);
  const ctgl_parallel_setting *s = &own->setting;
  const ctgl_tile t = ctgl_tiles_at(&state->tiles, n);
  const int nx = state->request.grid.nx, scale = scale_of(&state->request);
  if (!ctgl_sinogram_make(&own->sinogram, &state->request, &state->views, count, t.k, t.levels, &state->pace, job, error)) return false;
  float middle[2];
  ctgl_views_middle(&state->views, middle);
  ctgl_tiles_begin(&state->tiles, n, TILE);
  send_constants(state, views, count, t.j);
  glActiveTexture(GL_TEXTURE0 + SINOGRAMS);
  glBindTexture(GL_TEXTURE_2D_ARRAY, own->sinogram.texture);
  glActiveTexture(GL_TEXTURE0);
  glUseProgram(state->program);
  glUniform3i(SIZE, nx, t.rows, t.levels);
  /* The oversampled form begins one bin before the first. */
  glUniform1f(MIDDLE, scale > 1 ? (float)scale * (middle[0] + 1) : middle[0]);
  ctgl_boxes boxes = {.across = (nx + s->area - 1) / s->area, .down = (t.rows + s->area - 1) / s->area,
                      .layers = (t.levels + s->slices - 1) / s->slices};
  while (!ct_bp_stopped(job) && ctgl_boxes_next(&boxes, &state->pace)) {
    glUniform4i(FIRST, boxes.z, count, boxes.x, boxes.y);
    if (!ctgl_boxes_send(&boxes, &state->pace)) return false;
  }
  return true;
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const int slots = state->views.slots;
  bool good = true;
  for (int first = 0; good && first < batch->count; first += slots) {
    const int left = batch->count - first, count = left < slots ? left : slots;
    for (int n = 0; good && n < count; n++)
      good = ctgl_views_upload(&state->views, n, batch->projections[first + n], error);
    for (int n = 0; good && n < state->tiles.count && !ct_bp_stopped(job); n++)
      good = run_tile(state, batch->views + first, count, n, job, error) &&
             ctgl_tiles_end(&state->tiles, n, batch->last && first + count == batch->count, volume, error);
    if (first + count < batch->count && ctgl_batch_ends(batch, job)) {
      *batch->added = first + count;
      break;
    }
  }
  return good;
}

static const ctgl_family family = {set_up, run, clear};

ct_bp_state *ctgl_parallel_prepare(const ctgl_parallel_setting *setting, const ct_bp_request *request, ct_error **error) {
  parallel *own = ct_alloc_zero(1, sizeof *own, "the back-projection", error);
  if (!own) return NULL;
  own->setting = *setting;
  return ctgl_state_prepare(&own->shared, &family, request, error);
}
