/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction-set levels, and the one door to code that was compiled for them.
 *
 * Loops are compiled once per level (meson.build beside this file has the flags); each such object exports a single
 * constant table of its loops. Everything else is baseline code, and gets a table only through ct_simd_loops_usable,
 * which looks whether the processor and the operating system have all that the compiler was allowed to use. The
 * environment variable GANTRY_CPU (baseline, v3, v4 or v4-vnni) caps the level; it is read once. Thread-safe. */
#ifndef CT_SIMD_LEVEL_H
#define CT_SIMD_LEVEL_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Each level includes those before it. */
typedef enum {
  CT_SIMD_BASELINE, /* what the compiler assumes by itself: x86-64 with SSE2, ARMv8 with NEON, ... */
  CT_SIMD_V3,       /* x86-64-v3: AVX2, FMA, F16C, BMI, ... */
  CT_SIMD_V4,       /* x86-64-v4: AVX-512 F, BW, CD, DQ, VL */
  CT_SIMD_V4_VNNI,  /* and AVX-512 VNNI */
  CT_SIMD_LEVELS
} ct_simd_level;

/* The highest level that may be used here. */
ct_simd_level ct_simd_usable(void);
/* The highest level of the machine, whatever GANTRY_CPU says. */
ct_simd_level ct_simd_machine(void);
/* CT_ERROR_ARGUMENT if GANTRY_CPU names no level, or one that this machine lacks; such a value caps nothing. For
 * programs to say so at their start. */
bool ct_simd_check_environment(ct_error **error);

/* "v4-vnni": for GANTRY_CPU and files. */
const char *ct_simd_id(ct_simd_level level);
/* "AVX-512 VNNI": what a processor must have, for people. */
const char *ct_simd_title(ct_simd_level level);
bool ct_simd_parse(const char *id, ct_simd_level *level);

/* The tables of loops of one kernel, by level; NULL where it was not compiled for one. The table's type is the
 * kernel's own. */
typedef struct ct_simd_loops {
  const void *at[CT_SIMD_LEVELS];
} ct_simd_loops;

/* The table of the highest usable level, NULL if none is usable. */
const void *ct_simd_loops_usable(const ct_simd_loops *loops);
/* The lowest level that there is a table for: what the kernel needs; the baseline where there is none at all. */
ct_simd_level ct_simd_loops_need(const ct_simd_loops *loops);

/* "AMD EPYC, 2 cores, AVX-512 VNNI" into text; says where GANTRY_CPU caps the level. */
void ct_simd_describe_machine(char *text, size_t size);

#endif
