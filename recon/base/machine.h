/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the machine offers: cores; monotonic time. Instruction sets: recon/simd/level.h. */
#ifndef CT_BASE_MACHINE_H
#define CT_BASE_MACHINE_H

enum { CT_MOST_THREADS = 1024 };

/* Threads that OpenMP would use now: the affinity mask's cores, OMP_NUM_THREADS honoured; 1 to CT_MOST_THREADS. */
int ct_thread_count(void);
/* Seconds of a monotonic clock. */
double ct_now(void);

#endif
