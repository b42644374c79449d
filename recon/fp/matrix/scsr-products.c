/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract's functions of the symmetric matrix: between natural rays [view][v][u] and the table [stored ray][g]
 * that the formats' kernels work on, and rows by the mapping of pixel indices (Eq. 2 of Yu et al. 2018, for all eight
 * zones). */
#include "recon/fp/matrix/scsr-private.h"

#include "recon/base/memory.h"

#include <string.h>

void ct_scsr_shape(const ct_projector_state *state, ct_projector_shape *shape) {
  *shape = (ct_projector_shape){.image = ct_projector_padded(state->image),
                                .rays = ct_projector_padded(state->rays),
                                .blocks = state->request.geometry->views,
                                .entries = state->entries,
                                .stored = state->stored,
                                .bytes = state->format->bytes(state) +
                                         ct_scsr_common_bytes(&state->request, (double)state->symmetry->rays),
                                .seconds = state->seconds};
}

void ct_scsr_block(const ct_projector_state *state, int index, ct_projector_block *block) {
  const size_t size = (size_t)state->request.geometry->nv * (size_t)state->request.geometry->nu;
  *block = (ct_projector_block){(size_t)index * size, size, state->views + index, 1};
}

void ct_scsr_image_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_projector_copy_in(natural, state->image, own);
}

void ct_scsr_image_out(const ct_projector_state *state, const float *own, float *natural) {
  memcpy(natural, own, state->image * sizeof *own);
}

void ct_scsr_rays_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_projector_copy_in(natural, state->rays, own);
}

void ct_scsr_rays_out(const ct_projector_state *state, const float *own, float *natural) {
  memcpy(natural, own, state->rays * sizeof *own);
}

/* Which stored views, and which images of them, the blocks (views) ask for. */
static void choose(ct_projector_state *state, const int *blocks, int count) {
  const ct_symmetry *s = state->symmetry;
  memset(state->wanted, 0, (size_t)s->slots * sizeof *state->wanted);
  if (!blocks) count = s->views;
  for (int b = 0; b < count; b++) {
    const ct_symmetry_source *source = s->source + (blocks ? blocks[b] : b);
    if (source->straight >= 0) state->wanted[source->slot] |= (uint8_t)(1 << source->straight);
    if (source->mirrored >= 0) state->wanted[source->slot] |= (uint8_t)(1 << source->mirrored);
  }
  int images = 0;
  state->active_count = 0;
  for (int slot = 0; slot < s->slots; slot++) {
    images += __builtin_popcount(state->wanted[slot]);
    if (state->wanted[slot]) state->active[state->active_count++] = slot;
  }
  state->whole = images >= 3 * s->slots;
  state->pitch = state->whole ? state->padding : state->n;
  state->maps = state->whole ? state->padded : state->natural;
}

/* Where the ray of (slot, u, g) lies in the natural array, of slice v. */
static size_t place_of(const ct_projector_state *state, int slot, int u, int g, int v) {
  const ct_symmetry *s = state->symmetry;
  const size_t row = (size_t)s->image[slot][g].view * (size_t)state->request.geometry->nv + (size_t)v;
  return row * (size_t)s->nu + (size_t)ct_symmetry_column(s, slot, u, g);
}

/* Natural rays to the table, 0 where they are not asked for. */
static void rays_to_orbits(ct_projector_state *state, const float *y, int v) {
  const ct_symmetry *s = state->symmetry;
#pragma omp parallel for schedule(static) num_threads(state->request.threads)
  for (int a = 0; a < state->active_count; a++) {
    const int slot = state->active[a];
    for (int u = 0; u < s->count[slot]; u++) {
      const size_t row = s->first[slot] + (size_t)u;
      const unsigned bits = state->first[row] & state->wanted[slot];
      for (int g = 0; g < CT_SCSR_IMAGES; g++)
        state->orbit[row * CT_SCSR_IMAGES + (size_t)g] = bits >> g & 1 ? y[place_of(state, slot, u, g, v)] : 0;
    }
  }
}

static void orbits_to_rays(const ct_projector_state *state, float *y, int v) {
  const ct_symmetry *s = state->symmetry;
#pragma omp parallel for schedule(static) num_threads(state->request.threads)
  for (int a = 0; a < state->active_count; a++) {
    const int slot = state->active[a];
    for (int u = 0; u < s->count[slot]; u++) {
      const size_t row = s->first[slot] + (size_t)u;
      const unsigned bits = state->first[row] & state->wanted[slot];
      for (int g = 0; g < CT_SCSR_IMAGES; g++)
        if (bits >> g & 1) y[place_of(state, slot, u, g, v)] = state->orbit[row * CT_SCSR_IMAGES + (size_t)g];
    }
  }
}

/* Room for a padded image, or NULL where the product works on the caller's own; false when memory is short. */
static bool make_padded(const ct_projector_state *state, float **padded, ct_error **error) {
  *padded = NULL;
  if (state->pitch == state->n) return true;
  *padded = ct_alloc((size_t)state->n * (size_t)state->pitch, sizeof **padded, "an image", error);
  return *padded != NULL;
}

static void copy_lines(const ct_projector_state *state, const float *from, int from_pitch, float *to, int to_pitch) {
  const size_t n = (size_t)state->n;
#pragma omp parallel for schedule(static) num_threads(state->request.threads)
  for (size_t j = 0; j < n; j++) memcpy(to + j * (size_t)to_pitch, from + j * (size_t)from_pitch, n * sizeof *to);
}

bool ct_scsr_forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                     ct_error **error) {
  float *padded;
  choose(state, blocks, count);
  if (!make_padded(state, &padded, error)) return false;
  bool good = true;
  for (int v = 0; good && v < state->slices; v++) {
    const float *image = x + (size_t)v * state->plane;
    if (padded) copy_lines(state, image, state->n, padded, state->pitch);
    good = state->format->forward(state, padded ? padded : image, error);
    if (good) orbits_to_rays(state, y, v);
  }
  ct_free(padded);
  return good;
}

bool ct_scsr_back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error) {
  float *padded;
  choose(state, blocks, count);
  if (!make_padded(state, &padded, error)) return false;
  bool good = true;
  for (int v = 0; good && v < state->slices; v++) {
    float *image = x + (size_t)v * state->plane;
    rays_to_orbits(state, y, v);
    good = state->format->back(state, padded ? padded : image, error);
    if (good && padded) copy_lines(state, padded, state->pitch, image, state->n);
  }
  ct_free(padded);
  memset(x + state->image, 0, (ct_projector_padded(state->image) - state->image) * sizeof *x);
  return good;
}

bool ct_scsr_row(const ct_projector_state *state, size_t ray, ct_row *buffer, ct_projector_row *row, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
  const size_t nu = (size_t)s->nu, nv = (size_t)state->request.geometry->nv, line = ray / nu;
  const ct_symmetry_origin origin = ct_symmetry_find(s, (int)(line / nv), (int)(ray % nu));
  const size_t stored = s->first[origin.slot] + (size_t)origin.u, count = ct_scsr_count(state, stored);
  if (state->image > UINT32_MAX)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A volume of more than 2^32 voxels has no rows with 32-bit indices.");
  buffer->count = 0;
  if (!ct_row_reserve(buffer, count, error)) return false;
  state->format->get(state, stored, buffer->columns, buffer->values);
  const uint32_t slice = (uint32_t)(line % nv * state->plane);
  const ct_symmetry_pixels *map = state->natural + origin.g;
  for (size_t e = 0; e < count; e++) {
    const uint32_t packed = buffer->columns[e];
    buffer->columns[e] = slice + (uint32_t)ct_symmetry_pixel(map, ct_scsr_i(packed), ct_scsr_j(packed));
  }
  buffer->count = count;
  *row = (ct_projector_row){count, buffer->columns, buffer->values};
  return true;
}

/* Sums of squares to the table of rays. */
static bool table_squares(ct_projector_state *state, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
  ct_row row;
  ct_row_init(&row);
  for (size_t r = 0; r < s->rays; r++) {
    double sum = 0;
    if (state->squares) {
      sum = (double)state->squares[r];
    } else {
      if (!ct_row_reserve(&row, ct_scsr_count(state, r), error)) {
        ct_row_clear(&row);
        return false;
      }
      state->format->get(state, r, row.columns, row.values);
      for (size_t e = 0; e < ct_scsr_count(state, r); e++) sum += (double)row.values[e] * (double)row.values[e];
    }
    for (int g = 0; g < CT_SCSR_IMAGES; g++) state->orbit[r * CT_SCSR_IMAGES + (size_t)g] = (float)sum;
  }
  ct_row_clear(&row);
  return true;
}

bool ct_scsr_row_squares(ct_projector_state *state, float *y, ct_error **error) {
  choose(state, NULL, 0);
  if (!table_squares(state, error)) return false;
  for (int v = 0; v < state->slices; v++) orbits_to_rays(state, y, v);
  memset(y + state->rays, 0, (ct_projector_padded(state->rays) - state->rays) * sizeof *y);
  return true;
}
