/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the orbit matrix, each thread a block at a time: rows of the stored rays, entries sorted into tiles by
 * counting, then emission of both directions. */
#include "recon/fp/orbit/orbit-private.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { CHUNK = 16 << 20 };

typedef struct builder {
  ct_projector_state *state;
  ct_orbit_emitter emitter;
  ct_model_room *room;
  ct_orbit_buffer columns, values; /* of one row */
  ct_orbit_buffer places, weights; /* entries of the block, row by row */
  size_t *row_end;                 /* [rows of the largest block] into them */
  size_t *tile;                    /* [tiles + 2] */
  ct_orbit_buffer records;
  unsigned char *chunk; /* free room */
  size_t left;
  uint32_t header_at[CT_ORBIT_MOST_STEPS + 2], step_at[CT_ORBIT_MOST_STEPS + 2];
  double entries, stored;
} builder;

static void builder_clear(builder *b) {
  ct_orbit_buffer *buffers[] = {&b->columns, &b->values, &b->places, &b->weights, &b->records};
  for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) ct_free(buffers[n]->data);
  ct_free(b->row_end);
  ct_free(b->tile);
  ct_model_room_free(b->room);
  ct_orbit_emitter_clear(&b->emitter);
  *b = (builder){0};
}

static bool builder_init(builder *b, ct_projector_state *state, ct_error **error) {
  *b = (builder){.state = state};
  b->room = ct_model_room_new(&state->request.grid, error);
  b->row_end = ct_alloc(state->rays.most_rows, sizeof *b->row_end, "the orbit matrix", error);
  b->tile = ct_alloc((size_t)state->image.tiles + 2, sizeof *b->tile, "the orbit matrix", error);
  return b->room && b->row_end && b->tile && ct_orbit_emitter_init(&b->emitter, state, error);
}

/* Appends the entries of a row by place; those of a pixel that lies in several places, for each. */
static bool add_row(builder *b, size_t count, ct_error **error) {
  const ct_orbit_image *image = &b->state->image;
  if (!ct_orbit_buffer_reserve(&b->places, (8 + 2 * count) * sizeof(uint32_t), error) ||
      !ct_orbit_buffer_reserve(&b->weights, (8 + 2 * count) * sizeof(float), error))
    return false;
  const uint32_t *columns = (const uint32_t *)(const void *)b->columns.data;
  const float *values = (const float *)(const void *)b->values.data;
  uint32_t *places = (uint32_t *)(void *)(b->places.data + b->places.size);
  float *weights = (float *)(void *)(b->weights.data + b->weights.size);
  size_t out = 0;
  for (size_t n = 0; n < count; n++) {
    const uint32_t place = image->place[columns[n]], tile = place >> CT_ORBIT_PLACE_BITS;
    const uint32_t local = (place & ((1u << CT_ORBIT_PLACE_BITS) - 1)) >> CT_ORBIT_H_BITS;
    const size_t orbit = image->first[tile] + local;
    places[out] = place;
    weights[out++] = values[n];
    b->tile[tile + 2]++;
    if (image->real[orbit] == 0xff) continue;
    for (uint32_t k = (place & 7) + 1; k < 8; k++) {
      if (image->pixel[8 * orbit + k] != columns[n]) continue;
      places[out] = (place & ~7u) | k;
      weights[out++] = values[n];
      b->tile[tile + 2]++;
    }
  }
  b->places.size += out * sizeof(uint32_t);
  b->weights.size += out * sizeof(float);
  return true;
}

static bool make_row(builder *b, const ct_model_view *view, int u, size_t *count, ct_error **error) {
  *count = ct_model_view_count(view, u);
  b->columns.size = b->values.size = 0;
  return ct_orbit_buffer_reserve(&b->columns, *count * sizeof(uint32_t), error) &&
         ct_orbit_buffer_reserve(&b->values, *count * sizeof(float), error) &&
         ct_model_view_row(view, u, b->room, (uint32_t *)(void *)b->columns.data, (float *)(void *)b->values.data,
                           error);
}

static bool make_entries(builder *b, const ct_orbit_block *block, ct_error **error) {
  ct_projector_state *state = b->state;
  const ct_symmetry *s = state->rays.symmetry;
  const float *values = NULL;
  b->places.size = b->weights.size = 0;
  memset(b->tile, 0, ((size_t)state->image.tiles + 2) * sizeof *b->tile);
  uint32_t row = 0;
  for (int n = 0; n < block->slot_count; n++) {
    const int slot = block->slots[n];
    const ct_model_view view =
        ct_model_view_make(state->request.geometry, &state->request.grid, state->request.model, s->view[slot]);
    for (int u = 0; u < s->count[slot]; u++) {
      size_t count;
      if (!make_row(b, &view, u, &count, error) || !add_row(b, count, error)) return false;
      values = (const float *)(const void *)b->values.data;
      double squares = 0;
      for (size_t k = 0; k < count; k++) squares += (double)values[k] * (double)values[k];
      state->squares[block->first_row + row] = (float)squares;
      b->stored += (double)count;
      b->entries += (double)count * __builtin_popcount(state->rays.real[block->first_row + row]);
      b->row_end[row++] = b->places.size / sizeof(uint32_t);
    }
    for (; row % CT_ORBIT_ROWS; row++) b->row_end[row] = b->places.size / sizeof(uint32_t);
  }
  return true;
}

/* b->tile[t] .. b->tile[t + 1] become the records of tile t, rows ascending. */
static bool sort_by_tile(builder *b, const ct_orbit_block *block, ct_error **error) {
  const size_t count = b->places.size / sizeof(uint32_t);
  b->records.size = 0;
  if (!ct_orbit_buffer_reserve(&b->records, count * sizeof(ct_orbit_record), error)) return false;
  const uint32_t *places = (const uint32_t *)(const void *)b->places.data;
  const float *weights = (const float *)(const void *)b->weights.data;
  ct_orbit_record *records = (ct_orbit_record *)(void *)b->records.data;
  for (int t = 2; t < b->state->image.tiles + 2; t++) b->tile[t] += b->tile[t - 1];
  size_t n = 0;
  for (uint32_t row = 0; row < block->rows; row++)
    for (; n < b->row_end[row]; n++) {
      const uint32_t local = places[n] & ((1u << CT_ORBIT_PLACE_BITS) - 1);
      records[b->tile[(places[n] >> CT_ORBIT_PLACE_BITS) + 1]++] =
          (ct_orbit_record){row << CT_ORBIT_PLACE_BITS | local, weights[n]};
    }
  return true;
}

static bool add_chunk(ct_orbit_chunks *chunks, void *chunk, ct_error **error) {
  if (chunks->count == chunks->room) {
    const size_t room = 2 * chunks->room + 16;
    void **data = ct_alloc(room, sizeof *data, "the orbit matrix", error);
    if (!data) return false;
    if (chunks->count) memcpy(data, chunks->data, chunks->count * sizeof *data);
    ct_free(chunks->data);
    chunks->data = data;
    chunks->room = room;
  }
  chunks->data[chunks->count++] = chunk;
  return true;
}

/* Room for both arrays in chunks large enough for huge pages. */
static void *take_room(builder *b, size_t bytes, ct_error **error) {
  ct_orbit_chunks *chunks = &b->state->chunks;
  bytes = (bytes + CT_ALIGNMENT - 1) / CT_ALIGNMENT * CT_ALIGNMENT;
  if (bytes > b->left || !b->chunk) {
    const size_t size = bytes > CHUNK ? bytes : CHUNK;
    unsigned char *chunk = ct_alloc(size, 1, "the orbit matrix", error);
    if (!chunk) return NULL;
    bool kept;
#pragma omp critical(ct_orbit_chunks)
    kept = add_chunk(chunks, chunk, error);
    if (!kept) {
      ct_free(chunk);
      return NULL;
    }
    b->chunk = chunk;
    b->left = size;
  }
  void *room = b->chunk;
  b->chunk += bytes;
  b->left -= bytes;
  return room;
}

/* Copies the emitted pieces. Within a piece, slices of equal length follow each other, so that processors foresee the
 * ends of loops. */
static bool keep(builder *b, int way, int pieces, ct_orbit_stored *stored, ct_error **error) {
  const ct_orbit_emitter *e = &b->emitter;
  const uint32_t *headers = (const uint32_t *)(const void *)e->headers[way].data;
  const size_t size = ct_orbit_step_size(e->precision);
  stored->headers = take_room(b, e->headers[way].size, error);
  stored->steps = take_room(b, e->steps[way].size, error);
  if (!stored->headers || !stored->steps) return false;
  for (int p = 0; p < pieces; p++) {
    const uint32_t first = stored->first[p].header, end = stored->first[p + 1].header;
    const unsigned char *from = e->steps[way].data + stored->first[p].step * size;
    uint32_t longest = 0;
    for (uint32_t n = first; n < end; n++)
      if ((headers[n] & CT_ORBIT_MOST_STEPS) > longest) longest = headers[n] & CT_ORBIT_MOST_STEPS;
    memset(b->header_at, 0, (longest + 2) * sizeof *b->header_at);
    for (uint32_t n = first; n < end; n++) b->header_at[(headers[n] & CT_ORBIT_MOST_STEPS) + 1]++;
    b->step_at[0] = 0;
    for (uint32_t k = 1; k <= longest; k++) {
      b->step_at[k] = b->step_at[k - 1] + (k - 1) * b->header_at[k];
      b->header_at[k] += b->header_at[k - 1];
    }
    for (uint32_t n = first; n < end; n++) {
      const uint32_t steps = headers[n] & CT_ORBIT_MOST_STEPS;
      stored->headers[first + b->header_at[steps]++] = headers[n];
      memcpy(stored->steps + (stored->first[p].step + b->step_at[steps]) * size, from, steps * size);
      b->step_at[steps] += steps;
      from += steps * size;
    }
  }
  return true;
}

static bool emit(builder *b, ct_orbit_block *block, ct_error **error) {
  const ct_projector_state *state = b->state;
  ct_orbit_emitter *e = &b->emitter;
  const int tiles = state->image.tiles, parts[2] = {1, state->windows};
  ct_orbit_stored *stored[2] = {&block->forward, &block->back};
  for (int way = 0; way < 2; way++) {
    e->headers[way].size = e->steps[way].size = 0;
    stored[way]->first =
        ct_alloc_zero((size_t)tiles * (size_t)parts[way] + 1, sizeof(ct_orbit_offset), "the orbit matrix", error);
    if (!stored[way]->first) return false;
  }
  const ct_orbit_record *records = (const ct_orbit_record *)(const void *)b->records.data;
  for (int t = 0; t < tiles; t++) {
    const size_t count = b->tile[t + 1] - b->tile[t];
    const uint32_t orbits = state->image.first[t + 1] - state->image.first[t];
    if (!ct_orbit_emit_forward(e, records + b->tile[t], count, block->forward.first + t + 1, error) ||
        !ct_orbit_emit_back(e, records + b->tile[t], count, orbits, block->rows, state->windows,
                            block->back.first + t * state->windows + 1, error))
      return false;
  }
  for (int way = 0; way < 2; way++)
    if (!keep(b, way, tiles * parts[way], stored[way], error)) return false;
  return true;
}

static double stored_bytes(const builder *b) {
  double bytes = 0;
  for (int way = 0; way < 2; way++) bytes += (double)b->emitter.headers[way].size + (double)b->emitter.steps[way].size;
  return bytes + (double)b->state->image.tiles * (1 + b->state->windows) * (double)sizeof(ct_orbit_offset);
}

static bool build_block(builder *b, ct_orbit_block *block, ct_error **error) {
  return make_entries(b, block, error) && sort_by_tile(b, block, error) && emit(b, block, error);
}

bool ct_orbit_build(ct_projector_state *state, ct_job *job, ct_error **error) {
  const double room = (double)state->request.memory;
  atomic_bool failed = false;
  double bytes = state->bytes;
  ct_error *first = NULL;
#pragma omp parallel num_threads(state->request.threads)
  {
    builder b;
    ct_error *own = NULL;
    bool good = builder_init(&b, state, &own);
#pragma omp for schedule(dynamic)
    for (int n = 0; n < state->rays.blocks; n++) {
      if (!good || atomic_load(&failed)) continue;
      if (ct_job_requested(job) == CT_JOB_CANCEL)
        good = ct_error_set(&own, CT_ERROR_CANCELLED, "The system matrix was not finished.");
      good = good && build_block(&b, state->rays.block + n, &own);
      if (!good) {
        atomic_store(&failed, true);
        continue;
      }
      const double added = stored_bytes(&b);
      double sum;
#pragma omp atomic capture
      sum = bytes += added;
      if (room == 0 || sum <= room) continue;
      char text[32];
      ct_format_bytes(room, text, sizeof text);
      good = ct_error_set(&own, CT_ERROR_MEMORY,
                          "The orbit matrix does not fit into %s: a matrix-free projector (joseph-2d, joseph-3d) needs "
                          "next to nothing.",
                          text);
      atomic_store(&failed, true);
    }
#pragma omp critical(ct_orbit_build)
    {
      state->entries += b.entries;
      state->stored += b.stored;
      if (!good) atomic_store(&failed, true);
      if (own && !first)
        first = own;
      else
        ct_error_clear(&own);
    }
    builder_clear(&b);
  }
  state->bytes = bytes;
  if (!atomic_load(&failed)) return true;
  if (first) ct_error_set(error, first->code, "%s", first->message);
  ct_error_clear(&first);
  return false;
}

void ct_orbit_build_clear(ct_projector_state *state) {
  for (int n = 0; state->rays.block && n < state->rays.blocks; n++) {
    ct_free(state->rays.block[n].forward.first);
    ct_free(state->rays.block[n].back.first);
  }
  for (size_t n = 0; n < state->chunks.count; n++) ct_free(state->chunks.data[n]);
  ct_free(state->chunks.data);
  state->chunks = (ct_orbit_chunks){0};
}
