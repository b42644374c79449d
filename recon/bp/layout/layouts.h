/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run of kernels that bring views into a layout of their own (transposed, slice by slice) and then add them to the
 * volume tile by tile. With one layout the team takes turns: all lay, all add. With two (request.ahead) the pieces of
 * the next views' layout stand evenly between the tiles of the present ones, in one dynamic schedule: moving memory
 * goes on beside calculating, and nobody waits for a layout but at the beginning. What a piece and a tile do is the
 * same either way, and so is the volume, bit for bit. */
#ifndef CT_BP_LAYOUT_LAYOUTS_H
#define CT_BP_LAYOUT_LAYOUTS_H

#include "recon/bp/kernel.h"

/* Views that one layout holds at most. */
#define CT_BP_LAYOUT_VIEWS 128

/* Views that are laid and added together. */
typedef struct ct_bp_chunk {
  int slot; /* of the first in the kernel's memory, which has slots for all layouts */
  int count;
  const int *views;                /* [count] */
  const float *const *projections; /* [count] */
  int slab;
  bool first; /* of its slab: nothing was added before (ct_bp_batch) */
} ct_bp_chunk;

/* The loops of a kernel that lays views out (ct_bp_layouts below). */
typedef struct ct_bp_layout_loops {
  bool (*measure)(ct_bp_state *state, const ct_bp_chunk *chunk, int view);
  void (*lay)(ct_bp_state *state, const ct_bp_chunk *chunk, int view, int piece);
  void (*add)(const ct_bp_state *state, const ct_bp_chunk *chunk, int tile, float *data, const ct_job *job);
} ct_bp_layout_loops;

typedef struct ct_bp_layouts {
  int slots;  /* views of a layout, up to CT_BP_LAYOUT_VIEWS */
  int slabs;  /* parts of the volume that have a layout each, one after the other */
  int pieces; /* that a view is laid in, independent of each other; all that they share with other views is read only */
  int tiles;  /* of a slab, independent of each other */
  /* Finds what all pieces of a view need to know, before they are laid; false: the view holds what is not finite, and
   * the run fails. NULL: nothing. */
  bool (*measure)(ct_bp_state *state, const ct_bp_chunk *chunk, int view);
  void (*lay)(ct_bp_state *state, const ct_bp_chunk *chunk, int view, int piece);
  void (*add)(const ct_bp_state *state, const ct_bp_chunk *chunk, int tile, float *data, const ct_job *job);

  /* What the last run laid for this one, in the first slab: none at first. */
  int turn; /* the layout that it is in, or that comes next */
  int held;
  int held_views[CT_BP_LAYOUT_VIEWS];
} ct_bp_layouts;

/* Layouts for a request: 2 or 1. */
static inline int ct_bp_layout_count(const ct_bp_request *request) {
  return request->ahead ? 2 : 1;
}

/* A kernel's run. */
bool ct_bp_run_layouts(ct_bp_state *state, const ct_bp_request *request, ct_bp_layouts *layouts,
                       const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error);

#endif
