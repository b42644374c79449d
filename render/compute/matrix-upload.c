/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stored matrix on its way to the card: parts that fit a buffer, tables, programs. */
#include "render/compute/matrix-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* More than this at a time is hardly ever given, whatever the driver says. */
static const double largest_part = 1 << 30;

double ctgl_matrix_bytes(double entries, double rows, int n) {
  /* Filling, entries; pieces two or three for each row, with their sums; eight images. */
  return 1.02 * entries * (sizeof(uint32_t) + sizeof(float)) +
         rows * (2.5 * (5 * sizeof(uint32_t) + 8 * sizeof(float)) + 10 * sizeof(float)) +
         CT_MATRIX_ZONES * (double)n * n * sizeof(float);
}

static GLuint make_buffer(ctgl_matrix *m, const void *data, size_t bytes) {
  GLuint buffer = 0;
  m->bytes += (double)bytes;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  /* No buffer is empty: some drivers refuse to bind it. */
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(bytes ? bytes : 16), bytes ? data : NULL, GL_STATIC_DRAW);
  return buffer;
}

static void *keep(const void *array, size_t count, size_t size, ct_error **error) {
  void *copy = ct_alloc(count + 1, size, "the tables of a matrix", error);
  if (copy && count) memcpy(copy, array, count * size);
  return copy;
}

static bool keep_tables(ctgl_matrix *m, const ct_matrix_blocks *b, ct_error **error) {
  const size_t slots = (size_t)b->slots;
  if (!(m->slot_row = keep(b->slot_row, slots + 1, sizeof *m->slot_row, error))) return false;
  if (!b->slot_phase) return true;
  const size_t phases = b->slot_phase[slots];
  return (m->slot_phase = keep(b->slot_phase, slots + 1, sizeof *m->slot_phase, error)) &&
         (m->phase_chunk = keep(b->phase_chunk, phases + 1, sizeof *m->phase_chunk, error)) &&
         (m->chunk_of = keep(b->chunk_of, b->phase_chunk[phases], sizeof *m->chunk_of, error));
}

static bool cut_parts(ctgl_matrix *m, const ct_matrix_blocks *b, double limit, ct_error **error) {
  const size_t most = (size_t)(limit / (CT_MATRIX_LANES * sizeof(float)));
  m->parts = ct_alloc_zero(b->chunks + 1, sizeof *m->parts, "the parts of a matrix", error);
  if (!m->parts) return false;
  for (size_t first = 0, end; first < b->chunks; first = end) {
    for (end = first + 1; end < b->chunks && b->start[end + 1] - b->start[first] <= most;) end++;
    if (b->start[end] - b->start[first] > most)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "Rays of this matrix have more entries than a buffer of the graphics card holds.");
    m->parts[m->part_count++] = (ctgl_matrix_part){.first = first, .end = end, .base = b->start[first]};
  }
  return true;
}

static bool send_parts(ctgl_matrix *m, const ct_matrix_blocks *b, ct_error **error) {
  for (int n = 0; n < m->part_count; n++) {
    ctgl_matrix_part *part = m->parts + n;
    const size_t at = part->base * CT_MATRIX_LANES,
                 bytes = (b->start[part->end] - part->base) * CT_MATRIX_LANES * sizeof(float);
    part->columns = make_buffer(m, b->columns + at, bytes);
    part->values = make_buffer(m, b->values + at, bytes);
    if (!ctgl_device_check(m->device, "the matrix", error)) return false;
  }
  return true;
}

/* The tables that have another form on the card. */
static bool send_tables(ctgl_matrix *m, const ct_matrix_blocks *b, ct_error **error) {
  const size_t index = b->rows + 1 + b->pieces;
  uint32_t *chunks = ct_alloc_zero(2 * (b->chunks + 1), sizeof *chunks, "the tables of a matrix", error),
           *rows = ct_alloc(index, sizeof *rows, "the tables of a matrix", error);
  const bool good = chunks && rows;
  if (good) {
    for (size_t c = 0; c <= b->chunks; c++) chunks[2 * c] = (uint32_t)b->start[c];
    for (size_t c = 0; c < b->chunks; c++) chunks[2 * c + 1] = b->colliding[c];
    memcpy(rows, b->row_first, (b->rows + 1) * sizeof *rows);
    memcpy(rows + b->rows + 1, b->row_piece, b->pieces * sizeof *rows);
    m->chunk_table = make_buffer(m, chunks, 2 * (b->chunks + 1) * sizeof *chunks);
    m->row_table = make_buffer(m, rows, index * sizeof *rows);
  }
  ct_free(chunks);
  ct_free(rows);
  if (!good) return false;
  m->piece_table = make_buffer(m, b->piece, b->pieces * sizeof *b->piece);
  m->lane_table = make_buffer(m, b->lane_first, (b->lanes + 1) * sizeof *b->lane_first);
  m->list_table =
      make_buffer(m, b->chunk_of, b->slot_phase ? b->phase_chunk[b->slot_phase[b->slots]] * sizeof *b->chunk_of : 0);
  m->orbit = make_buffer(m, NULL, b->rows * CT_MATRIX_ZONES * sizeof(float));
  m->sums = make_buffer(m, NULL, b->pieces * CT_MATRIX_ZONES * sizeof(float));
  m->image = make_buffer(m, NULL, (size_t)m->images * m->plane * sizeof(float));
  return ctgl_device_check(m->device, "the matrix", error);
}

static bool make_programs(ctgl_matrix *m, ct_error **error) {
  static const struct {
    int stage, by_rows, listed, zones;
    bool always, phases; /* needed with phases, or else without */
  } kinds[CTGL_MATRIX_PROGRAMS] = {
      [CTGL_MATRIX_FORWARD] = {0, 0, 0, 8, true, false},       [CTGL_MATRIX_FORWARD_LIST] = {0, 0, 1, 1, false, true},
      [CTGL_MATRIX_FORWARD_ROWS] = {0, 1, 0, 1, false, false}, [CTGL_MATRIX_SUM_PIECES] = {1, 0, 0, 1, true, false},
      [CTGL_MATRIX_BACK] = {2, 0, 0, 1, false, false},         [CTGL_MATRIX_BACK_ROWS] = {2, 1, 0, 1, false, false},
      [CTGL_MATRIX_BACK_STEPS] = {3, 0, 1, 1, false, true},    [CTGL_MATRIX_SUM_IMAGES] = {4, 0, 0, 1, false, true},
  };
  const bool native = ctgl_device_get_facts(m->device)->atomic_float, phases = m->slot_phase != NULL;
  for (int n = 0; n < CTGL_MATRIX_PROGRAMS; n++) {
    char defines[160];
    if (!kinds[n].always && kinds[n].phases != phases) continue;
    snprintf(defines, sizeof defines,
             "#define STAGE %d\n#define BY_ROWS %d\n#define LISTED %d\n#define ZONES %d\n#define NATIVE %d\n",
             kinds[n].stage, kinds[n].by_rows, kinds[n].listed, kinds[n].zones, kinds[n].stage == 2 && native);
    if (!(m->programs[n] = ctgl_device_program(m->device, "matrix.comp", defines, error))) return false;
  }
  return true;
}

/* Buffers that cannot be cut. */
static bool fits(const ct_matrix_blocks *b, double limit, ct_error **error) {
  const double rows = (double)b->rows * CT_MATRIX_ZONES * sizeof(float),
               sums = (double)b->pieces * CT_MATRIX_ZONES * sizeof(float), image = (double)b->n * b->n * sizeof(float);
  if (fmax(fmax(rows, sums), image) <= limit && b->start[b->chunks] < UINT32_MAX) return true;
  return ct_error_set(
      error, CT_ERROR_UNSUPPORTED,
      "A matrix of %zu stored rays and slices of %d x %d pixels needs larger buffers than this graphics "
      "card has: choose gl-joseph, which stores none.",
      b->rows, b->n, b->n);
}

bool ctgl_matrix_upload(ctgl_matrix *m, const ct_matrix_blocks *b, ct_error **error) {
  const double block = (double)ctgl_device_get_facts(m->device)->storage_block;
  m->n = b->n;
  m->rows = b->rows;
  m->chunks = b->chunks;
  m->pieces = b->pieces;
  m->plane = (size_t)b->n * (size_t)b->n;
  m->slots = b->slots;
  memcpy(m->map, b->map, sizeof m->map);
  if (!fits(b, block, error)) return false;
  /* By atomic additions one image is enough. */
  m->images = b->slot_phase ? (int)fmin(CT_MATRIX_ZONES, block / ((double)m->plane * sizeof(float))) : 1;
  return keep_tables(m, b, error) && cut_parts(m, b, fmin(block, largest_part), error) && make_programs(m, error) &&
         send_parts(m, b, error) && send_tables(m, b, error);
}

void ctgl_matrix_clear(ctgl_matrix *m) {
  const GLuint tables[] = {m->chunk_table, m->piece_table, m->lane_table, m->list_table,
                           m->row_table,   m->orbit,       m->sums,       m->image};
  for (int n = 0; n < 2; n++) ctgl_pace_drain(m->paces + n);
  for (int n = 0; n < m->part_count; n++) {
    glDeleteBuffers(1, &m->parts[n].columns);
    glDeleteBuffers(1, &m->parts[n].values);
  }
  glDeleteBuffers(sizeof tables / sizeof *tables, tables);
}
