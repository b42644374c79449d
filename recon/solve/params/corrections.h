/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the section Corrections besides those of recon/prep, as rows of the plan table
 * (recon/solve/plan-table.c explains them). */
CT_PARAM(double noise_photons, noise_photons, "corrections.noise_photons", "Photon noise", "photons",
         "Simulates a scan of less dose: adds the noise of so many photons per pixel in front of the object (after "
         "binning). Fewer are noisier: 1e5 is a clean scan, 1e3 a poor one. Automatic adds none.",
         CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, REAL(1, 1e12, 1000, 0), AUTO_REAL, .advanced = true)
CT_PARAM(int noise_seed, noise_seed, "corrections.noise_seed", "Noise seed", "",
         "Another number gives other noise of the same strength; the same gives the same noise again.",
         CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, INT(0, 2147483647), .fallback = 1, .advanced = true,
         ONLY(noise_photons, CT_BIT(1)), .unfolds = CT_IF_ALWAYS)
