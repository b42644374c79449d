/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, many slices at once: the detector row of a slice is the same for all views and voxels, so that each
 * view is resampled onto the slices once and stored [bin][slice]. A voxel then adds whole vectors of slices, no gathers
 * and no permutes (Chilingaryan et al. 2019, section 6, carried over to the CPU): up to 64 slices, whose sums eight
 * views at a time are added to in registers. This is what kernels of that kind share; they differ in what is stored of
 * a bin, always in 32 bits a slice, and in how it is added. */
#ifndef CT_BP_INTERLEAVED_INTERLEAVED_PRIVATE_H
#define CT_BP_INTERLEAVED_INTERLEAVED_PRIVATE_H

#include "recon/bp/kernels-private.h"
#include "recon/bp/layout/tile.h"

#include <stdint.h>

/* Zero bins on either side: one for the border's fade, one that everything outside reads. Voxels are taken in parts
 * whose sums, with the bins that eight views show them, fit into the first-level cache, of tiles whose sums, with the
 * bins of a group of views, fit into the second, of blocks whose bins in a whole batch fit into the third. A few
 * columns more to a tile's row spread its parts over the sets of the cache. */
enum { slab = 64, border = 2, piece_bins = 64, pass = 8, group = 32 };
enum { part_x = 8, part_y = 8, part_voxels = part_x * part_y, tile_x = 32, tile_y = 32, tile_pitch = tile_x + 8 };
enum { block_x = 4 * tile_x, block_y = 4 * tile_y };

/* The loops of a kernel. */
typedef struct ct_interleaved_technique {
  int before; /* bins before the detector's first that `lay` begins with: 0 or 1; what lies further out is zero */
  /* The largest magnitude of count samples, where integers are stored. NULL: they are not. */
  float (*magnitude)(const float *samples, size_t count);
  /* Stores bins piece * piece_bins - before, ... of a view for slices k .. k + slices - 1. */
  void (*lay)(ct_bp_state *state, int slot, int piece, int k, int slices, const float *projection);
  /* Adds the views slot .. slot + views - 1, at most a pass, to a part's sums[y][x][slice], tile_pitch columns a row.
   */
  void (*add)(const ct_bp_state *state, int slot, int views, const ct_tile *part, int slices, float *sums);
  /* ct_tile_add (layout/tile-add.h). */
  void (*add_tile)(const ct_grid *grid, const ct_tile *tile, const ct_tile_sums *sums, int begin, int step, int from,
                   float *data);
} ct_interleaved_technique;

struct ct_bp_state {
  ct_bp_request request;
  const ct_interleaved_technique *technique;
  int width; /* slices are stored in whole vectors of so many */
  int slots;
  size_t view;            /* words of one view's bins in the largest slab */
  uint32_t *bins;         /* [slots][nu + 2 border][slices] */
  double *x, *y, *offset; /* [slots, whole passes]: voxel (i, j) lies at bin x i + y j + offset */
  double (*heights)[2];   /* [slots]: slice k lies on row heights[0] k + heights[1] */
  float *magnitudes;      /* [slots]; used by 16-bit integers alone */
  int joined;             /* tiles side by side that one thread makes at a time */
  float *tiles;           /* [threads][joined][tile_y][tile_pitch][slices] */
};

/* Views that are laid at a time at most. Adding a tile by itself to the volume takes as long as adding some ten views
 * to the tile, most of it for page tables: hence many views, and tiles in pairs. */
enum { CT_INTERLEAVED_VIEWS = 256 };

size_t ct_interleaved_memory(const ct_bp_kernel *kernel, const ct_bp_request *request);
ct_bp_state *ct_interleaved_prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);
bool ct_interleaved_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error);
void ct_interleaved_free(ct_bp_state *state);

/* What all their descriptors have in common. */
#define CT_INTERLEAVED_FUNCTIONS                                                                                       \
  .geometry = CT_GEOMETRY_PARALLEL, .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR),                   \
  .batch = CT_INTERLEAVED_VIEWS, .accepts = ct_bp_accepts_untilted, .memory = ct_interleaved_memory,                   \
  .prepare = ct_interleaved_prepare, .run = ct_interleaved_run, .rank_for = ct_bp_rank_of_cpu,                         \
  .free = ct_interleaved_free

CT_SIMD_DECLARE(ct_interleaved_technique, ct_slices_loops);
CT_SIMD_DECLARE(ct_interleaved_technique, ct_slices_int16_loops);

#endif
