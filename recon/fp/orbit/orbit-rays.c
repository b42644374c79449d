/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orbits of rays, block by block. A block holds about eight views: one orbit of a fan's views, two of a parallel
 * beam's, far apart in angle, so that methods that go block by block see the object from all sides. */
#include "recon/fp/orbit/orbit-private.h"

#include "recon/base/memory.h"

#include <stdlib.h>

enum { BLOCK_VIEWS = CT_BLOCK_VIEWS };

static int views_of(const ct_symmetry *s, int slot) {
  int count = 0;
  for (int g = 0; g < 8; g++) {
    bool first = true;
    for (int k = 0; k < g; k++) first = first && s->image[slot][k].view != s->image[slot][g].view;
    count += first;
  }
  return count;
}

static int ascending(const void *a, const void *b) {
  const int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

static void add_slot(ct_orbit_rays *rays, ct_orbit_block *block, int slot) {
  const ct_symmetry *s = rays->symmetry;
  block->slots[block->slot_count++] = slot;
  rays->slot_row[slot] = block->rows;
  block->rows += ((uint32_t)s->count[slot] + CT_ORBIT_ROWS - 1) / CT_ORBIT_ROWS * CT_ORBIT_ROWS;
  for (int g = 0; g < 8; g++) {
    const int view = s->image[slot][g].view;
    bool known = false;
    for (int n = 0; n < block->view_count; n++) known = known || block->views[n] == view;
    if (!known) block->views[block->view_count++] = view;
  }
}

static void mark_real(ct_orbit_rays *rays, const ct_orbit_block *block) {
  const ct_symmetry *s = rays->symmetry;
  for (int n = 0; n < block->slot_count; n++) {
    const int slot = block->slots[n];
    for (int u = 0; u < s->count[slot]; u++) {
      uint8_t real = 0;
      for (int g = 0; g < 8; g++)
        if (ct_symmetry_is_first(s, slot, u, g)) real |= (uint8_t)(1u << g);
      rays->real[block->first_row + rays->slot_row[slot] + (uint32_t)u] = real;
    }
  }
}

static bool make_room(ct_orbit_rays *rays, ct_error **error) {
  const ct_symmetry *s = rays->symmetry;
  rays->block = ct_alloc_zero((size_t)rays->blocks, sizeof *rays->block, "the blocks", error);
  rays->slots = ct_alloc((size_t)s->slots, sizeof *rays->slots, "the blocks", error);
  rays->views = ct_alloc((size_t)s->slots, 8 * sizeof *rays->views, "the blocks", error);
  rays->slot_row = ct_alloc((size_t)s->slots, sizeof *rays->slot_row, "the blocks", error);
  return rays->block && rays->slots && rays->views && rays->slot_row;
}

bool ct_orbit_rays_init(ct_orbit_rays *rays, ct_symmetry *symmetry, ct_error **error) {
  const int most = views_of(symmetry, symmetry->slots / 2), together = most < BLOCK_VIEWS ? BLOCK_VIEWS / most : 1;
  *rays = (ct_orbit_rays){.symmetry = symmetry, .blocks = (symmetry->slots + together - 1) / together};
  if (!make_room(rays, error)) {
    ct_orbit_rays_clear(rays);
    return false;
  }
  int *slots = rays->slots, *views = rays->views;
  for (int n = 0; n < rays->blocks; n++) {
    ct_orbit_block *block = rays->block + n;
    block->slots = slots;
    block->views = views;
    block->first_row = rays->rows;
    for (int slot = n; slot < symmetry->slots; slot += rays->blocks) add_slot(rays, block, slot);
    qsort(views, (size_t)block->view_count, sizeof *views, ascending);
    slots += block->slot_count;
    views += block->view_count;
    rays->rows += block->rows;
    if (block->rows > rays->most_rows) rays->most_rows = block->rows;
  }
  rays->real = ct_alloc_zero(rays->rows, sizeof *rays->real, "the orbits of rays", error);
  if (!rays->real) {
    ct_orbit_rays_clear(rays);
    return false;
  }
  for (int n = 0; n < rays->blocks; n++) mark_real(rays, rays->block + n);
  return true;
}

void ct_orbit_rays_clear(ct_orbit_rays *rays) {
  ct_symmetry_free(rays->symmetry);
  ct_free(rays->block);
  ct_free(rays->slots);
  ct_free(rays->views);
  ct_free(rays->slot_row);
  ct_free(rays->real);
  *rays = (ct_orbit_rays){0};
}
