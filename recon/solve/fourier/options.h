/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of direct Fourier reconstruction, as a plan holds them. */
#ifndef CT_SOLVE_FOURIER_OPTIONS_H
#define CT_SOLVE_FOURIER_OPTIONS_H

#include "recon/base/choice.h"

#define CT_GRIDDINGS(ROW)                                                                                              \
  ROW(CT_GRIDDING_NEAREST, "nearest", "Nearest frequency", "nearest frequency")                                        \
  ROW(CT_GRIDDING_LINEAR, "linear", "Linear, four frequencies", "linear gridding")                                     \
  ROW(CT_GRIDDING_KAISER_BESSEL, "kaiser-bessel", "Kaiser-Bessel", NULL)

typedef enum { CT_GRIDDINGS(CT_CHOICE_VALUE) } ct_gridding;
extern const ct_choice ct_gridding_choices[];

enum { CT_GRIDDING_WIDEST = 8 };

/* gridding_width: frequencies that a sample is spread over in each direction, of Kaiser-Bessel alone. padding: by how
 * much the Fourier grid is finer than that of the slice; NaN: 1.25 of Kaiser-Bessel, 2 of the others. */
typedef struct ct_fourier_options {
#define CT_PARAM(declaration, ...) declaration;
#define CT_PARAM_MORE(...)
#include "recon/solve/fourier/params.h"
#undef CT_PARAM
#undef CT_PARAM_MORE
} ct_fourier_options;

/* The padding, automatic resolved. */
double ct_fourier_padding(const ct_fourier_options *options);

#endif
