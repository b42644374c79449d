/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed rows and their transpose on the card (merge.comp): the general method that the symmetric matrix
 * (matrix.c) is compared with. Both matrices are made by the processor and uploaded once, in parts of whole rows that
 * fit a buffer; images and rays travel for every product. */
#include "recon/fp/matrix/merge.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "render/compute/pace-private.h"
#include "render/compute/projectors-private.h"

#include <stdio.h>

enum { STARTS, COLUMNS, VALUES, X, Y, SHARES }; /* bindings */
enum { ROWS = 0, PLACE = 1, FIRST = 2 };        /* locations */
enum { THREADS = 128, ITEMS = 8, TILE = THREADS * ITEMS, MOST_GROUPS = 65535 };
enum { WALK, ADD, PROGRAMS };

/* More than this at a time is hardly ever given, whatever the driver says. */
static const double largest_part = 1 << 30;

typedef struct part {
  size_t first, end; /* rows */
  GLuint starts, columns, values;
} part;

/* A matrix, or its transpose. */
typedef struct rows_on_card {
  part *parts;
  int count;
  uint64_t *starts; /* [rows + 1] */
} rows_on_card;

typedef struct merge {
  ct_bp_device *device;
  rows_on_card sides[2];
  GLuint x, y, shares, programs[PROGRAMS];
  double bytes;
  ctgl_pace paces[PROGRAMS];
} merge;

static bool accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  if (!ct_merge_accepts(self, request, error)) return false;
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  if ((double)request->grid.nx * request->grid.ny * sizeof(float) > (double)facts->storage_block)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A slice of %d x %d pixels is larger than a buffer of this graphics card.", request->grid.nx,
                        request->grid.ny);
  const double needed = ct_merge_memory(self, request);
  if (facts->software || facts->memory <= 0 || needed <= facts->memory) return true;
  char need[32], has[32];
  return ct_error_set(error, CT_ERROR_MEMORY,
                      "The matrix and its transpose need %s of graphics memory here, and the card has %s: gl-scsr-view "
                      "stores an eighth of one, gl-joseph none.",
                      ct_format_bytes(needed, need, sizeof need), ct_format_bytes(facts->memory, has, sizeof has));
}

/* Software devices use main memory. */
static double memory(const ct_projector *self, const ct_projector_request *request) {
  const bool software = request->device && ctgl_device_get_facts(request->device)->software;
  return (software ? 2 : 1) * ct_merge_memory(self, request);
}

static void clear(merge *m) {
  const GLuint buffers[] = {m->x, m->y, m->shares};
  for (int n = 0; n < PROGRAMS; n++) ctgl_pace_drain(&m->paces[n]);
  glDeleteBuffers(sizeof buffers / sizeof *buffers, buffers);
  for (int side = 0; side < 2; side++)
    for (int n = 0; n < m->sides[side].count; n++) {
      const part *p = &m->sides[side].parts[n];
      const GLuint own[] = {p->starts, p->columns, p->values};
      glDeleteBuffers(3, own);
    }
}

static void free_merge(void *own) {
  merge *m = own;
  if (ctgl_device_enter_to_delete(m->device)) {
    clear(m);
    ctgl_device_leave(m->device, true, "freeing graphics memory", NULL);
  }
  for (int side = 0; side < 2; side++) {
    ct_free(m->sides[side].parts);
    ct_free(m->sides[side].starts);
  }
  ct_free(m);
}

static GLuint make_buffer(merge *m, const void *data, size_t count, size_t size) {
  GLuint buffer = 0;
  m->bytes += (double)count * (double)size;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  /* No buffer is empty: some drivers refuse to bind it. */
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(count ? count * size : 16), count ? data : NULL, GL_STATIC_DRAW);
  return buffer;
}

static bool send_part(merge *m, const ct_sparse *matrix, part *p, ct_error **error) {
  const uint64_t *starts = ct_sparse_starts(matrix);
  const size_t rows = p->end - p->first, entries = (size_t)(starts[p->end] - starts[p->first]);
  uint32_t *own = ct_alloc(rows + 1, sizeof *own, "the rows of a matrix", error);
  if (!own) return false;
  for (size_t n = 0; n <= rows; n++) own[n] = (uint32_t)(starts[p->first + n] - starts[p->first]);
  p->starts = make_buffer(m, own, rows + 1, sizeof *own);
  ct_free(own);
  p->columns = make_buffer(m, ct_sparse_get_indices(matrix) + starts[p->first], entries, sizeof(uint32_t));
  p->values = make_buffer(m, ct_sparse_get_values(matrix) + starts[p->first], entries, sizeof(float));
  return ctgl_device_check(m->device, "a matrix", error);
}

/* Parts of as many whole rows as a buffer holds. */
static bool send_side(merge *m, rows_on_card *side, const ct_sparse *matrix, double limit, ct_error **error) {
  const size_t rows = ct_sparse_rows(matrix), most = (size_t)(limit / sizeof(float));
  const uint64_t *starts = ct_sparse_starts(matrix);
  side->parts = ct_alloc_zero(rows + 1, sizeof *side->parts, "the parts of a matrix", error);
  side->starts = side->parts ? ct_alloc(rows + 1, sizeof *side->starts, "the rows of a matrix", error) : NULL;
  if (!side->starts) return false;
  for (size_t n = 0; n <= rows; n++) side->starts[n] = starts[n];
  for (size_t first = 0, end; first < rows; first = end) {
    for (end = first; end < rows && starts[end + 1] - starts[first] <= most && end - first + 2 <= most;) end++;
    if (end == first)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "Rows of this matrix have more entries than a buffer of the graphics card holds.");
    part *p = &side->parts[side->count++];
    *p = (part){.first = first, .end = end};
    if (!send_part(m, matrix, p, error)) return false;
  }
  return true;
}

static bool make_programs(merge *m, ct_error **error) {
  for (int n = 0; n < PROGRAMS; n++) {
    char defines[96];
    snprintf(defines, sizeof defines, "#define STAGE %d\n#define THREADS %d\n#define ITEMS %d\n", n, THREADS, ITEMS);
    if (!(m->programs[n] = ctgl_device_program(m->device, "merge.comp", defines, error))) return false;
  }
  return true;
}

static bool upload(merge *m, const ct_sparse *const matrices[2], ct_error **error) {
  const double block = (double)ctgl_device_get_facts(m->device)->storage_block,
               limit = block < largest_part ? block : largest_part;
  const size_t rows = ct_sparse_rows(matrices[0]), columns = ct_sparse_columns(matrices[0]),
               longest = rows > columns ? rows : columns;
  if ((double)longest * sizeof(float) > limit)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%zu rays or pixels need larger buffers than this graphics card has: choose gl-joseph, which "
                        "stores no matrix.",
                        longest);
  size_t tiles = 0;
  for (int side = 0; side < 2; side++) {
    if (!send_side(m, &m->sides[side], matrices[side], limit, error)) return false;
    for (int n = 0; n < m->sides[side].count; n++) {
      const part *p = &m->sides[side].parts[n];
      const uint64_t *starts = m->sides[side].starts;
      const size_t own = (size_t)(starts[p->end] - starts[p->first] + p->end - p->first) / TILE + 1;
      if (own > tiles) tiles = own;
    }
  }
  m->x = make_buffer(m, NULL, longest, sizeof(float));
  m->y = make_buffer(m, NULL, longest, sizeof(float));
  m->shares = make_buffer(m, NULL, tiles, sizeof(float));
  return make_programs(m, error) && ctgl_device_check(m->device, "a matrix", error);
}

static void *take(const ct_sparse *matrix, const ct_sparse *transpose, const ct_projector_request *request,
                  ct_error **error) {
  merge *m = ct_alloc_zero(1, sizeof *m, "the projector", error);
  if (!m) return NULL;
  m->device = request->device;
  for (int n = 0; n < PROGRAMS; n++) m->paces[n].device = request->device;
  bool good = ctgl_device_enter(m->device, error);
  if (good) {
    good = upload(m, (const ct_sparse *const[]){matrix, transpose}, error);
    good = ctgl_device_leave(m->device, good, "preparing the projector", error);
  }
  if (good) return m;
  free_merge(m);
  return NULL;
}

/* Groups of one program, as many at a time as fit the pace; `unit`: tiles or rows of a group. */
static bool dispatch(merge *m, int program, size_t groups, size_t unit) {
  ctgl_pace *pace = &m->paces[program];
  glUseProgram(m->programs[program]);
  for (size_t at = 0; at < groups;) {
    const size_t left = groups - at;
    const int now = ctgl_pace_next(pace, left < MOST_GROUPS ? (int)left : MOST_GROUPS);
    glUniform1ui(FIRST, (GLuint)(at * unit));
    glDispatchCompute((GLuint)now, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    if (!ctgl_pace_sent(pace, now)) return false;
    at += (size_t)now;
  }
  return true;
}

/* Rows first .. end - 1 of a part, whose results begin at place `place` of y. */
static bool multiply_part(merge *m, const rows_on_card *side, const part *p, size_t first, size_t end, size_t place) {
  const size_t rows = end - first, length = rows + (size_t)(side->starts[end] - side->starts[first]);
  const GLuint buffers[] = {p->starts, p->columns, p->values, m->x, m->y, m->shares};
  for (GLuint n = STARTS; n <= SHARES; n++) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, n, buffers[n]);
  for (int n = 0; n < PROGRAMS; n++) {
    glUseProgram(m->programs[n]);
    glUniform2ui(ROWS, (GLuint)(first - p->first), (GLuint)rows);
    glUniform1ui(PLACE, (GLuint)place);
  }
  return dispatch(m, WALK, (length + TILE - 1) / TILE, 1) && dispatch(m, ADD, (rows + THREADS - 1) / THREADS, THREADS);
}

static bool multiply(void *own, const ct_merge_call *call, ct_error **error) {
  merge *m = own;
  const rows_on_card *side = &m->sides[call->transposed];
  const part *last = &m->sides[!call->transposed].parts[m->sides[!call->transposed].count - 1];
  if (!ctgl_device_enter(m->device, error)) return false;
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, m->x);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(last->end * sizeof(float)), call->x);
  bool good = true;
  const size_t end = call->first + call->rows;
  for (int n = 0; good && n < side->count; n++) {
    const part *p = &side->parts[n];
    const size_t from = p->first > call->first ? p->first : call->first, to = p->end < end ? p->end : end;
    if (from < to) good = multiply_part(m, side, p, from, to, from - call->first);
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, m->y);
  if (good) glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(call->rows * sizeof(float)), call->y);
  for (int n = 0; n < PROGRAMS; n++) good = ctgl_pace_drain(&m->paces[n]) && good;
  return ctgl_device_leave(m->device, good, "multiplying by a matrix", error);
}

/* What a software device holds lies in main memory, too. */
static double bytes(const void *own) {
  const merge *m = own;
  return ctgl_device_get_facts(m->device)->software ? m->bytes : 0;
}

static const ct_merge_engine engine = {take, multiply, bytes, free_merge};

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  return ct_merge_prepare_away(&engine, self, request, job, error);
}

const ct_projector ctgl_projector_merge = {
    .id = "gl-csr-merge",
    .title = "GPU, stored matrix and its transpose, merge-based",
    .explanation =
        "Compressed rows of the matrix and of its transpose in graphics memory; work groups take equal parts "
        "of the merge of rows and entries, however long the rows are (Merrill and Garland 2016). Sixteen "
        "times the entries of gl-scsr: a general method, to compare with.",
    .tolerance = 2e-6,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    CT_MERGE_AWAY};
