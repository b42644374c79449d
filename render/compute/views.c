/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uploading projections and their matrices. */
#include "render/compute/views-private.h"

#include "recon/base/memory.h"
#include "recon/bp/layout/half.h"
#include "recon/bp/support.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

/* Floats of one view in a buffer, with a border of one pixel all round. */
static size_t bordered(int nu, int nv) {
  return ((size_t)nu + 2) * ((size_t)nv + 2);
}

/* So many pieces of `count` pixels, `most` at a time, that share a pixel with the next: how many, how large, how far
 * apart. */
static int cut(int count, int most, int *size, int *step) {
  const int pieces = count <= most ? 1 : (count - 2) / (most - 1) + 1;
  *step = pieces == 1 ? count : (count - 2) / pieces + 1;
  *size = pieces == 1 ? count : *step + 1;
  return pieces;
}

static void cut_strips(ctgl_views *views, const ct_bp_device *device) {
  const int most = ctgl_device_get_facts(device)->texture_side;
  views->across = cut(views->nu, most, &views->width, &views->step_u);
  views->down = cut(views->nv, most, &views->height, &views->step_v);
}

/* Layers of a texture that a view takes. */
static int layers_of(const ct_bp_device *device, const ct_bp_request *request) {
  ctgl_views views = {.nu = request->geometry->nu, .nv = request->geometry->nv};
  cut_strips(&views, device);
  return views.across * views.down;
}

int ctgl_views_slots(const ct_bp_device *device, const ct_bp_request *request, ctgl_views_kind kind, int group) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(device);
  const size_t view = bordered(request->geometry->nu, request->geometry->nv) * sizeof(float);
  /* No more than a quarter gigabyte: a batch is uploaded while the one before is at work. */
  const size_t room = kind != CTGL_VIEWS_TEXTURE ? facts->storage_block : (size_t)256 << 20;
  size_t slots = room / view;
  if (slots > CTGL_MATRICES) slots = CTGL_MATRICES;
  const size_t layers =
      kind == CTGL_VIEWS_TEXTURE ? (size_t)(facts->texture_layers / layers_of(device, request)) : slots;
  if (slots > layers) slots = layers;
  const size_t wanted = ((size_t)request->batch + (size_t)group - 1) / (size_t)group * (size_t)group;
  if (slots > wanted) slots = wanted;
  return slots < (size_t)group ? group : (int)slots / group * group;
}

double ctgl_views_bytes(const ct_bp_request *request, int slots) {
  return (double)slots * (double)bordered(request->geometry->nu, request->geometry->nv) * sizeof(float) +
         (request->ramp ? ctgl_filter_bytes(request, slots) : 0);
}

bool ctgl_views_accepts(const ct_bp_request *request, ctgl_views_kind kind, int group, ct_error **error) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  const int nu = request->geometry->nu, nv = request->geometry->nv;
  if (request->ramp && kind == CTGL_VIEWS_TEXTURE && layers_of(request->device, request) > 1)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Projections of %d x %d pixels, larger than a texture of this graphics card, are not filtered "
                        "on it.",
                        nu, nv);
  if (request->ramp && !ctgl_filter_accepts(request, error)) return false;
  if (kind == CTGL_VIEWS_TEXTURE && layers_of(request->device, request) * group > facts->texture_layers)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "%d projections of %d x %d pixels are larger than a texture of this graphics card (%d x %d, %d layers). "
        "Choose a kernel that takes fewer views at a time.",
        group, nu, nv, facts->texture_side, facts->texture_side, facts->texture_layers);
  if (kind != CTGL_VIEWS_TEXTURE && bordered(nu, nv) * sizeof(float) > facts->storage_block)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A projection of %d x %d pixels is larger than a buffer of this graphics card.", nu, nv);
  return true;
}

static void make_texture(ctgl_views *views, bool nearest) {
  glGenTextures(1, &views->object);
  glBindTexture(GL_TEXTURE_2D_ARRAY, views->object);
  glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, views->format, views->width, views->height,
                 views->slots * views->across * views->down);
  const GLint filter = nearest ? GL_NEAREST : GL_LINEAR;
  const GLfloat nothing[4] = {0};
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glTexParameterfv(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BORDER_COLOR, nothing);
}

static void make_buffer(ctgl_views *views) {
  const size_t bytes = bordered(views->nu, views->nv) * (size_t)views->slots * sizeof(float);
  glGenBuffers(1, &views->object);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, views->object);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_DRAW);
  glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32F, GL_RED, GL_FLOAT, NULL);
}

bool ctgl_views_has_strips(const ct_bp_request *request) {
  return layers_of(request->device, request) > 1;
}

bool ctgl_views_init(ctgl_views *views, const ct_bp_request *request, ctgl_views_kind kind, int slots,
                     ct_error **error) {
  *views = (ctgl_views){.device = request->device,
                        .kind = kind,
                        .nu = request->geometry->nu,
                        .nv = request->geometry->nv,
                        .slots = slots,
                        .half = request->precision == CT_PRECISION_FLOAT16,
                        .scale = 1,
                        .format = request->precision == CT_PRECISION_FLOAT16 ? GL_R16F : GL_R32F};
  cut_strips(views, request->device);
  if (kind == CTGL_VIEWS_TEXTURE && views->half &&
      !(views->halves = ct_alloc((size_t)views->nu * (size_t)views->nv, sizeof *views->halves,
                                 "a projection in half precision", error)))
    return false;
  if (kind == CTGL_VIEWS_TEXTURE)
    make_texture(views, request->interp == CT_INTERP_NEAREST);
  else
    make_buffer(views);
  glGenBuffers(1, &views->matrices);
  glBindBuffer(GL_UNIFORM_BUFFER, views->matrices);
  glBufferData(GL_UNIFORM_BUFFER, CTGL_MATRICES * 16 * sizeof(float), NULL, GL_DYNAMIC_DRAW);
  static const ctgl_rows rows[] = {[CTGL_VIEWS_TEXTURE] = CTGL_ROWS_TEXTURE,
                                   [CTGL_VIEWS_BUFFER] = CTGL_ROWS_BUFFER,
                                   [CTGL_VIEWS_COLUMNS] = CTGL_ROWS_COLUMNS};
  if (request->ramp && !ctgl_filter_init(&views->filter, request, rows[kind], views->format, slots, error))
    return false;
  return ctgl_device_check(request->device, "the projections", error);
}

void ctgl_views_clear(ctgl_views *views) {
  if (views->object && views->kind == CTGL_VIEWS_TEXTURE) glDeleteTextures(1, &views->object);
  if (views->object && views->kind != CTGL_VIEWS_TEXTURE) glDeleteBuffers(1, &views->object);
  if (views->matrices) glDeleteBuffers(1, &views->matrices);
  ctgl_filter_clear(&views->filter);
  ct_free(views->halves);
  *views = (ctgl_views){0};
}

static int least(int a, int b) {
  return a < b ? a : b;
}

size_t ctgl_views_pixel(const ctgl_views *views) {
  return views->half ? sizeof(uint16_t) : sizeof(float);
}

void ctgl_views_upload_stored(const ctgl_views *views, int slot, const void *projection) {
  const size_t pixel = ctgl_views_pixel(views);
  glPixelStorei(GL_UNPACK_ALIGNMENT, (GLint)pixel);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, views->nu);
  glBindTexture(GL_TEXTURE_2D_ARRAY, views->object);
  for (int n = 0; n < views->across * views->down; n++) {
    const int u = least(n % views->across * views->step_u, views->nu - views->width),
              v = least(n / views->across * views->step_v, views->nv - views->height);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, slot * views->across * views->down + n, views->width, views->height,
                    1, GL_RED, views->half ? GL_HALF_FLOAT : GL_FLOAT,
                    (const char *)projection + ((size_t)v * (size_t)views->nu + (size_t)u) * pixel);
  }
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

/* No sample of a filtered row is larger than so many times the largest of the row: the absolute sum of the filter's
 * taps is 1/2, with an abrupt cut-off up to 1.5. */
static const float most_gain = 2;

/* The power of two that samples are stored times. */
static void fit(ctgl_views *views, const float *const *projections, int count) {
  if (!views->half) return;
  const size_t pixels = (size_t)views->nu * (size_t)views->nv;
  float most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int n = 0; n < count; n++) most = fmaxf(most, ct_half_magnitude(projections[n], pixels));
  views->scale = ct_half_scale(views->filter.program ? most_gain * most : most);
}

static void copy_bordered(const ctgl_views *views, const float *projection, float *to) {
  const size_t pitch = (size_t)views->nu + 2;
  memset(to, 0, pitch * sizeof(float));
  for (size_t v = 0; v < (size_t)views->nv; v++) {
    float *row = to + (v + 1) * pitch;
    row[0] = row[pitch - 1] = 0;
    memcpy(row + 1, projection + v * (size_t)views->nu, (size_t)views->nu * sizeof(float));
  }
  memset(to + ((size_t)views->nv + 1) * pitch, 0, pitch * sizeof(float));
}

/* [u][v] with a border of zeros. */
static void copy_transposed(const ctgl_views *views, const float *projection, float *to) {
  const size_t pitch = (size_t)views->nv + 2, nu = (size_t)views->nu;
  memset(to, 0, pitch * sizeof(float));
#pragma omp parallel for schedule(static)
  for (size_t u = 0; u < nu; u++) {
    float *column = to + (u + 1) * pitch;
    column[0] = column[pitch - 1] = 0;
    for (size_t v = 0; v < pitch - 2; v++) column[v + 1] = projection[v * nu + u];
  }
  memset(to + (nu + 1) * pitch, 0, pitch * sizeof(float));
}

static bool upload(ctgl_views *views, int slot, const float *projection, ct_error **error) {
  if (views->kind == CTGL_VIEWS_TEXTURE && views->half) {
    const size_t nu = (size_t)views->nu;
#pragma omp parallel for schedule(static)
    for (int v = 0; v < views->nv; v++)
      ct_halves_from_floats(projection + (size_t)v * nu, nu, views->scale, views->halves + (size_t)v * nu);
  }
  if (views->kind == CTGL_VIEWS_TEXTURE) {
    ctgl_views_upload_stored(views, slot, views->half ? (const void *)views->halves : projection);
    return true;
  }
  const size_t view = bordered(views->nu, views->nv);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, views->object);
  float *to = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, (GLintptr)((size_t)slot * view * sizeof(float)),
                               (GLsizeiptr)(view * sizeof(float)), GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
  if (!to) return ctgl_device_refuse(views->device, "sending a projection", error);
  /* The old contents are dropped, border included, so that no call waits for a card that still reads them. */
  if (views->kind == CTGL_VIEWS_COLUMNS)
    copy_transposed(views, projection, to);
  else
    copy_bordered(views, projection, to);
  glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
  return true;
}

bool ctgl_views_send(ctgl_views *views, const float *const *projections, int count, ctgl_pace *pace, const ct_job *job,
                     ct_error **error) {
  bool good = true;
  fit(views, projections, count);
  if (views->filter.program)
    return ctgl_filter_run(&views->filter, projections, count, views->object, views->scale, pace, job);
  for (int n = 0; good && n < count; n++) good = upload(views, n, projections[n], error);
  return good;
}

void ctgl_views_middle(const ctgl_views *views, float middle[2]) {
  middle[0] = (float)(views->nu / 2);
  middle[1] = (float)(views->nv / 2);
}

/* The voxel of a tile that is nearest to the source (the tile's corner for parallel beam). */
static void find_origin(const ct_bp_request *request, int view, int j, int k, float origin[3]) {
  const ct_grid *g = &request->grid;
  const double first[3] = {g->x0, g->y0, g->z0}, step[3] = {g->dx, g->dy, g->dz};
  const int count[3] = {g->nx, g->ny, g->nz}, from[3] = {0, j, k};
  double source[3];
  const bool known = ct_geometry_source(request->geometry, view, source);
  for (int n = 0; n < 3; n++) {
    const double at = known ? rint((source[n] - first[n]) / step[n]) : 0;
    origin[n] = (float)(fmin(fmax(at, 0), count[n] - 1) - from[n]);
  }
}

/* Positions are counted from the voxel next to the source and from the detector's middle: single precision is then
 * finest where w is small and a rounding would move the detector position most. */
static void fill_matrix(const ct_bp_request *request, int view, int j, int k, const float middle[2], float out[16]) {
  double m[12];
  ct_bp_index_matrix(request->geometry, view, &request->grid, m);
  find_origin(request, view, j, k, out + 12);
  const double at[3] = {out[12], (double)out[13] + j, (double)out[14] + k};
  for (int r = 0; r < 3; r++) m[4 * r + 3] += m[4 * r] * at[0] + m[4 * r + 1] * at[1] + m[4 * r + 2] * at[2];
  for (int c = 0; c < 4; c++) {
    out[c] = (float)(m[c] - middle[0] * m[8 + c]);
    out[4 + c] = (float)(m[4 + c] - middle[1] * m[8 + c]);
    out[8 + c] = (float)m[8 + c];
  }
}

void ctgl_views_bind(ctgl_views *views, const ct_bp_request *request, const int *indices, int count, int padded, int j,
                     int k, GLuint binding) {
  float rows[CTGL_MATRICES][16] = {{0}}, middle[2];
  ctgl_views_middle(views, middle);
  for (int n = 0; n < padded; n++) {
    if (n < count)
      fill_matrix(request, indices[n], j, k, middle, rows[n]);
    else
      rows[n][11] = -1;
  }
  glBindBuffer(GL_UNIFORM_BUFFER, views->matrices);
  glBufferSubData(GL_UNIFORM_BUFFER, 0, (GLsizeiptr)((size_t)padded * sizeof *rows), rows);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, views->matrices);
  if (views->kind == CTGL_VIEWS_TEXTURE) {
    glActiveTexture(GL_TEXTURE0 + binding);
    glBindTexture(GL_TEXTURE_2D_ARRAY, views->object);
    glActiveTexture(GL_TEXTURE0);
  } else
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, views->object);
}
