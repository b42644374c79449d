/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW planning for this room: every call into FFTW's planner (planning, destroying, wisdom) is made with the lock
 * held. */
#ifndef CT_FILTER_FFT_PRIVATE_H
#define CT_FILTER_FFT_PRIVATE_H

#include "recon/base/error.h"

#include <fftw3.h>
#include <stdbool.h>
#include <stddef.h>

void ct_fftw_lock(void);
void ct_fftw_unlock(void);

/* Complex transforms of `length` between two different buffers aligned to CT_ALIGNMENT, to be run with
 * fftwf_execute_dft. With `measure` FFTW times its algorithms, or recalls them from the wisdom file; without, it
 * guesses at once unless wisdom is at hand. */
bool ct_fftw_plan_complex(int length, bool measure, fftwf_plan *forward, fftwf_plan *inverse, ct_error **error);
void ct_fftw_destroy(fftwf_plan plan);

/* The wisdom file: path to be freed with ct_free, NULL when there is no place for one. Reading and writing never fail
 * loudly: a cache is a convenience. Both are called with the lock held. */
char *ct_wisdom_path(void);
void ct_wisdom_import(void);
void ct_wisdom_export(void);

#endif
