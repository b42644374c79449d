/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Photon noise: p becomes -log(n / i0) with n drawn from Poisson(i0 exp(-p)), at least 1: a counting
 * detector. */
#include "recon/base/machine.h"
#include "recon/phantom/phantom.h"
#include "recon/phantom/random-private.h"

#include <math.h>

void ct_add_photon_noise(ct_stack *stack, double i0, uint64_t seed) {
  if (!(i0 > 0) || !isfinite(i0)) return;
  float *data = ct_stack_data(stack);
  const size_t count = ct_stack_bytes(stack) / sizeof *data;
#pragma omp parallel for schedule(static) num_threads(ct_thread_count())
  for (size_t i = 0; i < count; i++) {
    const double mean = i0 * exp(-(double)data[i]);
    if (isfinite(mean)) data[i] = (float)-log(fmax(ct_poisson(mean, seed, i), 1) / i0);
  }
}
