/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the filter's choices. */
#include "recon/filter/filter.h"

const ct_choice ct_window_choices[] = {CT_WINDOWS(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_ramp_choices[] = {CT_RAMPS(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_extension_choices[] = {CT_EXTENSIONS(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_redundancy_choices[] = {CT_REDUNDANCIES(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_spiral_choices[] = {CT_SPIRAL_METHODS(CT_CHOICE_ROW) CT_CHOICE_END};
