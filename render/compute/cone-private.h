/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of the kernels for 3x4 matrices, and the functions of the contract that they share. */
#ifndef CTGL_COMPUTE_CONE_PRIVATE_H
#define CTGL_COMPUTE_CONE_PRIVATE_H

#include "recon/bp/kernel.h"

#include <stdbool.h>

/* Switches are 0 or 1; all members are ints, so that tuning can treat them alike. */
typedef struct ctgl_cone_setting {
  int texture;       /* the texture unit interpolates */
  int views_outside; /* Thumper's kernel B */
  int sync;          /* groups go from voxel to voxel (or from view to view where those are outside) together */
  int fast_divide;   /* RapidRabbit's inverse square root */
  int transpose;     /* x and y change places for views that look along x more than along y */
  int streamed;      /* uploads through a mapped buffer that another thread fills */
  int atomic;        /* sums added by atomic units */
  int views, voxels; /* of one dispatch, of one thread: Thumper's I and K */
  int block_x, block_y;
  int block_z;   /* threads that take the voxels of a column by turns; 0: 1 */
  int turned;    /* with transpose: those views are summed in a volume whose x and y have changed places, too */
  int quotients; /* u, v and 1 / w by a division each, rounded as IEEE 754 asks; goes before fast_divide */
  int unroll;    /* views written out one after another; 0: 1 */
  int subline;   /* threads that share a column of voxels and a line of shared memory (subline.comp); 0: none */
} ctgl_cone_setting;

bool ctgl_cone_accepts(const ctgl_cone_setting *setting, const ct_bp_request *request, ct_error **error);
size_t ctgl_cone_memory(const ctgl_cone_setting *setting, const ct_bp_request *request);
ct_bp_state *ctgl_cone_prepare(const ctgl_cone_setting *setting, const ct_bp_request *request, ct_error **error);

#endif
