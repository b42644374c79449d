/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A x and A^T y of dense sub-matrices, in one of three ways, none of which depends on the number of threads:
 *   whole   All chunks. Forward, threads share the chunks of a sub-matrix, whose lanes have rows of their own. Back,
 * the eight symmetries make an image each, one thread or another, and the images are added. views   The chunks of a few
 * views by phases, whose chunks share no pixel: no further images, all threads at work on one view. rows    A few views
 * where chunks hold rows of any views: each row by its own pieces. */
#include "recon/fp/matrix/dense-private.h"

#include "recon/base/memory.h"

#include <omp.h>
#include <string.h>

/* One chunk as it is walked: stretches without a junction. */
typedef struct {
  const ct_projector_state *state;
  const ct_dense *dense;
  size_t chunk;
  uint32_t steps, from, to; /* the present stretch */
  int slot;                 /* only rows of this stored view; -1: all */
  const ct_dense_piece *piece[CT_DENSE_LANES], *end[CT_DENSE_LANES];
  uint32_t junction[CT_DENSE_LANES]; /* where the lane goes on with its next piece */
} walk;

static uint32_t next_junction(const walk *w, int l) {
  return w->end[l] - w->piece[l] > 1 ? w->piece[l]->end : w->steps;
}

static walk walk_begin(const ct_projector_state *state, size_t chunk, int slot) {
  const ct_dense *d = state->storage;
  walk w = {.state = state,
            .dense = d,
            .chunk = chunk,
            .steps = (uint32_t)(d->start[chunk + 1] - d->start[chunk]),
            .slot = slot};
  for (int l = 0; l < CT_DENSE_LANES; l++) {
    const uint32_t *first = d->lane_first + chunk * CT_DENSE_LANES + l;
    w.piece[l] = d->piece + first[0];
    w.end[l] = d->piece + first[1];
    w.junction[l] = next_junction(&w, l);
  }
  return w;
}

/* The stretch that begins at `from`; false behind the last. */
static bool walk_on(walk *w) {
  if (w->from >= w->steps) return false;
  w->to = w->steps;
  for (int l = 0; l < CT_DENSE_LANES; l++) w->to = w->junction[l] < w->to ? w->junction[l] : w->to;
  return true;
}

/* Goes on behind the stretch; lanes of the junction's mask have their next piece. */
static void walk_next(walk *w) {
  unsigned mask = 0;
  w->from = w->to;
  for (int l = 0; l < CT_DENSE_LANES; l++) mask |= (unsigned)(w->junction[l] == w->from) << l;
  if (w->from == w->steps) return;
  for (; mask; mask &= mask - 1) {
    const int l = __builtin_ctz(mask);
    w->piece[l]++;
    w->junction[l] = next_junction(w, l);
  }
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
    const size_t at = (w.dense->start[chunk] + w.from) * CT_DENSE_LANES,
                 count = (size_t)(w.to - w.from) * CT_DENSE_LANES;
    for (unsigned left = wanted; left; left &= left - 1) {
      const int g = __builtin_ctz(left);
      float sums[CT_DENSE_LANES] = {0};
      state->loops->gather(w.dense->columns + at, w.dense->values + at, count, state->maps + g, image, sums);
      for (int l = 0; l < CT_DENSE_LANES; l++)
        if (mask >> l & 1) state->orbit[(size_t)w.piece[l]->row * CT_SCSR_IMAGES + (size_t)g] += sums[l];
    }
  }
}

static void back_chunk(const ct_projector_state *state, size_t chunk, int slot, unsigned wanted, float *image) {
  const ct_scsr_loops *loops =
      ((const ct_dense *)state->storage)->colliding[chunk] ? &ct_scsr_loops_baseline : state->loops;
  for (walk w = walk_begin(state, chunk, slot); walk_on(&w); walk_next(&w)) {
    const unsigned mask = walk_mask(&w);
    if (!mask) continue;
    const size_t at = (w.dense->start[chunk] + w.from) * CT_DENSE_LANES,
                 count = (size_t)(w.to - w.from) * CT_DENSE_LANES;
    for (unsigned left = wanted; left; left &= left - 1) {
      const int g = __builtin_ctz(left);
      float y[CT_DENSE_LANES] = {0};
      for (int l = 0; l < CT_DENSE_LANES; l++)
        if (mask >> l & 1) y[l] = state->orbit[(size_t)w.piece[l]->row * CT_SCSR_IMAGES + (size_t)g];
      loops->scatter(w.dense->columns + at, w.dense->values + at, count, state->maps + g, y, mask, image);
    }
  }
}

static float gather_row(const ct_projector_state *state, size_t row, int g, const float *image) {
  const ct_dense *d = state->storage;
  float sum = 0;
  for (uint32_t k = d->row_first[row]; k < d->row_first[row + 1]; k++) {
    const ct_dense_piece *piece = d->piece + d->row_piece[k];
    size_t e = ct_dense_place(d, piece);
    for (uint32_t s = 0, count = ct_dense_count(d, piece); s < count; s++, e += CT_DENSE_LANES)
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
    for (uint32_t s = 0, count = ct_dense_count(d, piece); s < count; s++, e += CT_DENSE_LANES)
      image[ct_symmetry_pixel(state->maps + g, ct_scsr_i(d->columns[e]), ct_scsr_j(d->columns[e]))] += d->values[e] * y;
  }
}

/* All symmetries that any view asks for. */
static unsigned all_wanted(const ct_projector_state *state) {
  unsigned wanted = 0;
  for (int a = 0; a < state->active_count; a++) wanted |= state->wanted[state->active[a]];
  return wanted;
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

bool ct_dense_forward(ct_projector_state *state, const float *image, ct_error **error) {
  const ct_dense *d = state->storage;
  (void)error;
  if (!state->whole && !d->slot_phase) {
    forward_rows(state, image);
    return true;
  }
  if (!state->whole) {
    clear_sums(state);
    forward_views(state, image);
    return true;
  }
  const unsigned wanted = all_wanted(state);
  memset(state->orbit, 0, state->symmetry->rays * CT_SCSR_IMAGES * sizeof *state->orbit);
#pragma omp parallel num_threads(state->request.threads)
  for (int block = 0; block < CT_DENSE_BLOCKS; block++)
#pragma omp for schedule(dynamic, 4)
    for (size_t chunk = d->block[block]; chunk < d->block[block + 1]; chunk++)
      forward_chunk(state, chunk, -1, wanted, image);
  return true;
}

static void back_views(ct_projector_state *state, float *image) {
  const ct_dense *d = state->storage;
#pragma omp parallel num_threads(state->request.threads)
  {
#pragma omp for schedule(static)
    for (int j = 0; j < state->n; j++)
      memset(image + (size_t)j * (size_t)state->pitch, 0, (size_t)state->pitch * sizeof *image);
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

/* What one thread adds to its images, chunk by chunk so that each thread reads the matrix once. */
static void back_images(const ct_projector_state *state, int first, int step, float *const images[CT_SCSR_IMAGES]) {
  const ct_symmetry *s = state->symmetry;
  const ct_dense *d = state->storage;
  for (size_t chunk = 0; state->whole && chunk < d->chunks; chunk++)
    for (int g = first; g < CT_SCSR_IMAGES; g += step) back_chunk(state, chunk, -1, 1u << g, images[g]);
  for (int a = 0; !state->whole && a < state->active_count; a++) {
    const int slot = state->active[a];
    for (size_t row = s->first[slot]; row < s->first[slot] + (size_t)s->count[slot]; row++)
      for (int g = first; g < CT_SCSR_IMAGES; g += step)
        if (state->wanted[slot] >> g & 1)
          scatter_row(state, row, g, state->orbit[row * CT_SCSR_IMAGES + (size_t)g], images[g]);
  }
}

void ct_dense_clear_others(ct_projector_state *state) {
  const ct_symmetry *s = state->symmetry;
  for (int slot = 0; slot < s->slots; slot++)
    if (!state->wanted[slot])
      memset(state->orbit + s->first[slot] * CT_SCSR_IMAGES, 0,
             (size_t)s->count[slot] * CT_SCSR_IMAGES * sizeof *state->orbit);
}

bool ct_dense_back(ct_projector_state *state, float *image, ct_error **error) {
  const ct_dense *d = state->storage;
  if (!state->whole && d->slot_phase) {
    back_views(state, image);
    return true;
  }
  if (state->whole) ct_dense_clear_others(state);
  const size_t plane = (size_t)state->n * (size_t)state->pitch;
  float *more = ct_alloc_zero((CT_SCSR_IMAGES - 1) * plane, sizeof *more, "the images of the symmetries", error);
  if (!more) return false;
  float *images[CT_SCSR_IMAGES] = {image};
  for (int g = 1; g < CT_SCSR_IMAGES; g++) images[g] = more + (size_t)(g - 1) * plane;
  memset(image, 0, plane * sizeof *image);
#pragma omp parallel num_threads(state->request.threads)
  {
    back_images(state, omp_get_thread_num(), omp_get_num_threads(), images);
#pragma omp barrier
#pragma omp for schedule(static)
    for (size_t p = 0; p < plane; p++)
      for (int g = 1; g < CT_SCSR_IMAGES; g++) image[p] += images[g][p];
  }
  ct_free(more);
  return true;
}
