/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of the ladder of Chen et al. (2021), table 2, in its order. */
#include "recon/bp/chen/chen-private.h"
#include "recon/geom/questions.h"

#include <stddef.h>

/* A line for each view of the batch. */
static size_t scratch_subline(const ct_bp_request *request) {
  return (size_t)ct_chen_views(request) * ct_chen_stride(request);
}

/* The line and the sums. */
static size_t scratch_share_local(const ct_bp_request *request) {
  return ct_chen_stride(request) + ct_chen_sums(request);
}

/* The line, the sums, and those of the mirrored half. */
static size_t scratch_symmetry_local(const ct_bp_request *request) {
  return ct_chen_stride(request) + 2 * ct_chen_sums(request);
}

static size_t scratch_prefetch(const ct_bp_request *request) {
  return 2 * (ct_chen_stride(request) + ct_chen_sums(request));
}

#define FUNCTIONS(column_, batch_, scratch_)                                                                           \
  .setting = &(const ct_chen_setting){offsetof(ct_chen_loops, column_), batch_, scratch_},                             \
  .loops = CT_SIMD_PLAIN(ct_chen_loops), .geometry = CT_GEOMETRY_ANY, .interps = CT_BIT(CT_INTERP_LINEAR),             \
  .precisions = CT_BIT(CT_PRECISION_FLOAT32), .tolerance = 5e-6, .rank_for = ct_bp_rank_of_cpu,                        \
  .memory = ct_chen_memory, .prepare = ct_chen_prepare, .run = ct_chen_run, .finish = ct_chen_finish,                  \
  .read_plane = ct_chen_read_plane, .free = ct_chen_free

const ct_bp_kernel ct_bp_chen[CT_CHEN_KERNELS] = {
    {.id = "chen-transpose",
     .title = "Transposed (Chen 1)",
     .explanation = "The voxel loop with projections and volume transposed so that z comes first in memory: voxels "
                    "above each other "
                    "read pixels above each other, one cache line serves many (Chen et al. 2021, section 3.1.1).",
     FUNCTIONS(transpose, false, NULL)},
    {.id = "chen-share",
     .title = "Shared (Chen 2)",
     .explanation =
         "Transposed, with the depth, the detector column and the weight calculated once for a column of voxels and "
         "shared by all of them: two of three dot products and the division leave the inner loop (Chen et al. "
         "2021, section 3.1.2).",
     FUNCTIONS(share, false, NULL),
     .accepts = ct_chen_accepts_columns},
    {.id = "chen-symmetry",
     .title = "Symmetry (Chen 3)",
     .explanation =
         "Shared, for two voxels at once: those as far above and below the source's plane are seen as far above and "
         "below one detector row, so that one projection serves both (Chen et al. 2021, section 3.1.2).",
     FUNCTIONS(symmetry, false, NULL),
     .accepts = ct_chen_accepts_mirror},
    {.id = "chen-subline",
     .title = "Sub-lines (Chen 4)",
     .explanation =
         "Symmetry, with the two detector columns of each view blended into one line first, in order, so that a voxel "
         "reads two pixels instead of four; up to 32 views a pass are summed in a register before the voxel is "
         "written (Chen et al. 2021, algorithm 1).",
     FUNCTIONS(subline, true, scratch_subline),
     .accepts = ct_chen_accepts_mirror},
    {.id = "chen-share-local",
     .title = "Shared, local buffer (Chen 5)",
     .explanation =
         "Shared, with sub-lines and batches but no symmetry: the line of one view lies in a small buffer in "
         "the nearest "
         "cache, and the compiler makes vectors along z. For grids off the source's plane (Chen et al. 2021, "
         "listing 3).",
     FUNCTIONS(share_local, true, scratch_share_local),
     .accepts = ct_chen_accepts_columns},
    {.id = "chen-symmetry-local",
     .title = "Symmetry, local buffer (Chen 6)",
     .explanation =
         "Sub-lines of one view at a time, in a small buffer in the nearest cache instead of one of all views in the "
         "second; vectors run along z, where neighbours read neighbours (Chen et al. 2021, listing 3).",
     FUNCTIONS(symmetry_local, true, scratch_symmetry_local),
     .accepts = ct_chen_accepts_mirror},
    {.id = "chen-prefetch",
     .title = "Symmetry, prefetch (Chen 7)",
     .explanation = "Two local buffers: the line of the next view is loaded and blended while the present one is "
                    "summed, so that the "
                    "waiting for memory is hidden behind arithmetic (Chen et al. 2021, algorithm 2).",
     FUNCTIONS(prefetch, true, scratch_prefetch),
     .accepts = ct_chen_accepts_mirror}};
