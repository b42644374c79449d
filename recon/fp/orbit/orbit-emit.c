/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the entries of one tile of one block to row groups of merged pairs. */
#include "recon/fp/orbit/orbit-private.h"

#include "recon/base/memory.h"

#include <string.h>

enum { PLACES = 1 << CT_ORBIT_PLACE_BITS, WORD = 64 };

size_t ct_orbit_step_size(ct_orbit_precision precision) {
  return precision == CT_ORBIT_HALF ? sizeof(ct_orbit_step_half) : sizeof(ct_orbit_step_float);
}

bool ct_orbit_buffer_reserve(ct_orbit_buffer *buffer, size_t more, ct_error **error) {
  if (more <= buffer->room - buffer->size) return true;
  const size_t room = 2 * (buffer->size + more);
  unsigned char *data = ct_alloc(room, 1, "the orbit matrix", error);
  if (!data) return false;
  if (buffer->size) memcpy(data, buffer->data, buffer->size);
  ct_free(buffer->data);
  buffer->data = data;
  buffer->room = room;
  return true;
}

bool ct_orbit_emitter_init(ct_orbit_emitter *e, const ct_projector_state *state, ct_error **error) {
  *e = (ct_orbit_emitter){.precision = state->precision, .inverse = 1 / state->scale};
  for (int t = 0; t < state->image.tiles; t++) {
    const uint32_t orbits = state->image.first[t + 1] - state->image.first[t];
    if (orbits > e->most) e->most = orbits;
  }
  const size_t most = e->most;
  e->pairs = ct_alloc(CT_ORBIT_ROWS, sizeof *e->pairs, "the orbit matrix", error);
  e->dense = ct_alloc(8 * CT_ORBIT_ROWS * most, sizeof *e->dense, "the orbit matrix", error);
  e->bits = ct_alloc_zero(8 * CT_ORBIT_ROWS * (most / WORD + 1), sizeof *e->bits, "the orbit matrix", error);
  e->start = ct_alloc(8 * most + 2, sizeof *e->start, "the orbit matrix", error);
  if (e->pairs && e->dense && e->bits && e->start) return true;
  ct_orbit_emitter_clear(e);
  return false;
}

void ct_orbit_emitter_clear(ct_orbit_emitter *e) {
  ct_free(e->pairs);
  ct_free(e->dense);
  ct_free(e->bits);
  ct_free(e->start);
  ct_free(e->sorted.data);
  for (int way = 0; way < 2; way++) {
    ct_free(e->headers[way].data);
    ct_free(e->steps[way].data);
  }
  *e = (ct_orbit_emitter){0};
}

/* Rounded to nearest, even; numbers below the normal range, 2^-29 of the largest weights, are taken for 0. */
static uint16_t to_half(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (bits < 113u << 23) return 0;
  return (uint16_t)((bits + 0xfff + (bits >> 13 & 1) - (112u << 23)) >> 13);
}

static void write_half(const ct_orbit_emitter *e, uint32_t steps, unsigned char *out) {
  ct_orbit_step_half *to = (ct_orbit_step_half *)(void *)out;
  memset(to, 0, steps * sizeof *to);
  for (int r = 0; r < CT_ORBIT_ROWS; r++) {
    const ct_orbit_pairs *pairs = e->pairs + r;
    for (uint32_t s = 0; s < pairs->count; s++) {
      to[s].weight[2 * r] = to_half(pairs->weight[s][0] * e->inverse);
      to[s].weight[2 * r + 1] = to_half(pairs->weight[s][1] * e->inverse);
      to[s].index[r] = pairs->index[s];
    }
  }
}

static void write_float(const ct_orbit_emitter *e, uint32_t steps, unsigned char *out) {
  ct_orbit_step_float *to = (ct_orbit_step_float *)(void *)out;
  memset(to, 0, steps * sizeof *to);
  for (int r = 0; r < CT_ORBIT_ROWS; r++) {
    const ct_orbit_pairs *pairs = e->pairs + r;
    for (uint32_t s = 0; s < pairs->count; s++) {
      to[s].weight[2 * r] = pairs->weight[s][0] * e->inverse;
      to[s].weight[2 * r + 1] = pairs->weight[s][1] * e->inverse;
      to[s].index[r] = pairs->index[s];
    }
  }
}

/* The waiting pairs become steps of one header. Where a row has fewer than another, the rest weighs nothing. */
static bool flush_pairs(ct_orbit_emitter *e, int way, uint32_t row_group, uint32_t h, ct_error **error) {
  uint32_t steps = 0;
  for (int r = 0; r < CT_ORBIT_ROWS; r++)
    if (e->pairs[r].count > steps) steps = e->pairs[r].count;
  if (!steps) return true;
  const size_t bytes = steps * ct_orbit_step_size(e->precision);
  ct_orbit_buffer *headers = e->headers + way, *out = e->steps + way;
  if (!ct_orbit_buffer_reserve(headers, sizeof(uint32_t), error) || !ct_orbit_buffer_reserve(out, bytes, error))
    return false;
  const uint32_t header = row_group << CT_ORBIT_GROUP_SHIFT | h << CT_ORBIT_STEP_BITS | steps;
  memcpy(headers->data + headers->size, &header, sizeof header);
  headers->size += sizeof header;
  (e->precision == CT_ORBIT_HALF ? write_half : write_float)(e, steps, out->data + out->size);
  out->size += bytes;
  for (int r = 0; r < CT_ORBIT_ROWS; r++) e->pairs[r].count = 0;
  return true;
}

static ct_orbit_offset offset_now(const ct_orbit_emitter *e, int way) {
  return (ct_orbit_offset){(uint32_t)(e->headers[way].size / sizeof(uint32_t)),
                           (uint32_t)(e->steps[way].size / ct_orbit_step_size(e->precision))};
}

/* The entries of (h, row) lie in `dense`, marked in `bits`, which are cleared. */
static void pair_up(ct_orbit_emitter *e, uint32_t h, uint32_t row) {
  const uint32_t words = e->most / WORD + 1, place = h * CT_ORBIT_ROWS + row;
  const float *dense = e->dense + (size_t)place * e->most;
  uint64_t *bits = e->bits + (size_t)place * words;
  ct_orbit_pairs *pairs = e->pairs + row;
  for (uint32_t n = 0; n < words; n++) {
    while (bits[n]) {
      const uint32_t bit = (uint32_t)__builtin_ctzll(bits[n]), local = n * WORD + bit;
      bits[n] &= bits[n] - 1;
      uint64_t *next = bits + (local + 1) / WORD;
      const uint64_t mask = (uint64_t)1 << (local + 1) % WORD;
      const bool two = local + 1 < e->most && (*next & mask);
      if (two) *next &= ~mask;
      pairs->index[pairs->count] = (uint16_t)(4 * local);
      pairs->weight[pairs->count][0] = dense[local];
      pairs->weight[pairs->count++][1] = two ? dense[local + 1] : 0;
    }
  }
}

/* Records of one row group. */
static bool emit_row_group(ct_orbit_emitter *e, const ct_orbit_record *records, size_t count, uint32_t row_group,
                           ct_error **error) {
  const uint32_t words = e->most / WORD + 1;
  uint32_t used = 0;
  for (size_t n = 0; n < count; n++) {
    const uint32_t key = records[n].key, h = key & 7, local = (key & (PLACES - 1)) >> CT_ORBIT_H_BITS;
    const uint32_t place = h * CT_ORBIT_ROWS + (key >> CT_ORBIT_PLACE_BITS) % CT_ORBIT_ROWS;
    e->dense[(size_t)place * e->most + local] = records[n].weight;
    e->bits[(size_t)place * words + local / WORD] |= (uint64_t)1 << local % WORD;
    used |= 1u << h;
  }
  for (uint32_t h = 0; h < 8; h++) {
    if (!(used >> h & 1)) continue;
    for (uint32_t row = 0; row < CT_ORBIT_ROWS; row++) pair_up(e, h, row);
    if (!flush_pairs(e, 0, row_group, h, error)) return false;
  }
  return true;
}

bool ct_orbit_emit_forward(ct_orbit_emitter *e, const ct_orbit_record *records, size_t count, ct_orbit_offset *ends,
                           ct_error **error) {
  for (int r = 0; r < CT_ORBIT_ROWS; r++) e->pairs[r].count = 0;
  for (size_t n = 0, end; n < count; n = end) {
    const uint32_t row_group = (records[n].key >> CT_ORBIT_PLACE_BITS) / CT_ORBIT_ROWS;
    for (end = n + 1; end < count; end++)
      if ((records[end].key >> CT_ORBIT_PLACE_BITS) / CT_ORBIT_ROWS != row_group) break;
    if (!emit_row_group(e, records + n, end - n, row_group, error)) return false;
  }
  ends[0] = offset_now(e, 0);
  return true;
}

/* Stable: within an orbit and h, rows ascend. start[p] .. start[p + 1] are the records of place p. */
static void sort_by_place(ct_orbit_emitter *e, const ct_orbit_record *records, size_t count, uint32_t places,
                          ct_orbit_record *sorted) {
  uint32_t *start = e->start;
  memset(start, 0, (places + 2) * sizeof *start);
  for (size_t n = 0; n < count; n++) start[(records[n].key & (PLACES - 1)) + 2]++;
  for (uint32_t p = 2; p < places + 2; p++) start[p] += start[p - 1];
  for (size_t n = 0; n < count; n++) sorted[start[(records[n].key & (PLACES - 1)) + 1]++] = records[n];
}

/* Pairs of one orbit in one window of the turned copies, from *at on; stops before too many. */
static void pair_lines(ct_orbit_pairs *pairs, const ct_orbit_record *sorted, uint32_t *at, uint32_t end, uint32_t rows,
                       uint32_t window) {
  while (*at < end && pairs->count < CT_ORBIT_MOST_STEPS) {
    const ct_orbit_record *record = sorted + *at;
    const uint32_t line = (record->key & 7) * rows + (record->key >> CT_ORBIT_PLACE_BITS);
    if (line / CT_ORBIT_REACH != window) return;
    const bool two = *at + 1 < end && record[1].key == record->key + (1u << CT_ORBIT_PLACE_BITS);
    pairs->index[pairs->count] = (uint16_t)(4 * (line % CT_ORBIT_REACH));
    pairs->weight[pairs->count][0] = record->weight;
    pairs->weight[pairs->count++][1] = two ? record[1].weight : 0;
    *at += 1 + two;
  }
}

bool ct_orbit_emit_back(ct_orbit_emitter *e, const ct_orbit_record *records, size_t count, uint32_t orbits,
                        uint32_t rows, int windows, ct_orbit_offset *ends, ct_error **error) {
  e->sorted.size = 0;
  if (!ct_orbit_buffer_reserve(&e->sorted, count * sizeof *records, error)) return false;
  ct_orbit_record *sorted = (ct_orbit_record *)(void *)e->sorted.data;
  sort_by_place(e, records, count, 8 * orbits, sorted);
  /* Where each orbit goes on, in place of where each h of it began. */
  for (uint32_t o = 0; o < orbits; o++) e->start[8 * o + 1] = e->start[8 * o];
  for (int window = 0; window < windows; window++) {
    for (uint32_t row_group = 0; row_group < orbits / CT_ORBIT_ROWS; row_group++) {
      bool more = true;
      while (more) {
        more = false;
        for (uint32_t r = 0; r < CT_ORBIT_ROWS; r++) {
          const uint32_t o = row_group * CT_ORBIT_ROWS + r;
          pair_lines(e->pairs + r, sorted, e->start + 8 * o + 1, e->start[8 * o + 8], rows, (uint32_t)window);
          more = more || e->pairs[r].count == CT_ORBIT_MOST_STEPS;
        }
        if (!flush_pairs(e, 1, row_group, 0, error)) return false;
      }
    }
    ends[window] = offset_now(e, 1);
  }
  return true;
}
