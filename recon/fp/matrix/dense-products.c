/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A x and A^T y of dense sub-matrices, in one of three ways, none of which depends on the number of threads:
 *   whole   All chunks. Forward, threads share the chunks of a sub-matrix, whose lanes have rows of their own. Back,
 * each of four images is made by one thread, two symmetries each, and they are added at the end: one image for each
 * symmetry's scatter would need none of the others, four are a compromise with memory. views   The chunks of a few
 * views by phases, whose chunks share no pixel: no further images, all threads at work on one view. rows    A few views
 * where chunks hold rows of any views: each row by its own pieces. */
#include "recon/fp/matrix/dense-private.h"

#include "recon/fp/matrix/isa/lanes.h"

#include <omp.h>
#include <string.h>

/* One chunk as it is walked: stretches without a junction. */
typedef struct {
  const ct_projector_state *state;
  const ct_dense *dense;
  size_t chunk, steps;
  const uint16_t *junctions; /* NULL: none */
  int slot;                  /* only rows of this stored view; -1: all */
  const ct_dense_piece *piece[CT_DENSE_LANES], *end[CT_DENSE_LANES];
  size_t from, to; /* the present stretch */
} walk;

static walk walk_begin(const ct_projector_state *state, size_t chunk, int slot) {
  const ct_dense *d = state->storage;
  const size_t flagged = d->block[CT_DENSE_BLOCKS - 1];
  walk w = {.state = state, .dense = d, .chunk = chunk, .steps = d->start[chunk + 1] - d->start[chunk], .slot = slot};
  if (chunk >= flagged) w.junctions = d->junctions + (d->start[chunk] - d->start[flagged]);
  for (int l = 0; l < CT_DENSE_LANES; l++) {
    const uint32_t *first = d->lane_first + chunk * CT_DENSE_LANES + l;
    w.piece[l] = d->piece + first[0];
    w.end[l] = d->piece + first[1];
  }
  return w;
}

/* The stretch that begins at `from`; false behind the last. */
static bool walk_on(walk *w) {
  if (w->from >= w->steps) return false;
  w->to = w->steps;
  if (!w->junctions) return true;
  w->to = w->from + 1;
  while (w->to < w->steps && !w->junctions[w->to]) w->to++;
  return true;
}

/* Goes on behind the stretch; lanes at a junction have their next piece. */
static void walk_next(walk *w) {
  w->from = w->to;
  const unsigned mask = w->junctions && w->from < w->steps ? w->junctions[w->from] : 0;
  for (unsigned left = mask; left; left &= left - 1) w->piece[__builtin_ctz(left)]++;
}

/* Lanes whose present piece is asked for. */
static unsigned walk_mask(const walk *w) {
  unsigned mask = 0;
  for (int l = 0; l < CT_DENSE_LANES; l++) {
    if (w->piece[l] == w->end[l]) continue;
    if (w->slot < 0 || w->state->slot_of[w->piece[l]->row] == w->slot) mask |= 1u << l;
  }
  return mask;
}

static void forward_chunk(const ct_projector_state *state, size_t chunk, int slot, unsigned wanted,
                          const float *image) {
  for (walk w = walk_begin(state, chunk, slot); walk_on(&w); walk_next(&w)) {
    const unsigned mask = walk_mask(&w);
    if (!mask) continue;
    const size_t at = (w.dense->start[chunk] + w.from) * CT_DENSE_LANES, count = (w.to - w.from) * CT_DENSE_LANES;
    for (unsigned left = wanted; left; left &= left - 1) {
      const int g = __builtin_ctz(left);
      float sums[CT_DENSE_LANES] = {0};
      state->lanes->gather(w.dense->columns + at, w.dense->values + at, count, state->maps + g, image, sums);
      for (int l = 0; l < CT_DENSE_LANES; l++)
        if (mask >> l & 1) state->orbit[(size_t)w.piece[l]->row * CT_SCSR_IMAGES + (size_t)g] += sums[l];
    }
  }
}

static void back_chunk(const ct_projector_state *state, size_t chunk, int slot, unsigned wanted, float *image) {
  const ct_scsr_lanes *lanes =
      ((const ct_dense *)state->storage)->colliding[chunk] ? &ct_scsr_lanes_portable : state->lanes;
  for (walk w = walk_begin(state, chunk, slot); walk_on(&w); walk_next(&w)) {
    const unsigned mask = walk_mask(&w);
    if (!mask) continue;
    const size_t at = (w.dense->start[chunk] + w.from) * CT_DENSE_LANES, count = (w.to - w.from) * CT_DENSE_LANES;
    for (unsigned left = wanted; left; left &= left - 1) {
      const int g = __builtin_ctz(left);
      float y[CT_DENSE_LANES] = {0};
      for (int l = 0; l < CT_DENSE_LANES; l++)
        if (mask >> l & 1) y[l] = state->orbit[(size_t)w.piece[l]->row * CT_SCSR_IMAGES + (size_t)g];
      lanes->scatter(w.dense->columns + at, w.dense->values + at, count, state->maps + g, y, mask, image);
    }
  }
}

static float gather_row(const ct_projector_state *state, size_t row, int g, const float *image) {
  const ct_dense *d = state->storage;
  float sum = 0;
  for (uint32_t k = d->row_first[row]; k < d->row_first[row + 1]; k++) {
    const ct_dense_piece *piece = d->piece + d->row_piece[k];
    size_t e = ct_dense_place(d, piece);
    for (uint32_t s = 0; s < piece->count; s++, e += CT_DENSE_LANES)
      sum +=
          d->values[e] * image[ct_symmetry_pixel(state->maps + g, ct_scsr_i(d->columns[e]), ct_scsr_j(d->columns[e]))];
  }
  return sum;
}

static void scatter_row(const ct_projector_state *state, size_t row, int g, float y, float *image) {
  const ct_dense *d = state->storage;
  for (uint32_t k = d->row_first[row]; k < d->row_first[row + 1]; k++) {
    const ct_dense_piece *piece = d->piece + d->row_piece[k];
    size_t e = ct_dense_place(d, piece);
    for (uint32_t s = 0; s < piece->count; s++, e += CT_DENSE_LANES)
      image[ct_symmetry_pixel(state->maps + g, ct_scsr_i(d->columns[e]), ct_scsr_j(d->columns[e]))] += d->values[e] * y;
  }
}

/* All that is asked for of any view; and whether it is most of the matrix. */
static bool is_whole(const ct_projector_state *state, unsigned *wanted) {
  int images = 0;
  *wanted = 0;
  for (int a = 0; a < state->active_count; a++) {
    *wanted |= state->wanted[state->active[a]];
    images += __builtin_popcount(state->wanted[state->active[a]]);
  }
  return images >= 3 * state->symmetry->slots;
}

static void clear_sums(ct_projector_state *state) {
  for (int a = 0; a < state->active_count; a++) {
    const int slot = state->active[a];
    memset(state->orbit + state->symmetry->first[slot] * CT_SCSR_IMAGES, 0,
           (size_t)state->symmetry->count[slot] * CT_SCSR_IMAGES * sizeof *state->orbit);
  }
}

static void forward_views(ct_projector_state *state, const float *image) {
  const ct_dense *d = state->storage;
#pragma omp parallel num_threads(state->request.threads)
  for (int a = 0; a < state->active_count; a++) {
    const int slot = state->active[a];
    for (size_t phase = d->slot_phase[slot]; phase < d->slot_phase[slot + 1]; phase++)
#pragma omp for schedule(static)
      for (size_t n = d->phase_chunk[phase]; n < d->phase_chunk[phase + 1]; n++)
        forward_chunk(state, d->chunk_of[n], slot, state->wanted[slot], image);
  }
}

static void forward_rows(ct_projector_state *state, const float *image) {
  const ct_symmetry *s = state->symmetry;
#pragma omp parallel num_threads(state->request.threads)
  for (int a = 0; a < state->active_count; a++) {
    const int slot = state->active[a];
#pragma omp for schedule(static) nowait
    for (size_t row = s->first[slot]; row < s->first[slot] + (size_t)s->count[slot]; row++)
      for (unsigned left = state->wanted[slot]; left; left &= left - 1) {
        const int g = __builtin_ctz(left);
        state->orbit[row * CT_SCSR_IMAGES + (size_t)g] = gather_row(state, row, g, image);
      }
  }
}

void ct_dense_forward(ct_projector_state *state, const float *image) {
  const ct_dense *d = state->storage;
  unsigned wanted;
  const bool whole = is_whole(state, &wanted);
  if (!whole && !d->slot_phase) {
    forward_rows(state, image);
    return;
  }
  if (!whole) {
    clear_sums(state);
    forward_views(state, image);
    return;
  }
  memset(state->orbit, 0, state->symmetry->rays * CT_SCSR_IMAGES * sizeof *state->orbit);
#pragma omp parallel num_threads(state->request.threads)
  for (int block = 0; block < CT_DENSE_BLOCKS; block++)
#pragma omp for schedule(dynamic, 4)
    for (size_t chunk = d->block[block]; chunk < d->block[block + 1]; chunk++)
      forward_chunk(state, chunk, -1, wanted, image);
}

static void back_views(ct_projector_state *state, float *image) {
  const ct_dense *d = state->storage;
#pragma omp parallel num_threads(state->request.threads)
  {
#pragma omp for schedule(static)
    for (int j = 0; j < state->n; j++)
      memset(image + (size_t)j * (size_t)state->n, 0, (size_t)state->n * sizeof *image);
    for (int a = 0; a < state->active_count; a++) {
      const int slot = state->active[a];
      for (unsigned left = state->wanted[slot]; left; left &= left - 1)
        for (size_t phase = d->slot_phase[slot]; phase < d->slot_phase[slot + 1]; phase++)
#pragma omp for schedule(static)
          for (size_t n = d->phase_chunk[phase]; n < d->phase_chunk[phase + 1]; n++)
            back_chunk(state, d->chunk_of[n], slot, left & -left, image);
    }
  }
}

/* Symmetries of one part: g and g + 1 lie in the same one. */
static unsigned part_bits(int part) {
  return 3u << 2 * part;
}

/* What one thread adds to its parts, chunk by chunk so that the matrix is read once by each thread. */
static void back_parts(const ct_projector_state *state, int first, int step, bool whole,
                       float *const images[CT_DENSE_PARTS]) {
  const ct_symmetry *s = state->symmetry;
  const ct_dense *d = state->storage;
  for (size_t chunk = 0; whole && chunk < d->chunks; chunk++)
    for (int part = first; part < CT_DENSE_PARTS; part += step)
      back_chunk(state, chunk, -1, part_bits(part), images[part]);
  for (int a = 0; !whole && a < state->active_count; a++) {
    const int slot = state->active[a];
    for (size_t row = s->first[slot]; row < s->first[slot] + (size_t)s->count[slot]; row++)
      for (int part = first; part < CT_DENSE_PARTS; part += step)
        for (unsigned left = state->wanted[slot] & part_bits(part); left; left &= left - 1) {
          const int g = __builtin_ctz(left);
          scatter_row(state, row, g, state->orbit[row * CT_SCSR_IMAGES + (size_t)g], images[part]);
        }
  }
}

void ct_dense_back(ct_projector_state *state, float *image) {
  const ct_dense *d = state->storage;
  unsigned wanted;
  const bool whole = is_whole(state, &wanted);
  if (!whole && d->slot_phase) {
    back_views(state, image);
    return;
  }
  /* Rows that are not asked for take part in whole products. */
  if (whole && state->active_count < state->symmetry->slots)
    for (int slot = 0; slot < state->symmetry->slots; slot++)
      if (!state->wanted[slot])
        memset(state->orbit + state->symmetry->first[slot] * CT_SCSR_IMAGES, 0,
               (size_t)state->symmetry->count[slot] * CT_SCSR_IMAGES * sizeof *state->orbit);
  float *const images[CT_DENSE_PARTS] = {image, d->images[0], d->images[1], d->images[2]};
#pragma omp parallel num_threads(state->request.threads)
  {
#pragma omp for schedule(static)
    for (int part = 0; part < CT_DENSE_PARTS; part++) memset(images[part], 0, state->plane * sizeof *image);
    back_parts(state, omp_get_thread_num(), omp_get_num_threads(), whole, images);
#pragma omp barrier
#pragma omp for schedule(static)
    for (size_t p = 0; p < state->plane; p++) image[p] = (image[p] + images[1][p]) + (images[2][p] + images[3][p]);
  }
}
