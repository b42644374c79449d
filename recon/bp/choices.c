/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of interpolations and precisions. */
#include "recon/bp/choices.h"

#include "recon/bp/kernel.h"

const ct_choice ct_interp_choices[] = {
    {CT_INTERP_NEAREST, "nearest", "Nearest neighbour", "nearest interpolation"},
    {CT_INTERP_LINEAR, "linear", "Linear", NULL},
    {CT_INTERP_CUBIC, "cubic", "Cubic (Keys)", "cubic interpolation"},
    {CT_INTERP_GAUSSIAN, "gaussian", "Gaussian", "gaussian interpolation"},
    {CT_INTERP_OVERSAMPLED, "oversampled", "Nearest of 4× oversampled", "oversampled interpolation"},
    CT_CHOICE_END,
};

const ct_choice ct_precision_choices[] = {
    {CT_PRECISION_FLOAT32, "float32", "Single, 32 bit", NULL},
    {CT_PRECISION_FLOAT16, "float16", "Half, 16 bit", "half, 16 bit"},
    {CT_PRECISION_INT16, "int16", "Integer, 16 bit", "integer, 16 bit"},
    {CT_PRECISION_FLOAT64, "float64", "Double, 64 bit", "double, 64 bit"},
    CT_CHOICE_END,
};

const char *ct_interp_id(ct_interp interp) {
  return ct_choice_id(ct_interp_choices, (int)interp);
}

const char *ct_precision_id(ct_precision precision) {
  return ct_choice_id(ct_precision_choices, (int)precision);
}
