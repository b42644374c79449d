/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Discrete shearlets adapted to cones (Häuser & Steidl 2012), without decimation: each band is as large as the slice.
 * They are a tight frame: the squares of all filters add up to 1 at each frequency, and so do those of all coefficients
 * to that of the slice. A slice goes on beyond its borders as it begins on the other side. */
#ifndef CT_SOLVE_ITERATIVE_SHEARLET_PRIVATE_H
#define CT_SOLVE_ITERATIVE_SHEARLET_PRIVATE_H

#include "recon/filter/fft.h"
#include "recon/solve/iterative/solver-private.h"

/* Where a filter is not 0 in a row of frequencies. */
typedef struct ct_shearlet_run {
  int first, end;
  size_t at; /* of the first in the frame's values */
} ct_shearlet_run;

/* Real filters of the half plane of frequencies: columns 0 .. nx / 2, rows 0 .. ny - 1, those behind ny / 2 negative.
 */
typedef struct ct_shearlet_frame {
  int nx, ny, half; /* half: columns */
  int scales, bands;
  ct_shearlet_run *runs; /* [bands][ny]; band 0 is the low pass */
  float *values;
  double *norms; /* [bands]: the standard deviation that white noise of 1 has in the band */
} ct_shearlet_frame;

/* As many scales of those wanted as a slice has. */
int ct_shearlet_scales(int nx, int ny, int wanted);
double ct_shearlet_frame_bytes(int nx, int ny, int wanted);
bool ct_shearlet_frame_make(ct_problem *problem, int scales, ct_shearlet_frame *frame, ct_error **error);

typedef struct ct_shearlet {
  ct_shearlet_frame frame;
  int nz, threads;
  ct_fft *rows;
  ct_fft_complex *forward, *backward; /* of columns */
  float *room;
  size_t plane, pairs; /* floats of a slice and of a spectrum, each of them aligned */
} ct_shearlet;

bool ct_shearlet_prepare(ct_problem *problem, int scales, ct_shearlet *shearlet, ct_error **error);
/* Bytes at most of one on images of a grid. */
double ct_shearlet_bytes(const ct_grid *grid, int threads, int scales);
void ct_shearlet_clear(ct_shearlet *shearlet); /* the transforms; the rest belongs to the problem */

/* Slice and spectra: aligned places of shearlet->plane and ->pairs floats. */
void ct_shearlet_spectrum(const ct_shearlet *shearlet, float *slice, float *spectrum);
/* The coefficients of a band, from the slice's spectrum; `pairs` is scratch. */
void ct_shearlet_band(const ct_shearlet *shearlet, int band, const float *spectrum, float *pairs, float *coefficients);
/* Soft thresholds in all bands but the low pass, as an image in natural layout, slice by slice. threshold: of a band
 * with the noise of an image. False where the job is cancelled: the image is lost then. */
bool ct_shearlet_denoise(const ct_shearlet *shearlet, float *image, double threshold, ct_job *job, ct_error **error);

#endif
