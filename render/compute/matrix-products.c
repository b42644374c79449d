/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A x and A^T y of a stored matrix on the card, part by part, in dispatches short enough for the desktop. Forward each
 * piece of a row has a sum of its own, and a row's are added up afterwards: no two threads write to one place. Back,
 * chunks of a phase go step by step (no atomic additions, always the same sums); chunks that hold any views add
 * atomically, whose order differs from time to time by the rounding of single precision. */
#include "render/compute/matrix-private.h"

#include "recon/base/memory.h"

#include <string.h>

enum { COLUMNS, VALUES, CHUNKS, PIECES, LANES, LIST, RAYS, IMAGE };                   /* bindings */
enum { RANGE = 0, PART, BASE, ASKED, INDEX_AT, PLANE, IMAGES, ZONES = 8, MAPS = 16 }; /* locations */
enum { THREADS = 64, GROUP_CHUNKS = THREADS / CT_MATRIX_LANES, MOST_GROUPS = 65535 };

/* Rays of a call: [from, end). */
typedef struct row_range {
  size_t from, end;
} row_range;

/* Zones and the images that take them. */
typedef struct zone_list {
  int count;
  GLint zone[CT_MATRIX_ZONES][2];
} zone_list;

/* One dispatch, or several where it is too long for one. */
typedef struct launch {
  ctgl_matrix_program program;
  GLuint list, rays, image;
  size_t first, end, unit; /* chunks, rows or pixels; of which a work group takes so many */
  row_range asked;
  const zone_list *zones; /* a row of work groups each; NULL: one for all */
  bool parts;             /* reads entries */
  size_t lowest, beyond;  /* chunks that may be met */
  int back;               /* whose pace */
} launch;

static zone_list zones_of(unsigned bits) {
  zone_list z = {0};
  for (; bits; bits &= bits - 1, z.count++) {
    z.zone[z.count][0] = __builtin_ctz(bits);
    z.zone[z.count][1] = z.count;
  }
  return z;
}

static void use(const ctgl_matrix *m, const launch *l) {
  glUseProgram(m->programs[l->program]);
  const GLuint tables[] = {0, 0, m->chunk_table, m->piece_table, m->lane_table, l->list, l->rays, l->image};
  for (GLuint n = CHUNKS; n <= IMAGE; n++) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, n, tables[n]);
  glUniform2ui(ASKED, (GLuint)l->asked.from, (GLuint)l->asked.end);
  glUniform1ui(INDEX_AT, (GLuint)m->rows + 1);
  glUniform1ui(PLANE, (GLuint)m->plane);
  if (l->zones) glUniform2iv(ZONES, l->zones->count, *l->zones->zone);
  for (int g = 0; l->parts && g < CT_MATRIX_ZONES; g++)
    glUniform3i(MAPS + g, (GLint)m->map[g].offset, (GLint)m->map[g].across, (GLint)m->map[g].down);
}

/* Work groups of one part, as many at a time as fit the pace. */
static bool dispatch(ctgl_matrix *m, const launch *l) {
  ctgl_pace *pace = m->paces + l->back;
  for (size_t at = l->first; at < l->end;) {
    const size_t left = (l->end - at + l->unit - 1) / l->unit;
    const int now = ctgl_pace_next(pace, left < MOST_GROUPS ? (int)left : MOST_GROUPS);
    const size_t behind = at + (size_t)now * l->unit, end = behind < l->end ? behind : l->end;
    glUniform2ui(RANGE, (GLuint)at, (GLuint)end);
    glDispatchCompute((GLuint)now, l->zones ? (GLuint)l->zones->count : 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    if (!ctgl_pace_sent(pace, now)) return false;
    at = end;
  }
  return true;
}

static bool run(ctgl_matrix *m, const launch *l) {
  if (l->first >= l->end) return true;
  use(m, l);
  if (!l->parts) return dispatch(m, l);
  for (int n = 0; n < m->part_count; n++) {
    const ctgl_matrix_part *part = m->parts + n;
    if (part->end <= l->lowest || part->first >= l->beyond) continue;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, COLUMNS, part->columns);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, VALUES, part->values);
    glUniform2ui(PART, (GLuint)part->first, (GLuint)part->end);
    glUniform1ui(BASE, (GLuint)part->base);
    if (!dispatch(m, l)) return false;
  }
  return true;
}

/* Chunks that stand in a stretch of the list. */
static void find_extent(const ctgl_matrix *m, launch *l) {
  l->lowest = m->chunks;
  l->beyond = 0;
  for (size_t k = l->first; k < l->end; k++) {
    const size_t chunk = m->chunk_of[k];
    if (chunk < l->lowest) l->lowest = chunk;
    if (chunk + 1 > l->beyond) l->beyond = chunk + 1;
  }
}

static row_range rows_of(const ctgl_matrix *m, int slot) {
  return (row_range){m->slot_row[slot], m->slot_row[slot + 1]};
}

static row_range all_rows(const ctgl_matrix *m) {
  return (row_range){0, m->rows};
}

static void send(GLuint buffer, const float *data, size_t first, size_t count) {
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  if (count)
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)(first * sizeof *data), (GLsizeiptr)(count * sizeof *data),
                    data);
}

static void fetch(GLuint buffer, float *data, size_t first, size_t count) {
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  if (count)
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)(first * sizeof *data), (GLsizeiptr)(count * sizeof *data),
                       data);
}

/* Rows of the call, view by view, or all at once: sends or fetches them. */
static void each_rays(const ctgl_matrix *m, const ct_matrix_call *call, void (*move)(GLuint, float *, size_t, size_t),
                      float *orbit) {
  const int count = call->whole ? 1 : call->count;
  for (int a = 0; a < count; a++) {
    const row_range rows = call->whole ? all_rows(m) : rows_of(m, call->active[a]);
    const size_t at = rows.from * CT_MATRIX_ZONES;
    move(m->orbit, orbit + at, at, (rows.end - rows.from) * CT_MATRIX_ZONES);
  }
}

static void send_rays(GLuint buffer, float *data, size_t first, size_t count) {
  send(buffer, data, first, count);
}

static bool sum_pieces(ctgl_matrix *m, row_range rows) {
  const launch l = {.program = CTGL_MATRIX_SUM_PIECES,
                    .list = m->row_table,
                    .rays = m->sums,
                    .image = m->orbit,
                    .first = rows.from,
                    .end = rows.end,
                    .unit = THREADS / CT_MATRIX_ZONES};
  return run(m, &l);
}

/* Sums of pieces of all chunks, or of one stored view. */
static bool project(ctgl_matrix *m, const ct_matrix_call *call, int slot) {
  launch l = {.list = m->list_table, .rays = m->sums, .image = m->image, .asked = all_rows(m), .parts = true};
  l.beyond = m->chunks;
  zone_list zones = {0};
  if (call->whole) {
    l.program = CTGL_MATRIX_FORWARD, l.end = m->chunks, l.unit = GROUP_CHUNKS;
  } else {
    zones = zones_of(call->wanted[slot]);
    l.zones = &zones;
    l.asked = rows_of(m, slot);
    if (m->slot_phase) {
      l.program = CTGL_MATRIX_FORWARD_LIST, l.unit = GROUP_CHUNKS;
      l.first = m->phase_chunk[m->slot_phase[slot]], l.end = m->phase_chunk[m->slot_phase[slot + 1]];
      find_extent(m, &l);
    } else {
      l.program = CTGL_MATRIX_FORWARD_ROWS, l.unit = THREADS, l.list = m->row_table;
      l.first = l.asked.from, l.end = l.asked.end;
    }
  }
  return run(m, &l) && sum_pieces(m, l.asked);
}

bool ctgl_matrix_forward(void *own, const ct_matrix_call *call, const float *image, float *orbit, ct_error **error) {
  ctgl_matrix *m = own;
  if (!ctgl_device_enter(m->device, error)) return false;
  send(m->image, image, 0, m->plane);
  bool good = true;
  const int count = call->whole ? 1 : call->count;
  for (int a = 0; good && a < count; a++) good = project(m, call, call->whole ? -1 : call->active[a]);
  if (good) each_rays(m, call, fetch, orbit);
  good = ctgl_pace_drain(m->paces) && good;
  return ctgl_device_leave(m->device, good, "projecting", error);
}

static void clear_images(const ctgl_matrix *m, int count) {
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, m->image);
  glClearBufferSubData(GL_SHADER_STORAGE_BUFFER, GL_R32F, 0, (GLsizeiptr)((size_t)count * m->plane * sizeof(float)),
                       GL_RED, GL_FLOAT, NULL);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

/* By atomic additions, all into one image. */
static bool add_atomically(ctgl_matrix *m, const ct_matrix_call *call, int slot) {
  const zone_list zones = zones_of(call->whole ? 0xff : call->wanted[slot]);
  launch l = {.program = call->whole ? CTGL_MATRIX_BACK : CTGL_MATRIX_BACK_ROWS,
              .list = m->row_table,
              .rays = m->orbit,
              .image = m->image,
              .asked = call->whole ? all_rows(m) : rows_of(m, slot),
              .end = m->chunks,
              .unit = GROUP_CHUNKS,
              .zones = &zones,
              .parts = true,
              .beyond = m->chunks,
              .back = 1};
  if (!call->whole) l.first = l.asked.from, l.end = l.asked.end, l.unit = THREADS;
  return run(m, &l);
}

/* One stored view phase by phase. */
static bool add_by_steps(ctgl_matrix *m, int slot, const zone_list *zones) {
  bool good = true;
  for (size_t phase = m->slot_phase[slot]; good && phase < m->slot_phase[slot + 1]; phase++) {
    launch l = {.program = CTGL_MATRIX_BACK_STEPS,
                .list = m->list_table,
                .rays = m->orbit,
                .image = m->image,
                .first = m->phase_chunk[phase],
                .end = m->phase_chunk[phase + 1],
                .unit = GROUP_CHUNKS,
                .asked = rows_of(m, slot),
                .zones = zones,
                .parts = true,
                .back = 1};
    find_extent(m, &l);
    good = run(m, &l);
  }
  return good;
}

static bool sum_images(ctgl_matrix *m, int count) {
  const launch l = {.program = CTGL_MATRIX_SUM_IMAGES,
                    .list = m->list_table,
                    .rays = m->orbit,
                    .image = m->image,
                    .end = m->plane,
                    .unit = THREADS,
                    .back = 1};
  if (count < 2) return true;
  glUseProgram(m->programs[l.program]);
  glUniform1ui(IMAGES, (GLuint)count);
  return run(m, &l);
}

/* The zones `bits`, as many as there is room for images of. */
static bool back_zones(ctgl_matrix *m, const ct_matrix_call *call, unsigned bits) {
  const zone_list all = zones_of(bits);
  bool good = true;
  clear_images(m, m->slot_phase ? all.count : 1);
  for (int a = 0; good && a < call->count; a++) {
    zone_list some = {0};
    const int slot = call->active[a];
    for (int k = 0; k < all.count; k++)
      if (call->wanted[slot] >> all.zone[k][0] & 1) memcpy(some.zone[some.count++], all.zone[k], sizeof *some.zone);
    if (some.count) good = add_by_steps(m, slot, &some);
  }
  return good && sum_images(m, all.count);
}

static bool back_by_steps(ctgl_matrix *m, const ct_matrix_call *call, float *image, ct_error **error) {
  unsigned left = 0;
  for (int a = 0; a < call->count; a++) left |= call->wanted[call->active[a]];
  float *more = NULL;
  bool good = true;
  memset(image, 0, m->plane * sizeof *image);
  while (good && left) {
    unsigned bits = 0;
    for (int n = 0; n < m->images && left; n++) bits |= left & -left, left &= left - 1;
    good = back_zones(m, call, bits);
    if (good && !more && left) good = (more = ct_alloc(m->plane, sizeof *more, "an image", error)) != NULL;
    if (!good) break;
    float *to = more ? more : image;
    fetch(m->image, to, 0, m->plane);
    for (size_t p = 0; more && p < m->plane; p++) image[p] += more[p];
  }
  ct_free(more);
  return good;
}

bool ctgl_matrix_back(void *own, const ct_matrix_call *call, const float *orbit, float *image, ct_error **error) {
  ctgl_matrix *m = own;
  if (!ctgl_device_enter(m->device, error)) return false;
  each_rays(m, call, send_rays, (float *)orbit);
  bool good = true;
  if (m->slot_phase) {
    good = back_by_steps(m, call, image, error);
  } else {
    const int count = call->whole ? 1 : call->count;
    clear_images(m, 1);
    for (int a = 0; good && a < count; a++) good = add_atomically(m, call, call->whole ? -1 : call->active[a]);
    if (good) fetch(m->image, image, 0, m->plane);
  }
  good = ctgl_pace_drain(m->paces + 1) && good;
  return ctgl_device_leave(m->device, good, "back-projecting", error);
}
