/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the iterative methods and of their choices. */
#include "recon/solve/iterative/options.h"

const ct_choice ct_method_choices[] = {CT_METHOD_LIST(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_order_choices[] = {CT_VIEW_ORDERS(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_momentum_choices[] = {CT_MOMENTUM_LIST(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_divisor_choices[] = {CT_DIVISORS(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_start_choices[] = {CT_STARTS(CT_CHOICE_ROW) CT_CHOICE_END};
