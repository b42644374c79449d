/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the models of a ray. */
#ifndef CT_FP_CHOICES_H
#define CT_FP_CHOICES_H

#include "recon/base/choice.h"

extern const ct_choice ct_model_choices[];

#endif
