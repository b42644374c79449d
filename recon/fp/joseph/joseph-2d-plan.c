/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the projector joseph-2d makes before its first product: pencils, layouts, room for every thread. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <math.h>

static void take_sizes(ct_j2d *j) {
  const ct_grid *grid = &j->request.grid;
  j->nx = grid->nx, j->ny = grid->ny;
  j->nu = j->request.geometry->nu, j->views = j->request.geometry->views;
  j->slices = ct_projector_slices(&j->request);
}

static bool make_layouts(ct_j2d *j, ct_error **error) {
  j->pitch = ct_projector_padded((size_t)j->nx + CT_J2D_MARGIN);
  j->transposed_pitch = ct_projector_padded((size_t)j->ny + CT_J2D_MARGIN);
  j->slice_image = ct_projector_padded(j->pitch * (size_t)j->ny + CT_J2D_MARGIN);
  j->slice_rays = ct_projector_padded((size_t)j->nu);
  j->view_rays = j->slice_rays * (size_t)j->slices;
  int copies = j->slices;
  if (j->slices >= CT_J2D_INTERLEAVED) {
    ct_j2d_bundle_layouts(j);
    copies = j->bundles;
  }
  return ct_size_product((int64_t)j->slice_image, copies, 1, sizeof(float), &j->image) &&
                 ct_size_product((int64_t)j->view_rays, j->views, 1, sizeof(float), &j->rays)
             ? (j->image /= sizeof(float), j->rays /= sizeof(float), true)
             : ct_error_set(error, CT_ERROR_MEMORY, "The image or the rays are too large for this machine.");
}

static bool make_room(ct_j2d *j, ct_error **error) {
  const size_t threads = (size_t)j->threads, nu = (size_t)j->nu, chunks = (size_t)ct_j2d_chunks(j);
  const size_t rays = ct_projector_padded(nu) + 3 * CT_J2D_LANES, band = j->pitch * CT_J2D_LANES + CT_J2D_MARGIN;
  j->strip_size = band;
  j->alone_size = ct_j2d_alone_size(j);
  for (int n = 0; n < j->count; n++)
    if (j->pencils[n].phases > j->most_phases) j->most_phases = j->pencils[n].phases;
  j->sums_size = CT_J2D_TOGETHER * rays;
  if (j->eights) j->sums_size = CT_J2D_TOGETHER * CT_J2D_EIGHT * ct_projector_padded((nu + 1) / 2);
  j->groups_of = (int)(rays / CT_J2D_LANES);
  j->wanted = ct_alloc((size_t)j->views, sizeof *j->wanted, "the list of views", error);
  j->order = ct_alloc((size_t)j->views, sizeof *j->order, "the list of views", error);
  j->listed = ct_alloc((size_t)j->views, sizeof *j->listed, "the list of views", error);
  j->chunks = ct_alloc((size_t)j->count + 1, sizeof *j->chunks, "the list of views", error);
  j->sources = ct_alloc(2 * (size_t)j->phases, sizeof *j->sources, "the list of views", error);
  j->transposed =
      ct_alloc_zero((size_t)j->nx * j->transposed_pitch + CT_J2D_MARGIN, sizeof(float), "the transposed image", error);
  j->scratch = ct_alloc_zero(j->scratch_size, sizeof(float), "rays", error);
  j->tall = ct_alloc(threads * CT_J2D_TALL * j->pitch, sizeof(float), "a part of the image", error);
  j->strip = ct_alloc_zero(threads * j->strip_size, sizeof(float), "a part of the image", error);
  j->transposed_part = ct_alloc_zero(threads * CT_J2D_TRANSPOSED * (CT_J2D_CHUNK + 2 * CT_J2D_MARGIN), sizeof(float),
                                     "a part of the image", error);
  j->alone = ct_alloc_zero(threads * j->alone_size, sizeof(float), "the rays of a view", error);
  j->alone_sources = ct_alloc(threads * (size_t)j->most_phases, sizeof *j->alone_sources, "the list of views", error);
  j->alone_places = ct_alloc(threads * (j->pitch / 8), sizeof *j->alone_places, "the list of views", error);
  const size_t alone = 2 * chunks * rays, together = threads * j->sums_size;
  j->sums = ct_alloc_zero(alone > together ? alone : together, sizeof(float), "sums along rays", error);
  j->groups = ct_alloc(threads * CT_J2D_TOGETHER * (size_t)j->groups_of, sizeof *j->groups, "places of rays", error);
  if (!j->wanted || !j->order || !j->listed || !j->chunks || !j->sources || !j->transposed || !j->scratch || !j->tall ||
      !j->strip || !j->transposed_part || !j->alone || !j->alone_sources || !j->alone_places || !j->sums || !j->groups)
    return false;
  for (int view = 0; view < j->views; view++) j->order[view] = view;
  return true;
}

/* What the transpose needs in a fan. */
static bool make_fan_room(ct_j2d *j, ct_error **error) {
  if (!ct_j2d_is_fan(j->request.geometry)) return true;
  j->factors = ct_alloc((size_t)j->views * (size_t)j->nu, sizeof(float), "the spacing of rays", error);
  j->even = ct_alloc_zero(j->scratch_size, sizeof *j->even, "sums of rays", error);
  j->slanted = ct_alloc_zero(j->scratch_size, sizeof *j->slanted, "sums of rays", error);
  j->scales = ct_alloc((size_t)j->count, sizeof(float), "sums of rays", error);
  if (!j->factors || !j->even || !j->slanted || !j->scales) return false;
  for (int n = 0; n < j->count; n++) {
    const ct_j2d_pencil *p = j->pencils + n;
    const size_t view = (size_t)p->view * (size_t)j->nu;
    for (int t = 0; t < p->count; t++) {
      const size_t u = view + (size_t)(p->first + p->step * t);
      j->factors[u] = (float)((double)j->lengths[u] * p->phases / fabs(p->r0 + p->r1 * t));
    }
  }
  return true;
}

void ct_j2d_clear(ct_j2d *j) {
  void *const rooms[] = {
      j->pencils,    j->first_pencil,  j->lengths,     j->factors,        j->even,     j->slanted,
      j->scales,     j->items,         j->some,        j->wanted,         j->chunks,   j->sources,
      j->transposed, j->scratch,       j->strip,       j->tall,           j->sums,     j->groups,
      j->order,      j->listed,        j->eights,      j->eights_of_rays, j->families, j->transposed_part,
      j->alone,      j->alone_sources, j->alone_places};
  for (size_t n = 0; n < sizeof rooms / sizeof *rooms; n++) ct_free(rooms[n]);
}

bool ct_j2d_init(ct_j2d *j, const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  const double began = ct_now();
  j->request = *request;
  j->threads = request->threads;
  j->loops = ct_simd_loops_usable(&self->loops);
  j->width = self->width;
  take_sizes(j);
  const bool good = ct_j2d_make_pencils(j, error) && make_layouts(j, error) && ct_j2d_make_items(j, error) &&
                    ct_j2d_make_eights(j, error) && make_room(j, error) && make_fan_room(j, error);
  j->seconds = ct_now() - began;
  return good;
}
