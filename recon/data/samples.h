/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the values of a volume are written into a file. */
#ifndef CT_DATA_SAMPLES_H
#define CT_DATA_SAMPLES_H

#include "recon/base/choice.h"

#define CT_SAMPLE_KINDS(ROW)                                                                                           \
  ROW(CT_SAMPLES_FLOAT32, "float32", "Float, 32 bit", "32-bit float")                                                  \
  ROW(CT_SAMPLES_UINT16, "uint16", "Integer, 16 bit, scaled", "16-bit integers")                                       \
  ROW(CT_SAMPLES_HOUNSFIELD, "hu", "Integer, 16 bit, Hounsfield units", "16-bit HU")
typedef enum { CT_SAMPLE_KINDS(CT_CHOICE_VALUE) } ct_samples;
extern const ct_choice ct_samples_choices[];

#endif
