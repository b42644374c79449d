/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Direct Fourier reconstruction of parallel beam, as a back-projection kernel: what back-projection adds along rays,
 * this adds along lines of the slice's spectrum. By the Fourier slice theorem the transform of a view's filtered row is
 * that spectrum's line at the view's angle, already weighted by |frequency| (the ramp) and angle. Each sample of it is
 * spread over a square grid of frequencies with a small window C (gridding: O'Sullivan 1985; windows and padding:
 * Beatty et al. 2005; tomography: Marone & Stampanoni 2012), the grid is transformed back, and the result divided by
 * the transform of C (deapodisation), which the spreading has multiplied it with.
 *
 * So voxel (i, j) becomes the sum over the views of q(u), (u, v) from the view's matrix as for every kernel, with q
 * interpolated by its own trigonometric polynomial instead of linearly: any angles, axis, voxel size and centre serve.
 * Frequencies above what a coarse grid holds fold back, as they do where a picture is sampled at voxel centres. Two
 * slices go through one complex transform. Slices between rows take both rows linearly. */
#ifndef CT_SOLVE_FOURIER_FOURIER_H
#define CT_SOLVE_FOURIER_FOURIER_H

#include "recon/bp/kernel.h"
#include "recon/solve/fourier/options.h"

/* It is no row of the table of kernels, whose rows all give what textbook gives: it is chosen as a method, and needs
 * request.fourier. */
extern const ct_bp_kernel ct_fourier_kernel;

#endif
