/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running filter.comp: a work group for each pair of rows. */
#include "render/compute/filter-private.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "recon/filter/ramp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VIEWS = 1, ROWS = 2, TABLE = 3, PIXELS = 0, FIRST = 1, SCALE = 2, WAYS = 3 };
enum { LEAST_THREADS = 16, MOST_THREADS = 256 };
/* Bytes of projections that wait to be filtered. */
static const size_t most_waiting = (size_t)64 << 20;

/* The factors of a transform's length, the odd ones first, with which the first stage's writes fall into different
 * banks of shared memory, and larger ones last. 0: there are others. */
static int find_stages(int length, int radices[16]) {
  static const int odd[] = {5, 3};
  int count = 0, twos = 0;
  for (int n = 0; n < 2; n++)
    if (length % odd[n] == 0) radices[count++] = odd[n], length /= odd[n];
  for (; length > 1 && length % 2 == 0; length /= 2) twos++;
  if (length != 1 || twos < 2) return 0;
  for (; twos > 0; twos -= twos % 3 ? 2 : 3) radices[count++] = twos % 3 ? 4 : 8;
  return count;
}

bool ctgl_filter_accepts(const ct_bp_request *request, ct_error **error) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  const ct_ramp_filter *ramp = request->ramp;
  int radices[16];
  const int most = facts->shared_memory / (int)(2 * sizeof(float));
  if (ramp->length > most)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Rows of %d columns are filtered as lines of %d numbers, and the shared memory of this "
                        "graphics card holds %d.",
                        request->geometry->nu, ramp->length, most);
  if ((size_t)request->geometry->nu * (size_t)request->geometry->nv * sizeof(float) > facts->storage_block)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A projection of %d x %d pixels is larger than a buffer of this graphics card.",
                        request->geometry->nu, request->geometry->nv);
  return find_stages(ramp->length, radices) > 0 ||
         ct_error_set(error, CT_ERROR_UNSUPPORTED, "The card's filter has no transform of %d numbers.", ramp->length);
}

static GLuint make_program(const ct_bp_request *request, ctgl_rows to, GLenum format, ct_error **error) {
  static const char *const names[] = {[3] = "three", [4] = "four", [5] = "five", [8] = "eight"};
  const ct_ramp_filter *ramp = request->ramp;
  const int most = ctgl_device_get_facts(request->device)->group_threads, eighth = ramp->length / 8;
  int radices[16], threads = eighth < MOST_THREADS ? eighth : MOST_THREADS;
  if (threads > most) threads = most;
  if (threads < LEAST_THREADS) threads = LEAST_THREADS;
  const int count = find_stages(ramp->length, radices);
  char stages[512] = "", defines[1024];
  size_t at = 0;
  for (int n = 0, done = 1; n < count && at < sizeof stages; done *= radices[n++])
    at += (size_t)snprintf(stages + at, sizeof stages - at, " STAGE(%d, %s, %d)", radices[n], names[radices[n]], done);
  snprintf(defines, sizeof defines,
           "#define LENGTH %d\n#define THREADS %d\n#define EXTENSION %d\n#define TEXTURE %d\n#define COLUMNS %d\n"
           "#define FORMAT %s\n#define HALF %d\n#define STAGES%s\n",
           ramp->length, threads, (int)ramp->ends, to == CTGL_ROWS_TEXTURE, to == CTGL_ROWS_COLUMNS,
           format == GL_R16F ? "r16f" : "r32f", format == GL_R16F, stages);
  return ctgl_device_program(request->device, "filter.comp", defines, error);
}

/* In double: the card's own sines are good for six digits. */
static bool send_table(const ctgl_filter *filter, const ct_ramp_filter *ramp, ct_error **error) {
  const size_t length = (size_t)ramp->length;
  float *table = ct_alloc_zero(4 * length, sizeof *table, "the filter's spectrum", error);
  if (!table) return false;
  for (size_t n = 0; n < length; n++) {
    const double angle = 2 * M_PI * (double)n / (double)length;
    table[2 * n] = (float)cos(angle);
    table[2 * n + 1] = (float)-sin(angle);
    table[2 * (length + n)] = ramp->spectrum[n];
  }
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, filter->table);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(4 * length * sizeof *table), table, GL_STATIC_DRAW);
  ct_free(table);
  return true;
}

/* Projections that wait to be filtered: as many as there are slots, and as a buffer holds. */
static int waiting(const ct_bp_request *request, int slots) {
  const size_t view = (size_t)request->geometry->nu * (size_t)request->geometry->nv * sizeof(float),
               block = ctgl_device_get_facts(request->device)->storage_block,
               fit = (block < most_waiting ? block : most_waiting) / view;
  return fit < 1 ? 1 : fit < (size_t)slots ? (int)fit : slots;
}

double ctgl_filter_bytes(const ct_bp_request *request, int slots) {
  const ct_geometry *g = request->geometry;
  return ((double)waiting(request, slots) * g->nu * g->nv + 4.0 * request->ramp->length) * sizeof(float);
}

bool ctgl_filter_init(ctgl_filter *filter, const ct_bp_request *request, ctgl_rows to, GLenum format, int slots,
                      ct_error **error) {
  const ct_geometry *g = request->geometry;
  *filter = (ctgl_filter){.device = request->device,
                          .nu = g->nu,
                          .nv = g->nv,
                          .views = waiting(request, slots),
                          .to = to,
                          .format = format};
  filter->program = make_program(request, to, format, error);
  if (!filter->program) return false;
  glGenBuffers(1, &filter->rows);
  glGenBuffers(1, &filter->table);
  /* Here, where running short of memory still leaves the choice of fewer views or smaller tiles. */
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, filter->rows);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)filter->views * g->nu * g->nv * (GLsizeiptr)sizeof(float), NULL,
               GL_STREAM_DRAW);
  return send_table(filter, request->ramp, error) &&
         ctgl_device_check(request->device, "the filter on the card", error);
}

void ctgl_filter_clear(ctgl_filter *filter) {
  if (filter->rows) glDeleteBuffers(1, &filter->rows);
  if (filter->table) glDeleteBuffers(1, &filter->table);
  *filter = (ctgl_filter){0};
}

/* The old contents are dropped, so that no call waits for a card that still reads them. */
static void send_rows(const ctgl_filter *filter, const float *const *projections, int count) {
  const size_t view = (size_t)filter->nu * (size_t)filter->nv * sizeof(float);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, filter->rows);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(view * (size_t)filter->views), NULL, GL_STREAM_DRAW);
  for (int n = 0; n < count; n++)
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)(view * (size_t)n), (GLsizeiptr)view, projections[n]);
}

static void bind(const ctgl_filter *filter, GLuint object, float scale) {
  if (filter->to == CTGL_ROWS_TEXTURE)
    glBindImageTexture(0, object, 0, GL_TRUE, 0, GL_WRITE_ONLY, filter->format);
  else
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, VIEWS, object);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, ROWS, filter->rows);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, TABLE, filter->table);
  glUseProgram(filter->program);
  glUniform2i(PIXELS, filter->nu, filter->nv);
  glUniform1f(SCALE, scale);
  glUniform1i(WAYS, 2);
}

bool ctgl_filter_run(ctgl_filter *filter, const float *const *projections, int count, GLuint object, float scale,
                     ctgl_pace *pace, const ct_job *job) {
  bool answered = true;
  for (int at = 0; answered && at < count && !ct_bp_stopped(job); at += filter->views) {
    const int some = count - at < filter->views ? count - at : filter->views;
    send_rows(filter, projections + at, some);
    bind(filter, object, scale);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    ctgl_boxes boxes = {.across = (filter->nv + 1) / 2, .down = some, .layers = 1};
    pace->work = CTGL_WORK_FILTERING;
    while (answered && !ct_bp_stopped(job) && ctgl_boxes_next(&boxes, pace)) {
      glUniform3i(FIRST, boxes.x, boxes.y, at);
      answered = ctgl_boxes_send(&boxes, pace);
    }
    pace->work = CTGL_WORK_ADDING;
  }
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  return answered;
}
