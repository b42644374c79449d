/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the corrections' choices. */
#include "recon/prep/prep.h"

const ct_choice ct_flat_choices[] = {CT_FLAT_MODES(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_log_choices[] = {CT_LOG_MODES(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_i0_choices[] = {CT_I0_METHODS(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_ring_choices[] = {CT_RING_METHODS(CT_CHOICE_ROW) CT_CHOICE_END};
