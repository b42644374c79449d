/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projectors of slices that keep image and rays in natural order, [slice][y][x] and [view][slice][column]: what their
 * states begin with, and the members of their descriptors that follow from it. */
#ifndef CT_FP_NATURAL_PRIVATE_H
#define CT_FP_NATURAL_PRIVATE_H

#include "recon/fp/projectors-private.h"

/* The first member of the state. */
typedef struct ct_natural {
  ct_projector_request request;
  int slices;
  size_t pixels, image, rays; /* of one slice, of all; rays of all */
  int *views;                 /* [views] 0, 1, 2, ... */
  double began, seconds;      /* when the preparation began, and what it took */
} ct_natural;

/* False: CT_ERROR_MEMORY. */
bool ct_natural_begin(ct_natural *natural, const ct_projector_request *request, ct_error **error);
void ct_natural_free(ct_natural *natural);

/* entries: of the matrix of one slice; bytes: of what is stored. */
void ct_natural_shape(const ct_natural *natural, double entries, double bytes, ct_projector_shape *shape);

/* Members of a descriptor. */
void ct_natural_block(const ct_projector_state *state, int index, ct_projector_block *block);
void ct_natural_image_in(const ct_projector_state *state, const float *natural, float *own);
void ct_natural_image_out(const ct_projector_state *state, const float *own, float *natural);
void ct_natural_rays_in(const ct_projector_state *state, const float *natural, float *own);
void ct_natural_rays_out(const ct_projector_state *state, const float *own, float *natural);

#endif
