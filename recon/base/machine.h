/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the machine offers: cores; monotonic time. Instruction sets: recon/simd/level.h. */
#ifndef CT_BASE_MACHINE_H
#define CT_BASE_MACHINE_H

/* Threads that OpenMP would use now: the affinity mask's cores, OMP_NUM_THREADS honoured; at least 1. */
int ct_thread_count(void);
/* Seconds of a monotonic clock. */
double ct_now(void);

#endif
