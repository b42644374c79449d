/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filtered projections kept in 16 bits: the rule of kernel.h. A view's largest finite magnitude sets how many stored
 * numbers make 1; a stored number is sample * units, rounded to the nearest half or integer, ties to even. */
#ifndef CT_BP_LAYOUT_STORED_H
#define CT_BP_LAYOUT_STORED_H

#include "recon/bp/kernel.h"

#include <stdint.h>

/* Whether samples are kept in 16 bits. */
static inline bool ct_is_stored(ct_precision precision) {
  return precision == CT_PRECISION_FLOAT16 || precision == CT_PRECISION_INT16;
}
/* Bytes of a sample as kernels keep it. */
static inline size_t ct_stored_bytes(ct_precision precision) {
  return ct_is_stored(precision) ? sizeof(uint16_t) : sizeof(float);
}

/* Stored numbers per 1 in a view of that largest magnitude; 1 where samples are kept as they are. */
float ct_stored_units(ct_precision precision, float magnitude);
/* What a stored 1 is worth: 1 / units; 0 where there are none. */
static inline float ct_stored_worth(float units) {
  return units > 0 ? 1 / units : 0;
}
/* The stored numbers of count samples, as floats: exact. */
void ct_stored_numbers(ct_precision precision, const float *samples, size_t count, float units, float *out);

#endif
