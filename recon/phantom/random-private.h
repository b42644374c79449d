/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers that are a function of (seed, index, draw) and of nothing else, so that noise does not depend on the
 * number of threads or on the order of the pixels. */
#ifndef CT_RANDOM_PRIVATE_H
#define CT_RANDOM_PRIVATE_H

#include <stdint.h>

/* Philox4x32-10: Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3". */
void ct_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* A draw from the Poisson distribution: the number that belongs to `index` in the stream of `seed`. mean: finite. */
double ct_poisson(double mean, uint64_t seed, uint64_t index);
/* Likewise uniform in (0, 1), two at a time, and of the standard normal distribution. */
void ct_uniform_pair(uint64_t seed, uint64_t index, double *a, double *b);
double ct_gauss(uint64_t seed, uint64_t index);

#endif
