/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of the parallel-beam kernels, and the functions of the contract that they share. */
#ifndef CTGL_COMPUTE_PARALLEL_PRIVATE_H
#define CTGL_COMPUTE_PARALLEL_PRIVATE_H

#include "recon/bp/kernel.h"

#include <stdbool.h>

typedef struct ctgl_parallel_setting {
  int slices;        /* 1, 2, 4: channels of the compound sinogram */
  int texture_share; /* of 8 groups, how many fetch through the texture unit; the others cache and calculate */
  int threads, area; /* of a group; the side of its square of pixels */
  int cached;        /* views in shared memory at a time, at most */
  int arrays;        /* that an entry of the cache is spread over, 1 .. slices; 0: 1 */
  int unroll;        /* views written out one after another; 0: 1 */
  int curve, quarters, differences, columns, float_round, half_cache; /* 0 or 1, as parallel.comp tells */
  int shared_constants, float_index, write_pairs;                     /* likewise */
  int minima, squares;                                                /* 0, 1, 2 */
  int row_threads;                                                    /* 0: all */
  int shuffles;                                                       /* 0 or 1 */
  int multiprocessor; /* 1: texture_share of every 8 groups that a multiprocessor begins, 0: of all by their numbers */
} ctgl_parallel_setting;

bool ctgl_parallel_accepts(const ctgl_parallel_setting *setting, const ct_bp_request *request, ct_error **error);
size_t ctgl_parallel_memory(const ctgl_parallel_setting *setting, const ct_bp_request *request);
ct_bp_state *ctgl_parallel_prepare(const ctgl_parallel_setting *setting, const ct_bp_request *request,
                                   ct_error **error);

#endif
