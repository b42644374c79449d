/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A linear scale of a volume's values, such as the Hounsfield units that a scan tells for its own. */
#ifndef CT_BASE_VALUE_SCALE_H
#define CT_BASE_VALUE_SCALE_H

#include <stdbool.h>
#include <stdint.h>

/* factor value + offset. */
typedef struct ct_value_scale {
  double factor, offset;
} ct_value_scale;

/* A scale and what its values are called: "HU"; an empty unit is no scale. */
typedef struct ct_named_scale {
  ct_value_scale scale;
  char unit[24];
} ct_named_scale;

#define CT_VALUE_SCALE_KEY "value_scale"
/* As the header of a result tells: JSON with CT_VALUE_SCALE_KEY: [factor, offset, unit], as solve/record.h writes it.
 * None where it does not, and of NULL. */
ct_named_scale ct_named_scale_of_header(const char *json);

/* Hounsfield units as whole numbers by RabbitCT's rule: floor(factor f + offset + 0.5) where f > 0, else 0; 0 to 4095.
 * NaN gives 0. */
enum { CT_HOUNSFIELD_PEAK = 4095 };
uint16_t ct_hounsfield_of(float f, ct_value_scale scale);

#endif
