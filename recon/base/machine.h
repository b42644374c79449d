/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the machine offers: instruction sets (bits), cores, caches; monotonic time. */
#ifndef CT_BASE_MACHINE_H
#define CT_BASE_MACHINE_H

#include <stddef.h>

enum {
  CT_CPU_AVX2_FMA = 1 << 0, /* x86-64-v3: AVX2, FMA, F16C, BMI2 */
  CT_CPU_AVX512 = 1 << 1,   /* x86-64-v4: AVX-512 F, BW, CD, DQ, VL */
  CT_CPU_AVX512_VNNI = 1 << 2,
  CT_CPU_AVX512_VBMI = 1 << 3,
};

/* Bits of CT_CPU_*; asked once from the processor at each call (cheap). */
unsigned ct_cpu_features(void);
/* "AMD EPYC, 2 cores, AVX-512" into text. */
void ct_cpu_describe(char *text, size_t size);
/* Threads that OpenMP would use now: the affinity mask's cores, OMP_NUM_THREADS honoured; at least 1. */
int ct_thread_count(void);
/* Seconds of a monotonic clock. */
double ct_now(void);

#endif
