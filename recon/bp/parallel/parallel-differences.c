/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, value-and-difference tables ("advanced caching"): Chilingaryan et al. (2019), section 6.4. */
#include "recon/bp/parallel/differences-private.h"

static void add(const ct_bp_state *state, int slot, const ct_parallel_tile *tile, int slices, float *sums){
    CT_PARALLEL_FOR_SLICES(ct_parallel_walk, ct_differences_add, slices, state, slot, tile, sums)}

CT_DIFFERENCES_SETTING(plain_1, 1, add);
CT_DIFFERENCES_SETTING(plain_4, 4, add);

const ct_bp_kernel ct_bp_differences[2] = {
    {CT_DIFFERENCES_COMMON(plain_1), .id = "differences-1", .title = "Values and differences, one slice",
     .explanation = "Each bin is stored with its difference to the next, so that interpolation is one multiplication "
                    "and one addition, for twice the memory: the advanced caching of Chilingaryan et al. (2019), "
                    "section 6.4."},
    {CT_DIFFERENCES_COMMON(plain_4), .id = "differences-4", .title = "Values and differences, 4 slices",
     .explanation = "The tables of values and differences with four slices interleaved (Chilingaryan et al. 2019, "
                    "section 6.4)."},
};
