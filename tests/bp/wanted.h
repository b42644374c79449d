/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernels a test tries: those that run here, or of them what the environment asks for, where a machine is too
 * slow for all. */
#ifndef CT_TESTS_BP_WANTED_H
#define CT_TESTS_BP_WANTED_H

#include "recon/bp/kernel.h"
#include "recon/simd/level.h"

#include <stdlib.h>
#include <string.h>

/* CT_TEST_KERNELS: part of their ids; CT_TEST_LEAST_LEVEL: the lowest level that they need ("v4"). */
static inline bool runs_here(const ct_bp_kernel *kernel) {
  const char *only = getenv("CT_TEST_KERNELS"), *least = getenv("CT_TEST_LEAST_LEVEL");
  ct_simd_level level = CT_SIMD_BASELINE;
  if (least) ct_simd_parse(least, &level);
  return ct_bp_runs_here(kernel) && ct_bp_needs(kernel) >= level && (!only || strstr(kernel->id, only));
}

#endif
