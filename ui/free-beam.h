/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a rectangle of a projection is free of object, as far as one projection tells. No widgets. */
#pragma once

#include "ui/image.h"

/* Share of the light that arrives in the rectangle, median of its pixels, relative to the brightest place of about its
 * size in the same projection (1: as bright as anywhere); `evenness` (may be NULL): the light of the darkest tenth of
 * its pixels over that of the brightest. NAN where the picture holds no line integrals or the rectangle (column, row,
 * width, height in detector pixels) lies beside it. A lamp that is brighter in the middle lowers the share of a corner;
 * an object lowers it more. */
double gantry_free_beam_share(const GantryImage *image, const int rectangle[4], double *evenness);
/* A message about it; NULL: the rectangle looks free. spread: (highest - lowest) / mean
 * of the beam's intensity in it over all views, NAN when it is not known. */
char *gantry_free_beam_doubt(double share, double evenness, double spread);
