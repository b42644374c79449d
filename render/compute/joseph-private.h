/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joseph's pair of projectors on the card (joseph.comp): what its files share. Images and rays stay in main memory
 * between products: images with a border of zeros one voxel wide, [nz + 2][ny + 2][nx + 2], or [nz][ny + 2][nx + 2]
 * where the volume is a stack of slices; rays natural. A product takes the image slab by slab, as many slices as a
 * buffer holds, and the views in groups; of two neighbouring slabs the last slice of one is the first of the next, so
 * that every sample lies in one of them. */
#ifndef CTGL_COMPUTE_JOSEPH_PRIVATE_H
#define CTGL_COMPUTE_JOSEPH_PRIVATE_H

#include "recon/fp/projector.h"
#include "render/compute/carry-private.h"
#include "render/compute/pace-private.h"

/* Threads of a group, and voxels of a thread of the transpose. */
enum { CTGL_JOSEPH_X = 16, CTGL_JOSEPH_Y = 8, CTGL_JOSEPH_VOXELS = 4 };
/* Floats of a view's description in the shader. */
enum { CTGL_JOSEPH_VIEW = 36 };

typedef struct ctgl_joseph_layout {
  bool flat;           /* a stack of slices */
  size_t row, plane;   /* floats of the image's rows and slices */
  size_t image;        /* with its padding */
  size_t view;         /* of a view */
  int slices, overlap; /* of the image; of neighbouring slabs */
  int thick;           /* slices of a slab */
  int slots;           /* views of a group */
} ctgl_joseph_layout;

typedef struct ctgl_joseph_pass {
  bool back;
  const int *views; /* of a projection */
  int count;
  bool adds; /* slabs have gone before */
} ctgl_joseph_pass;

struct ct_projector_state {
  ct_projector_request request;
  ct_bp_device *device;
  ctgl_joseph_layout layout;
  int *views;                            /* 0, 1, 2, ... */
  GLuint programs[2];                    /* forward, back */
  GLuint slab, rays[2], descriptions[2]; /* groups take turns */
  ctgl_carry carry;
  ctgl_pace paces[2];
  ctgl_joseph_pass pass; /* under way */
  double seconds;
};

bool ctgl_joseph_forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                         ct_error **error);
bool ctgl_joseph_back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x,
                      ct_error **error);
/* What came back from the card, for ctgl_carry_init. */
ctgl_carry_add ctgl_joseph_take;

#endif
