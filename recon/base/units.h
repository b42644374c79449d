/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one formatter of quantities for people: sensible digits, never an exponent where a prefix serves. */
#ifndef CT_BASE_UNITS_H
#define CT_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* Units of a volume. Where nobody told how large a pixel is they are pixels, and values are per pixel. */
typedef struct ct_units {
  const char *length, *value; /* "mm", "1/mm"; or "px", "1/px" */
} ct_units;
#define CT_UNITS_KEY "length_unit"
ct_units ct_units_of(bool in_pixels);
/* As the header of a result tells (JSON with CT_UNITS_KEY, as solve/record.h writes it); mm where it does not, and of
 * NULL. */
ct_units ct_units_of_header(const char *json);
bool ct_units_are_pixels(ct_units units);

/* Each writes at most size bytes with a final 0 and returns text. */
char *ct_format_bytes(double bytes, char *text, size_t size);      /* "1.3 GB" (powers of 1000) */
char *ct_format_duration(double seconds, char *text, size_t size); /* "12 ms", "3.4 s", "2:05", "1:02:05" */
/* value with `digits` significant digits and a unit: "0.0921 /mm", "12.4 mm", "295.5 px". NaN gives "no value". */
char *ct_format_quantity(double value, int digits, const char *unit, char *text, size_t size);
/* A length of that size in the unit that shows it best: nm below 0.1 µm, µm below 0.01 mm, m from 10 m on; by `unit`
 * alone where that is not "mm". */
char *ct_format_length(double length, int digits, const char *unit, char *text, size_t size);
/* What such lengths are multiplied by, and *shown with: for several that are told together. */
double ct_length_factor(double length, const char *unit, const char **shown);
/* A plain number with `digits` significant digits, trailing zeros cut; scientific only beyond 1e-5 .. 1e7. */
char *ct_format_number(double value, int digits, char *text, size_t size);

#endif
