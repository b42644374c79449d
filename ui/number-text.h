/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as in print: a true minus sign, groups of three digits from five digits on, powers of ten in
 * place of exponents. No widgets. All texts are the caller's. */
#pragma once

#include <glib.h>

#define GANTRY_MINUS "−"

/* ct_format_quantity's number and unit (NULL or empty: none): "−0.0019 1/mm", "12 500 photons", "1.2·10⁻⁷ 1/mm". */
char *gantry_quantity_text(double value, int digits, const char *unit);
/* All its decimals, and no minus before a zero: "−3.50". */
char *gantry_fixed_text(double value, int decimals);
/* What is close to 1 with the digits that tell it from 1: "0.99999987", "1.00042", "0.873". */
char *gantry_near_one_text(double value);
/* "10⁻⁵" */
char *gantry_power_text(int exponent);
/* "60 000" */
char *gantry_count_text(gint64 count);
/* A number that was printed in the C manner ("-12500.5 mm", "1e-07"). */
char *gantry_proper_number(const char *printed);
/* The same of ct_format_length: "5 µm", "20 mm". */
char *gantry_length_text(double length, int digits, const char *unit);
