/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Photon noise: p becomes -log(n / i0) with n drawn from Poisson(i0 exp(-p)), at least 1: a counting
 * detector. */
#include "recon/base/machine.h"
#include "recon/phantom/phantom.h"
#include "recon/phantom/random-private.h"

#include <math.h>

void ct_add_photon_noise_pixels(float *data, size_t count, double i0, uint64_t seed, uint64_t first) {
  if (!(i0 > 0) || !isfinite(i0)) return;
  for (size_t i = 0; i < count; i++) {
    const double mean = i0 * exp(-(double)data[i]);
    if (isfinite(mean)) data[i] = (float)-log(fmax(ct_poisson(mean, seed, first + i), 1) / i0);
  }
}

void ct_add_photon_noise_part(ct_stack *stack, double i0, uint64_t seed, int first, int step, int row0, int rows) {
  const size_t nu = (size_t)ct_stack_nu(stack), count = nu * (size_t)ct_stack_nv(stack);
#pragma omp parallel for schedule(static) num_threads(ct_thread_count())
  for (int view = 0; view < ct_stack_views(stack); view++) {
    const uint64_t index = (((uint64_t)first + (uint64_t)view * (uint64_t)step) * (uint64_t)rows + (uint64_t)row0) * nu;
    ct_add_photon_noise_pixels(ct_stack_view(stack, view), count, i0, seed, index);
  }
}

void ct_add_photon_noise(ct_stack *stack, double i0, uint64_t seed) {
  ct_add_photon_noise_part(stack, i0, seed, 0, 1, 0, ct_stack_nv(stack));
}
