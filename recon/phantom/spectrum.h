/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spectrum of an X-ray tube as an energy-integrating detector sees it, and what it makes of paths through
 * materials: beam hardening. */
#ifndef CT_PHANTOM_SPECTRUM_H
#define CT_PHANTOM_SPECTRUM_H

#include "recon/base/error.h"
#include "recon/phantom/materials.h"

#include <stdbool.h>

/* Bins of 2 keV from 10 keV on. */
enum { CT_SPECTRUM_BINS = 95 };

typedef struct ct_spectrum {
  int count;
  double energy[CT_SPECTRUM_BINS]; /* keV, the middle of each bin */
  double share[CT_SPECTRUM_BINS];  /* of the signal without object; they add up to 1 */
  /* [material][bin]: attenuation over what a thin layer of the material shows, so that p = mu density length is the
   * line integral of a thin object and the polychromatic signal is the sum of share exp(-sum over materials of factor
   * p). */
  double factor[CT_MATERIAL_COUNT][CT_SPECTRUM_BINS];
} ct_spectrum;

/* Kramers' law (photons per energy go as (E0 - E) / E), times the energy that the detector adds up, behind filters of
 * aluminium and copper (mm). kilovolts: 20 to 200. CT_ERROR_ARGUMENT. */
bool ct_spectrum_init(ct_spectrum *spectrum, double kilovolts, double aluminium, double copper, ct_error **error);

/* The part of the signal that is left behind paths[m] (mu density length) through `count` materials. */
double ct_spectrum_transmission(const ct_spectrum *spectrum, const ct_material *materials, const double *paths,
                                int count);

#endif
