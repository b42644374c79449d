/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parallel-beam techniques of Chilingaryan et al. (2019, sections 5 to 7) share: all of them transpose the
 * detector lines of some slices into a table per view, ordered [bin][slice], and then add bins of the table to the
 * voxels of square tiles, eight views a visit. They differ in what the table holds, in how a bin's place is found, and
 * in how the bins become a value. Plain C; positions in double precision. */
#ifndef CT_BP_PARALLEL_PARALLEL_PRIVATE_H
#define CT_BP_PARALLEL_PARALLEL_PRIVATE_H

#include "recon/bp/support-private.h"
#include "recon/geom/questions.h"

#include <stdint.h>

#ifndef CT_INLINE
#define CT_INLINE static inline __attribute__((always_inline))
#endif

/* Two bins of zeros on either side of a line: one for the border's fade, one that everything outside reads. Eight
 * projections in work at a time is what section 6.2 finds best. */
enum { ct_parallel_border = 2, ct_parallel_pass = 8, ct_parallel_side = 64, ct_parallel_slices = 64 };

/* Voxel (i, j) lies at position x i + y j + offset of the table. */
typedef struct ct_parallel_views {
  double x[ct_parallel_pass], y[ct_parallel_pass], offset[ct_parallel_pass];
} ct_parallel_views;

typedef struct ct_parallel_tile {
  int i, j, columns, rows;
} ct_parallel_tile;

/* Adds the views slot .. slot + 7 to sums[side][side][slices] of a tile. */
typedef void ct_parallel_add(const ct_bp_state *state, int slot, const ct_parallel_tile *tile, int slices, float *sums);

typedef struct ct_parallel_technique {
  int least;    /* slices that a table holds at least, and */
  int slices;   /* at most: powers of two up to ct_parallel_slices */
  int samples;  /* of a table, per bin of the detector */
  size_t entry; /* bytes of a sample of one slice */
  /* Makes the table of a slot from line[nu + 2 border][slices]. NULL: the table is the line. */
  void (*encode)(ct_bp_state *state, int slot, int slices, const float *line);
  ct_parallel_add *add; /* NULL: of wide vectors (half.c) */
} ct_parallel_technique;

struct ct_bp_state {
  ct_bp_request request;
  const ct_parallel_technique *technique;
  ct_parallel_add *add;
  int slices;               /* at most so many share a table; the last ones of the volume may be fewer */
  int slots;                /* views kept as tables at once, a multiple of the pass */
  int side;                 /* voxels of a tile's side */
  size_t table;             /* bytes */
  char *tables;             /* [slots] */
  float *scales;            /* [slots], of the stored numbers; used by half precision alone */
  ct_parallel_views *views; /* [slots / 8] */
  double (*heights)[2];     /* [slots], slice k lies on row heights[0] k + heights[1] */
  float *lines;             /* [threads][nu + 2 border][slices] */
  float *sums;              /* [threads][side][side][slices] */
};

/* For descriptors whose `setting` is a ct_parallel_technique. */
size_t ct_parallel_memory(const ct_bp_kernel *kernel, const ct_bp_request *request);
ct_bp_state *ct_parallel_prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);
bool ct_parallel_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error);
void ct_parallel_free(ct_bp_state *state);

/* The encoding of the kernels in half precision; sets the slot's scale. */
void ct_parallel_encode_half(ct_bp_state *state, int slot, int slices, const float *line);

/* What all their descriptors have in common. */
#define CT_PARALLEL_FUNCTIONS(technique)                                                                               \
  .setting = (technique), .geometry = CT_GEOMETRY_PARALLEL, .accepts = ct_bp_accepts_untilted,                         \
  .memory = ct_parallel_memory, .prepare = ct_parallel_prepare, .rank_for = ct_bp_rank_of_cpu, .run = ct_parallel_run, \
  .free = ct_parallel_free

static inline const void *ct_parallel_table(const ct_bp_state *state, int slot) {
  return state->tables + (size_t)slot * state->table;
}

/* Four slices. */
typedef float ct_pack __attribute__((vector_size(16)));
typedef float ct_pack_loose __attribute__((vector_size(16), aligned(4), may_alias));

/* More sums at a time do not fit into sixteen registers beside what they are made from. */
enum { ct_parallel_packs = 8 };

CT_INLINE ct_pack ct_pack_load(const float *from) {
  return *(const ct_pack_loose *)from;
}
CT_INLINE void ct_pack_store(float *to, ct_pack pack) {
  *(ct_pack_loose *)to = pack;
}

/* Adds eight views to the `slices` sums of one voxel; view s contributes from sample at[s] of the table in slot + s,
 * and the sample behind it by weight[s]. */
typedef void ct_parallel_voxel(int slices, const ct_bp_state *state, int slot, const int *at, const float *weight,
                               float *sums);

CT_INLINE void ct_parallel_place(double position, double last, int *at, float *weight) {
  const double low = position > 0 ? position : 0, inside = low < last ? low : last;
  *at = (int)inside;
  *weight = (float)(inside - *at);
}

CT_INLINE double ct_parallel_last(const ct_bp_state *state) {
  return (state->request.geometry->nu + ct_parallel_border) * (double)state->technique->samples;
}

/* All voxels of a tile, each by `voxel`, which is inlined. */
CT_INLINE void ct_parallel_walk(ct_parallel_voxel *voxel, int slices, const ct_bp_state *state, int slot,
                                const ct_parallel_tile *tile, float *sums) {
  const ct_parallel_views views = state->views[slot / ct_parallel_pass];
  const double last = ct_parallel_last(state);
  for (int j = 0; j < tile->rows; j++)
    for (int i = 0; i < tile->columns; i++) {
      int at[ct_parallel_pass];
      float weight[ct_parallel_pass];
      for (int s = 0; s < ct_parallel_pass; s++)
        ct_parallel_place(views.x[s] * (tile->i + i) + views.y[s] * (tile->j + j) + views.offset[s], last, &at[s],
                          &weight[s]);
      voxel(slices, state, slot, at, weight, sums + ((size_t)j * (size_t)state->side + (size_t)i) * (size_t)slices);
    }
}

/* `walk` once for every number of slices, a constant in each. */
#define CT_PARALLEL_FOR_SLICES(walk, voxel, slices, ...)                                                               \
  switch (slices) {                                                                                                    \
  case 1:                                                                                                              \
    walk(voxel, 1, __VA_ARGS__);                                                                                       \
    break;                                                                                                             \
  case 2:                                                                                                              \
    walk(voxel, 2, __VA_ARGS__);                                                                                       \
    break;                                                                                                             \
  case 4:                                                                                                              \
    walk(voxel, 4, __VA_ARGS__);                                                                                       \
    break;                                                                                                             \
  case 8:                                                                                                              \
    walk(voxel, 8, __VA_ARGS__);                                                                                       \
    break;                                                                                                             \
  case 16:                                                                                                             \
    walk(voxel, 16, __VA_ARGS__);                                                                                      \
    break;                                                                                                             \
  case 32:                                                                                                             \
    walk(voxel, 32, __VA_ARGS__);                                                                                      \
    break;                                                                                                             \
  default:                                                                                                             \
    walk(voxel, 64, __VA_ARGS__);                                                                                      \
    break;                                                                                                             \
  }

#endif
