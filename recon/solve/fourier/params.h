/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of direct Fourier reconstruction, as rows of the plan table (recon/solve/plan-table.c explains them).
 */
CT_PARAM(
    int gridding, fourier.gridding, "fourier.gridding", "Gridding", "",
    "How the spectra of the views come onto the square grid of the slice's: Kaiser-Bessel is right to the digits of "
    "the scan, linear and nearest show what goes wrong without it.",
    CT_SECTION_ITERATIVE, CT_PLAN_VOLUME, CHOICE(ct_gridding_choices), .fallback = CT_GRIDDING_KAISER_BESSEL,
    ONLY(iterative.method, CT_BIT(CT_METHOD_FOURIER)))
CT_PARAM(int width, fourier.width, "fourier.gridding_width", "Gridding width", "frequencies",
         "Over how many frequencies in each direction a sample is spread: more is more exact and slower.",
         CT_SECTION_ITERATIVE, CT_PLAN_VOLUME, INT(2, CT_GRIDDING_WIDEST), .fallback = 6, .needs = CT_IF_KAISER_BESSEL,
         ONLY(iterative.method, CT_BIT(CT_METHOD_FOURIER)))
CT_PARAM(double padding, fourier.padding, "fourier.padding", "Padding", "×",
         "By how much the Fourier grid is finer than the slice's: more is more exact and slower. Automatic: 1.25 of "
         "Kaiser-Bessel, 2 of nearest and linear.",
         CT_SECTION_ITERATIVE, CT_PLAN_VOLUME, REAL(1.1, 8, 0.25, 3), AUTO_REAL,
         ONLY(iterative.method, CT_BIT(CT_METHOD_FOURIER)))
