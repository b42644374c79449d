/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Natural images and rays into orbits and out of them. */
#include "recon/fp/orbit/orbit-layout.h"

#include "recon/fp/orbit/orbit-run.h"

static int slices_of(const ct_projector_state *state, int group) {
  const int width = ct_orbit_width_of(state, group), left = state->slices - state->group_first[group];
  return left < width ? left : width;
}

void ct_orbit_image_in(const ct_projector_state *state, const float *natural, float *own) {
  const ct_orbit_image *image = &state->image;
  const size_t plane = (size_t)image->n * (size_t)image->n;
  for (int group = 0; group < state->groups; group++) {
    const int width = ct_orbit_width_of(state, group), slices = slices_of(state, group);
    const float *from = natural + plane * (size_t)state->group_first[group];
    float *to = own + ct_orbit_image_at(state, group);
#pragma omp parallel for schedule(static) num_threads(state->request.threads)
    for (size_t o = 0; o < image->orbits; o++)
      for (size_t k = 0; k < 8; k++) {
        float *place = to + (8 * o + k) * (size_t)width;
        const bool real = image->real[o] >> k & 1;
        for (int s = 0; s < width; s++)
          place[s] = real && s < slices ? from[plane * (size_t)s + image->pixel[8 * o + k]] : 0;
      }
  }
}

void ct_orbit_image_out(const ct_projector_state *state, const float *own, float *natural) {
  const ct_orbit_image *image = &state->image;
  const size_t plane = (size_t)image->n * (size_t)image->n;
  for (int group = 0; group < state->groups; group++) {
    const int width = ct_orbit_width_of(state, group), slices = slices_of(state, group);
    float *to = natural + plane * (size_t)state->group_first[group];
    const float *from = own + ct_orbit_image_at(state, group);
#pragma omp parallel for schedule(static) num_threads(state->request.threads)
    for (size_t o = 0; o < image->orbits; o++)
      for (size_t k = 0; k < 8; k++) {
        if (!(image->real[o] >> k & 1)) continue;
        for (int s = 0; s < slices; s++)
          to[plane * (size_t)s + image->pixel[8 * o + k]] = from[(8 * o + k) * (size_t)width + (size_t)s];
      }
  }
}

/* Natural index of ray g of stored ray (slot, u) in slice 0. */
static size_t natural_ray(const ct_projector_state *state, int slot, int u, int g) {
  const ct_symmetry *s = state->rays.symmetry;
  const size_t view = (size_t)s->image[slot][g].view * (size_t)state->request.geometry->nv;
  return view * (size_t)s->nu + (size_t)ct_symmetry_column(s, slot, u, g);
}

static void block_in(const ct_projector_state *state, const ct_orbit_block *block, int group, const float *natural,
                     float *own) {
  const ct_symmetry *s = state->rays.symmetry;
  const int width = ct_orbit_width_of(state, group), slices = slices_of(state, group);
  const size_t stride = (size_t)s->nu, before = stride * (size_t)state->group_first[group];
  float *to = own + ct_orbit_rays_at(state, block, group);
  for (size_t n = 0; n < 8 * block->rows * (size_t)width; n++) to[n] = 0;
  for (int n = 0; n < block->slot_count; n++)
    for (int slot = block->slots[n], u = 0; u < s->count[slot]; u++) {
      const size_t row = state->rays.slot_row[slot] + (size_t)u;
      const uint8_t real = state->rays.real[block->first_row + row];
      for (int g = 0; g < 8; g++)
        if (real >> g & 1)
          for (int k = 0; k < slices; k++)
            to[(8 * row + (size_t)g) * (size_t)width + (size_t)k] =
                natural[natural_ray(state, slot, u, g) + before + stride * (size_t)k];
    }
}

static void block_out(const ct_projector_state *state, const ct_orbit_block *block, int group, const float *own,
                      float *natural) {
  const ct_symmetry *s = state->rays.symmetry;
  const int width = ct_orbit_width_of(state, group), slices = slices_of(state, group);
  const size_t stride = (size_t)s->nu, before = stride * (size_t)state->group_first[group];
  const float *from = own + ct_orbit_rays_at(state, block, group);
  for (int n = 0; n < block->slot_count; n++)
    for (int slot = block->slots[n], u = 0; u < s->count[slot]; u++) {
      const size_t row = state->rays.slot_row[slot] + (size_t)u;
      const uint8_t real = state->rays.real[block->first_row + row];
      for (int g = 0; g < 8; g++)
        if (real >> g & 1)
          for (int k = 0; k < slices; k++)
            natural[natural_ray(state, slot, u, g) + before + stride * (size_t)k] =
                from[(8 * row + (size_t)g) * (size_t)width + (size_t)k];
    }
}

void ct_orbit_rays_in(const ct_projector_state *state, const float *natural, float *own) {
#pragma omp parallel for schedule(dynamic) collapse(2) num_threads(state->request.threads)
  for (int n = 0; n < state->rays.blocks; n++)
    for (int group = 0; group < state->groups; group++) block_in(state, state->rays.block + n, group, natural, own);
}

void ct_orbit_rays_out(const ct_projector_state *state, const float *own, float *natural) {
#pragma omp parallel for schedule(dynamic) collapse(2) num_threads(state->request.threads)
  for (int n = 0; n < state->rays.blocks; n++)
    for (int group = 0; group < state->groups; group++) block_out(state, state->rays.block + n, group, own, natural);
}

void ct_orbit_row_squares(const ct_projector_state *state, float *y) {
#pragma omp parallel for schedule(dynamic) collapse(2) num_threads(state->request.threads)
  for (int n = 0; n < state->rays.blocks; n++)
    for (int group = 0; group < state->groups; group++) {
      const ct_orbit_block *block = state->rays.block + n;
      const int width = ct_orbit_width_of(state, group), slices = slices_of(state, group);
      float *to = y + ct_orbit_rays_at(state, block, group);
      for (size_t row = 0; row < block->rows; row++)
        for (size_t g = 0; g < 8; g++) {
          const bool real = state->rays.real[block->first_row + row] >> g & 1;
          for (int s = 0; s < width; s++)
            to[(8 * row + g) * (size_t)width + (size_t)s] =
                real && s < slices ? state->squares[block->first_row + row] : 0;
        }
    }
}
