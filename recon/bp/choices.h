/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of interpolations and precisions. */
#ifndef CT_BP_CHOICES_H
#define CT_BP_CHOICES_H

#include "recon/base/choice.h"

extern const ct_choice ct_interp_choices[], ct_precision_choices[];

#endif
