/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measures of the RabbitCT benchmark (Rohkohl et al., Medical Physics 36, 2009): a back-projected volume f becomes
 * Hounsfield units, which are compared with a reference of whole numbers, piece by piece. */
#ifndef CT_METRIC_RABBITCT_H
#define CT_METRIC_RABBITCT_H

#include "recon/base/value-scale.h"

#include <stddef.h>
#include <stdint.h>

enum { CT_RABBITCT_PEAK = CT_HOUNSFIELD_PEAK, CT_RABBITCT_BINS = 11 };

/* ct_hounsfield_of. */
uint16_t ct_rabbitct_hu(float f, const float scale[2]);

typedef struct ct_rabbitct_metrics {
  double q_mse;  /* mean squared difference, HU^2 */
  double rmse;   /* HU */
  double psnr;   /* 20 log10(4095 / rmse), dB; INFINITY when equal */
  int max_error; /* HU */
  size_t count;
  size_t histogram[CT_RABBITCT_BINS]; /* voxels that differ by 0, 1, ..., 9, and by 10 HU or more */
  double squares;                     /* sum of squared differences, HU^2 */
} ct_rabbitct_metrics;

/* Adds `count` voxels to metrics, which begins as all zero; the other members follow from the sums after each piece. */
void ct_rabbitct_compare(const float *f, const uint16_t *reference, size_t count, const float scale[2],
                         ct_rabbitct_metrics *metrics);

/* 1e9 voxel updates a second: edge^3 voxels, `views` projections. */
double ct_rabbitct_gups(int edge, int views, double seconds);

#endif
