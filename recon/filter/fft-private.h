/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW planning for this room: every call into FFTW's planner (planning, destroying) is made with the lock held. */
#ifndef CT_FILTER_FFT_PRIVATE_H
#define CT_FILTER_FFT_PRIVATE_H

#include "recon/base/error.h"

#include <fftw3.h>
#include <stdbool.h>
#include <stddef.h>

/* Complex transforms of `length` between two different buffers aligned to CT_ALIGNMENT, to be run with
 * fftwf_execute_dft. Plans are estimated, not measured: planning takes no time, and the same rows give the same bits in
 * every run. NULL both on failure. */
bool ct_fftw_plan_complex(int length, fftwf_plan *forward, fftwf_plan *inverse, ct_error **error);
void ct_fftw_destroy(fftwf_plan plan);

#endif
