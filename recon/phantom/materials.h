/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What phantoms are made of, and how it attenuates photons of 10 to 200 keV. */
#ifndef CT_PHANTOM_MATERIALS_H
#define CT_PHANTOM_MATERIALS_H

#define CT_MATERIALS(ROW)                                                                                              \
  ROW(CT_MATERIAL_WATER, "Water")                                                                                      \
  ROW(CT_MATERIAL_BONE, "Cortical bone")                                                                               \
  ROW(CT_MATERIAL_PLASTIC, "Acrylic glass (PMMA)")                                                                     \
  ROW(CT_MATERIAL_ALUMINIUM, "Aluminium")                                                                              \
  ROW(CT_MATERIAL_TITANIUM, "Titanium")                                                                                \
  ROW(CT_MATERIAL_IRON, "Iron")                                                                                        \
  ROW(CT_MATERIAL_COPPER, "Copper")
#define CT_MATERIAL_VALUE(value, title) value,
typedef enum { CT_MATERIALS(CT_MATERIAL_VALUE) CT_MATERIAL_COUNT } ct_material;
#undef CT_MATERIAL_VALUE

/* 10 to 200 keV; energies beyond are taken for the nearest of these. */
#define CT_LEAST_KEV 10.0
#define CT_MOST_KEV 200.0

const char *ct_material_title(ct_material material);
/* Linear attenuation in 1/mm at the material's own density, photons of `energy` keV: straight lines between the
 * logarithms of the tables. Source: Hubbell and Seltzer, NIST Standard Reference Database 126, tables 3 and 4 (mass
 * attenuation with coherent scattering; bone: ICRU 44). */
double ct_material_attenuation(ct_material material, double energy);

#endif
