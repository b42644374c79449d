/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A state is read by its first member. */
#include "recon/fp/natural-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <string.h>

bool ct_natural_begin(ct_natural *natural, const ct_projector_request *request, ct_error **error) {
  const ct_geometry *g = request->geometry;
  natural->began = ct_now();
  natural->request = *request;
  natural->slices = ct_projector_slices(request);
  natural->pixels = (size_t)request->grid.nx * (size_t)request->grid.ny;
  natural->image = natural->pixels * (size_t)natural->slices;
  natural->rays = (size_t)g->views * (size_t)natural->slices * (size_t)g->nu;
  natural->views = ct_alloc((size_t)g->views, sizeof *natural->views, "the list of views", error);
  for (int n = 0; natural->views && n < g->views; n++) natural->views[n] = n;
  return natural->views != NULL;
}

void ct_natural_free(ct_natural *natural) {
  ct_free(natural->views);
}

void ct_natural_shape(const ct_natural *natural, double entries, double bytes, ct_projector_shape *shape) {
  *shape = (ct_projector_shape){
      .image = ct_projector_padded(natural->image),
      .rays = ct_projector_padded(natural->rays),
      .blocks = natural->request.geometry->views,
      .entries = entries * natural->slices,
      .stored = entries,
      .bytes = bytes,
      .seconds = natural->seconds,
  };
}

static const ct_natural *natural_of(const ct_projector_state *state) {
  return (const ct_natural *)state;
}

void ct_natural_block(const ct_projector_state *state, int index, ct_projector_block *block) {
  const ct_natural *own = natural_of(state);
  const size_t size = (size_t)own->slices * (size_t)own->request.geometry->nu;
  *block = (ct_projector_block){(size_t)index * size, size, own->views + index, 1};
}

void ct_natural_image_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_projector_copy_in(natural, natural_of(state)->image, own);
}

void ct_natural_image_out(const ct_projector_state *state, const float *own, float *natural) {
  memcpy(natural, own, natural_of(state)->image * sizeof *own);
}

void ct_natural_rays_in(const ct_projector_state *state, const float *natural, float *own) {
  ct_projector_copy_in(natural, natural_of(state)->rays, own);
}

void ct_natural_rays_out(const ct_projector_state *state, const float *own, float *natural) {
  memcpy(natural, own, natural_of(state)->rays * sizeof *own);
}
