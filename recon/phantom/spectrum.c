/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares and attenuation of the bins of a tube's spectrum. */
#include "recon/phantom/spectrum.h"

#include <math.h>

static const double width = 2, least_voltage = 20;

bool ct_spectrum_init(ct_spectrum *s, double kilovolts, double aluminium, double copper, ct_error **error) {
  double sum = 0;
  if (!(kilovolts >= least_voltage && kilovolts <= CT_MOST_KEV))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The tube's voltage must lie in %g..%g kV, not at %g.", least_voltage,
                        CT_MOST_KEV, kilovolts);
  if (!(aluminium >= 0 && aluminium <= 100 && copper >= 0 && copper <= 100))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "Filters must be 0..100 mm thick, not %g and %g mm.", aluminium,
                        copper);
  *s = (ct_spectrum){0};
  for (int n = 0; n < CT_SPECTRUM_BINS; n++) {
    const double e = CT_LEAST_KEV + width * (n + 0.5);
    if (e >= kilovolts) break;
    s->energy[n] = e;
    s->share[n] = (kilovolts - e) * exp(-aluminium * ct_material_attenuation(CT_MATERIAL_ALUMINIUM, e) -
                                        copper * ct_material_attenuation(CT_MATERIAL_COPPER, e));
    sum += s->share[n];
    s->count = n + 1;
  }
  if (!(sum > 0))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "Nothing of a beam of %g kV passes %g mm of aluminium and %g mm of "
                        "copper.",
                        kilovolts, aluminium, copper);
  for (int n = 0; n < s->count; n++) s->share[n] /= sum;
  for (int m = 0; m < CT_MATERIAL_COUNT; m++) {
    double thin = 0;
    for (int n = 0; n < s->count; n++) {
      s->factor[m][n] = ct_material_attenuation((ct_material)m, s->energy[n]);
      thin += s->share[n] * s->factor[m][n];
    }
    for (int n = 0; n < s->count; n++) s->factor[m][n] /= thin;
  }
  return true;
}

double ct_spectrum_transmission(const ct_spectrum *s, const ct_material *materials, const double *paths, int count) {
  double sum = 0;
  for (int n = 0; n < s->count; n++) {
    double p = 0;
    for (int m = 0; m < count; m++) p += s->factor[materials[m]][n] * paths[m];
    sum += s->share[n] * exp(-p);
  }
  return sum;
}
