/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of what a scan's values and a file's samples are. */
#include "recon/data/samples.h"
#include "recon/data/scan.h"

const ct_choice ct_samples_choices[] = {CT_SAMPLE_KINDS(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_values_choices[] = {CT_VALUES_LIST(CT_CHOICE_ROW) CT_CHOICE_END};
const ct_choice ct_layout_choices[] = {CT_LAYOUT_LIST(CT_CHOICE_ROW) CT_CHOICE_END};

bool ct_values_are_logarithms(ct_values values) {
  return values == CT_VALUES_LINE_INTEGRALS || values == CT_VALUES_OPTICAL_DENSITY || values == CT_VALUES_FILTERED;
}
