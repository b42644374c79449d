/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running parallel.comp: compound sinograms of each tile's slices, then packs of slices in dispatches short enough to
 * be interrupted. Sinograms wider than a texture are made window by window: a patch of the slices, whose shadow in
 * every view a texture holds, after the other. */
#include "render/compute/parallel-private.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "render/compute/sinogram-private.h"
#include "render/compute/state-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TILE = 0, SINOGRAMS = 1, BEGUN = 2, MULTIPROCESSORS = 1024 };
enum { SIZE = 0, FIRST = 1, MIDDLE = 2, CORNER = 3, UNIT = 4, TINY = 5 };

typedef struct parallel {
  ct_bp_state shared;
  ctgl_parallel_setting setting;
  ctgl_omission omission;
  ctgl_sinogram sinogram;
  int patch;               /* pixels of a patch's side */
  GLuint constants, begun; /* begun: groups by multiprocessor, where the setting shares them out by these */
} parallel;

static parallel *parallel_of(ct_bp_state *state) {
  return (parallel *)state;
}

static int scale_of(const ct_bp_request *request) {
  return request->interp == CT_INTERP_OVERSAMPLED ? CTGL_OVERSAMPLE : 1;
}

/* Samples that a pixel is wide, along the diagonal of its square, in the view where that is most. */
static double widest_of(const ct_bp_request *request) {
  double widest = 0;
  for (int view = 0; view < request->geometry->views; view++) {
    double m[12];
    ct_bp_index_matrix(request->geometry, view, &request->grid, m);
    widest = fmax(widest, fabs(m[0]) + fabs(m[1]));
  }
  return scale_of(request) * widest;
}

/* Samples beside those under a square of pixels: one of room below and two above, and what rounding up makes. */
enum { ROOM = 4 };

/* Samples that a square of so many pixels a side needs in any view. */
static double shadow_of(const ct_bp_request *request, int side) {
  return ceil(widest_of(request) * (side - 1)) + ROOM;
}

static double bins_of(const ctgl_parallel_setting *setting, const ct_bp_request *request) {
  const double bins = shadow_of(request, setting->area);
  return setting->write_pairs ? 2 * ceil(bins / 2) : bins;
}

/* Pixels of the largest patch, a whole number of areas, 0: not even one area's shadow fits into a texture; and the
 * sinograms' width. */
static int patch_of(const ctgl_parallel_setting *setting, const ct_bp_request *request, int *width) {
  const int most = ctgl_device_get_facts(request->device)->texture_side, area = setting->area;
  const int longer = request->grid.nx > request->grid.ny ? request->grid.nx : request->grid.ny;
  const int whole = (longer + area - 1) / area * area;
  *width = ctgl_sinogram_width(request);
  if (*width <= most) return whole;
  const double fit = (most - ROOM) / widest_of(request) + 1;
  const int side = fit < whole ? (int)fit / area * area : whole;
  if (side > 0) *width = (int)shadow_of(request, side);
  return side;
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
  const size_t numbers = (size_t)setting->slices / (size_t)arrays * (has_differences(setting, request) ? 2 : 1);
  const size_t bytes = numbers * (setting->half_cache ? 2 : 4);
  return (size_t)arrays * (bytes > 4 ? bytes : 4);
}

/* Views that shared memory holds at a time; 0: not one. */
static int cached_of(const ctgl_parallel_setting *s, const ct_bp_request *request) {
  const double view = bins_of(s, request) * (double)entry_bytes(s, request) + (s->minima == 0 ? sizeof(float) : 0) +
                      (s->columns ? (double)s->area * sizeof(float) : 0);
  const double once = CTGL_MATRICES * ((s->shared_constants ? 4 : 0) + (s->minima == 1 ? 1 : 0)) * sizeof(float);
  const double fit = (ctgl_device_get_facts(request->device)->shared_memory - once) / view;
  return fit < s->cached ? (int)fit : s->cached;
}

bool ctgl_parallel_accepts(const ctgl_parallel_setting *setting, const ct_bp_request *request, ct_error **error) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  const bool whole =
      setting->area * setting->area % setting->threads == 0 && (!setting->curve || setting->threads % 16 == 0);
  const bool quarters = !setting->quarters || (setting->texture_share == 8 && setting->area == 16 &&
                                               setting->threads == 256 && setting->curve);
  if (!quarters)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "%d threads cannot share %d x %d pixels this way. Four views at a time (quarters) take texture_share=8, "
        "area=16, threads=256 and curve=yes.",
        setting->threads, setting->area, setting->area);
  if (!whole)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%d threads cannot share %d x %d pixels this way. Their number has to divide that of the "
                        "pixels, and along the curve (curve=yes) be a multiple of 16.",
                        setting->threads, setting->area, setting->area);
  /* Seen on an H100 with driver 580.159.04: relative RMSE 0.02 to 0.06, with nearest neighbour none; the cause is not
   * known. */
  if (setting->float_round && request->interp == CT_INTERP_LINEAR && strstr(facts->driver, "NVIDIA"))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Rounding by addition gives wrong values with NVIDIA's drivers where it interpolates linearly. "
                        "Choose a kernel that rounds by conversion, as gl-wide-2 does.");
  if (setting->shuffles && !(setting->quarters && facts->shuffles))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        setting->quarters ? "This graphics driver has no shuffles (GL_KHR_shader_subgroup)."
                                          : "Shuffles sum four views at a time (quarters), and there are none.");
  if (setting->multiprocessor && setting->texture_share > 0 && setting->texture_share < 8 && !facts->multiprocessor)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This graphics driver does not tell which multiprocessor runs a group (NVIDIA's "
                        "GL_NV_shader_thread_group): groups are shared out by their numbers (multiprocessor=no).");
  if (arrays_of(setting) > setting->slices)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%d slices cannot be spread over %d arrays.", setting->slices,
                        setting->arrays);
  if (setting->texture_share > 0 && request->interp == CT_INTERP_OVERSAMPLED)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Four samples a pixel are read from the cache alone: the texture unit's share has to be 0.");
  if (setting->half_cache && request->precision != CT_PRECISION_FLOAT16)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A cache in half precision serves projections in half precision only.");
  if (setting->write_pairs && (setting->slices > 1 || setting->half_cache || has_differences(setting, request)))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "Two bins are written at once (write_pairs) of one slice in single precision, without differences.");
  if (request->geometry->tilt != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "This kernel needs a detector without tilt.");
  if (setting->threads > facts->group_threads)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This kernel needs groups of %d threads, and this graphics card makes groups of %d.",
                        setting->threads, facts->group_threads);
  if (setting->texture_share < 8 && cached_of(setting, request) < 1)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "One view's shadow of %d x %d voxels, %.0f pixels, is too wide for this graphics card's shared memory.",
        setting->area, setting->area, bins_of(setting, request));
  int width;
  if (!patch_of(setting, request, &width))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The shadow of %d x %d voxels, %.0f samples, is wider than a texture of this graphics card "
                        "(%d). The kernel “gl-tuned” "
                        "serves instead.",
                        setting->area, setting->area, bins_of(setting, request), facts->texture_side);
  return ctgl_views_accepts(request, CTGL_VIEWS_BUFFER, 1, error);
}

/* Of the graphics memory, the volume's part; views and sinograms take the rest. */
static const double tile_share = 0.5;

/* Of a tile: an array texture holds its sinograms. */
static int most_slices(const ctgl_parallel_setting *setting, const ct_bp_request *request) {
  const int most = setting->slices * ctgl_device_get_facts(request->device)->texture_layers;
  return most < request->grid.nz ? most : request->grid.nz;
}

/* Updates in one pass over the whole volume, after which a request to finish early is answered: a second at 60 GUPS, or
 * a third of one at the processor's 0.1. Fixed numbers, so that sums do not depend on how fast a run happens to be. */
static const double updates_on_card = 0x1p36, updates_in_software = 0x1p25;

/* Views of a pass: all that fit where each pass brings the tiles back. Fewer than the floor cost more than they spare.
 */
static int pass_of(const ct_bp_state *state, const ctgl_parallel_setting *setting) {
  const int slots = state->views.slots;
  if (state->tiles.resident < state->tiles.count) return slots;
  const bool software = ctgl_device_get_facts(state->request.device)->software;
  const int floor = !software ? 16 : setting->quarters ? 4 : 1;
  const double fit = (software ? updates_in_software : updates_on_card) / (double)ct_grid_voxels(&state->request.grid);
  const int views = fit > floor ? (int)fmin(fit, CTGL_MATRICES) / floor * floor : floor;
  return views < slots ? views : slots;
}

static int slots_of(const ct_bp_request *request) {
  return ctgl_views_slots(request->device, request, CTGL_VIEWS_BUFFER, 1);
}

size_t ctgl_parallel_memory(const ctgl_parallel_setting *setting, const ct_bp_request *request) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  if (!facts->software) return 0;
  int width;
  patch_of(setting, request, &width);
  return (size_t)(ctgl_views_bytes(request, slots_of(request)) +
                  ctgl_tiles_bytes(request->device, &request->grid, tile_share * facts->memory,
                                   most_slices(setting, request)) +
                  ctgl_sinogram_bytes(request, width, setting->slices, most_slices(setting, request)));
}

/* Whether groups of both kinds are counted on each multiprocessor. */
static bool counts_groups(const ctgl_parallel_setting *s) {
  return s->multiprocessor && s->texture_share > 0 && s->texture_share < 8;
}

static GLuint make_program(const ct_bp_request *request, const ctgl_parallel_setting *s, ct_error **error) {
  char defines[1280];
  const bool caches = s->texture_share < 8;
  const char *multiprocessor = counts_groups(s) ? ctgl_device_get_facts(request->device)->multiprocessor : NULL;
  snprintf(
      defines, sizeof defines,
      "%s%s#define OMIT %d\n#define SLICES %d\n#define TEXTURE_SHARE %d\n#define THREADS %d\n#define AREA %d\n#define "
      "CURVE %d\n"
      "#define QUARTERS %d\n#define CACHED %d\n#define BINS %.0f\n#define DIFFERENCES %d\n#define COLUMNS %d\n"
      "#define FLOAT_ROUND %d\n#define HALF_CACHE %d\n#define NEAREST %d\n#define ARRAYS %d\n#define UNROLL %d\n"
      "#define SHARED_CONSTANTS %d\n#define MINIMA %d\n#define ROW_THREADS %d\n#define WRITE_PAIRS %d\n"
      "#define FLOAT_INDEX %d\n#define SQUARES %d\n#define SHUFFLES %d\n"
      "#define BY_MULTIPROCESSOR %d\n#define MULTIPROCESSOR (uint(%s) %% %du)\n#define MULTIPROCESSORS %d\n",
      s->shuffles ? "#extension GL_KHR_shader_subgroup_basic : require\n"
                    "#extension GL_KHR_shader_subgroup_shuffle : require\n"
                  : "",
      multiprocessor && !strcmp(multiprocessor, CTGL_MULTIPROCESSOR)
          ? "#extension GL_NV_shader_thread_group : require\n"
          : "",
      (int)ctgl_device_omits(request->device), s->slices, s->texture_share, s->threads, s->area, s->curve, s->quarters,
      caches ? cached_of(s, request) : 1, caches ? bins_of(s, request) : 1, has_differences(s, request), s->columns,
      s->float_round, s->half_cache, request->interp != CT_INTERP_LINEAR, arrays_of(s), s->unroll ? s->unroll : 1,
      s->shared_constants, s->minima, s->row_threads, s->write_pairs, s->float_index, s->squares, s->shuffles,
      multiprocessor != NULL, multiprocessor ? multiprocessor : "0", MULTIPROCESSORS, MULTIPROCESSORS);
  return ctgl_device_program(request->device, "parallel.comp", defines, error);
}

static void clear(ct_bp_state *state) {
  parallel *own = parallel_of(state);
  ctgl_sinogram_clear(&own->sinogram);
  if (own->constants) glDeleteBuffers(1, &own->constants);
  if (own->begun) glDeleteBuffers(1, &own->begun);
  own->constants = own->begun = 0;
}

static bool set_up(ct_bp_state *state, ct_error **error) {
  const ct_bp_request *request = &state->request;
  parallel *own = parallel_of(state);
  const int slices = most_slices(&own->setting, request);
  const double limit = ctgl_state_limit(state, tile_share * ctgl_device_room(request->device), slices);
  state->program = make_program(request, &own->setting, error);
  if (!state->program ||
      !ctgl_views_init(&state->views, request, CTGL_VIEWS_BUFFER, ctgl_state_slots(state, slots_of(request), 1),
                       error) ||
      !ctgl_tiles_init(&state->tiles, request->device, &request->grid, limit, slices, error))
    return false;
  glGenBuffers(1, &own->constants);
  glBindBuffer(GL_UNIFORM_BUFFER, own->constants);
  glBufferData(GL_UNIFORM_BUFFER, CTGL_MATRICES * 4 * sizeof(float), NULL, GL_DYNAMIC_DRAW);
  if (counts_groups(&own->setting)) {
    glGenBuffers(1, &own->begun);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, own->begun);
    glBufferData(GL_SHADER_STORAGE_BUFFER, MULTIPROCESSORS * sizeof(GLuint), NULL, GL_DYNAMIC_COPY);
    glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
  }
  const bool linear = own->setting.texture_share > 0 && request->interp == CT_INTERP_LINEAR;
  int width;
  own->patch = patch_of(&own->setting, request, &width);
  return ctgl_sinogram_init(&own->sinogram, request, width, own->setting.slices, state->tiles.slices, linear, error);
}

/* A patch of a tile, in pixels of the tile. */
typedef struct patch {
  int x, y, columns, rows;
} patch;

/* The view's position of a pixel, in samples of the whole sinogram. */
static double position(const ct_bp_state *state, const double m[12], int i, int j) {
  const int scale = scale_of(&state->request);
  return scale * (m[0] * i + m[1] * j + m[3]) + (scale > 1 ? scale : 0);
}

/* The first sample that the patch needs, or of the whole where that fits. */
static int start_of(const ct_bp_state *state, const ctgl_sinogram *sinogram, const double m[12], const ctgl_tile *t,
                    const patch *p) {
  if (sinogram->width == sinogram->whole) return 0;
  const int right = p->x + p->columns - 1, top = t->j + p->y + p->rows - 1;
  const double least = fmin(position(state, m, m[0] < 0 ? right : p->x, m[1] < 0 ? top : t->j + p->y), 0x1p30);
  return (int)fmax(floor(least), -0x1p30) - 1;
}

/* A sample in the middle, from which positions are counted. */
static int middle_of(const ct_bp_state *state, const ctgl_sinogram *sinogram) {
  float middle[2];
  ctgl_views_middle(&state->views, middle);
  const int scale = sinogram->oversample, whole = scale * (int)middle[0] + (scale > 1 ? scale : 0);
  return sinogram->width == sinogram->whole ? whole : sinogram->width / 2;
}

/* Positions in samples of the sinogram, counted from its middle and from the first voxel of a patch; and where each
 * view's window begins. */
static void place_views(ct_bp_state *state, const int *views, int count, const ctgl_tile *t, const patch *p,
                        int *starts) {
  parallel *own = parallel_of(state);
  float constants[CTGL_MATRICES][4] = {{0}};
  const int scale = scale_of(&state->request), middle = middle_of(state, &own->sinogram);
  for (int n = 0; n < count; n++) {
    double m[12];
    ct_bp_index_matrix(state->request.geometry, views[n], &state->request.grid, m);
    starts[n] = start_of(state, &own->sinogram, m, t, p);
    constants[n][0] = (float)(scale * m[0]);
    constants[n][1] = (float)(scale * m[1]);
    constants[n][2] = (float)(position(state, m, p->x, t->j + p->y) - starts[n] - middle);
    constants[n][3] = (float)(scale * (own->setting.area - 1) * (fmin(0, m[0]) + fmin(0, m[1])));
  }
  glBindBuffer(GL_UNIFORM_BUFFER, own->constants);
  glBufferSubData(GL_UNIFORM_BUFFER, 0, (GLsizeiptr)((size_t)count * sizeof *constants), constants);
}

static bool run_patch(ct_bp_state *state, const int *views, int count, const ctgl_tile *t, const patch *p,
                      const ct_job *job, ct_error **error) {
  parallel *own = parallel_of(state);
  const ctgl_parallel_setting *s = &own->setting;
  int starts[CTGL_MATRICES];
  place_views(state, views, count, t, p, starts);
  const ctgl_sinogram_part part = {
      .views = &state->views, .starts = starts, .count = count, .k = t->k, .slices = t->slices};
  if (!ctgl_sinogram_make(&own->sinogram, &state->request, &part, &state->pace, job, error)) return false;
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, own->constants);
  if (own->begun) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BEGUN, own->begun);
  glActiveTexture(GL_TEXTURE0 + SINOGRAMS);
  glBindTexture(GL_TEXTURE_2D_ARRAY, own->sinogram.texture);
  glActiveTexture(GL_TEXTURE0);
  glUseProgram(state->program);
  glUniform3i(SIZE, state->request.grid.nx, t->rows, t->slices);
  glUniform1f(MIDDLE, (float)middle_of(state, &own->sinogram));
  glUniform2i(CORNER, p->x, p->y);
  glUniform1f(UNIT, 1 / state->views.scale);
  if (own->omission) glUniform1f(TINY, CTGL_TINY);
  ctgl_boxes boxes = {.across = (p->columns + s->area - 1) / s->area,
                      .down = (p->rows + s->area - 1) / s->area,
                      .layers = (t->slices + s->slices - 1) / s->slices};
  while (!ct_bp_stopped(job) && ctgl_boxes_next(&boxes, &state->pace)) {
    glUniform4i(FIRST, boxes.z, count, boxes.x, boxes.y);
    if (!ctgl_boxes_send(&boxes, &state->pace)) return false;
  }
  return true;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

static bool run_tile(ct_bp_state *state, const int *views, int count, int n, const ct_job *job, ct_error **error) {
  const ctgl_tile t = ctgl_tiles_at(&state->tiles, n);
  const int side = parallel_of(state)->patch, nx = state->request.grid.nx;
  bool good = true;
  ctgl_tiles_begin(&state->tiles, n, TILE);
  for (int y = 0; good && y < t.rows; y += side)
    for (int x = 0; good && x < nx && !ct_bp_stopped(job); x += side) {
      const patch p = {x, y, least(side, nx - x), least(side, t.rows - y)};
      good = run_patch(state, views, count, &t, &p, job, error);
    }
  return good;
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const int pass = pass_of(state, &parallel_of(state)->setting);
  bool good = true;
  for (int first = 0; good && first < batch->count; first += pass) {
    const int count = least(pass, batch->count - first);
    good = ctgl_views_send(&state->views, batch->projections + first, count, &state->pace, job, error);
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

ct_bp_state *ctgl_parallel_prepare(const ctgl_parallel_setting *setting, const ct_bp_request *request,
                                   ct_error **error) {
  parallel *own = ct_alloc_zero(1, sizeof *own, "the back-projection", error);
  if (!own) return NULL;
  own->setting = *setting;
  own->omission = ctgl_device_omits(request->device);
  return ctgl_state_prepare(&own->shared, &family, request, error);
}
