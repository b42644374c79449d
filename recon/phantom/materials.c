/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mass attenuation in cm^2/g of Hubbell and Seltzer, "Tables of X-Ray Mass Attenuation Coefficients", NIST SRD 126. */
#include "recon/phantom/materials.h"

#include <math.h>

enum { ENERGIES = 11 };

static const double energies[ENERGIES] = {10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200};

/* No material has an absorption edge between 10 and 200 keV, so that lines between logarithms serve. */
static const struct {
  double density; /* g/cm^3 */
  double mass[ENERGIES];
} data[CT_MATERIAL_COUNT] = {
    [CT_MATERIAL_WATER] = {1.00,
                           {5.329, 1.673, 0.8096, 0.3756, 0.2683, 0.2269, 0.2059, 0.1837, 0.1707, 0.1505, 0.1370}},
    [CT_MATERIAL_BONE] = {1.92, {28.51, 9.032, 4.001, 1.331, 0.6655, 0.4242, 0.3148, 0.2229, 0.1855, 0.1480, 0.1309}},
    [CT_MATERIAL_PLASTIC] = {1.19,
                             {3.357, 1.101, 0.5714, 0.3032, 0.2350, 0.2074, 0.1924, 0.1751, 0.1641, 0.1456, 0.1328}},
    [CT_MATERIAL_ALUMINIUM] = {2.699,
                               {26.23, 7.955, 3.441, 1.128, 0.5685, 0.3681, 0.2778, 0.2018, 0.1704, 0.1378, 0.1223}},
    [CT_MATERIAL_TITANIUM] = {4.54, {110.7, 35.87, 15.85, 4.972, 2.214, 1.213, 0.7661, 0.4052, 0.2721, 0.1649, 0.1314}},
    [CT_MATERIAL_IRON] = {7.874, {170.6, 57.08, 25.68, 8.176, 3.629, 1.958, 1.205, 0.5952, 0.3717, 0.1964, 0.1460}},
    [CT_MATERIAL_COPPER] = {8.96, {215.9, 74.05, 33.79, 10.92, 4.862, 2.613, 1.593, 0.7630, 0.4584, 0.2217, 0.1559}},
};

#define TITLE(value, title) title,
const char *ct_material_title(ct_material material) {
  static const char *const titles[] = {CT_MATERIALS(TITLE)};
  return titles[material];
}

double ct_material_attenuation(ct_material material, double energy) {
  const double e = fmin(fmax(energy, CT_LEAST_KEV), CT_MOST_KEV), *mass = data[material].mass;
  int n = 0;
  while (n < ENERGIES - 2 && e > energies[n + 1]) n++;
  const double along = log(e / energies[n]) / log(energies[n + 1] / energies[n]);
  return 0.1 * data[material].density * mass[n] * pow(mass[n + 1] / mass[n], along);
}
